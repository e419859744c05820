/* each_row.h - the same tests with each row of kernels that this CPU has. */
#ifndef ATTN_TESTS_EACH_ROW_H
#define ATTN_TESTS_EACH_ROW_H

#include "numbers.h"

/* run_with_each_row - the tests (`count`) as a group for each row, which has its name; returns how
 * many failed.
 * run_with_each_vector_row - the same for rows whose vector functions differ. */
int run_with_each_row(const struct CMUnitTest *tests, size_t count);
int run_with_each_vector_row(const struct CMUnitTest *tests, size_t count);

#endif
