/* pruned_argmax.h - which of the n results of x · w' + b is the greatest, for little more than the
 * cost of products in 8 bits.
 *
 * All results are computed in 8 bits first, four times as fast as in 32. How far such a result is
 * from the wanted one at most is known from the sizes of x and w (linalg/precision.h), so it bounds
 * that from above. Only where this bound reaches the best result known, the result itself is
 * computed, by gemm, which gives the same whatever part of w it multiplies by. So the answer is
 * exactly the one that all results would give, ties and last bits included; only the work is less.
 * (Cheap bounds before expensive distances: Bei and Gray 1985.)
 *
 * Results are bounded, and computed, in blocks.
 */
#ifndef ATTN_LINALG_PRUNED_ARGMAX_H
#define ATTN_LINALG_PRUNED_ARGMAX_H

#include "linalg/linear.h"
#include "linalg/vector.h"

/* For one w and b. Any number of threads may use it at a time. */
typedef struct PrunedArgmax PrunedArgmax;

enum { PRUNED_ARGMAX_BLOCK = VECTOR_BLOCK };

/* pruned_argmax_new - for w (n,k) and b (n), which must stay as they are. NULL where it is no
 * faster: by the precision of w, or on this CPU.
 * pruned_argmax_new_anywhere - the same, never NULL: results are right everywhere. */
PrunedArgmax *pruned_argmax_new(const Linear *w, const real *b);
PrunedArgmax *pruned_argmax_new_anywhere(const Linear *w, const real *b);
void          pruned_argmax_free(PrunedArgmax *p);

int pruned_argmax_blocks(const PrunedArgmax *p);

/* pruned_argmax_bounds - bound (rows, pruned_argmax_blocks): no result of that row of x (rows,k;
 * row distance ldx) in that block is greater. */
void pruned_argmax_bounds(const PrunedArgmax *p, real *bound, const real *x, int ldx, int rows);

/* pruned_argmax_find - the number of the greatest result of x (k), the first of equal ones, from
 * its bounds; those forbidden (`count`) are none, nor is NaN. -1: there is none but those, or the
 * greatest is infinite. */
int pruned_argmax_find(const PrunedArgmax *p, const real *bound, const real *x,
                       const int *forbidden, int count);

/* pruned_argmax_block - the results of one block; returns how many it has. */
int pruned_argmax_block(const PrunedArgmax *p, real result[PRUNED_ARGMAX_BLOCK], const real *x,
                        int block);

#endif
