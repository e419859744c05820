/* vector_case.h - what the tests of linalg/vector.h have in common. */
#ifndef ATTN_TESTS_VECTOR_CASE_H
#define ATTN_TESTS_VECTOR_CASE_H

#include "each_row.h"
#include "linalg/vector.h"

#include <math.h>

/* Rows of every width up to this one: vectors, and what remains beside them. */
enum { WIDEST = 70 };

/* sigmoid - what that of vectors should be. */
static inline long double sigmoid(long double x)
{
    return x < 0 ? expl(x) / (1 + expl(x)) : 1 / (1 + expl(-x));
}

#endif
