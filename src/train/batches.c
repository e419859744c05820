/* batches.c - shuffle, sort within pools, cut, shuffle. */
#include "train/batches.h"

#include "base/rng.h"

#include <stdlib.h>

enum { POOL_BATCHES = 100 };

void batches_init(Batches *b, const Pairs *pairs, int size)
{
    int count = (int)((pairs->count + (size_t)size - 1) / (size_t)size);
    *b = (Batches){ .pairs = pairs, .size = size, .count = count };
    b->order = xmalloc(pairs->count, sizeof *b->order);
    b->batch_order = xmalloc((size_t)count, sizeof *b->batch_order);
}

void batches_free(Batches *b)
{
    free(b->order);
    free(b->batch_order);
    *b = (Batches){ 0 };
}

/* A pair with its lengths and its place after shuffling, which decides between equal lengths. */
typedef struct { size_t target, source, place; int index; } Keyed;

static int by_length(const void *a, const void *b)
{
    const Keyed *x = a, *y = b;
    if (x->target != y->target) return x->target < y->target ? -1 : 1;
    if (x->source != y->source) return x->source < y->source ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static void sort_pool(const Pairs *pairs, int *order, size_t count)
{
    Keyed *keyed = xmalloc(count, sizeof *keyed);
    for (size_t i = 0; i < count; i++) {
        size_t p = (size_t)order[i];
        keyed[i] = (Keyed){ pairs->target_at[p + 1] - pairs->target_at[p],
                            pairs->source_at[p + 1] - pairs->source_at[p], i, order[i] };
    }
    qsort(keyed, count, sizeof *keyed, by_length);
    for (size_t i = 0; i < count; i++)
        order[i] = keyed[i].index;
    free(keyed);
}

void batches_epoch(Batches *b, uint64_t seed, long epoch)
{
    const size_t pairs = b->pairs->count, pool = (size_t)b->size * POOL_BATCHES;
    for (size_t i = 0; i < pairs; i++)
        b->order[i] = (int)i;
    rng_shuffle(rng_key(seed, (uint64_t)epoch, RNG_SHUFFLE), b->order, pairs);
    for (size_t at = 0; at < pairs; at += pool)
        sort_pool(b->pairs, b->order + at, pairs - at < pool ? pairs - at : pool);
    for (int i = 0; i < b->count; i++)
        b->batch_order[i] = i;
    rng_shuffle(rng_key(seed, (uint64_t)epoch, RNG_BATCHES), b->batch_order, (size_t)b->count);
}

Sentence sentence_view(const Pairs *pairs, int i, int number)
{
    const size_t s = pairs->source_at[i], t = pairs->target_at[i];
    return (Sentence){ .source = pairs->source + s, .source_length = (int)(pairs->source_at[i + 1] - s),
                       .target = pairs->target + t, .target_length = (int)(pairs->target_at[i + 1] - t),
                       .number = number };
}

int batches_get(const Batches *b, int at, Sentence *sentences)
{
    size_t first = (size_t)b->batch_order[at] * (size_t)b->size, left = b->pairs->count - first;
    int count = left < (size_t)b->size ? (int)left : b->size;
    for (int i = 0; i < count; i++)
        sentences[i] = sentence_view(b->pairs, b->order[first + (size_t)i], i);
    batch_sort(sentences, count);
    return count;
}
