/* score_hidden.c - e = v · tanh(W_q d + W_k m) */
#include "nn/score_hidden.h"

#include "nn/matrix.h"
#include "nn/vector.h"

/* keys (M,A) = memory (M,C) · W_k' */
void hidden_keys_forward(real *keys, const real *memory, Half k, int M, const ScoreSizes *n)
{
    matrix_forward(OVERWRITE, keys, n->A, memory, n->C, k.w, k.ld, M, n->C, n->A);
}

/* dmemory (M,C) += dkeys (M,A) · W_k;  dW_k (A,C) += dkeys' (A,M) · memory (M,C) */
void hidden_keys_backward(real *dmemory, Half dk, const real *dkeys, const real *memory, Half k, int M,
                          const ScoreSizes *n)
{
    matrix_backward_input(ACCUMULATE, dmemory, n->C, dkeys, n->A, k.w, k.ld, M, n->C, n->A);
    matrix_backward_weight(dk.w, dk.ld, dkeys, n->A, memory, n->C, M, n->C, n->A);
}

/* query (rows,A) = state (rows,H) · W_q' */
void hidden_query_forward(real *query, const real *state, int ld, Half q, int rows, const ScoreSizes *n)
{
    matrix_forward(OVERWRITE, query, n->A, state, ld, q.w, q.ld, rows, n->H, n->A);
}

/* dstate (rows,H) += dquery (rows,A) · W_q */
void hidden_query_backward(real *dstate, int ld, const real *dquery, Half q, int rows, const ScoreSizes *n)
{
    matrix_backward_input(ACCUMULATE, dstate, ld, dquery, n->A, q.w, q.ld, rows, n->H, n->A);
}

/* dW_q (A,H) += dquery' (A,N) · state (N,H) */
void hidden_query_weights(Half dq, const real *dquery, const real *state, int ld, int N, const ScoreSizes *n)
{
    matrix_backward_weight(dq.w, dq.ld, dquery, n->A, state, ld, N, n->H, n->A);
}

void hidden_score_forward(real *e, const real *query, const real *keys, const real *v, int length,
                          const ScoreSizes *n)
{
    for (int s = 0; s < length; s++)
        e[s] = vector_additive(query, keys + (size_t)s * n->A, v, n->A);
}

void hidden_score_backward(real *dquery, real *dkeys, real *dv, const real *de, const real *query, const real *keys,
                           const real *v, int length, const ScoreSizes *n)
{
    for (int s = 0; s < length; s++)
        vector_additive_backward(dquery, dkeys + (size_t)s * n->A, dv, de[s], query, keys + (size_t)s * n->A, v, n->A);
}
