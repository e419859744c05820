/* finite.c - one pass. */
#include "base/finite.h"

/* Without a way out of the loop the compiler makes vector code of it. */
int all_finite(const real *x, size_t n)
{
    int others = 0;
    for (size_t i = 0; i < n; i++)
        others |= x[i] - x[i] != 0;     /* a NaN there */
    return !others;
}
