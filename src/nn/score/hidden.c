/* hidden.c - e = v · tanh(W_q d + W_k m) */
#include "nn/score/hidden.h"

#include "linalg/vector.h"

/* keys (M,A) = memory (M,C) · W_k' */
void hidden_keys_forward(const ScoreLayer *l, real *keys, const real *memory, int M)
{
    linear_forward(OVERWRITE, keys, l->n.A, memory, l->n.C, &l->w[HIDDEN_KEY], NULL, M);
}

/* query (rows,A) = state (rows,H) · W_q' */
void hidden_query_forward(const ScoreLayer *l, real *query, const real *state, int ld, int rows)
{
    linear_forward(OVERWRITE, query, l->n.A, state, ld, &l->w[HIDDEN_QUERY], NULL, rows);
}

void hidden_score_forward(const ScoreLayer *l, real *e, const real *query, const real *keys,
                          int length)
{
    for (int s = 0; s < length; s++)
        e[s] = vector_additive(query, keys + (size_t)s * l->n.A, l->w[HIDDEN_SCORE].weights,
                               l->n.A);
}

void hidden_score_backward(const ScoreLayer *l, real *dquery, real *dkeys, const real *de,
                           const real *query, const real *keys, int length)
{
    for (int s = 0; s < length; s++)
        vector_additive_backward(dquery, dkeys + (size_t)s * l->n.A, l->dw[HIDDEN_SCORE].weights,
                                 de[s], query, keys + (size_t)s * l->n.A,
                                 l->w[HIDDEN_SCORE].weights, l->n.A);
}

/* dstate (rows,H) += dquery (rows,A) · W_q */
void hidden_query_backward(const ScoreLayer *l, real *dstate, int ld, real *dquery,
                           const real *query, int rows)
{
    (void)query;
    linear_backward_input(ACCUMULATE, dstate, ld, dquery, l->n.A, &l->w[HIDDEN_QUERY], rows);
}

/* dW_q (A,H) += dquery' (A,N) · state (N,H) */
void hidden_query_weights_backward(const ScoreLayer *l, const real *dquery, const real *state,
                                   int ld, int N)
{
    linear_backward_weight(&l->dw[HIDDEN_QUERY], dquery, l->n.A, state, ld, N);
}

/* dmemory (M,C) += dkeys (M,A) · W_k;  dW_k (A,C) += dkeys' (A,M) · memory (M,C) */
void hidden_keys_backward(const ScoreLayer *l, real *dmemory, const real *dkeys,
                          const real *memory, int M)
{
    linear_backward_input(ACCUMULATE, dmemory, l->n.C, dkeys, l->n.A, &l->w[HIDDEN_KEY], M);
    linear_backward_weight(&l->dw[HIDDEN_KEY], dkeys, l->n.A, memory, l->n.C, M);
}
