/* pair_index.h - the pairs of one shard (text/corpus/store.h), whichever process holds them.
 *
 * Every process knows the lengths of all pairs of the shard, and so all choose the same batches.
 * The words of a pair are only with its holder.
 */
#ifndef ATTN_TRAIN_PAIR_INDEX_H
#define ATTN_TRAIN_PAIR_INDEX_H

#include "train/data/examples.h"

typedef struct {
    int source, target;         /* ids without BPE-dropout (examples_lengths) */
    int holder, place;          /* a process, and the number of the pair in its part of the shard */
} IndexedPair;

/* Zero-initialise; pair_index_free releases. */
typedef struct {
    IndexedPair *pair;          /* in the order of the corpus */
    size_t       count, capacity;
    Ids          own;           /* (3, pairs of this process) number, source, target */
} PairIndex;

/* pair_index_read - loads a shard in all processes; returns the part of this one, NULL: the file of
 * one cannot be read. Collective. */
const Shard *pair_index_read(PairIndex *x, const Examples *examples, int shard, Err *e);
void         pair_index_free(PairIndex *x);

#endif
