/* batches.c - see batches.h. */
#include "train/data/batches.h"

#include "base/mem.h"
#include "base/random/rng.h"
#include "base/real.h"

#include <math.h>
#include <stdlib.h>

enum { POOL_BATCHES = 100 };

/* ---- The pairs of a shard ---- */

/* What a process tells of a pair. */
enum { NUMBER, SOURCE, TARGET, FACTS };

/* What all processes tell, one after the other; sets where that of each begins. */
static const int *gather(Batches *b)
{
    Processes *processes = b->examples->options.processes;
    const int *all = processes_gather(processes, b->own.id, b->own.count, b->held);
    for (int i = 0; i < processes_count(processes); i++)
        b->next[i] = i ? b->next[i - 1] + b->held[i - 1] : 0;
    return all;
}

/* The facts of the pairs that this process holds. */
static void describe_own(Batches *b, int number, const Shard *shard)
{
    b->own.count = 0;
    ids_reserve(&b->own, FACTS * shard->count);
    store_numbers(b->examples->store, number, b->own.id);
    /* From the last one on: the numbers stand side by side at the beginning. */
    for (size_t i = shard->count; i-- > 0;) {
        const Record pair = shard_record(shard, i);
        int *facts = b->own.id + FACTS * i;
        facts[NUMBER] = b->own.id[i];
        examples_lengths(b->examples, &pair, &facts[SOURCE], &facts[TARGET]);
    }
    b->own.count = FACTS * shard->count;
}

/* Lists the pairs of all holders in the order of the corpus, in which each holder tells its own. */
static void list_pairs(Batches *b)
{
    const int holders = processes_count(b->examples->options.processes);
    const int *facts = gather(b);
    const size_t all = b->next[holders - 1] + b->held[holders - 1];
    SCOPED(xfree_at) int *place = xcalloc((size_t)holders, sizeof *place);
    b->pair = grow(b->pair, &b->pair_capacity, all / FACTS, sizeof *b->pair);
    for (b->pairs = 0; b->pairs < all / FACTS; b->pairs++) {
        int first = -1;
        for (int i = 0; i < holders; i++)
            if (b->held[i]
                && (first < 0 || facts[b->next[i] + NUMBER] < facts[b->next[first] + NUMBER]))
                first = i;
        const int *pair = facts + b->next[first];
        b->pair[b->pairs] = (IndexedPair){ pair[SOURCE], pair[TARGET], first, place[first]++ };
        b->next[first] += FACTS;
        b->held[first] -= FACTS;
    }
}

/* Loads a shard in all processes; returns the part of this one. NULL: the file of one cannot be
 * read. */
static const Shard *read_shard(Batches *b, int number, Err *e)
{
    const Shard *shard = store_load(b->examples->store, number, e);
    if (processes_agree(b->examples->options.processes, shard ? 0 : -1, e)) return NULL;
    describe_own(b, number, shard);
    list_pairs(b);
    return shard;
}

/* ---- How many, and how large ---- */

/* Tokens that a pair counts as: those of its longer side, without BPE-dropout. */
static int pair_tokens(const Batches *b, int index)
{
    const IndexedPair *pair = &b->pair[index];
    return min_int(pair->source > pair->target ? pair->source : pair->target,
                   b->examples->options.max_length);
}

static double shard_tokens(const Batches *b)
{
    double tokens = 0;
    for (size_t i = 0; i < b->pairs; i++)
        tokens += pair_tokens(b, (int)i);
    return tokens;
}

/* Counts the batches of all shards by their pairs, or by their tokens, which must be read. */
static int count_batches(Batches *b, int shards, Err *e)
{
    for (int i = 0; i < shards; i++) {
        double pairs = (double)store_shard_count(b->examples->store, i);
        processes_sum(b->examples->options.processes, &pairs, 1);
        b->batches[i] = (int)ceil(pairs / b->size);
        if (b->tokens) {
            if (!read_shard(b, i, e)) return -1;
            b->batches[i] = (int)fmax(1, floor(shard_tokens(b) / b->tokens));
        }
        b->count += b->batches[i];
    }
    return 0;
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
    Extent side[LANGUAGES];
    for (int i = 0; i < LANGUAGES; i++) {
        side[i] = lengths_largest(both ? &x->longer_lengths : &x->lengths[i], pairs);
        side[i].tokens = min_int(side[i].tokens, most);
    }
    return (BatchSize){ pairs, side[0].longest, side[0].tokens, side[1].longest, side[1].tokens };
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
    free(b->pair);
    free(b->order);
    free(b->batch_order);
    free(b->start);
    free(b->held);
    free(b->next);
    ids_free(&b->own);
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

static void sort_pool(const Batches *b, int *order, size_t count)
{
    SCOPED(xfree_at) Keyed *keyed = xmalloc(count, sizeof *keyed);
    for (size_t i = 0; i < count; i++) {
        const IndexedPair *pair = &b->pair[order[i]];
        keyed[i] = (Keyed){ pair->target, pair->source, order[i], i };
    }
    qsort(keyed, count, sizeof *keyed, by_length);
    for (size_t i = 0; i < count; i++)
        order[i] = keyed[i].index;
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
    for (size_t i = 0; i < b->pairs; i++) {
        if (begun < batches && done >= share * (double)begun) b->start[begun++] = (int)i;
        done += b->tokens ? pair_tokens(b, b->order[i]) : 1;
    }
    b->start[batches] = (int)b->pairs;
}

static void order_shard(Batches *b, int number)
{
    const size_t batches = (size_t)b->batches[number], pairs = b->pairs;
    const size_t size = b->tokens ? (pairs + batches - 1) / batches : (size_t)b->size;
    const size_t pool = POOL_BATCHES * size;
    b->order = grow(b->order, &b->order_capacity, pairs, sizeof *b->order);
    b->batch_order = grow(b->batch_order, &b->batch_capacity, batches, sizeof *b->batch_order);
    for (size_t i = 0; i < pairs; i++)
        b->order[i] = (int)i;
    rng_shuffle(shard_key(b, number, RNG_SHUFFLE), b->order, pairs);
    for (size_t at = 0; at < pairs; at += pool)
        sort_pool(b, b->order + at, pairs - at < pool ? pairs - at : pool);
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

int batches_get(Batches *b, int at, Visit visit, Sentence *sentences, Err *e)
{
    const int rank = processes_rank(b->examples->options.processes);
    int place = b->place < 0 || at < b->first[b->place] ? 0 : b->place;
    while (at >= b->first[place + 1])
        place++;
    const int number = b->shard[place], is_ordered = place == b->place;
    const Shard *shard = is_ordered ? store_load(b->examples->store, number, e)
                                    : read_shard(b, number, e);
    b->place = shard ? place : -1;
    if (!shard) return -1;
    if (!is_ordered) order_shard(b, number);
    const int *start = b->start + b->batch_order[at - b->first[place]];
    const int *chosen = b->order + start[0], count = start[1] - start[0];
    const uint64_t key = shard_key(b, number, RNG_WORDS);

    /* The texts of the pairs that this process holds, and then of all, in the order of the
     * batch. */
    b->own.count = 0;
    for (int i = 0; i < count; i++) {
        const IndexedPair *pair = &b->pair[chosen[i]];
        if (pair->holder != rank) continue;
        const Record record = shard_record(shard, (size_t)pair->place);
        visit.key = rng_bits(key, (uint64_t)chosen[i]);
        add_text(b, &record, visit);
    }
    const int *texts = gather(b);
    for (int i = 0; i < count; i++) {
        size_t *next = &b->next[b->pair[chosen[i]].holder];
        const int *text = texts + *next, *source = text + 2;
        sentences[i] = (Sentence){ .source = source, .source_length = text[0],
                                   .target = source + text[0], .target_length = text[1],
                                   .number = i };
        *next += 2 + (size_t)text[0] + (size_t)text[1];
    }
    batch_sort(sentences, count);
    return count;
}
