/* batches.h - an epoch's batches: shuffled, yet of sentences of nearly equal length.
 *
 * The pairs are shuffled, sorted by length inside pools of 100 batches, cut into batches, and the batches are
 * shuffled. The order is a function of (seed, epoch): to resume, nothing but the position is needed.
 */
#ifndef ATTN_TRAIN_BATCHES_H
#define ATTN_TRAIN_BATCHES_H

#include "model/batch.h"
#include "text/corpus.h"

#include <stdint.h>

typedef struct {
    const Pairs *pairs;         /* borrowed */
    int          size;          /* pairs a batch; the last of an epoch may be smaller */
    int          count;         /* batches an epoch */
    int         *order;         /* pairs->count indices */
    int         *batch_order;   /* (count) */
} Batches;

void batches_init(Batches *b, const Pairs *pairs, int size);
void batches_free(Batches *b);

/* batches_epoch - the order of epoch number `epoch` (from 0). */
void batches_epoch(Batches *b, uint64_t seed, long epoch);

/* batches_get - batch number `at` of the epoch (0 .. count-1), in the order batch_sort gives; returns its size.
 * sentences: room for b->size. */
int batches_get(const Batches *b, int at, Sentence *sentences);

/* sentence_view - pair i as the network reads it. */
Sentence sentence_view(const Pairs *pairs, int i, int number);

#endif
