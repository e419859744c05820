/* score_hidden.h - what the scores share that have a hidden layer:
 *
 *   e = v · tanh(W_q d + W_k m)
 *
 * The prepared query is W_q d (A), the prepared key W_k m (A). The tanh is computed again in the backward pass: to
 * keep it would take N*S*A numbers, and reading them back costs as much time.
 */
#ifndef ATTN_NN_SCORE_HIDDEN_H
#define ATTN_NN_SCORE_HIDDEN_H

#include "nn/score.h"

/* One half of the hidden layer, or its gradient: (A, H) or (A, C), row distance ld. */
typedef struct { real *w; int ld; } Half;

/* The functions of a Score, with the halves for w and dw. */
void hidden_keys_forward(real *keys, const real *memory, Half k, int M, const ScoreSizes *n);
void hidden_keys_backward(real *dmemory, Half dk, const real *dkeys, const real *memory, Half k, int M,
                          const ScoreSizes *n);
void hidden_query_forward(real *query, const real *state, int ld, Half q, int rows, const ScoreSizes *n);
void hidden_query_backward(real *dstate, int ld, const real *dquery, Half q, int rows, const ScoreSizes *n);
void hidden_query_weights(Half dq, const real *dquery, const real *state, int ld, int N, const ScoreSizes *n);
void hidden_score_forward(real *e, const real *query, const real *keys, const real *v, int length,
                          const ScoreSizes *n);
void hidden_score_backward(real *dquery, real *dkeys, real *dv, const real *de, const real *query, const real *keys,
                           const real *v, int length, const ScoreSizes *n);

#endif
