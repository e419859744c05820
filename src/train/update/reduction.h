/* reduction.h - the one place where the gradients of several workers become one.
 *
 * Each worker has a gradient of its own, a block like the weights. An update sums them, and the sum
 * ends in parts: a worker's part of the changed values (reduction_part) is what it may read of the
 * sum, and what it steps in the optimizer (train/update/optimizer.h). Nothing else of an update knows how
 * many workers there are and which of them holds which part of the sum.
 *
 * The sum is in the order of the workers, and its squares are summed in as many parts as there are
 * workers. So both depend on the number of workers, and not on how they are divided over processes
 * (train/update/processes.h).
 */
#ifndef ATTN_TRAIN_REDUCTION_H
#define ATTN_TRAIN_REDUCTION_H

#include "base/system/pool.h"
#include "train/update/processes.h"
#include "train/update/sparse_update.h"

typedef struct {
    Pool      *pool;            /* borrowed, as the processes are */
    Processes *processes;
    Crew       crew, team;      /* all workers, and those that share their blocks */
    size_t     size;            /* of a block, in reals */
    real      *gradient;        /* (team.all, size) a block each, owned; zero between updates */
    double    *square_sum;      /* (crew.all) of each part of the sum */
} Reduction;

/* reduction_init - one block of `size` reals for each worker. reduction_free. */
void reduction_init(Reduction *r, size_t size, Pool *pool, Processes *processes);
void reduction_free(Reduction *r);

/* reduction_gradient - the block to which a worker of the pool adds its gradient. */
real *reduction_gradient(const Reduction *r, int worker);

/* reduction_sum - sums the changed values over all workers, in the order of the workers, and
 * returns the sum of squares of the sum. Afterwards, only the parts of the pool's workers are not
 * zero.
 * reduction_discard - makes the sum zero. */
double reduction_sum(Reduction *r, const SparseUpdate *changes);
void   reduction_discard(Reduction *r, const SparseUpdate *changes);

/* reduction_part - the part of the changed values whose sum a worker of the pool holds.
 * reduction_values - the block that holds the sum; to be read and set to zero in that part. */
SparseUpdateWalk reduction_part(const Reduction *r, const SparseUpdate *changes, int worker);
real            *reduction_values(const Reduction *r);

#endif
