/* location.c - scores of positions, whatever word is there:
 *
 *   location   e = W d                  Luong, Pham and Manning (2015), equation 8
 *   linear     e = W [d ; E y_{t-1}]    PyTorch's tutorial "Translation with a Sequence to Sequence
 *                                       Network and Attention" (Robertson 2017, AttnDecoderRNN;
 *                                       without the bias)
 *
 * W has a row for each of N positions (--attention-positions), so the prepared query is the scores
 * of all. Of a longer source the first N positions are seen: the others weigh 0.
 */
#include "nn/score/score.h"

#include "linalg/vector.h"

#include <string.h>

enum { STATE, WORD };

static int seen(const ScoreLayer *l, int length)
{
    return length < l->n.positions ? length : l->n.positions;
}

/* query (rows,N) = state (rows,H) · W' */
static void query_forward(const ScoreLayer *l, real *query, const real *state, int ld, int rows)
{
    linear_forward(OVERWRITE, query, l->n.positions, state, ld, &l->w[STATE], NULL, rows);
}

static void score_forward(const ScoreLayer *l, real *e, const real *query, const real *keys,
                          int length)
{
    (void)keys;
    memcpy(e, query, (size_t)seen(l, length) * sizeof *e);
}

static void score_backward(const ScoreLayer *l, real *dquery, real *dkeys, const real *de,
                           const real *query, const real *keys, int length)
{
    (void)dkeys, (void)query, (void)keys;
    vector_add(dquery, de, (size_t)seen(l, length));
}

static void weights_forward(const ScoreLayer *l, real *alpha, const real *query, int length)
{
    const int within = seen(l, length);
    (void)query;
    vector_softmax(alpha, within);
    memset(alpha + within, 0, (size_t)(length - within) * sizeof *alpha);
}

static void weights_backward(const ScoreLayer *l, real *de, real *dquery, const real *alpha,
                             const real *query, int length)
{
    (void)dquery, (void)query;
    vector_softmax_backward(de, alpha, seen(l, length));
}

/* dstate (rows,H) += dquery (rows,N) · W */
static void query_backward(const ScoreLayer *l, real *dstate, int ld, real *dquery,
                           const real *query, int rows)
{
    (void)query;
    linear_backward_input(ACCUMULATE, dstate, ld, dquery, l->n.positions, &l->w[STATE], rows);
}

/* dW (N,H) += dquery' (N,steps) · state (steps,H) */
static void query_weights_backward(const ScoreLayer *l, const real *dquery, const real *state,
                                   int ld, int N)
{
    linear_backward_weight(&l->dw[STATE], dquery, l->n.positions, state, ld, N);
}

/* query (rows,N) += word (rows,E) · W_y' */
static void word_forward(const ScoreLayer *l, real *query, const real *word, int rows)
{
    linear_forward(ACCUMULATE, query, l->n.positions, word, l->n.E, &l->w[WORD], NULL, rows);
}

/* dword (rows,E) += dquery (rows,N) · W_y */
static void word_backward(const ScoreLayer *l, real *dword, const real *dquery, int rows)
{
    linear_backward_input(ACCUMULATE, dword, l->n.E, dquery, l->n.positions, &l->w[WORD], rows);
}

/* dW_y (N,E) += dquery' (N,steps) · word (steps,E) */
static void word_weights_backward(const ScoreLayer *l, const real *dquery, const real *word, int N)
{
    linear_backward_weight(&l->dw[WORD], dquery, l->n.positions, word, l->n.E, N);
}

#define POSITIONS \
    .query_forward = query_forward, .score_forward = score_forward, \
    .weights_forward = weights_forward, .weights_backward = weights_backward, \
    .score_backward = score_backward, .query_backward = query_backward, \
    .query_weights_backward = query_weights_backward

static int check(const char *name, const ScoreSizes *n, Err *e)
{
    if (n->positions) return 0;
    return err(e, "--attention %s learns a score for each position and needs "
                  "--attention-positions N, the longest source it can see to its end (subwords "
                  "and <eos>)", name);
}

static int location_check(const ScoreSizes *n, Err *e)
{
    return check("location", n, e);
}

static int linear_check(const ScoreSizes *n, Err *e)
{
    return check("linear", n, e);
}

static ScoreShape location_shape(const ScoreSizes *n)
{
    return (ScoreShape){
        .parameter = { { "attention.location.weight", n->positions, n->H, .query = n->H } },
        .key = n->C, .query = n->positions,
    };
}

static ScoreShape linear_shape(const ScoreSizes *n)
{
    return (ScoreShape){
        .parameter = { { "attention.linear.weight", n->positions, n->H + n->E, .query = n->H,
                         .word = n->E } },
        .key = n->C, .query = n->positions,
    };
}

const AttentionScore score_location = {
    POSITIONS, .shape = location_shape, .check = location_check,
};

const AttentionScore score_linear = {
    POSITIONS, .shape = linear_shape, .check = linear_check, .word_forward = word_forward,
    .word_backward = word_backward, .word_weights_backward = word_weights_backward,
};
