/* reduction.h - the one place where the gradients of several workers become one.
 */
#ifndef ATTN_TRAIN_REDUCTION_H
#define ATTN_TRAIN_REDUCTION_H

#include "base/pool.h"
#include "train/sparse_update.h"

typedef struct {
    real  **gradient;           /* a block of each worker, borrowed */
    double *square_sum;         /* of each worker's part of the sum */
    int     workers;
} Reduction;

/* reduction_init - for so many workers; the caller sets gradient[]. reduction_free. */
void reduction_init(Reduction *r, int workers);
void reduction_free(Reduction *r);

/* reduction_sum - of the ranges that changed, gradient[0] = the sum of all, in the order of the
 * workers; the others are zero again. Returns the sum's sum of squares.
 * reduction_discard - these ranges of gradient[0] are zero again. */
double reduction_sum(Reduction *r, const SparseUpdate *changes, Pool *pool);
void   reduction_discard(Reduction *r, const SparseUpdate *changes, Pool *pool);

#endif
