/* real.h - the number type of the network, float, and double in the gradient-check build; and what
 * is asked of numbers everywhere. */
#ifndef ATTN_BASE_REAL_H
#define ATTN_BASE_REAL_H

#include <float.h>
#include <stddef.h>

#ifdef REAL_DOUBLE
typedef double real;
#define REAL(name) name              /* REAL(exp) is exp or expf */
#define REAL_MIN DBL_MIN
#define REAL_MAX DBL_MAX
#else
typedef float real;
#define REAL(name) name##f
#define REAL_MIN FLT_MIN
#define REAL_MAX FLT_MAX
#endif

static inline int min_int(int a, int b)
{
    return a < b ? a : b;
}

/* all_finite - whether all of x (n) are finite. Without a way out of the loop the compiler makes
 * vector code of it. */
static inline int all_finite(const real *x, size_t n)
{
    int others = 0;
    for (size_t i = 0; i < n; i++)
        others |= x[i] - x[i] != 0;     /* a NaN there */
    return !others;
}

/* The share of one worker in work that several do together; { 0, 1 } is all of it. */
typedef struct { int worker, workers; } Portion;

#endif
