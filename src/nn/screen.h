/* screen.h - which of the n results of x · w' + b is the greatest, for the price of a product in 8 bits.
 *
 * x (k) and the rows w_j (k) of the weight are rounded to multiples x' = t p and w'_j = s_j q_j of whole numbers of 8
 * bits, which a CPU with AVX512_VNNI multiplies four times as fast as numbers of 32 bits. By Cauchy and Schwarz
 *
 *   |w_j · x - w'_j · x'|  =  |w'_j · (x - x') + (w_j - w'_j) · x|  <=  |w'_j| |x - x'| + |w_j - w'_j| |x|
 *
 * so that w'_j · x' + b_j and these four norms bound each result from above. Only where the bound reaches the best
 * result known is the product itself computed, by gemm, whose results are the same whatever part of w they are of. So
 * the answer is exactly the one that all results would give, ties and last bits included: only the work is less.
 * (After the partial distances of vector quantisation: Bei and Gray 1985.)
 *
 * Words of a block are bounded together, by the greatest norms among them.
 */
#ifndef ATTN_NN_SCREEN_H
#define ATTN_NN_SCREEN_H

#include "nn/nn.h"

#include <stddef.h>

/* A weight in 8 bits. Any number of threads may use it at a time. */
typedef struct Screen Screen;

enum { SCREEN_BLOCK = 32 };

/* screen_is_faster - whether it is faster on this CPU than computing all results, and gemm is what does that. It is
 * right everywhere. */
int screen_is_faster(void);

/* screen_new - of w (n,k) with row distance ldw, and b (n), for results as products of that precision have them. Both
 * must stay as they are. NULL: such a product is no dearer, or the numbers are so large that bounds could overflow. */
Screen *screen_new(Precision precision, const real *w, int ldw, const real *b, int k, int n);
void    screen_free(Screen *s);

/* screen_blocks - how many blocks of SCREEN_BLOCK results there are, the last perhaps shorter. */
int screen_blocks(const Screen *s);

/* screen_ceilings - ceiling (rows, screen_blocks): no result of that row of x (rows,k; row distance ldx) in that block
 * is greater. */
void screen_ceilings(const Screen *s, float *ceiling, const real *x, int ldx, int rows);

/* screen_best - the number of the greatest result of x (k), the first of equal ones, from its ceilings; those forbidden
 * (`count`) are none. -1: there is none but those. */
int screen_best(Screen *s, const float *ceiling, const real *x, const int *forbidden, int count);

/* screen_block - the results of one block, of which there are `width`. */
int screen_block(Screen *s, real result[SCREEN_BLOCK], const real *x, int block);

#endif
