/* score_concat.h - the score with one matrix of Luong, Pham and Manning (2015), equation 8:
 *
 *   e = v · tanh(W [d ; m])
 *
 * W (A, H + C) is the two matrices of score_additive.h side by side, which is how it is computed.
 */
#ifndef ATTN_NN_SCORE_CONCAT_H
#define ATTN_NN_SCORE_CONCAT_H

#include "nn/score.h"

extern const Score score_concat;

#endif
