/* batches.c - see batches.h. */
#include "train/data/batches.h"

#include "base/min.h"
#include "base/mem.h"
#include "base/random/rng.h"

#include <math.h>
#include <stdlib.h>

enum { POOL_BATCHES = 100 };

/* ---- How many, and how large ---- */

/* Tokens that a pair counts as: those of its longer side, without BPE-dropout. */
static int pair_tokens(const Batches *b, int index)
{
    const IndexedPair *pair = &b->index.pair[index];
    return min_int(pair->source > pair->target ? pair->source : pair->target,
                   b->examples->options.max_length);
}

static double shard_tokens(const Batches *b)
{
    double tokens = 0;
    for (size_t i = 0; i < b->index.count; i++)
        tokens += pair_tokens(b, (int)i);
    return tokens;
}

/* The batches of a shard with so many tokens, which must be read. */
static int count_by_tokens(Batches *b, int shard, Err *e)
{
    if (!pair_index_read(&b->index, b->examples, shard, e)) return -1;
    b->batches[shard] = (int)fmax(1, floor(shard_tokens(b) / b->tokens));
    return 0;
}

/* Counts the batches of all shards by their pairs, or by their tokens. */
static int count_batches(Batches *b, int shards, Err *e)
{
    PairStore *store = b->examples->store;
    double *pairs = xcalloc((size_t)shards, sizeof *pairs);
    int rc = 0;
    for (int i = 0; i < shards; i++)
        pairs[i] = (double)store_shard_count(store, i);
    processes_sum(b->examples->options.processes, pairs, shards);
    for (int i = 0; i < shards && !rc; i++) {
        b->batches[i] = (int)ceil(pairs[i] / b->size);
        if (b->tokens) rc = count_by_tokens(b, i, e);
        b->count += b->batches[i];
    }
    free(pairs);
    return rc;
}

/* The most tokens of a side. A shard of less than two batches is one batch. */
static int most_tokens(const Examples *x, int size, int tokens)
{
    const Extent longer = lengths_largest(&x->longer_lengths, size);
    return tokens ? 2 * tokens + longer.longest : longer.tokens;
}

/* A pair counts as at least one token: <eos>. */
int batches_most(const Examples *x, int size, int tokens)
{
    const int most = tokens ? most_tokens(x, size, tokens) : size;
    return x->count < (size_t)most ? (int)x->count : most;
}

/* For the case that all of the longest sentences are in one batch and in the same share. Any pair
 * of both directions may have its longer side on either. */
BatchSize batches_share(const Examples *x, int size, int tokens, int workers)
{
    const int pairs = (batches_most(x, size, tokens) + workers - 1) / workers;
    const int most = most_tokens(x, size, tokens), both = x->options.both_directions;
    const Extent source = lengths_largest(both ? &x->longer_lengths : &x->source_lengths, pairs);
    const Extent target = lengths_largest(both ? &x->longer_lengths : &x->target_lengths, pairs);
    return (BatchSize){ pairs, source.longest, min_int(source.tokens, most),
                        target.longest, min_int(target.tokens, most) };
}

int batches_init(Batches *b, const Examples *examples, int size, int tokens, Err *e)
{
    const int shards = store_shards(examples->store);
    const size_t processes = (size_t)processes_count(examples->options.processes);
    const BatchSize largest = batches_share(examples, size, tokens, 1);
    *b = (Batches){ .examples = examples, .size = size, .tokens = tokens, .place = -1 };
    b->batches = xcalloc((size_t)shards, sizeof *b->batches);
    b->shard = xcalloc((size_t)shards, sizeof *b->shard);
    b->first = xcalloc((size_t)shards + 1, sizeof *b->first);
    ids_reserve(&b->own, 2 * (size_t)largest.sentences + (size_t)largest.source_tokens
                         + (size_t)largest.target_tokens);
    ids_reserve(&b->target, (size_t)largest.target_steps);
    b->held = xcalloc(processes, sizeof *b->held);
    b->next = xcalloc(processes, sizeof *b->next);
    return count_batches(b, shards, e);
}

void batches_free(Batches *b)
{
    free(b->batches);
    free(b->shard);
    free(b->first);
    free(b->order);
    free(b->batch_order);
    free(b->start);
    free(b->held);
    free(b->next);
    ids_free(&b->own);
    ids_free(&b->target);
    pair_index_free(&b->index);
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

static void sort_pool(const PairIndex *x, int *order, size_t count)
{
    Keyed *keyed = xmalloc(count, sizeof *keyed);
    for (size_t i = 0; i < count; i++) {
        const IndexedPair *pair = &x->pair[order[i]];
        keyed[i] = (Keyed){ pair->target, pair->source, order[i], i };
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
static void cut(Batches *b, size_t batches)
{
    const double share = b->tokens ? shard_tokens(b) / (double)batches : b->size;
    double done = 0;
    size_t begun = 0;
    b->start = grow(b->start, &b->start_capacity, batches + 1, sizeof *b->start);
    for (size_t i = 0; i < b->index.count; i++) {
        if (begun < batches && done >= share * (double)begun) b->start[begun++] = (int)i;
        done += b->tokens ? pair_tokens(b, b->order[i]) : 1;
    }
    b->start[batches] = (int)b->index.count;
}

static void order_shard(Batches *b, int number)
{
    const size_t batches = (size_t)b->batches[number], pairs = b->index.count;
    const size_t size = b->tokens ? (pairs + batches - 1) / batches : (size_t)b->size;
    const size_t pool = POOL_BATCHES * size;
    b->order = grow(b->order, &b->order_capacity, pairs, sizeof *b->order);
    b->batch_order = grow(b->batch_order, &b->batch_capacity, batches, sizeof *b->batch_order);
    for (size_t i = 0; i < pairs; i++)
        b->order[i] = (int)i;
    rng_shuffle(shard_key(b, number, RNG_SHUFFLE), b->order, pairs);
    for (size_t at = 0; at < pairs; at += pool)
        sort_pool(&b->index, b->order + at, pairs - at < pool ? pairs - at : pool);
    cut(b, batches);
    for (size_t i = 0; i < batches; i++)
        b->batch_order[i] = (int)i;
    rng_shuffle(shard_key(b, number, RNG_BATCHES), b->batch_order, batches);
}

/* ---- A batch ---- */

/* Appends the text of a pair: the lengths of its sides, then their ids. */
static void add_text(Batches *b, const Record *pair, Visit visit)
{
    const size_t at = b->own.count;
    ids_add(&b->own, 0);
    ids_add(&b->own, 0);
    b->target.count = 0;
    examples_add(b->examples, pair, visit, &b->own, &b->target);
    b->own.id[at] = (int)(b->own.count - at) - 2;
    b->own.id[at + 1] = (int)b->target.count;
    for (size_t i = 0; i < b->target.count; i++)
        ids_add(&b->own, b->target.id[i]);
}

/* The pairs of a batch, numbers in the index, and how they are visited: the key is that of the
 * shard in this epoch. */
typedef struct { const int *pair; int count; Visit visit; } Chosen;

/* The texts of the pairs that this process holds. */
static void add_own_texts(Batches *b, const Shard *shard, const Chosen *chosen)
{
    const int rank = processes_rank(b->examples->options.processes);
    b->own.count = 0;
    for (int i = 0; i < chosen->count; i++) {
        const int number = chosen->pair[i];
        const IndexedPair *pair = &b->index.pair[number];
        if (pair->holder != rank) continue;
        const Record record = shard_record(shard, (size_t)pair->place);
        Visit visit = chosen->visit;
        visit.key = rng_bits(visit.key, (uint64_t)number);
        add_text(b, &record, visit);
    }
}

/* Sets the sentences to views of the texts, which their holders have written in the order of the
 * batch. */
static void view(const Batches *b, const Chosen *chosen, const int *texts, Sentence *sentences)
{
    const int holders = processes_count(b->examples->options.processes);
    for (int i = 0; i < holders; i++)
        b->next[i] = i ? b->next[i - 1] + b->held[i - 1] : 0;
    for (int i = 0; i < chosen->count; i++) {
        size_t *next = &b->next[b->index.pair[chosen->pair[i]].holder];
        const int *text = texts + *next, *source = text + 2;
        sentences[i] = (Sentence){ .source = source, .source_length = text[0],
                                   .target = source + text[0], .target_length = text[1],
                                   .number = i };
        *next += 2 + (size_t)text[0] + (size_t)text[1];
    }
}

/* The loaded shard of this place of the order, in the epoch's order. */
static const Shard *load(Batches *b, int place, Err *e)
{
    const int number = b->shard[place];
    if (place == b->place) return store_load(b->examples->store, number, e);
    const Shard *shard = pair_index_read(&b->index, b->examples, number, e);
    if (shard) order_shard(b, number);
    b->place = shard ? place : -1;
    return shard;
}

int batches_get(Batches *b, int at, Visit visit, Sentence *sentences, Err *e)
{
    int place = b->place < 0 || at < b->first[b->place] ? 0 : b->place;
    while (at >= b->first[place + 1])
        place++;
    const Shard *shard = load(b, place, e);
    if (!shard) return -1;
    const int *start = b->start + b->batch_order[at - b->first[place]];
    visit.key = shard_key(b, b->shard[place], RNG_WORDS);
    const Chosen chosen = { b->order + start[0], start[1] - start[0], visit };
    add_own_texts(b, shard, &chosen);
    view(b, &chosen, processes_gather(b->examples->options.processes, b->own.id, b->own.count,
                                      b->held), sentences);
    batch_sort(sentences, chosen.count);
    return chosen.count;
}
