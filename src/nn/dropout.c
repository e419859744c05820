/* dropout.c - masks from counters; four values share one 64-bit random number. */
#include "nn/dropout.h"

#include "base/rng.h"

#include <stddef.h>

enum { LANES = 4, LANE_BITS = 16 };

static void apply_row(real *x, uint64_t key, uint64_t counter, unsigned dropped, real scale, int width)
{
    for (int j = 0; j < width; j += LANES) {
        uint64_t bits = rng_bits(key, counter + (uint64_t)j / LANES);
        for (int lane = 0; lane < LANES && j + lane < width; lane++, bits >>= LANE_BITS)
            x[j + lane] *= (bits & 0xffff) < dropped ? 0 : scale;
    }
}

void dropout_apply(real *x, const Dropout *dropout, int place, const uint64_t *token, int rows, int width)
{
    if (dropout->p <= 0) return;
    unsigned dropped = (unsigned)(dropout->p * (1 << LANE_BITS) + 0.5);
    real scale = (real)(1 / (1 - (double)dropped / (1 << LANE_BITS)));
    for (int i = 0; i < rows; i++) {
        uint64_t counter = (uint64_t)place << 58 | token[i] << 14;      /* 2^14 numbers serve 65536 values */
        apply_row(x + (size_t)i * width, dropout->key, counter, dropped, scale, width);
    }
}
