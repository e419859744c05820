/* score_additive.c - e = v · tanh(W_q d + W_k m) */
#include "nn/score_additive.h"

#include "nn/matrix.h"
#include "nn/vector.h"

enum { W_Q, W_K, V };

/* keys (M,A) = memory (M,C) · W_k' */
static void keys_forward(real *keys, const real *memory, real *const *w, int M, const ScoreSizes *n)
{
    matrix_forward(OVERWRITE, keys, n->A, memory, n->C, w[W_K], n->C, M, n->C, n->A);
}

/* query (rows,A) = state (rows,H) · W_q' */
static void query_forward(real *query, const real *state, int ld, real *const *w, int rows, const ScoreSizes *n)
{
    matrix_forward(OVERWRITE, query, n->A, state, ld, w[W_Q], n->H, rows, n->H, n->A);
}

static void score_forward(real *e, const real *query, const real *keys, real *const *w, int length, const ScoreSizes *n)
{
    for (int s = 0; s < length; s++)
        e[s] = vector_additive(query, keys + (size_t)s * n->A, w[V], n->A);
}

static void score_backward(real *dquery, real *dkeys, real *const *dw, const real *de, const real *query,
                           const real *keys, real *const *w, int length, const ScoreSizes *n)
{
    for (int s = 0; s < length; s++)
        vector_additive_backward(dquery, dkeys + (size_t)s * n->A, dw[V], de[s], query, keys + (size_t)s * n->A, w[V],
                                 n->A);
}

/* dstate (rows,H) += dquery (rows,A) · W_q */
static void query_backward(real *dstate, int ld, real *dquery, const real *query, real *const *w, int rows,
                           const ScoreSizes *n)
{
    (void)query;
    matrix_backward_input(ACCUMULATE, dstate, ld, dquery, n->A, w[W_Q], n->H, rows, n->H, n->A);
}

/* dW_q (A,H) += dquery' (A,N) · state (N,H) */
static void query_weights_backward(real *const *dw, const real *dquery, const real *state, int ld, int N,
                                   const ScoreSizes *n)
{
    matrix_backward_weight(dw[W_Q], n->H, dquery, n->A, state, ld, N, n->H, n->A);
}

/* dmemory (M,C) += dkeys (M,A) · W_k;  dW_k (A,C) += dkeys' (A,M) · memory (M,C) */
static void keys_backward(real *dmemory, real *const *dw, const real *dkeys, const real *memory, real *const *w, int M,
                          const ScoreSizes *n)
{
    matrix_backward_input(ACCUMULATE, dmemory, n->C, dkeys, n->A, w[W_K], n->C, M, n->C, n->A);
    matrix_backward_weight(dw[W_K], n->C, dkeys, n->A, memory, n->C, M, n->C, n->A);
}

static ScoreShape shape(const ScoreSizes *n)
{
    return (ScoreShape){
        .parameter = {
            [W_Q] = { "attention.query.weight", n->A, n->H, SCORE_PER_QUERY },
            [W_K] = { "attention.key.weight", n->A, n->C, SCORE_PER_KEY },
            [V]   = { "attention.score.weight", 1, n->A, SCORE_PER_PAIR },
        },
        .key = n->A, .query = n->A,
    };
}

const Score score_additive = {
    .shape = shape,
    .keys_forward = keys_forward,
    .query_forward = query_forward,
    .score_forward = score_forward,
    .score_backward = score_backward,
    .query_backward = query_backward,
    .query_weights_backward = query_weights_backward,
    .keys_backward = keys_backward,
};
