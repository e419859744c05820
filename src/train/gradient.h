/* gradient.h - one worker's share of a batch: its loss, and its gradient in a block of its own.
 */
#ifndef ATTN_TRAIN_GRADIENT_H
#define ATTN_TRAIN_GRADIENT_H

#include "model/network.h"
#include "train/hyperparameters.h"

/* What all workers of an update read. */
typedef struct {
    const Architecture     *net;
    const Weights *w;
    const Hyperparameters  *hyper;
    int            begin;       /* id of <bos> */
    long           step;        /* number of the update: names the dropout masks */
    double         baseline;    /* usual cost of a word, for HARD_REINFORCE (model/network.h) */
    double         scale;       /* of the gradient: 1 / what the loss is normalized by */
} GradientTask;

typedef struct {
    real     *gradient;         /* a block like the weights; zero between updates */
    Weights   dw;               /* points into it */
    Arena     arena;
    Sentence *sentences;        /* the share */
    int       count;
    Loss      loss;             /* of the share, summed over its target tokens */
    double    flops;            /* of the matrix products */
} GradientWorker;

/* gradient_init - room for shares of this size; only the number of sentences must not become larger.
 * gradient_measure - bytes of activations for such a share. gradient_free. */
void   gradient_init(GradientWorker *worker, const GradientTask *task, const ParameterTable *table,
                     BatchSize share);
size_t gradient_measure(const Architecture *net, BatchSize share);
void   gradient_free(GradientWorker *worker);

/* gradient_add - worker->gradient += that of its share; sets its loss and flops. */
void gradient_add(GradientWorker *worker, const GradientTask *task);

/* gradient_is_sparse - whether the output layer's gradient is sampled (nn/sparsify.h). */
int gradient_is_sparse(const Hyperparameters *hyper);

#endif
