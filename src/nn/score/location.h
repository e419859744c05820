/* location.h - what the scores share that know positions and not the memory (nn/score/location.c).
 *
 * The query is one score a position, (P), of the first P positions (--attention-positions).
 */
#ifndef ATTN_NN_SCORE_LOCATION_H
#define ATTN_NN_SCORE_LOCATION_H

#include "nn/score/score.h"

/* Functions of an AttentionScore (nn/score/score.h); the first weight, (P, H), reads the state. */
void location_query_forward(const ScoreLayer *l, real *query, const real *state, int ld, int rows);
void location_score_forward(const ScoreLayer *l, real *e, const real *query, const real *keys,
                            int length);
void location_score_backward(const ScoreLayer *l, real *dquery, real *dkeys, const real *de,
                             const real *query, const real *keys, int length);
void location_weights_forward(const ScoreLayer *l, real *alpha, const real *query, int length);
void location_weights_backward(const ScoreLayer *l, real *de, real *dquery, const real *alpha,
                               const real *query, int length);
void location_query_backward(const ScoreLayer *l, real *dstate, int ld, real *dquery,
                             const real *query, int rows);
void location_query_weights_backward(const ScoreLayer *l, const real *dquery, const real *state,
                                     int ld, int N);

#endif
