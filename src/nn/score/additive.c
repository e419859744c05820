/* additive.c - the score of Bahdanau, Cho and Bengio (2015), appendix A.1.2:
 *
 *   e = v · tanh(W_q d + W_k m)
 *
 * The prepared query is W_q d (A), the prepared key W_k m (A). The backward pass computes the tanh
 * again: to save it would take N*S*A numbers, and reading them takes as much time.
 */
#include "nn/score/score.h"

#include "linalg/vector.h"

enum { W_Q, W_K, V };           /* (A, H), (A, C), (A) */

/* keys (M,A) = memory (M,C) · W_k' */
void hidden_keys_forward(const ScoreLayer *l, real *keys, const real *memory, int M)
{
    linear_forward(OVERWRITE, keys, l->n.A, memory, l->n.C, &l->w[W_K], NULL, M);
}

/* query (rows,A) = state (rows,H) · W_q' */
void hidden_query_forward(const ScoreLayer *l, real *query, const real *state, int ld, int rows)
{
    linear_forward(OVERWRITE, query, l->n.A, state, ld, &l->w[W_Q], NULL, rows);
}

void hidden_score_forward(const ScoreLayer *l, real *e, const real *query, const real *keys,
                          int length)
{
    for (int s = 0; s < length; s++)
        e[s] = vector_additive(query, keys + (size_t)s * l->n.A, l->w[V].weights,
                               l->n.A);
}

void hidden_score_backward(const ScoreLayer *l, real *dquery, real *dkeys, const real *de,
                           const real *query, const real *keys, int length)
{
    for (int s = 0; s < length; s++)
        vector_additive_backward(dquery, dkeys + (size_t)s * l->n.A, l->dw[V].weights,
                                 de[s], query, keys + (size_t)s * l->n.A,
                                 l->w[V].weights, l->n.A);
}

/* dstate (rows,H) += dquery (rows,A) · W_q */
void hidden_query_backward(const ScoreLayer *l, real *dstate, int ld, real *dquery,
                           const real *query, int rows)
{
    (void)query;
    linear_backward_input(ACCUMULATE, dstate, ld, dquery, l->n.A, &l->w[W_Q], rows);
}

/* dW_q (A,H) += dquery' (A,N) · state (N,H) */
void hidden_query_weights_backward(const ScoreLayer *l, const real *dquery, const real *state,
                                   int ld, int N)
{
    linear_backward_weight(&l->dw[W_Q], dquery, l->n.A, state, ld, N);
}

/* dmemory (M,C) += dkeys (M,A) · W_k;  dW_k (A,C) += dkeys' (A,M) · memory (M,C) */
void hidden_keys_backward(const ScoreLayer *l, real *dmemory, const real *dkeys,
                          const real *memory, int M)
{
    linear_backward_input(ACCUMULATE, dmemory, l->n.C, dkeys, l->n.A, &l->w[W_K], M);
    linear_backward_weight(&l->dw[W_K], dkeys, l->n.A, memory, l->n.C, M);
}

static ScoreShape shape(const ScoreSizes *n)
{
    return (ScoreShape){
        .parameter = {
            [W_Q] = { "attention.query.weight", n->A, n->H, .query = n->H },
            [W_K] = { "attention.key.weight", n->A, n->C, 0, 0 },
            [V] = { "attention.score.weight", 1, n->A, 0, 0 },
        },
        .key = n->A, .query = n->A,
        .key_products = n->A * (double)n->C, .query_products = n->A * (double)n->H,
    };
}

const AttentionScore score_additive = {
    .shape = shape,
    .keys_forward = hidden_keys_forward, .query_forward = hidden_query_forward,
    .score_forward = hidden_score_forward, .score_backward = hidden_score_backward,
    .query_backward = hidden_query_backward,
    .query_weights_backward = hidden_query_weights_backward,
    .keys_backward = hidden_keys_backward,
};
