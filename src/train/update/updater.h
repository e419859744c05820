/* updater.h - one update of all weights from one or more batches, by a pool of workers.
 *
 * Each worker adds the loss and the gradient of its share of each batch; the gradients are summed
 * (train/update/reduction.h), the norm is clipped, Adam steps (nn/adam.h), and the moving average
 * of the weights follows.
 *
 * An update changes only the embedding rows of its words, so that only those rows are summed,
 * counted into the norm and stepped; of an embedding that is tied to the output layer, all rows.
 * The moments of a row rest while its word does not occur: the lazy Adam of PyTorch's SparseAdam.
 * So weight decay reaches a row only when its word is read.
 *
 * The same seed and number of workers give the same bytes, however the workers are divided over
 * processes (train/update/processes.h); another number of workers sums in another order. An update
 * allocates no memory, unless it is the first after updater_rest, or a share is larger than
 * updater_new was given.
 */
#ifndef ATTN_TRAIN_UPDATER_H
#define ATTN_TRAIN_UPDATER_H

#include "base/system/pool.h"
#include "model/network.h"
#include "train/hyperparameters.h"
#include "train/update/processes.h"

typedef struct Updater Updater;

/* updater_new - `share` is the most that a worker has of a batch; only its number of sentences may
 * not become larger. A share of more activations than `slice` bytes is computed in slices. The
 * weights, the table, the hyperparameters, the pool and the processes are borrowed; bos is the id
 * of <bos>.
 * updater_rest - for a while without updates: gives back what the workers reserve.
 * updater_slice - of each of so many workers of all processes: 3 GB together. It depends on nothing
 * else, so that a training has the same slices on every machine.
 * updater_measure - bytes that each worker reserves for its share, or for a slice of it: at least
 * for its longest pair.
 * updater_measure_shared - the most that all workers share. */
Updater *updater_new(const Architecture *net, const ParameterTable *table, real *weights,
                     const Hyperparameters *hyper, Pool *pool, BatchSize share,
                     size_t slice, int bos, Processes *processes);
void     updater_free(Updater *u);
void     updater_rest(Updater *u);
size_t   updater_slice(int workers);
size_t   updater_measure(const Architecture *net, BatchSize share, const Hyperparameters *hyper,
                         size_t slice);
size_t   updater_measure_shared(const ParameterTable *table, const Hyperparameters *hyper);

/* An update is updater_begin, updater_add for each of its batches, updater_step. Its gradient is
 * the mean over the target tokens of all batches (or what NORMALIZE_STEPS asks for): that of one
 * batch with all their sentences, up to rounding.
 *
 * updater_begin - begins update number `step` (from 1; it selects the dropout masks and Adam's t),
 *                 after so many passes over the training part.
 * updater_add   - adds a batch; the sentences are in batch_sort's order, numbered from 0.
 * updater_step  - changes the weights, with this learning rate, if the gradient is finite. */
typedef struct {
    Loss   loss;                /* sums over the target tokens */
    long   tokens;              /* target tokens */
    double norm;                /* norm of the gradient before clipping */
    double flops;               /* of the matrix products */
    int    skipped;             /* the gradient was not finite: no weight was changed */
} Update;

void   updater_begin(Updater *u, long step, double passes);
void   updater_add(Updater *u, const Sentence *sentences, int count);
Update updater_step(Updater *u, double rate);

/* updater_keep - copies the best weights so far; updater_new has copied the first ones. */
void updater_keep(Updater *u, const real *weights);

/* updater_gather - makes the moments of the first process whole, to be saved; with several
 * processes the others' are never whole. */
void updater_gather(Updater *u);

/* What a state saves and restores: blocks like the weights, and a number.
 *
 * The moving average of the weights (Polyak and Juditsky 1992), or the weights themselves if there
 * is none, is what is validated and saved. After update 1, 1 + every, 1 + 2 every, ... all of it
 * moves, also the rows of words that did not occur:
 *     average = b average + (1 - b) weights,   b = min(B^every, (1 + n) / (10 + n))
 * at sample number n (from 0), so that it forgets the beginning, as TensorFlow's
 * ExponentialMovingAverage and Marian do. `every` is a tenth of the memory 1 / (1 - B) of B, at
 * most 32 updates: the mean over samples is then as good as that over all updates, and rarely costs
 * a pass over the weights. */
typedef struct {
    real   *first, *second;     /* Adam's moments */
    real   *averaged;
    real   *kept;               /* by updater_keep */
    double *baseline;           /* usual cost of a word for HARD_REINFORCE (model/network.h), 0
                                 * before the first update */
} UpdaterState;

/* updater_blocks - the number of blocks like the weights, themselves and the average included. */
UpdaterState updater_state(Updater *u);
int          updater_blocks(const Hyperparameters *hyper);

#endif
