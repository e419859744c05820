/* each_row.h - the same tests with each row of kernels that this CPU has. */
#ifndef ATTN_TESTS_EACH_ROW_H
#define ATTN_TESTS_EACH_ROW_H

#include "linalg/vector.h"
#include "numbers.h"

#include <math.h>

/* Rows of every width up to this one: vectors, and what remains beside them. */
enum { WIDEST = 70 };

/* sigmoid - what that of vectors should be. */
static inline long double sigmoid(long double x)
{
    return x < 0 ? expl(x) / (1 + expl(x)) : 1 / (1 + expl(-x));
}

/* run_with_each_row - the tests (`count`) as a group for each row, which has its name; returns how
 * many failed.
 * run_with_each_vector_row - the same for rows whose vector functions differ. */
int run_with_each_row(const struct CMUnitTest *tests, size_t count);
int run_with_each_vector_row(const struct CMUnitTest *tests, size_t count);

#endif
