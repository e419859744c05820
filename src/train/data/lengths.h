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
 * lengths_sum - makes the counts of one process those of all. Collective, as pair_lengths_sum is.
 * lengths_largest - the longest sentence, and the tokens of this many longest sentences, at most
 * INT_MAX. */
void   lengths_add(Lengths *l, int length);
void   lengths_sum(Lengths *l, Processes *processes);
Extent lengths_largest(const Lengths *l, int sentences);
void   lengths_free(Lengths *l);

/* The pairs by the lengths of both sides; those with a longer side are not counted. */
enum { PAIR_LENGTHS_MOST = 500, PAIR_LENGTHS_SIDE = PAIR_LENGTHS_MOST + 1 };
typedef struct { double *pairs; } PairLengths;  /* (PAIR_LENGTHS_SIDE, PAIR_LENGTHS_SIDE), source
                                                 * and target */

PairLengths pair_lengths_new(void);
void        pair_lengths_add(PairLengths *l, int source, int target);
void        pair_lengths_sum(PairLengths *l, Processes *processes);
void        pair_lengths_free(PairLengths *l);

/* pair_lengths_limit - the mean ratio and the 99.9 % quantile of what is beyond it; nothing without
 * pairs.
 * pair_lengths_longest - the most tokens that 99 % of the sources have. */
LengthLimit pair_lengths_limit(const PairLengths *l);
int         pair_lengths_longest(const PairLengths *l);

#endif
