/* store.h - sentence pairs as numbers of words, more of them than fit into memory.
 *
 * Pairs are added one by one. Up to a limit they stay in memory, beyond it they go to a file. At
 * the end they are dealt at random to as many shards as it takes for one shard to fit; from then on
 * one shard at a time is loaded. A corpus below the limit is one shard, and never touches the disk.
 *
 * Shuffling: the shards are random samples of the corpus. An epoch takes them in a random order,
 * and the pairs of each in a random order. So any two pairs can meet in one batch if, and only if,
 * they share a shard, and whatever order the corpus had is gone: with S shards every chunk of 1/S
 * of an epoch is a fair sample of the whole corpus.
 *
 * The file has no name: it takes room in its folder as long as the store lives, at most twice 4
 * bytes a word and 8 a pair, and is gone with the process.
 */
#ifndef ATTN_TEXT_STORE_H
#define ATTN_TEXT_STORE_H

#include "base/error.h"

#include <stddef.h>

/* One pair: numbers of words. Points into the shard. */
typedef struct {
    const int *source, *target;
    int        source_count, target_count;
} Record;

typedef struct {
    int    *data;               /* records: source_count, target_count, source, target */
    size_t *start;              /* (count) where each record begins in `data` */
    size_t  count;
} Shard;

typedef struct PairStore PairStore;

/* store_new - memory: bytes that a shard may take (a fifth more comes for finding the pairs in it);
 * folder: where the file would go, borrowed. */
PairStore *store_new(size_t memory, const char *folder);
void   store_free(PairStore *s);

/* store_add - copies a pair. -1: the file can't be written. */
int store_add(PairStore *s, const Record *pair, Err *e);

/* store_finish - deals out the pairs that `keep` wants, which is asked once for each, in their
 * order; no more can be added. -1: the file can't be written or read. */
int store_finish(PairStore *s, int (*keep)(void *context, const Record *pair), void *context, Err *e);

size_t store_added(const PairStore *s);                 /* pairs added, */
size_t store_count(const PairStore *s);                 /* and of these kept */
int    store_shards(const PairStore *s);
size_t store_shard_count(const PairStore *s, int shard);

/* store_load - the shard, until the next store_load; it belongs to the store. NULL: the file can't
 * be read. */
const Shard *store_load(PairStore *s, int shard, Err *e);

Record shard_record(const Shard *shard, size_t i);

#endif
