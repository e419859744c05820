/* hidden.h - what the scores with a hidden layer share: all but their shape.
 *
 *   e = v · tanh(W_q d + W_k m)
 *
 * The weights are W_q (A, H), W_k (A, C) and v (A), in this order. The prepared query is W_q d (A),
 * the prepared key W_k m (A). The backward pass computes the tanh again: to save it would take
 * N*S*A numbers, and reading them takes as much time.
 */
#ifndef ATTN_NN_SCORE_HIDDEN_H
#define ATTN_NN_SCORE_HIDDEN_H

#include "nn/score/score.h"

enum { HIDDEN_QUERY, HIDDEN_KEY, HIDDEN_SCORE };

/* The functions of an AttentionScore (nn/score/score.h). */
void hidden_keys_forward(const ScoreLayer *l, real *keys, const real *memory, int M);
void hidden_query_forward(const ScoreLayer *l, real *query, const real *state, int ld, int rows);
void hidden_score_forward(const ScoreLayer *l, real *e, const real *query, const real *keys,
                          int length);
void hidden_score_backward(const ScoreLayer *l, real *dquery, real *dkeys, const real *de,
                           const real *query, const real *keys, int length);
void hidden_query_backward(const ScoreLayer *l, real *dstate, int ld, real *dquery,
                           const real *query, int rows);
void hidden_query_weights_backward(const ScoreLayer *l, const real *dquery, const real *state,
                                   int ld, int N);
void hidden_keys_backward(const ScoreLayer *l, real *dmemory, const real *dkeys,
                          const real *memory, int M);

#endif
