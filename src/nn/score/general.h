/* general.h - the bilinear score of Luong, Pham and Manning (2015), section 3.1:
 *
 *   e = d · W m
 *
 * The prepared key is W m (H), computed once a sentence; the query is the state itself.
 */
#ifndef ATTN_NN_SCORE_GENERAL_H
#define ATTN_NN_SCORE_GENERAL_H

#include "nn/score/score.h"

/* Functions of an AttentionScore (nn/score/score.h), for scores whose first parameter is W. */
void general_keys_forward(const ScoreLayer *l, real *keys, const real *memory, int M);
void general_keys_backward(const ScoreLayer *l, real *dmemory, const real *dkeys,
                           const real *memory, int M);

#endif
