/* reduction.h - which values an update changes, and their gradients: the one place where those of
 * several workers become one.
 *
 * Each worker has a gradient of its own, a block like the weights. An update sums them, and the sum
 * ends in parts: a worker's part of the changed values (reduction_part) is what it may read of the
 * sum, and what it steps in the optimizer. Nothing else of an update knows how many workers there
 * are and which of them holds which part of the sum.
 *
 * The sum is in the order of the workers, and its squares are summed in as many parts as there are
 * workers. So both depend on the number of workers, and not on how they are divided over processes
 * (train/update/processes.h).
 */
#ifndef ATTN_TRAIN_REDUCTION_H
#define ATTN_TRAIN_REDUCTION_H

#include "base/real.h"
#include "model/batch.h"
#include "model/parameters.h"
#include "train/update/processes.h"

/* ---- What an update changes ---- */

/* A range of the parameter block; `decays` if weight decay applies to it (matrices only). */
typedef struct { size_t at, count; int decays; } Range;

/* All of most tensors, but of an embedding only the rows of the words that the network reads. */
typedef struct {
    const ParameterTable *table;
    int      source_words, bos;
    int      decays;            /* matrices decay */
    long     number;            /* of the update that is listed */
    long    *seen;              /* the update that last listed each embedding row, source first */
    Range   *range;             /* at most one per word and tensor; no value twice */
    int      count;
    size_t   values;            /* in all ranges */
} SparseUpdate;

/* sparse_update_init - the table is borrowed; bos is the id of <bos>; decays: whether matrices do.
 * sparse_update_begin - begins an empty list. Updates are numbered from 1, each with another number
 * than the last.
 * sparse_update_add - adds the ranges of one batch: the first batch adds all dense tensors, a
 * further one only rows that are not yet listed. */
void sparse_update_init(SparseUpdate *s, const ParameterTable *table, int source_words,
                        int target_words, int bos, int decays);
void sparse_update_free(SparseUpdate *s);
void sparse_update_begin(SparseUpdate *s, long number);
void sparse_update_add(SparseUpdate *s, const Sentence *sentences, int count);

/* A worker's walk over its share of the changed values, in the order of the ranges. */
typedef struct {
    const SparseUpdate *update;
    size_t from, to;            /* the share, counted in changed values */
    size_t low, high;           /* the share, as places in the parameter block */
    size_t at;                  /* changed values in the ranges walked over */
    int    next;
} SparseUpdateWalk;

/* sparse_update_walk - over equal shares of the changed values.
 * sparse_update_walk_within - over those at places low .. high - 1 of the parameter block.
 * sparse_update_next - sets the next range, or the part of it that is in the share; 0: no more. */
SparseUpdateWalk sparse_update_walk(const SparseUpdate *s, Portion portion);
SparseUpdateWalk sparse_update_walk_within(const SparseUpdate *s, size_t low, size_t high);
int              sparse_update_next(SparseUpdateWalk *walk, Range *range);

/* portion_of - a worker's share of so many values. */
Interval portion_of(size_t values, Portion portion);

/* ---- The sum ---- */

typedef struct {
    Pool        *pool;          /* borrowed, as the processes are */
    Processes   *processes;
    Crew         crew;
    size_t       size;          /* of a block, in reals */
    SparseUpdate changes;
    real        *gradient;      /* (crew.own, size) a block each; zero between updates. The first
                                 * holds the sum, to be read and set to zero by parts */
    double      *square_sum;    /* (crew.all) of each part of the sum */
} Reduction;

/* reduction_init - the changes are the caller's to initialise; reduction_free releases all.
 * reduction_gradient - the block to which a worker of the pool adds its gradient.
 * reduction_sum - sums the changed values over all workers, and returns the sum of squares of the
 * sum. Afterwards, only the parts of the pool's workers are not zero.
 * reduction_discard - makes the sum zero.
 * reduction_part - the part of the changed values whose sum a worker of the pool holds. */
void             reduction_init(Reduction *r, size_t size, Pool *pool, Processes *processes);
void             reduction_free(Reduction *r);
real            *reduction_gradient(const Reduction *r, int worker);
double           reduction_sum(Reduction *r);
void             reduction_discard(Reduction *r);
SparseUpdateWalk reduction_part(const Reduction *r, int worker);

#endif
