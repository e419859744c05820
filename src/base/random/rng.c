/* rng.c - keys for the counter-based generator, and what is drawn from it; NumPy's generator. */
#include "base/random/rng.h"

#include <string.h>

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

/* ---- NumPy's SeedSequence: a pool of four words in which every word has met every other ---- */

enum { POOL = 4, STATE = 8 };

/* One step of the running hash: *h changes with each word that it takes. */
static uint32_t hash(uint32_t word, uint32_t *h, uint32_t multiplier)
{
    word ^= *h;
    *h *= multiplier;
    word *= *h;
    return word ^ word >> 16;
}

static uint32_t mix_words(uint32_t x, uint32_t y)
{
    uint32_t mixed = 0xca01f9ddu * x - 0x4973f715u * y;
    return mixed ^ mixed >> 16;
}

/* word[0] is the first of the four 64-bit words that NumPy calls generate_state(4, uint64). */
static void seed_sequence(uint64_t seed, uint64_t word[STATE / 2])
{
    static const uint32_t multiplier = 0x931e8875u;
    uint32_t h = 0x43b0d7e5u, pool[POOL], half[STATE];
    for (int i = 0; i < POOL; i++)
        pool[i] = hash(i < 2 ? (uint32_t)(seed >> 32 * i) : 0, &h, multiplier);
    for (int from = 0; from < POOL; from++)
        for (int to = 0; to < POOL; to++)
            if (from != to) pool[to] = mix_words(pool[to], hash(pool[from], &h, multiplier));
    h = 0x8b51f9ddu;
    for (int i = 0; i < STATE; i++) half[i] = hash(pool[i % POOL], &h, 0x58f38dedu);
    for (int i = 0; i < STATE / 2; i++) word[i] = half[2 * i] | (uint64_t)half[2 * i + 1] << 32;
}

/* ---- NumPy's generator ---- */

static unsigned __int128 wide(uint64_t high, uint64_t low)
{
    return (unsigned __int128)high << 64 | low;
}

static inline void step(Pcg64 *rng)
{
    rng->state = rng->state * wide(2549297995355413924u, 4865540595714422341u) + rng->increment;
}

uint64_t pcg64_next(Pcg64 *rng)
{
    step(rng);
    uint64_t high = (uint64_t)(rng->state >> 64), folded = high ^ (uint64_t)rng->state;
    int turn = (int)(high >> 58);
    return folded >> turn | folded << (-turn & 63);
}

static inline uint32_t next32(Pcg64 *rng)
{
    rng->has_half = !rng->has_half;
    if (!rng->has_half) return rng->half;
    uint64_t bits = pcg64_next(rng);
    rng->half = (uint32_t)(bits >> 32);
    return (uint32_t)bits;
}

void pcg64_seed(Pcg64 *rng, uint64_t seed)
{
    uint64_t word[STATE / 2];
    seed_sequence(seed, word);
    *rng = (Pcg64){ .increment = wide(word[2], word[3]) << 1 | 1 };
    step(rng);
    rng->state += wide(word[0], word[1]);
    step(rng);
}

void pcg64_below(Pcg64 *rng, uint32_t bound, uint32_t *out, size_t count)
{
    if (bound == 1) {
        memset(out, 0, count * sizeof *out);
        return;
    }
    /* 2^32 modulo bound: so many products would make some numbers likelier. */
    uint32_t unfair = -bound % bound;
    for (size_t i = 0; i < count; i++) {
        uint64_t product;
        do product = (uint64_t)next32(rng) * bound; while ((uint32_t)product < unfair);
        out[i] = (uint32_t)(product >> 32);
    }
}
