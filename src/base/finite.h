/* finite.h - whether numbers are numbers: no NaN and no infinity among them. */
#ifndef ATTN_BASE_FINITE_H
#define ATTN_BASE_FINITE_H

#include "base/real.h"

#include <stddef.h>

/* all_finite - of x (n). */
int all_finite(const real *x, size_t n);

#endif
