/* score_none.h - no attention: every step sees the same context, as in Cho et al. (2014).
 *
 *   c = [→h of the last word ; ←h of the first word]        the last state of each direction of the encoder
 *
 * No position weighs anything, so all weights are 0.
 */
#ifndef ATTN_NN_SCORE_NONE_H
#define ATTN_NN_SCORE_NONE_H

#include "nn/score.h"

extern const Score score_none;

#endif
