/* location.c - scores of positions from the decoder's state alone (Luong, Pham and Manning 2015,
 * equation 8):
 *
 *   e = W d            one score a position
 *
 * W has a row for each of N positions (--attention-positions). Of a longer source the first N
 * positions are seen: the others weigh 0.
 */
#include "nn/score/score.h"

#include "linalg/vector.h"

#include <string.h>

enum { W };

static int seen(const ScoreLayer *l, int length)
{
    return length < l->n.positions ? length : l->n.positions;
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
    return err(e, "--attention location learns a score for each position and needs "
                  "--attention-positions N, the longest source it can see to its end (subwords "
                  "and <eos>)");
}

/* query (rows,N) = state (rows,H) · W' */
void location_query_forward(const ScoreLayer *l, real *query, const real *state, int ld, int rows)
{
    linear_forward(OVERWRITE, query, l->n.positions, state, ld, &l->w[W], NULL, rows);
}

void location_score_forward(const ScoreLayer *l, real *e, const real *query, const real *keys,
                          int length)
{
    (void)keys;
    memcpy(e, query, (size_t)seen(l, length) * sizeof *e);
}

void location_score_backward(const ScoreLayer *l, real *dquery, real *dkeys, const real *de,
                           const real *query, const real *keys, int length)
{
    (void)dkeys, (void)query, (void)keys;
    vector_add(dquery, de, (size_t)seen(l, length));
}

void location_weights_forward(const ScoreLayer *l, real *alpha, const real *query, int length)
{
    const int within = seen(l, length);
    (void)query;
    vector_softmax(alpha, within);
    memset(alpha + within, 0, (size_t)(length - within) * sizeof *alpha);
}

void location_weights_backward(const ScoreLayer *l, real *de, real *dquery, const real *alpha,
                             const real *query, int length)
{
    (void)dquery, (void)query;
    vector_softmax_backward(de, alpha, seen(l, length));
}

/* dstate (rows,H) += dquery (rows,N) · W */
void location_query_backward(const ScoreLayer *l, real *dstate, int ld, real *dquery,
                           const real *query, int rows)
{
    (void)query;
    linear_backward_input(ACCUMULATE, dstate, ld, dquery, l->n.positions, &l->w[W], rows);
}

/* dW (N,H) += dquery' (N,steps) · state (steps,H) */
void location_query_weights_backward(const ScoreLayer *l, const real *dquery, const real *state,
                                   int ld, int N)
{
    linear_backward_weight(&l->dw[W], dquery, l->n.positions, state, ld, N);
}

const AttentionScore score_location = {
    .shape = shape, .check = check,
    .query_forward = location_query_forward, .score_forward = location_score_forward,
    .weights_forward = location_weights_forward, .weights_backward = location_weights_backward,
    .score_backward = location_score_backward, .query_backward = location_query_backward,
    .query_weights_backward = location_query_weights_backward,
};
