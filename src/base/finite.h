/* finite.h - whether an array holds no NaN and no infinity. */
#ifndef ATTN_BASE_FINITE_H
#define ATTN_BASE_FINITE_H

#include "base/real.h"

#include <stddef.h>

/* all_finite - whether all of x (n) are finite. */
int all_finite(const real *x, size_t n);

#endif
