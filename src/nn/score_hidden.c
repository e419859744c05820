/* score_hidden.c - e = v · tanh(W_q d + W_k m) */
#include "nn/score_hidden.h"

#include "linalg/matrix.h"
#include "linalg/vector.h"

/* Weights or gradients: (A, H), (A, C) with their row distances, and (A). */
typedef struct { real *q, *k, *v; int ldq, ldk; } Layer;

static Layer layer_of(real *const *w, const ScoreSizes *n)
{
    if (w[2]) return (Layer){ w[0], w[1], w[2], n->H, n->C };
    return (Layer){ w[0], w[0] + n->H, w[1], n->H + n->C, n->H + n->C };
}

/* keys (M,A) = memory (M,C) · W_k' */
void hidden_keys_forward(real *keys, const real *memory, real *const *w, int M, const ScoreSizes *n)
{
    const Layer layer = layer_of(w, n);
    matrix_forward(OVERWRITE, keys, n->A, memory, n->C, layer.k, layer.ldk, M, n->C, n->A);
}

/* query (rows,A) = state (rows,H) · W_q' */
void hidden_query_forward(real *query, const real *state, int ld, real *const *w, int rows, const ScoreSizes *n)
{
    const Layer layer = layer_of(w, n);
    matrix_forward(OVERWRITE, query, n->A, state, ld, layer.q, layer.ldq, rows, n->H, n->A);
}

void hidden_score_forward(real *e, const real *query, const real *keys, real *const *w, int length,
                          const ScoreSizes *n)
{
    const real *v = layer_of(w, n).v;
    for (int s = 0; s < length; s++)
        e[s] = vector_additive(query, keys + (size_t)s * n->A, v, n->A);
}

void hidden_score_backward(real *dquery, real *dkeys, real *const *dw, const real *de, const real *query,
                           const real *keys, real *const *w, int length, const ScoreSizes *n)
{
    const real *v = layer_of(w, n).v;
    real *dv = layer_of(dw, n).v;
    for (int s = 0; s < length; s++)
        vector_additive_backward(dquery, dkeys + (size_t)s * n->A, dv, de[s], query, keys + (size_t)s * n->A, v, n->A);
}

/* dstate (rows,H) += dquery (rows,A) · W_q */
void hidden_query_backward(real *dstate, int ld, real *dquery, const real *query, real *const *w, int rows,
                           const ScoreSizes *n)
{
    const Layer layer = layer_of(w, n);
    (void)query;
    matrix_backward_input(ACCUMULATE, dstate, ld, dquery, n->A, layer.q, layer.ldq, rows, n->H, n->A);
}

/* dW_q (A,H) += dquery' (A,N) · state (N,H) */
void hidden_query_weights_backward(real *const *dw, const real *dquery, const real *state, int ld, int N,
                                   const ScoreSizes *n)
{
    const Layer d = layer_of(dw, n);
    matrix_backward_weight(d.q, d.ldq, dquery, n->A, state, ld, N, n->H, n->A);
}

/* dmemory (M,C) += dkeys (M,A) · W_k;  dW_k (A,C) += dkeys' (A,M) · memory (M,C) */
void hidden_keys_backward(real *dmemory, real *const *dw, const real *dkeys, const real *memory, real *const *w, int M,
                          const ScoreSizes *n)
{
    const Layer layer = layer_of(w, n), d = layer_of(dw, n);
    matrix_backward_input(ACCUMULATE, dmemory, n->C, dkeys, n->A, layer.k, layer.ldk, M, n->C, n->A);
    matrix_backward_weight(d.k, d.ldk, dkeys, n->A, memory, n->C, M, n->C, n->A);
}
