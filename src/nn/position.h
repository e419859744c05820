/* position.h - positions of words, as sinusoids (Vaswani et al. 2017, section 3.5):
 *
 *   P(t, 2i) = sin(t / 10000^(2i / D))       P(t, 2i + 1) = cos(t / 10000^(2i / D))
 *
 * They need no learning and no longest sentence. Nothing to do backward: the gradient passes
 * through the sum.
 */
#ifndef ATTN_NN_POSITION_H
#define ATTN_NN_POSITION_H

#include "base/real.h"

/* position_add - x (rows, D) += P(t) in every row: the words of one step, which all have position t
 * (from 0). */
void position_add(real *x, int t, int rows, int D);

#endif
