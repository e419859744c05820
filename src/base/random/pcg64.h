/* pcg64.h - the random numbers of numpy.random.default_rng(seed), bit for bit.
 *
 * Published confidence intervals and p-values were drawn with NumPy, so the same digits need the
 * same stream. The generator is PCG XSL-RR 128/64 (O'Neill 2014, "PCG: A Family of Simple Fast
 * Space-Efficient Statistically Good Algorithms for Random Number Generation"), its state comes
 * from NumPy's SeedSequence, and bounded numbers from Lemire's method (2019, "Fast Random Integer
 * Generation in an Interval"). For random numbers without a state see base/random/rng.h.
 */
#ifndef ATTN_BASE_PCG64_H
#define ATTN_BASE_PCG64_H

#include <stddef.h>
#include <stdint.h>

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
