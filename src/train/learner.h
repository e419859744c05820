/* learner.h - one update of all weights from one or more batches, by a team of workers.
 *
 * Each worker adds loss and gradient of its share of each batch's sentences to a block of its own; then the workers
 * divide the parameters among themselves, sum the blocks, find the norm, and step Adam. An update touches only the
 * embedding rows of its words, so only those rows are summed, counted into the norm and stepped (a row's moments
 * rest while its word does not occur: the lazy Adam of PyTorch's SparseAdam). So rows decay only when they are read,
 * and a rare word's as seldom as it learns; an embedding that is tied to the output layer is touched in all rows.
 *
 * With Recipe.average = B > 0 a moving average of the weights is kept (Polyak and Juditsky 1992). After update 1,
 * 1 + every, 1 + 2 every, ... all of it moves, rows of resting words too:
 *     average = b average + (1 - b) weights,   b = min(B^every, (1 + n) / (10 + n))  at sample number n (from 0)
 * so that it forgets the beginning, as TensorFlow's ExponentialMovingAverage and Marian do. `every` is a tenth of the
 * memory 1 / (1 - B) that B stands for, at most 32 updates: then the mean over samples is as good as that over all
 * updates, and costs a pass over the weights no more often than that.
 *
 * With Recipe.average_last = N > 0 the weights at the last N validations (or their average, where there is one) are
 * collected, and learner_mean is their plain mean (Junczys-Dowmunt, Dwojak and Sennrich 2016, "The AMU-UEDIN Submission
 * to the WMT16 News Translation Task", section 3.4: checkpoints of one run).
 *
 * The same seed and number of workers give the same bytes; another number of workers sums in another order.
 * An update asks for no memory, unless a share is larger than was told at first.
 */
#ifndef ATTN_TRAIN_LEARNER_H
#define ATTN_TRAIN_LEARNER_H

#include "base/pool.h"
#include "model/network.h"
#include "train/recipe.h"

typedef struct Learner Learner;

/* learner_new - `share` is what of a batch a worker has at most; only its sentences must not become more. The weights,
 * the table and the pool are borrowed; begin is the id of <bos>.
 * learner_measure - bytes that each worker reserves for its share; learner_measure_shared - and that all share. */
Learner *learner_new(const Net *net, const ParameterTable *table, real *weights, const Recipe *recipe, Pool *pool,
                     BatchSize share, int begin);
size_t   learner_measure(const Net *net, BatchSize share);
size_t   learner_measure_shared(const ParameterTable *table, const Recipe *recipe);
void     learner_free(Learner *l);

/* The moments of Adam, blocks like the weights: for saving and restoring. */
real *learner_first_moment(Learner *l);
real *learner_second_moment(Learner *l);

/* What a word costs usually, for HARD_REINFORCE (model/network.h); 0 before the first update: to save and restore. */
double *learner_baseline(Learner *l);

typedef struct {
    Loss   loss;            /* sums over the batch's target tokens */
    long   tokens;          /* target tokens */
    double norm;            /* of the gradient, before clipping */
    double flops;           /* of the matrix products */
    int    skipped;         /* the gradient was not finite: no weight was changed */
} Update;

/* learner_averaged - the average, or the weights themselves where there is none: what is worth validating. */
real *learner_averaged(Learner *l);

/* learner_blocks - how many blocks like the weights a learner saves and restores: the weights, their copy to go back to,
 * the moments, and what the recipe averages. */
int learner_blocks(const Recipe *recipe);

/* learner_collect - for the mean: learner_averaged at validation `number` (from 0), in place of the N-th before it.
 * learner_collection - N blocks in a row, to save and restore; NULL: none.
 * learner_mean - of the last N of `number` that were collected. It lies in the block of a gradient, so no update may
 * follow. */
void  learner_collect(Learner *l, long number);
real *learner_collection(Learner *l);
real *learner_mean(Learner *l, long number);

/* The way back when the numbers fail. learner_keep copies weights that are good (learner_new has done it once),
 * learner_keep_next those that the next update begins with, if it finds their gradient finite. learner_go_back returns
 * to the copy with moments of 0; Adam's t and the samples then count from update `step`, which learner_count_from is
 * told; at first from 0. */
void  learner_keep(Learner *l, const real *weights);
void  learner_keep_next(Learner *l);
void  learner_go_back(Learner *l);
void  learner_count_from(Learner *l, long step);
real *learner_kept(Learner *l);             /* the copy, a block like the weights: for saving and restoring */

/* An update is learner_begin, learner_add for each of its batches, learner_step. The gradient is the mean over the
 * target tokens of all batches (or NORMALIZE_STEPS'): that of one batch with all their sentences, up to rounding.
 *
 * learner_begin - update number `step` (from 1; it names the dropout masks and Adam's t).
 * learner_add   - the sentences stand in batch_sort's order, numbered from 0.
 * learner_step  - changes the weights, with this learning rate. */
void   learner_begin(Learner *l, long step);
void   learner_add(Learner *l, const Sentence *sentences, int count);
Update learner_step(Learner *l, double rate);

#endif
