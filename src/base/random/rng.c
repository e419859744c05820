/* rng.c - keys for the counter-based generator, and what is drawn from it. */
#include "base/random/rng.h"

/* The finaliser of splitmix64 (Steele, Lea and Flood, 2014): every input bit reaches every output
 * bit. */
static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

uint64_t rng_key(uint64_t seed, uint64_t step, RngPurpose purpose)
{
    return mix(mix(mix(seed) + step) + purpose) | 1;   /* Squares wants an odd, irregular key */
}

double rng_uniform(uint64_t key, uint64_t counter)
{
    return (double)(rng_bits(key, counter) >> 11) * 0x1p-53;
}

uint64_t rng_below(uint64_t key, uint64_t counter, uint64_t bound)
{
    return (uint64_t)((unsigned __int128)rng_bits(key, counter) * bound >> 64);
}

void rng_shuffle(uint64_t key, int *items, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        size_t j = rng_below(key, i, i);
        int kept = items[i - 1];
        items[i - 1] = items[j];
        items[j] = kept;
    }
}
