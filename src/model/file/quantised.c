/* quantised.c - see quantised.h. */
#include "model/file/quantised.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { LARGEST = 127 };

static float largest_of(const real *x, int count)
{
    float largest = 0;
    for (int i = 0; i < count; i++)
        largest = fmaxf(largest, fabsf((float)x[i]));
    return largest;
}

/* A positive number rounded up to 16 significant bits: the last 8 of the 24 become 0. */
static float round_up(float x)
{
    enum { DROPPED = 0xFF };
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits + DROPPED) & ~(uint32_t)DROPPED;
    memcpy(&x, &bits, sizeof x);
    return x;
}

void quantise(const real *x, int rows, int columns, int8_t *q, float *scales)
{
    for (int i = 0; i < rows; i++, x += columns, q += columns) {
        scales[i] = round_up(largest_of(x, columns) / LARGEST);
        for (int j = 0; j < columns; j++)
            q[j] = scales[i] > 0 ? (int8_t)lrint((double)x[j] / scales[i]) : 0;
    }
}

void dequantise(const int8_t *q, const real *scales, int rows, int columns, real *x)
{
    for (int i = 0; i < rows; i++, x += columns, q += columns)
        for (int j = 0; j < columns; j++)
            x[j] = scales[i] * (real)q[j];
}
