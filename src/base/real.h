/* real.h - the number type of the network: float, and double in the gradient-check build. */
#ifndef ATTN_BASE_REAL_H
#define ATTN_BASE_REAL_H

#ifdef REAL_DOUBLE
typedef double real;
#define REAL(name) name              /* REAL(exp) is exp or expf */
#else
typedef float real;
#define REAL(name) name##f
#endif

#endif
