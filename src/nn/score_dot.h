/* score_dot.h - the scores without parameters: the decoder's state is the query, the memory is the keys (H = C).
 *
 *   dot          e = d · m                       (Luong, Pham and Manning 2015, equation 8)
 *   scaled_dot   e = d · m / sqrt(H)             (Vaswani et al. 2017, equation 1)
 *
 * Below them, what the scores share that end in a product of query and key.
 */
#ifndef ATTN_NN_SCORE_DOT_H
#define ATTN_NN_SCORE_DOT_H

#include "nn/score.h"

#include <stddef.h>

extern const Score score_dot, score_scaled_dot;

/* e_s = query (P) · keys_s, the rows of keys (length,P); and its gradient, accumulated. */
void dot_forward(real *e, const real *query, const real *keys, int length, size_t P);
void dot_backward(real *dquery, real *dkeys, const real *de, const real *query, const real *keys, int length,
                  size_t P);

/* query (rows,H) of row distance ldq = state (rows,H) of row distance ld; and its gradient, accumulated. */
void state_copy(real *query, int ldq, const real *state, int ld, int rows, int H);
void state_add(real *dstate, int ld, const real *dquery, int ldq, int rows, int H);

#endif
