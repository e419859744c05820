/* batches.h - the batches of an epoch: shuffled, yet of sentences of nearly equal length.
 *
 * The shards of the training pairs (text/corpus/store.h; most corpora are one shard) come in a
 * random order. The pairs of a shard are shuffled, sorted by length inside pools of 100 batches,
 * cut into batches, and the batches are shuffled. The order is a function of (seed, epoch), so that
 * resuming needs nothing but the position.
 *
 * A batch has a fixed number of pairs, or a number of tokens: a pair counts as its longer side,
 * without BPE-dropout, so that neither side of a batch has more. A shard of T tokens is cut into
 * floor(T / tokens) batches (at least one) at equal distances: their number does not depend on the
 * order, none is much smaller than the others, and none is larger than T / batches + the longest
 * pair.
 */
#ifndef ATTN_TRAIN_BATCHES_H
#define ATTN_TRAIN_BATCHES_H

#include "model/batch.h"
#include "train/data/examples.h"

/* A pair of a shard, whichever process holds its words: every process knows the lengths of all
 * pairs, so that all choose the same batches. */
typedef struct {
    int source, target;         /* ids without BPE-dropout (examples_lengths) */
    int holder, place;          /* a process, and the number of the pair in its part of the shard */
} IndexedPair;

typedef struct {
    const Examples *examples;   /* borrowed */
    int          size;          /* pairs per batch; the last batch of a shard may be smaller */
    int          tokens;        /* tokens per batch; 0: `size` decides */
    int          count;         /* batches per epoch */
    uint64_t     seed;
    long         epoch;
    int         *batches;       /* (shards) batches of each */
    int         *shard;         /* (shards) in the order of this epoch */
    int         *first;         /* (shards + 1) batches before the shard at this place */
    int          place;         /* place of the shard that what follows is for, or -1 */
    IndexedPair *pair;          /* (pairs) in the order of the corpus */
    size_t       pairs, pair_capacity;
    int         *order;         /* pairs of this shard */
    int         *batch_order;
    int         *start;         /* (batches of this shard + 1) where each begins in `order` */
    size_t       order_capacity, batch_capacity, start_capacity;
    Ids          own, target;   /* what this process tells of its pairs; scratch for one */
    size_t      *held, *next;   /* (processes) ints that each tells; where its next one begins */
} Batches;

/* batches_most  - the most pairs of any batch.
 * batches_share - the most that one worker has of any batch if every workers-th sentence is its
 * own, for pairs without BPE-dropout. */
int       batches_most(const Examples *examples, int size, int tokens);
BatchSize batches_share(const Examples *examples, int size, int tokens, int workers);

/* batches_init - tokens must be 0 or at least the longest pair. -1: a shard cannot be read.
 * Collective, as batches_get is. batches_free - also after a failure. */
int  batches_init(Batches *b, const Examples *examples, int size, int tokens, Err *e);
void batches_free(Batches *b);

/* batches_epoch - begins epoch number `epoch` (from 0). */
void batches_epoch(Batches *b, uint64_t seed, long epoch);

/* batches_get - batch number `at` of the epoch (0 .. count-1), in the order of batch_sort; visit:
 * how its pairs are visited, the same in all processes; the keys are set here. Returns
 * its size, or -1 if a shard cannot be read. sentences: room for batches_most; they are numbered
 * within the batch and are valid until the next call. Of several processes each one writes the ids
 * of the pairs that it holds, and all get all. */
int batches_get(Batches *b, int at, Visit visit, Sentence *sentences, Err *e);

#endif
