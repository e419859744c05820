/* sparse_update.h - which parameters an update changes: all of most tensors, but of an embedding
 * only the rows of the words that the network reads.
 */
#ifndef ATTN_TRAIN_SPARSE_UPDATE_H
#define ATTN_TRAIN_SPARSE_UPDATE_H

#include "base/portion.h"
#include "model/batch.h"
#include "model/parameters.h"

/* A range of the parameter block; `decays` if weight decay applies to it (matrices only). */
typedef struct { size_t at, count; int decays; } Range;

typedef struct {
    const ParameterTable *table;
    int      source_words, bos;
    int      decays;            /* matrices decay */
    long     number;            /* of the update that is listed */
    long    *seen;              /* per embedding row, source rows first: the update that last listed
                                 * it */
    Range   *range;             /* at most one per word and tensor; no value twice */
    int      count;
    size_t   values;            /* in all ranges */
} SparseUpdate;

/* sparse_update_init - the table is borrowed; bos is the id of <bos>; decays: whether matrices do.
 * sparse_update_free. */
void sparse_update_init(SparseUpdate *s, const ParameterTable *table, int source_words,
                        int target_words, int bos, int decays);
void sparse_update_free(SparseUpdate *s);

/* sparse_update_begin - begins an empty list. Updates are numbered from 1, each with another number
 * than the last.
 * sparse_update_add - adds the ranges of one batch: the first batch adds all dense tensors, a
 * further one only rows that are not yet listed. */
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

/* portion_start, portion_end - a worker's share of so many values; the next worker's begins where
 * it ends. */
size_t portion_start(size_t values, Portion portion);
size_t portion_end(size_t values, Portion portion);

#endif
