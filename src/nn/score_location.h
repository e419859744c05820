/* score_location.h - where to look is read off the state alone (Luong, Pham and Manning 2015, equation 9):
 *
 *   e = W d            one score a position
 *
 * W has a row for each of N positions (--attention-positions). A longer source is seen up to its position N: what
 * follows weighs 0.
 */
#ifndef ATTN_NN_SCORE_LOCATION_H
#define ATTN_NN_SCORE_LOCATION_H

#include "nn/score.h"

extern const Score score_location;

#endif
