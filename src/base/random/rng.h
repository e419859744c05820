/* rng.h - random numbers without a state: the value is a function of a key and a counter.
 *
 * The key is made from (seed, step, purpose), the counter says which number of that stream is
 * wanted. So results don't depend on how work is divided between threads, and resuming needs
 * nothing but the step. Source: B. Widynski, "Squares: A Fast Counter-Based RNG" (2020), the 64-bit
 * variant with five rounds.
 */
#ifndef ATTN_BASE_RNG_H
#define ATTN_BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

/* The purpose of a stream; one seed never gives two purposes the same numbers. */
typedef enum { RNG_INIT, RNG_SHUFFLE, RNG_BATCHES, RNG_DROPOUT, RNG_SHARDS, RNG_WORDS, RNG_SAMPLE,
               RNG_ATTENTION, RNG_LOGITS, RNG_NOISE } RngPurpose;

uint64_t rng_key(uint64_t seed, uint64_t step, RngPurpose purpose);

/* rng_bits - number `counter` of the stream `key`: 64 random bits. */
static inline uint64_t rng_bits(uint64_t key, uint64_t counter)
{
    uint64_t x = counter * key, y = x, z = y + key;
    x = x * x + y; x = x >> 32 | x << 32;
    x = x * x + z; x = x >> 32 | x << 32;
    x = x * x + y; x = x >> 32 | x << 32;
    x = x * x + z;
    uint64_t t = x;
    x = x >> 32 | x << 32;
    return t ^ (x * x + y) >> 32;
}

/* rng_uniform - in [0, 1). rng_below - in [0, bound), with a bias below bound / 2^64. */
double   rng_uniform(uint64_t key, uint64_t counter);
uint64_t rng_below(uint64_t key, uint64_t counter, uint64_t bound);

/* rng_shuffle - Fisher-Yates over `count` ints, with the stream `key` from its start. */
void rng_shuffle(uint64_t key, int *items, size_t count);

#endif
