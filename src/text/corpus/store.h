/* store.h - sentence pairs as numbers of words, in memory or in a file.
 *
 * Pairs are added one by one. Up to a limit they stay in memory, beyond it they go to a file. At
 * the end they are dealt at random to shards, as many as it takes for one shard to fit into memory;
 * then one shard at a time is loaded. A corpus below the limit is one shard and never touches the
 * disk.
 *
 * Shuffling: the shards are random samples of the corpus. An epoch takes them in a random order,
 * and the pairs of each in a random order. So two pairs can meet in one batch if, and only if, they
 * share a shard, and the order of the corpus is lost: with S shards every 1/S of an epoch is a fair
 * sample of the whole corpus.
 *
 * Several processes that read the same corpus can each hold a share of its pairs: every process
 * adds all, and keeps the pairs number i with i mod processes == its own. They deal as one would,
 * so that a shard of one process is the union of theirs.
 *
 * The file has no name. It takes disk space in its folder as long as the store lives, at most twice
 * 4 bytes a word and 8 a pair, and is gone with the process.
 */
#ifndef ATTN_TEXT_CORPUS_STORE_H
#define ATTN_TEXT_CORPUS_STORE_H

#include "base/error.h"
#include "base/real.h"

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

/* store_new - memory: bytes that a shard may take, those of all processes together, a sixth of them
 * for finding its pairs. folder: of the file, borrowed. share: the pairs that this process holds;
 * { 0, 1 } is all. */
PairStore *store_new(size_t memory, const char *folder, Portion share);
void       store_free(PairStore *s);

/* store_add - adds a pair, and copies it if it is of the share. -1: the file cannot be written. */
int store_add(PairStore *s, const Record *pair, Err *e);

/* store_finish - deals out the pairs for which `keep` returns 1. It is called once for each of the
 * share, in their order. No more pairs can be added. -1: the file cannot be written or read. */
typedef int KeepPair(void *context, const Record *pair);
int store_finish(PairStore *s, KeepPair *keep, void *context, Err *e);

size_t store_added(const PairStore *s);                 /* pairs added */
size_t store_count(const PairStore *s);                 /* pairs of the share kept of them */
int    store_shards(const PairStore *s);
size_t store_shard_count(const PairStore *s, int shard);

/* store_load - loads a shard, which belongs to the store and is valid until the next store_load.
 * NULL: the file cannot be read. */
const Shard *store_load(PairStore *s, int shard, Err *e);

/* store_numbers - number (store_shard_count): which of the pairs added are in a shard, from 0. */
void store_numbers(const PairStore *s, int shard, int *number);

Record shard_record(const Shard *shard, size_t i);

#endif
