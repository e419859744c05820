/* test_openblas.c - whose kernels multiply, with how many threads. (Memory limits:
 * tests/cli/limits.bats.) */
#include "linalg/openblas.h"
#include "numbers.h"

#include <stdlib.h>
#include <string.h>

static void openblas_should_name_its_kernels_and_have_one_thread(void **state)
{
    (void)state;
    if (gemm_is_fastest()) {
        assert_null(openblas_library());
        assert_string_equal(openblas_kernels(), "none");
        return;
    }
    assert_non_null(strstr(openblas_library(), "OpenBLAS 0."));
    assert_string_equal(getenv("OPENBLAS_NUM_THREADS"), "1");
    const char *kernels = getenv("OPENBLAS_CORETYPE");
    if (kernels) assert_non_null(strstr(openblas_kernels(), kernels));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(openblas_should_name_its_kernels_and_have_one_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
