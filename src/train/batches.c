/* batches.c - shuffle, sort within pools, cut, shuffle; then look up the ids. */
#include "train/batches.h"

#include "base/mem.h"
#include "base/rng.h"

#include <stdlib.h>

enum { POOL_BATCHES = 100 };

/* Batches of so many pairs. */
static int batches_of(const Batches *b, size_t pairs)
{
    return (int)((pairs + (size_t)b->size - 1) / (size_t)b->size);
}

void batches_init(Batches *b, const Examples *examples, int size)
{
    const int shards = store_shards(examples->store);
    *b = (Batches){ .examples = examples, .size = size, .place = -1 };
    b->shard = xcalloc((size_t)shards, sizeof *b->shard);
    b->first = xcalloc((size_t)shards + 1, sizeof *b->first);
    b->at = xcalloc(2 * (size_t)size, sizeof *b->at);
    for (int i = 0; i < shards; i++)
        b->count += batches_of(b, store_shard_count(examples->store, i));
}

void batches_free(Batches *b)
{
    free(b->shard);
    free(b->first);
    free(b->order);
    free(b->batch_order);
    free(b->at);
    ids_free(&b->source);
    ids_free(&b->target);
    *b = (Batches){ 0 };
}

void batches_epoch(Batches *b, uint64_t seed, long epoch)
{
    const int shards = store_shards(b->examples->store);
    b->seed = seed;
    b->epoch = epoch;
    b->place = -1;
    for (int i = 0; i < shards; i++)
        b->shard[i] = i;
    rng_shuffle(rng_key(seed, (uint64_t)epoch, RNG_SHARDS), b->shard, (size_t)shards);
    for (int i = 0; i < shards; i++)
        b->first[i + 1] = b->first[i] + batches_of(b, store_shard_count(b->examples->store, b->shard[i]));
}

/* ---- The order within a shard ---- */

/* A pair with its lengths and its place after shuffling, which decides between equal lengths. */
typedef struct { int target, source, index; size_t place; } Keyed;

static int by_length(const void *a, const void *b)
{
    const Keyed *x = a, *y = b;
    if (x->target != y->target) return x->target < y->target ? -1 : 1;
    if (x->source != y->source) return x->source < y->source ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static void sort_pool(const Examples *x, const Shard *shard, int *order, size_t count)
{
    Keyed *keyed = xmalloc(count, sizeof *keyed);
    for (size_t i = 0; i < count; i++) {
        Record pair = shard_record(shard, (size_t)order[i]);
        keyed[i] = (Keyed){ .place = i, .index = order[i] };
        examples_lengths(x, &pair, &keyed[i].source, &keyed[i].target);
    }
    qsort(keyed, count, sizeof *keyed, by_length);
    for (size_t i = 0; i < count; i++)
        order[i] = keyed[i].index;
    free(keyed);
}

/* A stream for one shard in this epoch. */
static uint64_t shard_key(const Batches *b, int shard, RngPurpose purpose)
{
    return rng_key(rng_bits(rng_key(b->seed, (uint64_t)b->epoch, purpose), (uint64_t)shard), 0, purpose);
}

static void order_shard(Batches *b, const Shard *shard, int number)
{
    const size_t pool = (size_t)b->size * POOL_BATCHES, batches = (size_t)batches_of(b, shard->count);
    b->order = grow(b->order, &b->order_capacity, shard->count, sizeof *b->order);
    b->batch_order = grow(b->batch_order, &b->batch_capacity, batches, sizeof *b->batch_order);
    for (size_t i = 0; i < shard->count; i++)
        b->order[i] = (int)i;
    rng_shuffle(shard_key(b, number, RNG_SHUFFLE), b->order, shard->count);
    for (size_t at = 0; at < shard->count; at += pool)
        sort_pool(b->examples, shard, b->order + at, shard->count - at < pool ? shard->count - at : pool);
    for (size_t i = 0; i < batches; i++)
        b->batch_order[i] = (int)i;
    rng_shuffle(shard_key(b, number, RNG_BATCHES), b->batch_order, batches);
}

/* ---- A batch ---- */

/* The ids of one pair; `at` is where its two sides begin. */
static void add_pair(Batches *b, const Shard *shard, int index, size_t *at, uint64_t key)
{
    const Record pair = shard_record(shard, (size_t)index);
    at[0] = b->source.count;
    at[1] = b->target.count;
    examples_add(b->examples, &pair, rng_bits(key, (uint64_t)index), &b->source, &b->target);
}

/* Views of the sentences, once the ids no longer move. */
static void view(const Batches *b, Sentence *sentences, int count)
{
    for (int i = 0; i < count; i++) {
        const size_t *at = b->at + 2 * i;
        const size_t source_end = i + 1 < count ? at[2] : b->source.count;
        const size_t target_end = i + 1 < count ? at[3] : b->target.count;
        sentences[i] = (Sentence){ .source = b->source.id + at[0], .source_length = (int)(source_end - at[0]),
                                   .target = b->target.id + at[1], .target_length = (int)(target_end - at[1]),
                                   .number = i };
    }
}

int batches_get(Batches *b, int at, Sentence *sentences, Err *e)
{
    int place = b->place < 0 || at < b->first[b->place] ? 0 : b->place;
    while (at >= b->first[place + 1])
        place++;
    const int number = b->shard[place];
    const Shard *shard = store_load(b->examples->store, number, e);
    if (!shard) return -1;
    if (place != b->place) order_shard(b, shard, number);
    b->place = place;

    const size_t first = (size_t)b->batch_order[at - b->first[place]] * (size_t)b->size, left = shard->count - first;
    const int count = left < (size_t)b->size ? (int)left : b->size;
    const uint64_t key = shard_key(b, number, RNG_WORDS);
    b->source.count = b->target.count = 0;
    for (int i = 0; i < count; i++)
        add_pair(b, shard, b->order[first + (size_t)i], b->at + 2 * i, key);
    view(b, sentences, count);
    batch_sort(sentences, count);
    return count;
}
