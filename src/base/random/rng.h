/* rng.h - random numbers: of our own, and those of NumPy. */
#ifndef ATTN_BASE_RNG_H
#define ATTN_BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

/* ---- without a state: the value is a function of a key and a counter ----
 *
 * The key is made from (seed, step, purpose), the counter says which number of that stream is
 * wanted. So results don't depend on how work is divided between threads, and resuming needs
 * nothing but the step. Source: B. Widynski, "Squares: A Fast Counter-Based RNG" (2020), the 64-bit
 * variant with five rounds. */

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

/* ---- numpy.random.default_rng(seed), bit for bit ----
 *
 * Published confidence intervals and p-values were drawn with NumPy, so the same digits need the
 * same stream. The generator is PCG XSL-RR 128/64 (O'Neill 2014, "PCG: A Family of Simple Fast
 * Space-Efficient Statistically Good Algorithms for Random Number Generation"), its state comes
 * from NumPy's SeedSequence, and bounded numbers from Lemire's method (2019, "Fast Random Integer
 * Generation in an Interval"). */

typedef struct {
    unsigned __int128 state, increment;
    uint32_t          half;         /* the upper half of the last 64 bits, where it is still to be
                                       used */
    int               has_half;
} Pcg64;

void     pcg64_seed(Pcg64 *rng, uint64_t seed);
uint64_t pcg64_next(Pcg64 *rng);                /* 64 bits; a waiting half stays where it is */

/* pcg64_below - fills out[count] with whole numbers in [0, bound), without bias:
 * rng.integers(bound, size=count), and rng.choice(bound, size=count). bound is at least 1; with 1
 * all are 0 and nothing is drawn. */
void pcg64_below(Pcg64 *rng, uint32_t bound, uint32_t *out, size_t count);

#endif
