/* optimizer.h - Adam (nn/adam.h) on the weights that an update changes, by a pool of workers.
 *
 * The moments of an embedding's row rest while its word does not occur: the lazy Adam of PyTorch's
 * SparseAdam. So weight decay reaches a row only when its word is read.
 */
#ifndef ATTN_TRAIN_OPTIMIZER_H
#define ATTN_TRAIN_OPTIMIZER_H

#include "nn/adam.h"
#include "train/update/reduction.h"

typedef struct {
    real  *weights;             /* borrowed */
    size_t size;                /* of the weights, in reals */
    Processes *processes;       /* borrowed */
    Interval shard;             /* the part of the moments that this process resets; without shared
                                 * memory, what it steps */
    real  *first, *second;      /* the moments, blocks like the weights; without shared memory they
                                 * are never touched outside the shard, and take only addresses */
    AdamOptions adam;           /* its rate is that of each step */
} Optimizer;

/* optimizer_init - for a block of so many reals, with moments of 0. optimizer_reset sets them to 0
 * again. optimizer_free. */
void optimizer_init(Optimizer *o, real *weights, size_t size, Processes *processes,
                    const AdamOptions *adam);
void optimizer_reset(Optimizer *o);
void optimizer_free(Optimizer *o);

typedef struct {
    long   t;                   /* Adam's step number, from 1 */
    double rate;
    double scale;               /* factor of the gradient: normalization and clipping */
} OptimizerStep;

/* optimizer_step - each worker changes the weights of its part of the sum (reduction_part), and
 * sets that part of the sum to zero. */
void optimizer_step(Optimizer *o, const Reduction *gradient, const SparseUpdate *changes,
                    const OptimizerStep *step);

#endif
