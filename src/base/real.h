/* real.h - the number type of the network: float, and double in the gradient-check build. */
#ifndef ATTN_BASE_REAL_H
#define ATTN_BASE_REAL_H

#include <float.h>

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

#endif
