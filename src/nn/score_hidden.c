/* score_hidden.c - e = v · tanh(W_q d + W_k m) */
#include "nn/score_hidden.h"

#include "linalg/vector.h"

/* keys (M,A) = memory (M,C) · W_k' */
void hidden_keys_forward(real *keys, const real *memory, const Linear *w, int M, const ScoreSizes *n)
{
    linear_forward(OVERWRITE, keys, n->A, memory, n->C, &w[HIDDEN_KEY], NULL, M);
}

/* query (rows,A) = state (rows,H) · W_q' */
void hidden_query_forward(real *query, const real *state, int ld, const Linear *w, int rows, const ScoreSizes *n)
{
    linear_forward(OVERWRITE, query, n->A, state, ld, &w[HIDDEN_QUERY], NULL, rows);
}

void hidden_score_forward(real *e, const real *query, const real *keys, const Linear *w, int length,
                          const ScoreSizes *n)
{
    for (int s = 0; s < length; s++)
        e[s] = vector_additive(query, keys + (size_t)s * n->A, w[HIDDEN_SCORE].weights, n->A);
}

void hidden_score_backward(real *dquery, real *dkeys, const Linear *dw, const real *de, const real *query,
                           const real *keys, const Linear *w, int length, const ScoreSizes *n)
{
    for (int s = 0; s < length; s++)
        vector_additive_backward(dquery, dkeys + (size_t)s * n->A, dw[HIDDEN_SCORE].weights, de[s], query,
                                 keys + (size_t)s * n->A, w[HIDDEN_SCORE].weights, n->A);
}

/* dstate (rows,H) += dquery (rows,A) · W_q */
void hidden_query_backward(real *dstate, int ld, real *dquery, const real *query, const Linear *w, int rows,
                           const ScoreSizes *n)
{
    (void)query;
    linear_backward_input(ACCUMULATE, dstate, ld, dquery, n->A, &w[HIDDEN_QUERY], rows);
}

/* dW_q (A,H) += dquery' (A,N) · state (N,H) */
void hidden_query_weights_backward(const Linear *dw, const real *dquery, const real *state, int ld, int N,
                                   const ScoreSizes *n)
{
    linear_backward_weight(&dw[HIDDEN_QUERY], dquery, n->A, state, ld, N);
}

/* dmemory (M,C) += dkeys (M,A) · W_k;  dW_k (A,C) += dkeys' (A,M) · memory (M,C) */
void hidden_keys_backward(real *dmemory, const Linear *dw, const real *dkeys, const real *memory, const Linear *w, int M,
                          const ScoreSizes *n)
{
    linear_backward_input(ACCUMULATE, dmemory, n->C, dkeys, n->A, &w[HIDDEN_KEY], M);
    linear_backward_weight(&dw[HIDDEN_KEY], dkeys, n->A, memory, n->C, M);
}
