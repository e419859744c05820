/* position.c - sinusoids of positions. */
#include "nn/position.h"

#include <math.h>
#include <stddef.h>

void position_add(real *x, int t, int rows, int D)
{
    for (int j = 0; j < D; j++) {
        const double angle = t * pow(10000, -(double)(j - j % 2) / D);
        const real value = (real)(j % 2 ? cos(angle) : sin(angle));
        for (int i = 0; i < rows; i++)
            x[(size_t)i * D + j] += value;
    }
}
