/* additive.c - the scores that add what query and key say:
 *
 *   additive        e = v · tanh(W_q d + W_k m)   Bahdanau, Cho and Bengio (2015), appendix A.1.2
 *   concat          e = v · tanh(W [d ; m])       Luong, Pham and Manning (2015), section 3.1
 *   concat_linear   e = w [d ; m]                 without the hidden layer
 *
 * W (A, H + C) is W_q and W_k side by side, and so is w (1, H + C). The prepared query is W_q d
 * (A), the prepared key W_k m (A). The backward pass computes the tanh again: to save it would take
 * N*S*A numbers, and reading them takes as much time.
 *
 * In concat_linear all positions of a sentence have the same w_d · d, and the softmax takes away
 * what they share: so its weights do not depend on the step, and w_d learns nothing. The tanh is
 * what lets the others look at another place in each step.
 */
#include "nn/score/score.h"

#include "linalg/vector.h"

enum { W_Q, W_K, V };           /* (A, H), (A, C), (A) */

/* Of a prepared query or key: A, or 1. */
static int width(const ScoreLayer *l)
{
    return l->w[W_Q].rows;
}

/* keys (M,A) = memory (M,C) · W_k' */
static void keys_forward(const ScoreLayer *l, real *keys, const real *memory, int M)
{
    linear_forward(OVERWRITE, keys, width(l), memory, l->n.C, &l->w[W_K], NULL, M);
}

/* query (rows,A) = state (rows,H) · W_q' */
static void query_forward(const ScoreLayer *l, real *query, const real *state, int ld, int rows)
{
    linear_forward(OVERWRITE, query, width(l), state, ld, &l->w[W_Q], NULL, rows);
}

/* dstate (rows,H) += dquery (rows,A) · W_q */
static void query_backward(const ScoreLayer *l, real *dstate, int ld, real *dquery,
                           const real *query, int rows)
{
    (void)query;
    linear_backward_input(ACCUMULATE, dstate, ld, dquery, width(l), &l->w[W_Q], rows);
}

/* dW_q (A,H) += dquery' (A,N) · state (N,H) */
static void query_weights_backward(const ScoreLayer *l, const real *dquery, const real *state,
                                   int ld, int N)
{
    linear_backward_weight(&l->dw[W_Q], dquery, width(l), state, ld, N);
}

/* dmemory (M,C) += dkeys (M,A) · W_k;  dW_k (A,C) += dkeys' (A,M) · memory (M,C) */
static void keys_backward(const ScoreLayer *l, real *dmemory, const real *dkeys,
                          const real *memory, int M)
{
    linear_backward_input(ACCUMULATE, dmemory, l->n.C, dkeys, width(l), &l->w[W_K], M);
    linear_backward_weight(&l->dw[W_K], dkeys, width(l), memory, l->n.C, M);
}

/* ---- additive and concat ---- */

static void score_forward(const ScoreLayer *l, real *e, const real *query, const real *keys,
                          int length)
{
    for (int s = 0; s < length; s++)
        e[s] = vector_additive(query, keys + (size_t)s * l->n.A, l->w[V].weights, l->n.A);
}

static void score_backward(const ScoreLayer *l, real *dquery, real *dkeys, const real *de,
                           const real *query, const real *keys, int length)
{
    for (int s = 0; s < length; s++)
        vector_additive_backward(dquery, dkeys + (size_t)s * l->n.A, l->dw[V].weights,
                                 de[s], query, keys + (size_t)s * l->n.A, l->w[V].weights,
                                 l->n.A);
}

static ScoreShape additive_shape(const ScoreSizes *n)
{
    return (ScoreShape){
        .parameter = {
            { "attention.query.weight", n->A, n->H, .query = n->H },
            { "attention.key.weight", n->A, n->C, 0, 0 },
            { "attention.score.weight", 1, n->A, 0, 0 },
        },
        .key = n->A, .query = n->A,
    };
}

static ScoreShape concat_shape(const ScoreSizes *n)
{
    ScoreShape shape = additive_shape(n);
    shape.parameter[0] = (ScoreParameter){ "attention.hidden.weight", n->A, n->H + n->C,
                                           .query = n->H };
    shape.parameter[1] = shape.parameter[2];
    shape.parameter[2] = (ScoreParameter){ .name = NULL };
    return shape;
}

#define PREPARED \
    .keys_forward = keys_forward, .query_forward = query_forward, \
    .query_backward = query_backward, .query_weights_backward = query_weights_backward, \
    .keys_backward = keys_backward

const AttentionScore score_additive = {
    PREPARED, .shape = additive_shape,
    .score_forward = score_forward, .score_backward = score_backward,
};

const AttentionScore score_concat = {
    PREPARED, .shape = concat_shape,
    .score_forward = score_forward, .score_backward = score_backward,
};

/* ---- concat_linear ---- */

static void sum_forward(const ScoreLayer *l, real *e, const real *query, const real *keys,
                        int length)
{
    (void)l;
    for (int s = 0; s < length; s++)
        e[s] = *query + keys[s];
}

static void sum_backward(const ScoreLayer *l, real *dquery, real *dkeys, const real *de,
                         const real *query, const real *keys, int length)
{
    (void)l, (void)query, (void)keys;
    *dquery += vector_sum(de, length);
    vector_add(dkeys, de, (size_t)length);
}

static ScoreShape sum_shape(const ScoreSizes *n)
{
    return (ScoreShape){
        .parameter = { { "attention.score.weight", 1, n->H + n->C, .query = n->H } },
        .key = 1, .query = 1,
    };
}

const AttentionScore score_concat_linear = {
    PREPARED, .shape = sum_shape, .score_forward = sum_forward, .score_backward = sum_backward,
};
