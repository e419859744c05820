/* score_local_p.h - a window around a predicted centre (Luong, Pham and Manning 2015, equations 9 and 10):
 *
 *   p       = S · sigmoid(v · tanh(W_p d))                       S: length of the source
 *   e_s     = d · W m_s                                          as in general
 *   alpha_s = softmax(e)_s · exp(-(s - p)² / (2 σ²)),  σ = D / 2
 *
 * The softmax runs over the positions from p - D to p + D (D: --attention-window); the others weigh 0. As in the paper
 * the weights are not scaled to a sum of 1 again. The prepared query is [d ; tanh(W_p d)] (H + A).
 */
#ifndef ATTN_NN_SCORE_LOCAL_P_H
#define ATTN_NN_SCORE_LOCAL_P_H

#include "nn/score.h"

extern const Score score_local_p;

#endif
