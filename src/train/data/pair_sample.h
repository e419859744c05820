/* pair_sample.h - an even sample of pairs that come one by one, however many there are: every
 * k-th, where k doubles each time the sample is full and every second of it is dropped. What fills
 * it is the work that a word alignment has with it: source words times target words. Where k is not
 * 1, a corpus whose pairs alternate loses those of one kind.
 */
#ifndef ATTN_TRAIN_PAIR_SAMPLE_H
#define ATTN_TRAIN_PAIR_SAMPLE_H

#include "text/corpus/store.h"

/* Zero-initialise; pair_sample_free releases. */
typedef struct {
    Shard  pairs;                       /* shard_record(&pairs, i) is number i of the sample */
    size_t used, capacity, start_capacity;
    size_t word_pairs;                  /* source words times target words, of all */
    size_t seen, step;                  /* pairs that came; k, 0 before the first */
} PairSample;

/* pair_sample_add - copies the pair if it is of the sample, which has at most so many word pairs,
 * but for a single pair that has more. */
void pair_sample_add(PairSample *s, const Record *pair, size_t most);
void pair_sample_free(PairSample *s);

#endif
