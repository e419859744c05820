/* touched.h - which parameters an update changes: all of most tensors, but of an embedding only the rows of the words
 * that the network reads.
 */
#ifndef ATTN_TRAIN_TOUCHED_H
#define ATTN_TRAIN_TOUCHED_H

#include "base/portion.h"
#include "model/batch.h"
#include "model/parameters.h"

/* A range of the parameter block; `decays` where weight decay is for it (matrices). */
typedef struct { size_t at, count; int decays; } Range;

typedef struct {
    const ParameterTable *table;
    int      source_words, begin;
    int      decays;            /* matrices decay */
    long     update;            /* what is listed is of this one */
    long    *seen;              /* per embedding row, source rows first: the update that last listed it */
    Range   *range;             /* at most one a word and tensor; no value twice */
    int      count;
    size_t   changed;           /* values in all ranges */
} Touched;

/* touched_init - the table is borrowed; begin is the id of <bos>; decays: whether matrices do. touched_free. */
void touched_init(Touched *s, const ParameterTable *table, int source_words, int target_words, int begin, int decays);
void touched_free(Touched *s);

/* touched_begin - none so far; updates are numbered from 1, each another number than the last.
 * touched_add - those of one batch: the first brings all dense tensors, a further one only rows not yet listed. */
void touched_begin(Touched *s, long update);
void touched_add(Touched *s, const Sentence *sentences, int count);

/* A worker's walk over its share of the changed values: equal shares, in the order of the ranges. */
typedef struct {
    const Touched *touched;
    size_t         from, to;    /* the share, counted in changed values */
    size_t         at;          /* of those that stand in the ranges walked over */
    int            next;
} TouchedWalk;

/* touched_next - the next range, or the part of it that is in the share; 0: no more. */
TouchedWalk touched_walk(const Touched *s, Portion portion);
int         touched_next(TouchedWalk *walk, Range *range);

/* portion_start, portion_end - a worker's share of so many values; that of the next begins where it ends. */
size_t portion_start(size_t values, Portion portion);
size_t portion_end(size_t values, Portion portion);

#endif
