/* random_pairs.h - sentence pairs of random words and lengths, as ids. */
#ifndef ATTN_TESTS_RANDOM_PAIRS_H
#define ATTN_TESTS_RANDOM_PAIRS_H

#include "base/random/rng.h"
#include "numbers.h"
#include "text/corpus/corpus.h"

/* One side: `count` sentences of 1 to `longest` ids, the last of them <eos>. */
static inline int *random_side(Heap *heap, uint64_t key, int count, int longest, int words,
                               size_t *at)
{
    int *ids = heap_take(heap, (size_t)count * (size_t)longest, sizeof *ids);
    uint64_t counter = 0;
    for (int i = 0; i < count; i++) {
        size_t length = (size_t)rng_below(key, counter++, (uint64_t)longest);
        for (size_t t = 0; t < length; t++)
            ids[at[i] + t] = ID_SPECIALS + (int)rng_below(key, counter++,
                                                          (uint64_t)(words - ID_SPECIALS));
        ids[at[i] + length] = ID_EOS;
        at[i + 1] = at[i] + length + 1;
    }
    return ids;
}

/* random_pairs - the same seed gives the same pairs; both vocabularies have `words` entries. */
static inline Pairs random_pairs(Heap *heap, uint64_t seed, int count, int longest, int words)
{
    Pairs pairs = { .count = (size_t)count };
    pairs.source_at = heap_take(heap, pairs.count + 1, sizeof *pairs.source_at);
    pairs.target_at = heap_take(heap, pairs.count + 1, sizeof *pairs.target_at);
    pairs.source = random_side(heap, rng_key(seed, 0, RNG_INIT), count, longest, words,
                               pairs.source_at);
    pairs.target = random_side(heap, rng_key(seed, 1, RNG_INIT), count, longest, words,
                               pairs.target_at);
    return pairs;
}

#endif
