/* pair_lengths.h - how many pairs have each length of both sides, and what follows for the length of
 * translations.
 */
#ifndef ATTN_TRAIN_PAIR_LENGTHS_H
#define ATTN_TRAIN_PAIR_LENGTHS_H

#include "model/length_limit.h"
#include "train/update/processes.h"

/* Zero-initialise; pair_lengths_free releases. */
typedef struct {
    double *pairs;      /* (side, side) by the tokens of the source, and of the target */
    int     side;
} PairLengths;

/* pair_lengths_add - adds a pair with so many tokens; not one with more than PAIR_LENGTHS_MOST on a side.
 * pair_lengths_sum - makes the counts of one process those of all. Collective. */
enum { PAIR_LENGTHS_MOST = 500 };
void pair_lengths_add(PairLengths *l, int source, int target);
void pair_lengths_sum(PairLengths *l, Processes *processes);
void pair_lengths_free(PairLengths *l);

/* pair_lengths_limit - the mean ratio and the 99.9 % quantile of what is beyond it; nothing without
 * pairs. */
LengthLimit pair_lengths_limit(const PairLengths *l);

/* pair_lengths_longest - the most tokens that 99 % of the sources have. */
int pair_lengths_longest(const PairLengths *l);

#endif
