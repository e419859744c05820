/* batches.h - an epoch's batches: shuffled, yet of sentences of nearly equal length.
 *
 * The shards of the training pairs (text/store.h; most corpora are one) come in a random order. The pairs of a shard
 * are shuffled, sorted by length inside pools of 100 batches, cut into batches, and the batches are shuffled. The order
 * is a function of (seed, epoch): to resume, nothing but the position is needed.
 *
 * A batch has so many pairs, or so many tokens: a pair counts as its longer side, without dropout, so that neither
 * side of a batch asks for more. A shard of T tokens is cut into floor(T / tokens) batches (at least one) at equal
 * distances: their number doesn't depend on the order, none is much smaller than the others, and none is larger than
 * T / batches + the longest pair.
 */
#ifndef ATTN_TRAIN_BATCHES_H
#define ATTN_TRAIN_BATCHES_H

#include "model/batch.h"
#include "train/examples.h"

typedef struct {
    const Examples *examples;   /* borrowed */
    int          size;          /* pairs a batch; the last of a shard may be smaller */
    int          tokens;        /* tokens a batch; 0: `size` decides */
    int          count;         /* batches an epoch */
    uint64_t     seed;
    long         epoch;
    int         *batches;       /* (shards) of each */
    int         *shard;         /* (shards) in the order of this epoch */
    int         *first;         /* (shards + 1) batches before the shard at this place of the order */
    int          place;         /* of the shard that `order` is about, or -1 */
    int         *order;         /* pairs of this shard */
    int         *batch_order;
    int         *start;         /* (batches of this shard + 1) where each begins in `order` */
    size_t       order_capacity, batch_capacity, start_capacity;
    Ids          source, target;    /* of the batch last given */
    size_t      *at;            /* (2 * batches_most) where each sentence begins in them */
} Batches;

/* batches_most - no batch has more pairs than this. batches_share - nor has a worker more, to whom every workers-th
 * sentence is dealt; of the pairs as they are without dropout. */
int       batches_most(const Examples *examples, int size, int tokens);
BatchSize batches_share(const Examples *examples, int size, int tokens, int workers);

/* batches_init - tokens must be 0 or at least the longest pair. -1: a shard can't be read. batches_free releases,
 * whatever failed. */
int  batches_init(Batches *b, const Examples *examples, int size, int tokens, Err *e);
void batches_free(Batches *b);

/* batches_epoch - begins epoch number `epoch` (from 0). */
void batches_epoch(Batches *b, uint64_t seed, long epoch);

/* batches_get - batch number `at` of the epoch (0 .. count-1), in the order batch_sort gives; returns its size, or -1
 * when a shard can't be read. sentences: room for batches_most; they are numbered within the batch and point into b
 * until the next call. */
int batches_get(Batches *b, int at, Sentence *sentences, Err *e);

#endif
