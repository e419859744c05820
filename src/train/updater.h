/* updater.h - one update of all weights from one or more batches, by a team of workers.
 *
 * Each worker adds loss and gradient of its share of each batch's sentences to a block of its own
 * (train/gradient.h); the blocks are summed (train/reduction.h), the norm is clipped, Adam steps
 * (train/optimizer.h), and the moving average of the weights follows (train/weight_average.h).
 *
 * An update changes only the embedding rows of its words (train/sparse_update.h), so only those rows
 * are summed, counted into the norm and stepped; of an embedding that is tied to the output layer,
 * all rows.
 *
 * The same seed and number of workers give the same bytes; another number of workers sums in another
 * order. An update asks for no memory, unless a share is larger than was told at first.
 */
#ifndef ATTN_TRAIN_UPDATER_H
#define ATTN_TRAIN_UPDATER_H

#include "base/pool.h"
#include "model/network.h"
#include "train/hyperparameters.h"

typedef struct Updater Updater;

/* updater_new - `share` is the most of a batch that a worker has; only its sentences must not become more. The weights,
 * the table and the pool are borrowed; begin is the id of <bos>.
 * updater_measure - bytes that each worker reserves for its share; updater_measure_shared - and at most
 * that all share. */
Updater *updater_new(const Architecture *net, const ParameterTable *table, real *weights, const Hyperparameters *hyper, Pool *pool,
                     BatchSize share, int begin);
size_t   updater_measure(const Architecture *net, BatchSize share);
size_t   updater_measure_shared(const ParameterTable *table, const Hyperparameters *hyper);
void     updater_free(Updater *u);

/* The moments of Adam, blocks like the weights: for saving and restoring. */
real *updater_first_moment(Updater *u);
real *updater_second_moment(Updater *u);

/* What a word costs usually, for HARD_REINFORCE (model/network.h); 0 before the first update: to save and restore. */
double *updater_baseline(Updater *u);

typedef struct {
    Loss   loss;            /* sums over the batch's target tokens */
    long   tokens;          /* target tokens */
    double norm;            /* of the gradient, before clipping */
    double flops;           /* of the matrix products */
    int    skipped;         /* the gradient was not finite: no weight was changed */
} Update;

/* updater_averaged - the average, or the weights themselves where there is none: what is worth validating. */
real *updater_averaged(Updater *u);

/* updater_blocks - how many blocks like the weights an updater saves and restores: the weights, their copy to go back to,
 * the moments, and what the recipe averages. */
int updater_blocks(const Hyperparameters *hyper);

/* The way back when the numbers fail. updater_keep copies weights that are good (updater_new has done it once),
 * updater_keep_next those that the next update begins with, if it finds their gradient finite. updater_go_back returns
 * to the copy with moments of 0; Adam's t and the samples then count from update `step`, which updater_count_from is
 * told; at first from 0. */
void  updater_keep(Updater *u, const real *weights);
void  updater_keep_next(Updater *u);
void  updater_go_back(Updater *u);
void  updater_count_from(Updater *u, long step);
real *updater_kept(Updater *u);             /* the copy, a block like the weights: for saving and restoring */

/* An update is updater_begin, updater_add for each of its batches, updater_step. The gradient is the mean over the
 * target tokens of all batches (or NORMALIZE_STEPS'): that of one batch with all their sentences, up to rounding.
 *
 * updater_begin - update number `step` (from 1; it names the dropout masks and Adam's t).
 * updater_add   - the sentences stand in batch_sort's order, numbered from 0.
 * updater_step  - changes the weights, with this learning rate. */
void   updater_begin(Updater *u, long step);
void   updater_add(Updater *u, const Sentence *sentences, int count);
Update updater_step(Updater *u, double rate);

#endif
