/* dropout.c - masks from counters; four values share one 64-bit random number. */
#include "nn/dropout.h"

#include "base/random/rng.h"
#include "base/real.h"

#include <stddef.h>

enum { LANES = 4, LANE_BITS = 16, BLOCK = 256 };       /* values of a number, of a block */

/* The first of the numbers that serve this token's mask: 2^14 serve 65536 values. Above token and
 * number are the place's low 6 bits, then its high 2. */
static uint64_t first_number(const Dropout *dropout, int place, uint64_t token)
{
    const uint64_t mask = token >> dropout->shared << dropout->shared;
    return (uint64_t)place << 58 | (uint64_t)(place >> 6) << 56 | mask << 14;
}

/* p as a share of the lanes' 2^16 values, and what kept values are multiplied by. */
static unsigned dropped_of(const Dropout *dropout)
{
    return (unsigned)(dropout->p * (1 << LANE_BITS) + 0.5);
}

static real scale_of(unsigned dropped)
{
    return (real)(1 / (1 - (double)dropped / (1 << LANE_BITS)));
}

/* The numbers first, and then the values, so that both loops run in vectors. */
static void apply_block(real *x, uint64_t key, uint64_t counter, unsigned dropped, real scale,
                        int width)
{
    uint16_t random[BLOCK];
    for (int i = 0; i < (width + LANES - 1) / LANES; i++) {
        const uint64_t bits = rng_bits(key, counter + (uint64_t)i);
        for (int lane = 0; lane < LANES; lane++)
            random[i * LANES + lane] = (uint16_t)(bits >> lane * LANE_BITS);
    }
    for (int j = 0; j < width; j++)
        x[j] *= random[j] < dropped ? 0 : scale;
}

static void apply_row(real *x, uint64_t key, uint64_t counter, unsigned dropped, real scale,
                      int width)
{
    for (int j = 0; j < width; j += BLOCK)
        apply_block(x + j, key, counter + (uint64_t)j / LANES, dropped, scale,
                    min_int(BLOCK, width - j));
}

void dropout_apply(real *x, const Dropout *dropout, int place, const uint64_t *token, int rows,
                   int width)
{
    if (dropout->p <= 0) return;
    const unsigned dropped = dropped_of(dropout);
    const real scale = scale_of(dropped);
    for (int i = 0; i < rows; i++)
        apply_row(x + (size_t)i * width, dropout->key, first_number(dropout, place, token[i]),
                  dropped, scale, width);
}

real dropout_factor(const Dropout *dropout, int place, uint64_t token)
{
    real factor = 1;
    if (dropout->p > 0) {
        const unsigned dropped = dropped_of(dropout);
        apply_row(&factor, dropout->key, first_number(dropout, place, token), dropped,
                  scale_of(dropped), 1);
    }
    return factor;
}
