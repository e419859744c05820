/* gradient.h - one worker's share of a batch: its loss, and its gradient.
 *
 * A share that would take more memory than gradient_slice_bytes is computed slice by slice, and the
 * gradient is the sum of theirs: that of the whole, up to rounding.
 */
#ifndef ATTN_TRAIN_GRADIENT_H
#define ATTN_TRAIN_GRADIENT_H

#include "model/network.h"
#include "train/hyperparameters.h"

/* What all workers read, and no update changes. */
typedef struct {
    const Architecture    *net;
    const Weights         *w;
    const Hyperparameters *hyper;
    int                    bos;         /* id of <bos> */
    size_t                 slice;       /* the most bytes of activations of a worker */
} GradientModel;

/* What the workers of one update read. */
typedef struct {
    long   step;                /* number of the update: selects the dropout masks */
    double passes;              /* over the training part, before the update */
    double baseline;            /* usual cost of a word, for HARD_REINFORCE (model/network.h) */
    double scale;               /* factor of the gradient: 1 / what the loss is normalized by */
} GradientStep;

typedef struct {
    const ParameterTable *table;
    Weights   dw;               /* points into the worker's gradient (train/update/reduction.h) */
    Arena     arena;        /* may be freed between two gradients, to rest */
    size_t    room;             /* bytes of it for the largest share */
    Sentence *sentences;        /* the share */
    int       count;
    Loss      loss;             /* of the share, summed over its target tokens */
    double    flops;            /* of the matrix products */
} GradientWorker;

/* gradient_init - with room for shares of this size; only the number of sentences may not become
 * larger. `gradient` is a block like the weights, borrowed. gradient_free.
 * gradient_measure - bytes of activations for such a share, or for a slice of it: at least for its
 * longest pair. */
void   gradient_init(GradientWorker *worker, const GradientModel *model,
                     const ParameterTable *table, real *gradient, BatchSize share);
void   gradient_free(GradientWorker *worker);
size_t gradient_measure(const Architecture *net, BatchSize share, const Hyperparameters *hyper,
                        size_t slice);

/* gradient_slice_bytes - for each of so many workers of all processes: 3 GB together. It depends on
 * nothing else, so that a training has the same slices on every machine. */
size_t gradient_slice_bytes(int workers);

/* gradient_add - adds the gradient of the worker's share to its block; sets its loss and flops. */
void gradient_add(GradientWorker *worker, const GradientModel *model, const GradientStep *step);

#endif
