/* score_location.c - where to look is read off the state alone (Luong, Pham and Manning 2015, equation 8):
 *
 *   e = W d            one score a position
 *
 * W has a row for each of N positions (--attention-positions). A longer source is seen up to its position N: what
 * follows weighs 0.
 */
#include "nn/score.h"

#include "linalg/vector.h"

#include <string.h>

enum { W };

static int seen(int length, const ScoreSizes *n)
{
    return length < n->positions ? length : n->positions;
}

static ScoreShape shape(const ScoreSizes *n)
{
    return (ScoreShape){
        .parameter = { [W] = { "attention.location.weight", n->positions, n->H, .query = n->H } },
        .key = n->C, .query = n->positions,
        .query_products = n->positions * (double)n->H,
    };
}

static int check(const ScoreSizes *n, Err *e)
{
    if (n->positions) return 0;
    return err(e, "--attention location learns a score for each position and needs --attention-positions N, the "
                  "longest source it can see to its end (subwords and <eos>)");
}

/* query (rows,N) = state (rows,H) · W' */
static void query_forward(real *query, const real *state, int ld, const Linear *w, int rows, const ScoreSizes *n)
{
    linear_forward(OVERWRITE, query, n->positions, state, ld, &w[W], NULL, rows);
}

static void score_forward(real *e, const real *query, const real *keys, const Linear *w, int length,
                          const ScoreSizes *n)
{
    (void)keys, (void)w;
    memcpy(e, query, (size_t)seen(length, n) * sizeof *e);
}

static void score_backward(real *dquery, real *dkeys, const Linear *dw, const real *de, const real *query,
                           const real *keys, const Linear *w, int length, const ScoreSizes *n)
{
    (void)dkeys, (void)dw, (void)query, (void)keys, (void)w;
    vector_add(dquery, de, (size_t)seen(length, n));
}

static void weights_forward(real *alpha, const real *query, const Linear *w, int length, const ScoreSizes *n)
{
    const int within = seen(length, n);
    (void)query, (void)w;
    vector_softmax(alpha, within);
    memset(alpha + within, 0, (size_t)(length - within) * sizeof *alpha);
}

static void weights_backward(real *de, real *dquery, const Linear *dw, const real *alpha, const real *query,
                             const Linear *w, int length, const ScoreSizes *n)
{
    (void)dquery, (void)dw, (void)query, (void)w;
    vector_softmax_backward(de, alpha, seen(length, n));
}

/* dstate (rows,H) += dquery (rows,N) · W */
static void query_backward(real *dstate, int ld, real *dquery, const real *query, const Linear *w, int rows,
                           const ScoreSizes *n)
{
    (void)query;
    linear_backward_input(ACCUMULATE, dstate, ld, dquery, n->positions, &w[W], rows);
}

/* dW (N,H) += dquery' (N,steps) · state (steps,H) */
static void query_weights_backward(const Linear *dw, const real *dquery, const real *state, int ld, int N,
                                   const ScoreSizes *n)
{
    linear_backward_weight(&dw[W], dquery, n->positions, state, ld, N);
}

const Score score_location = {
    .shape = shape, .check = check,
    .query_forward = query_forward, .score_forward = score_forward, .weights_forward = weights_forward,
    .weights_backward = weights_backward, .score_backward = score_backward, .query_backward = query_backward,
    .query_weights_backward = query_weights_backward,
};
