/* sparsify.c - block by block: the sum of a block shows whether any of its values passes. */
#include "nn/sparsify.h"

#include "base/min.h"
#include "linalg/vector.h"

#include <math.h>

enum { BLOCK = 64 };

int sparsify(int *column, real *value, const real *x, int n, double least, double start)
{
    int count = 0;
    double left = start * least;            /* what the sum of the small values lacks */
    for (int at = 0; at < n; at += BLOCK) {
        const int end = at + min_int(BLOCK, n - at);
        const double sum = (double)vector_absolute_sum(x + at, end - at);
        if (sum < left) {
            left -= sum;
            continue;
        }
        for (int j = at; j < end; j++) {
            const double size = fabs((double)x[j]);
            const int small = size < least;
            if (small && (left -= size) > 0) continue;
            if (small) left += least;
            column[count] = j;
            value[count++] = small ? (real)copysign(least, (double)x[j]) : x[j];
        }
    }
    return count;
}
