/* weight_average.h - the moving average of the weights (Polyak and Juditsky 1992).
 *
 * After update 1, 1 + every, 1 + 2 every, ... all of it moves, also the rows of words that did not
 * occur:
 *     average = b average + (1 - b) weights,   b = min(B^every, (1 + n) / (10 + n))
 * at sample number n (from 0), so that it forgets the beginning, as TensorFlow's
 * ExponentialMovingAverage and Marian do. `every` is a tenth of the memory 1 / (1 - B) of B, at
 * most 32 updates: the mean over samples is then as good as that over all updates, and costs a pass
 * over the weights no more often than that.
 */
#ifndef ATTN_TRAIN_WEIGHT_AVERAGE_H
#define ATTN_TRAIN_WEIGHT_AVERAGE_H

#include "base/real.h"
#include "base/system/pool.h"
#include "train/update/processes.h"

#include <stddef.h>

typedef struct {
    const real *weights;        /* borrowed */
    size_t      size;           /* in reals */
    real       *values;         /* the average; NULL: there is none */
    double      beta;           /* B */
    Processes  *processes;      /* borrowed */
} WeightAverage;

/* weight_average_init - begins at the weights; beta 0: no average. weight_average_free. */
void weight_average_init(WeightAverage *a, const real *weights, size_t size, double beta,
                         Processes *processes);
void weight_average_free(WeightAverage *a);

/* weight_average_sample - after update number `update` (from 1): moves the average if it is due. */
void weight_average_sample(WeightAverage *a, long update, Pool *pool);

#endif
