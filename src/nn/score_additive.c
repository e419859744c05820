/* score_additive.c - e = v · tanh(W_q d + W_k m) */
#include "nn/score_additive.h"

#include "nn/matrix.h"
#include "nn/vector.h"

#include <string.h>

enum { W_Q, W_K, V };

/* keys (M,A) = memory (M,C) · W_k' */
static void keys_forward(real *keys, const real *memory, real *const *w, int M, ScoreSizes n)
{
    matrix_forward(OVERWRITE, keys, n.A, memory, n.C, w[W_K], n.C, M, n.C, n.A);
}

/* query (rows,A) = state (rows,H) · W_q' */
static void query_forward(real *query, const real *state, real *const *w, int rows, ScoreSizes n)
{
    matrix_forward(OVERWRITE, query, n.A, state, n.H, w[W_Q], n.H, rows, n.H, n.A);
}

static void score_forward(real *e, const real *query, const real *keys, real *const *w, int length, ScoreSizes n)
{
    for (int s = 0; s < length; s++)
        e[s] = vector_additive(query, keys + (size_t)s * n.A, w[V], n.A);
}

static void score_backward(real *dquery, real *dkeys, real *const *dw, const real *de, const real *query,
                           const real *keys, real *const *w, int length, ScoreSizes n)
{
    memset(dquery, 0, (size_t)n.A * sizeof *dquery);
    for (int s = 0; s < length; s++)
        vector_additive_backward(dquery, dkeys + (size_t)s * n.A, dw[V], de[s], query, keys + (size_t)s * n.A, w[V],
                                 n.A);
}

/* dstate (rows,H) += dquery (rows,A) · W_q */
static void query_backward(real *dstate, const real *dquery, real *const *w, int rows, ScoreSizes n)
{
    matrix_backward_input(ACCUMULATE, dstate, n.H, dquery, n.A, w[W_Q], n.H, rows, n.H, n.A);
}

/* dW_q (A,H) += dquery' (A,N) · state (N,H) */
static void query_weights_backward(real *const *dw, const real *dquery, const real *state, int N, ScoreSizes n)
{
    matrix_backward_weight(dw[W_Q], n.H, dquery, n.A, state, n.H, N, n.H, n.A);
}

/* dmemory (M,C) += dkeys (M,A) · W_k;  dW_k (A,C) += dkeys' (A,M) · memory (M,C) */
static void keys_backward(real *dmemory, real *const *dw, const real *dkeys, const real *memory, real *const *w, int M,
                          ScoreSizes n)
{
    matrix_backward_input(ACCUMULATE, dmemory, n.C, dkeys, n.A, w[W_K], n.C, M, n.C, n.A);
    matrix_backward_weight(dw[W_K], n.C, dkeys, n.A, memory, n.C, M, n.C, n.A);
}

const Score score_additive = {
    .parameter = {
        [W_Q] = { "attention.query.weight", WIDTH_A, WIDTH_H },
        [W_K] = { "attention.key.weight", WIDTH_A, WIDTH_C },
        [V]   = { "attention.score.weight", WIDTH_1, WIDTH_A },
    },
    .prepared = WIDTH_A,
    .keys_forward = keys_forward,
    .query_forward = query_forward,
    .score_forward = score_forward,
    .score_backward = score_backward,
    .query_backward = query_backward,
    .query_weights_backward = query_weights_backward,
    .keys_backward = keys_backward,
};
