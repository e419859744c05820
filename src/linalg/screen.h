/* screen.h - which of the n results of x · w' + b is the greatest, for little more than the price of products in 8 bits.
 *
 * All results are computed in 8 bits first, four times as fast as in 32. How far such a result is from the one that is
 * wanted at most is known from the sizes of x and w (linalg/precision.h), so that it bounds that from above; and only where this
 * bound reaches the best result known is the result itself computed, by gemm, which gives the same whatever part of w it
 * multiplies by. So the answer is exactly that which all results would give, ties and last bits included: only the work
 * is less. (Bounds that are cheap before distances that are dear: Bei and Gray 1985.)
 *
 * Results are bounded, and computed, in blocks.
 */
#ifndef ATTN_LINALG_SCREEN_H
#define ATTN_LINALG_SCREEN_H

#include "linalg/linear.h"
#include "linalg/vector.h"

/* Of one w and b. Any number of threads may use it at a time. */
typedef struct Screen Screen;

enum { SCREEN_BLOCK = VECTOR_BLOCK };

/* screen_new - of w (n,k) and b (n), which must stay as they are. NULL where screening is no faster: by the precision of
 * w, or on this CPU. screen_always - it is right everywhere. */
Screen *screen_new(const Linear *w, const real *b);
Screen *screen_always(const Linear *w, const real *b);
void    screen_free(Screen *s);

int screen_blocks(const Screen *s);

/* screen_ceilings - ceiling (rows, screen_blocks): no result of that row of x (rows,k; row distance ldx) in that block
 * is greater. */
void screen_ceilings(const Screen *s, real *ceiling, const real *x, int ldx, int rows);

/* screen_best - the number of the greatest result of x (k), the first of equal ones, from its ceilings; those forbidden
 * (`count`) are none, nor is what is no number. -1: there is none but those. */
int screen_best(Screen *s, const real *ceiling, const real *x, const int *forbidden, int count);

/* screen_block - the results of one block; returns how many it has. */
int screen_block(Screen *s, real result[SCREEN_BLOCK], const real *x, int block);

#endif
