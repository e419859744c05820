/* batches.c - see batches.h. */
#include "train/batches.h"

#include "base/min.h"
#include "base/mem.h"
#include "base/rng.h"

#include <math.h>
#include <stdlib.h>

enum { POOL_BATCHES = 100 };

/* ---- How many, and how large ---- */

/* Tokens that a pair counts as: those of its longer side, without BPE-dropout. */
static int pair_tokens(const Examples *x, const Record *pair)
{
    int source, target;
    examples_lengths(x, pair, &source, &target);
    return min_int(source > target ? source : target, x->options.max_length);
}

static double shard_tokens(const Examples *x, const Shard *shard)
{
    double tokens = 0;
    for (size_t i = 0; i < shard->count; i++) {
        const Record pair = shard_record(shard, i);
        tokens += pair_tokens(x, &pair);
    }
    return tokens;
}

/* Counts the batches of a shard by its pairs, or by their tokens, for which it must be read. */
static int count_batches(const Batches *b, int shard, int *count, Err *e)
{
    const size_t pairs = store_shard_count(b->examples->store, shard);
    *count = (int)((pairs + (size_t)b->size - 1) / (size_t)b->size);
    if (!b->tokens) return 0;
    const Shard *loaded = store_load(b->examples->store, shard, e);
    if (!loaded) return -1;
    *count = (int)fmax(1, floor(shard_tokens(b->examples, loaded) / b->tokens));
    return 0;
}

/* The most tokens of a side. A shard of less than two batches is one batch. */
static int most_tokens(const Examples *x, int size, int tokens)
{
    const Extent source = lengths_largest(&x->source_lengths, size);
    const Extent target = lengths_largest(&x->target_lengths, size);
    const int longest = source.longest > target.longest ? source.longest : target.longest;
    const int most = source.tokens > target.tokens ? source.tokens : target.tokens;
    return tokens ? 2 * tokens + longest : most;
}

/* A pair counts as at least one token: <eos>. */
int batches_most(const Examples *x, int size, int tokens)
{
    const int most = tokens ? most_tokens(x, size, tokens) : size;
    return x->count < (size_t)most ? (int)x->count : most;
}

/* For the case that all of the longest sentences are in one batch and in the same share. */
BatchSize batches_share(const Examples *x, int size, int tokens, int workers)
{
    const int pairs = (batches_most(x, size, tokens) + workers - 1) / workers;
    const int most = most_tokens(x, size, tokens);
    const Extent source = lengths_largest(&x->source_lengths, pairs);
    const Extent target = lengths_largest(&x->target_lengths, pairs);
    return (BatchSize){ pairs, source.longest, min_int(source.tokens, most),
                        target.longest, min_int(target.tokens, most) };
}

int batches_init(Batches *b, const Examples *examples, int size, int tokens, Err *e)
{
    const int shards = store_shards(examples->store);
    const BatchSize largest = batches_share(examples, size, tokens, 1);
    *b = (Batches){ .examples = examples, .size = size, .tokens = tokens, .place = -1 };
    b->batches = xcalloc((size_t)shards, sizeof *b->batches);
    b->shard = xcalloc((size_t)shards, sizeof *b->shard);
    b->first = xcalloc((size_t)shards + 1, sizeof *b->first);
    ids_reserve(&b->source, (size_t)largest.source_tokens);
    ids_reserve(&b->target, (size_t)largest.target_tokens);
    b->at = xcalloc(2 * (size_t)batches_most(examples, size, tokens), sizeof *b->at);
    for (int i = 0; i < shards; i++) {
        if (count_batches(b, i, &b->batches[i], e)) return -1;
        b->count += b->batches[i];
    }
    return 0;
}

void batches_free(Batches *b)
{
    free(b->batches);
    free(b->shard);
    free(b->first);
    free(b->order);
    free(b->batch_order);
    free(b->start);
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
        b->first[i + 1] = b->first[i] + b->batches[b->shard[i]];
}

/* ---- The order within a shard ---- */

/* A pair with its lengths, and its place after shuffling, which orders equal lengths. */
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

/* The key of a random stream for one shard in this epoch. */
static uint64_t shard_key(const Batches *b, int shard, RngPurpose purpose)
{
    const uint64_t epoch = rng_key(b->seed, (uint64_t)b->epoch, purpose);
    return rng_key(rng_bits(epoch, (uint64_t)shard), 0, purpose);
}

/* Sets where the batches begin: after each `size` pairs, or at the first pair that begins behind
 * equal shares of the tokens (a share is no smaller than the longest pair, so that one begins in
 * each). */
static void cut(Batches *b, const Shard *shard, size_t batches)
{
    const double share = b->tokens ? shard_tokens(b->examples, shard) / (double)batches
                                   : b->size;
    double done = 0;
    size_t begun = 0;
    b->start = grow(b->start, &b->start_capacity, batches + 1, sizeof *b->start);
    for (size_t i = 0; i < shard->count; i++) {
        const Record pair = shard_record(shard, (size_t)b->order[i]);
        if (begun < batches && done >= share * (double)begun) b->start[begun++] = (int)i;
        done += b->tokens ? pair_tokens(b->examples, &pair) : 1;
    }
    b->start[batches] = (int)shard->count;
}

static void order_shard(Batches *b, const Shard *shard, int number)
{
    const size_t batches = (size_t)b->batches[number];
    const size_t size = b->tokens ? (shard->count + batches - 1) / batches : (size_t)b->size;
    const size_t pool = POOL_BATCHES * size;
    b->order = grow(b->order, &b->order_capacity, shard->count, sizeof *b->order);
    b->batch_order = grow(b->batch_order, &b->batch_capacity, batches, sizeof *b->batch_order);
    for (size_t i = 0; i < shard->count; i++)
        b->order[i] = (int)i;
    rng_shuffle(shard_key(b, number, RNG_SHUFFLE), b->order, shard->count);
    for (size_t at = 0; at < shard->count; at += pool)
        sort_pool(b->examples, shard, b->order + at,
                  shard->count - at < pool ? shard->count - at : pool);
    cut(b, shard, batches);
    for (size_t i = 0; i < batches; i++)
        b->batch_order[i] = (int)i;
    rng_shuffle(shard_key(b, number, RNG_BATCHES), b->batch_order, batches);
}

/* ---- A batch ---- */

/* Appends the ids of one pair; sets at[0] and at[1] to where its sides begin. */
static void add_pair(Batches *b, const Shard *shard, int index, size_t *at, uint64_t key)
{
    const Record pair = shard_record(shard, (size_t)index);
    at[0] = b->source.count;
    at[1] = b->target.count;
    examples_add(b->examples, &pair, rng_bits(key, (uint64_t)index), &b->source, &b->target);
}

/* Sets the sentences to views of the ids, which no longer move. */
static void view(const Batches *b, Sentence *sentences, int count)
{
    for (int i = 0; i < count; i++) {
        const size_t *at = b->at + 2 * i;
        const size_t source_end = i + 1 < count ? at[2] : b->source.count;
        const size_t target_end = i + 1 < count ? at[3] : b->target.count;
        sentences[i] = (Sentence){ .source = b->source.id + at[0],
                                   .source_length = (int)(source_end - at[0]),
                                   .target = b->target.id + at[1],
                                   .target_length = (int)(target_end - at[1]),
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

    const int *start = b->start + b->batch_order[at - b->first[place]];
    const int count = start[1] - start[0];
    const uint64_t key = shard_key(b, number, RNG_WORDS);
    b->source.count = b->target.count = 0;
    for (int i = 0; i < count; i++)
        add_pair(b, shard, b->order[start[0] + i], b->at + 2 * i, key);
    view(b, sentences, count);
    batch_sort(sentences, count);
    return count;
}
