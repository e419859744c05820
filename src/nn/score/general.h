/* general.h - the bilinear score:
 *
 *   general          e = d · W m             (Luong, Pham and Manning 2015, section 3.1)
 *   scaled_general   e = d · W m / sqrt(H)   (with the scale of Vaswani et al. 2017, equation 1)
 *
 * A step of Adam changes all of W at once, and so a score by much: without the scale nearly all
 * of the weight is soon on one position, and the gradient is gone (data/results/systems.md). The prepared
 * key is W m (H), computed once a sentence.
 */
#ifndef ATTN_NN_SCORE_GENERAL_H
#define ATTN_NN_SCORE_GENERAL_H

#include "nn/score/score.h"

/* Functions of an AttentionScore (nn/score/score.h), for scores whose first parameter is W. */
void general_keys_forward(const ScoreLayer *l, real *keys, const real *memory, int M);
void general_keys_backward(const ScoreLayer *l, real *dmemory, const real *dkeys,
                           const real *memory, int M);

#endif
