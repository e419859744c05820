/* score_hidden.h - what the scores share that have a hidden layer: all but their shape.
 *
 *   e = v · tanh(W_q d + W_k m)
 *
 * The weights are W_q (A, H), W_k (A, C) and v (A), in this order. The prepared query is W_q d (A), the prepared key
 * W_k m (A). The tanh is computed again in the backward pass: to keep it would take N*S*A
 * numbers, and reading them back costs as much time.
 */
#ifndef ATTN_NN_SCORE_HIDDEN_H
#define ATTN_NN_SCORE_HIDDEN_H

#include "nn/score.h"

enum { HIDDEN_QUERY, HIDDEN_KEY, HIDDEN_SCORE };

/* The functions of a Score (nn/score.h). */
void hidden_keys_forward(real *keys, const real *memory, const Linear *w, int M, const ScoreSizes *n);
void hidden_query_forward(real *query, const real *state, int ld, const Linear *w, int rows, const ScoreSizes *n);
void hidden_score_forward(real *e, const real *query, const real *keys, const Linear *w, int length,
                          const ScoreSizes *n);
void hidden_score_backward(real *dquery, real *dkeys, const Linear *dw, const real *de, const real *query,
                           const real *keys, const Linear *w, int length, const ScoreSizes *n);
void hidden_query_backward(real *dstate, int ld, real *dquery, const real *query, const Linear *w, int rows,
                           const ScoreSizes *n);
void hidden_query_weights_backward(const Linear *dw, const real *dquery, const real *state, int ld, int N,
                                   const ScoreSizes *n);
void hidden_keys_backward(real *dmemory, const Linear *dw, const real *dkeys, const real *memory, const Linear *w, int M,
                          const ScoreSizes *n);

#endif
