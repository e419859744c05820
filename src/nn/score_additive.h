/* score_additive.h - the score of Bahdanau, Cho and Bengio (2015), appendix A.1.2:
 *
 *   e = v · tanh(W_q d + W_k m)
 *
 * The prepared query is W_q d (A), the prepared key W_k m (A). The tanh is computed again in the backward pass: to
 * keep it would take N*S*A numbers, and reading them back costs as much time.
 */
#ifndef ATTN_NN_SCORE_ADDITIVE_H
#define ATTN_NN_SCORE_ADDITIVE_H

#include "nn/score.h"

extern const Score score_additive;

#endif
