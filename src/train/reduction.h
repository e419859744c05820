/* reduction.h - the one place where the gradients of several workers become one.
 *
 * Each worker has a gradient of its own, a block like the weights. An update sums them, and the sum
 * ends in parts: a worker's part of the changed values (reduction_part) is what it sums, what it
 * may read of the sum, and what it steps in the optimizer (train/optimizer.h). Nothing else of an
 * update knows how many workers there are and which of them holds which part of the sum, so that
 * other machines, whose workers hold other parts, concern reduction.c alone.
 */
#ifndef ATTN_TRAIN_REDUCTION_H
#define ATTN_TRAIN_REDUCTION_H

#include "base/pool.h"
#include "train/sparse_update.h"

typedef struct {
    Pool   *pool;               /* borrowed */
    real  **gradient;           /* (workers) a block each, owned; zero between updates */
    double *square_sum;         /* (workers) of each worker's part of the sum */
    int     workers;
} Reduction;

/* reduction_init - one block of `size` reals for each worker of the pool. reduction_free. */
void reduction_init(Reduction *r, size_t size, Pool *pool);
void reduction_free(Reduction *r);

/* reduction_gradient - the block to which a worker adds its gradient. */
real *reduction_gradient(const Reduction *r, int worker);

/* reduction_sum - sums the changed values over all workers, in the order of the workers, and
 * returns the sum of squares of the sum. Afterwards, only the sum is not zero.
 * reduction_discard - makes the sum zero. */
double reduction_sum(Reduction *r, const SparseUpdate *changes);
void   reduction_discard(Reduction *r, const SparseUpdate *changes);

/* reduction_part - the part of the changed values whose sum a worker holds.
 * reduction_values - the block that holds the sum; to be read and set to zero in that part. */
SparseUpdateWalk reduction_part(const Reduction *r, const SparseUpdate *changes, int worker);
real            *reduction_values(const Reduction *r);

#endif
