/* score_additive.h - the score of Bahdanau, Cho and Bengio (2015), appendix A.1.2:
 *
 *   e = v · tanh(W_q d + W_k m)
 */
#ifndef ATTN_NN_SCORE_ADDITIVE_H
#define ATTN_NN_SCORE_ADDITIVE_H

#include "nn/score.h"

extern const Score score_additive;

#endif
