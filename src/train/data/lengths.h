/* lengths.h - how many sentences, and how many pairs, have each length, in tokens with <eos>; what
 * follows for the size of batches and for the length of translations.
 */
#ifndef ATTN_TRAIN_LENGTHS_H
#define ATTN_TRAIN_LENGTHS_H

#include "model/batch.h"
#include "train/update/processes.h"

/* The sentences of each length. Zero-initialise; lengths_free releases. */
typedef struct { double *count; size_t capacity; } Lengths;

typedef struct { int longest, tokens; } Extent;

/* lengths_add - a sentence.
 * lengths_sum - makes the counts of one process those of all. Collective.
 * lengths_largest - the longest sentence, and the tokens of this many longest sentences, at most
 * INT_MAX. */
void   lengths_add(Lengths *l, int length);
void   lengths_sum(Lengths *l, Processes *processes);
Extent lengths_largest(const Lengths *l, int sentences);
void   lengths_free(Lengths *l);

/* The pairs by the lengths of both sides: counts (PAIR_LENGTHS_SIDE, PAIR_LENGTHS_SIDE), source and
 * target. Those with a longer side are not counted. */
enum { PAIR_LENGTHS_SIDE = 501, PAIR_LENGTHS_CELLS = PAIR_LENGTHS_SIDE * PAIR_LENGTHS_SIDE };

/* pair_lengths_limit - the mean ratio and the 99.9 % quantile of what is beyond it; *longest: the
 * most tokens that 99 % of the sources have. Nothing and 0 without pairs. */
void        pair_lengths_add(double *counts, int source, int target);
LengthLimit pair_lengths_limit(const double *counts, int *longest);

#endif
