/* optimizer.h - Adam (nn/adam.h) on the weights that an update changes, by a team of workers.
 *
 * Moments of an embedding's row rest while its word does not occur: the lazy Adam of PyTorch's
 * SparseAdam. So rows decay only when they are read.
 */
#ifndef ATTN_TRAIN_OPTIMIZER_H
#define ATTN_TRAIN_OPTIMIZER_H

#include "base/pool.h"
#include "train/sparse_update.h"

typedef struct {
    real  *weights;             /* borrowed */
    size_t size;                /* of the weights and of each moment, in reals */
    real  *first, *second;      /* the moments, blocks like the weights */
    double weight_decay;
} Optimizer;

/* optimizer_init - moments of 0. optimizer_reset makes them 0 again. optimizer_free. */
void optimizer_init(Optimizer *o, real *weights, size_t size, double weight_decay);
void optimizer_reset(Optimizer *o);
void optimizer_free(Optimizer *o);

typedef struct {
    long   t;                   /* Adam's, from 1 */
    double rate;
    double scale;               /* of the gradient (clipping) */
} OptimizerStep;

/* optimizer_step - changes the weights of these ranges, whose gradient is zero then. */
void optimizer_step(Optimizer *o, real *gradient, const SparseUpdate *changes, const OptimizerStep *step,
                    Pool *pool);

#endif
