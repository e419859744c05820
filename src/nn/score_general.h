/* score_general.h - the bilinear score of Luong, Pham and Manning (2015), equation 8:
 *
 *   e = d · W m
 *
 * The prepared key is W m (H), computed once a sentence; the query is the state itself.
 */
#ifndef ATTN_NN_SCORE_GENERAL_H
#define ATTN_NN_SCORE_GENERAL_H

#include "nn/score.h"

extern const Score score_general;

#endif
