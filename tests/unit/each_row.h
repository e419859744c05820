/* each_row.h - the same tests with each row of kernels that this CPU has. */
#ifndef ATTN_TESTS_EACH_ROW_H
#define ATTN_TESTS_EACH_ROW_H

#include "linalg/kernels.h"
#include "numbers.h"

#include <math.h>

/* Rows of every width up to this one: vectors, and what remains beside them. */
enum { WIDEST = 70 };

/* sigmoid - what that of vectors should be. */
static inline long double sigmoid(long double x)
{
    return x < 0 ? expl(x) / (1 + expl(x)) : 1 / (1 + expl(-x));
}

/* each_row - row i that tests run with, from 0 on: those that this CPU has, and last the kernels of
 * AMX over its naive twin (amx_twin.h), on x86 with AVX512-BF16; NULL: there are no more.
 * run_with_each_row - the tests (`count`) as a group for each of these, which has its name; returns
 * how many failed.
 * run_with_each_vector_row - the same for rows whose vector functions differ. */
const Kernels *each_row(int i);
int run_with_each_row(const struct CMUnitTest *tests, size_t count);
int run_with_each_vector_row(const struct CMUnitTest *tests, size_t count);

#endif
