/* concat_linear.c - the score of concat.c with nothing between its matrix and the sum:
 *
 *   e = w · [d ; m] = w_d · d + w_m · m
 *
 * All positions of a sentence have the same w_d · d, and the softmax takes away what they share: so
 * these weights do not depend on the step, and w_d learns nothing. The tanh is what lets additive.c
 * and concat.c look at another place in each step.
 */
#include "nn/score/score.h"

#include "linalg/vector.h"

enum { STATE, MEMORY };

static ScoreShape shape(const ScoreSizes *n)
{
    return (ScoreShape){
        .parameter = { { "attention.score.weight", 1, n->H + n->C, .query = n->H } },
        .key = 1, .query = 1, .key_products = n->C, .query_products = n->H,
    };
}

/* keys (M,1) = memory (M,C) · w_m' */
static void keys_forward(const ScoreLayer *l, real *keys, const real *memory, int M)
{
    linear_forward(OVERWRITE, keys, 1, memory, l->n.C, &l->w[MEMORY], NULL, M);
}

/* query (rows,1) = state (rows,H) · w_d' */
static void query_forward(const ScoreLayer *l, real *query, const real *state, int ld, int rows)
{
    linear_forward(OVERWRITE, query, 1, state, ld, &l->w[STATE], NULL, rows);
}

static void score_forward(const ScoreLayer *l, real *e, const real *query, const real *keys,
                          int length)
{
    (void)l;
    for (int s = 0; s < length; s++)
        e[s] = *query + keys[s];
}

static void score_backward(const ScoreLayer *l, real *dquery, real *dkeys, const real *de,
                           const real *query, const real *keys, int length)
{
    (void)l, (void)query, (void)keys;
    *dquery += vector_sum(de, length);
    vector_add(dkeys, de, (size_t)length);
}

/* dstate (rows,H) += dquery (rows,1) · w_d */
static void query_backward(const ScoreLayer *l, real *dstate, int ld, real *dquery,
                           const real *query, int rows)
{
    (void)query;
    linear_backward_input(ACCUMULATE, dstate, ld, dquery, 1, &l->w[STATE], rows);
}

static void query_weights_backward(const ScoreLayer *l, const real *dquery, const real *state,
                                   int ld, int N)
{
    linear_backward_weight(&l->dw[STATE], dquery, 1, state, ld, N);
}

/* dmemory (M,C) += dkeys (M,1) · w_m;  dw_m (1,C) += dkeys' (1,M) · memory (M,C) */
static void keys_backward(const ScoreLayer *l, real *dmemory, const real *dkeys,
                          const real *memory, int M)
{
    linear_backward_input(ACCUMULATE, dmemory, l->n.C, dkeys, 1, &l->w[MEMORY], M);
    linear_backward_weight(&l->dw[MEMORY], dkeys, 1, memory, l->n.C, M);
}

const AttentionScore score_concat_linear = {
    .shape = shape, .keys_forward = keys_forward, .query_forward = query_forward,
    .score_forward = score_forward, .score_backward = score_backward,
    .query_backward = query_backward, .query_weights_backward = query_weights_backward,
    .keys_backward = keys_backward,
};
