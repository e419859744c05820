/* each_row.c - a group of cmocka for each row. */
#include "each_row.h"

#include "linalg/kernels.h"

static int run(const Kernels *row, const struct CMUnitTest *tests, size_t count)
{
    kernels_choose(row->name);
    const int failed = _cmocka_run_group_tests(row->name, tests, count, NULL, NULL);
    kernels_choose(NULL);
    return failed;
}

int run_with_each_row(const struct CMUnitTest *tests, size_t count)
{
    const Kernels *row;
    int failed = 0;
    for (int i = 0; (row = kernels_row(i)); i++)
        failed += run(row, tests, count);
    return failed;
}

int run_with_each_vector_row(const struct CMUnitTest *tests, size_t count)
{
    const Kernels *row;
    int failed = 0;
    for (int i = 0; (row = kernels_row(i)); i++)
        if (!i || kernels_row(i - 1)->vector != row->vector) failed += run(row, tests, count);
    return failed;
}
