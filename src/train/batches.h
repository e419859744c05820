/* batches.h - an epoch's batches: shuffled, yet of sentences of nearly equal length.
 *
 * The shards of the training pairs (text/store.h; most corpora are one) come in a random order. The pairs of a shard
 * are shuffled, sorted by length inside pools of 100 batches, cut into batches, and the batches are shuffled. The order
 * is a function of (seed, epoch): to resume, nothing but the position is needed.
 */
#ifndef ATTN_TRAIN_BATCHES_H
#define ATTN_TRAIN_BATCHES_H

#include "model/batch.h"
#include "train/examples.h"

typedef struct {
    const Examples *examples;   /* borrowed */
    int          size;          /* pairs a batch; the last of a shard may be smaller */
    int          count;         /* batches an epoch */
    uint64_t     seed;
    long         epoch;
    int         *shard;         /* (shards) in the order of this epoch */
    int         *first;         /* (shards + 1) batches before the shard at this place of the order */
    int          place;         /* of the shard that `order` is about, or -1 */
    int         *order;         /* pairs of this shard */
    int         *batch_order;
    size_t       order_capacity, batch_capacity;
    Ids          source, target;    /* of the batch last given */
    size_t      *at;            /* (2 * size) where each sentence begins in them */
} Batches;

void batches_init(Batches *b, const Examples *examples, int size);
void batches_free(Batches *b);

/* batches_epoch - begins epoch number `epoch` (from 0). */
void batches_epoch(Batches *b, uint64_t seed, long epoch);

/* batches_get - batch number `at` of the epoch (0 .. count-1), in the order batch_sort gives; returns its size, or -1
 * when a shard can't be read. sentences: room for b->size; they are numbered within the batch and point into b until
 * the next call. */
int batches_get(Batches *b, int at, Sentence *sentences, Err *e);

#endif
