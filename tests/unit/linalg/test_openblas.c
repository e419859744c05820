/* test_openblas.c - whose kernels multiply, with how many threads. (Memory limits:
 * tests/cli/limits.bats.) */
#include "linalg/openblas.h"
#include "numbers.h"

#include <stdlib.h>
#include <string.h>

static void setup_should_name_the_kernels_and_leave_openblas_one_thread(void **state)
{
    (void)state;
    if (gemm_is_fastest()) {
        assert_null(openblas_library());
        assert_string_equal(openblas_kernels(), "none");
        return;
    }
    assert_string_equal(getenv("OPENBLAS_NUM_THREADS"), "1");
    assert_non_null(strstr(openblas_library(), "OpenBLAS 0."));
    const char *kernels = getenv("OPENBLAS_CORETYPE");
    if (kernels) assert_non_null(strstr(openblas_kernels(), kernels));
}

int main(int argc, char **argv)
{
    (void)argc;
    openblas_setup_if_used(argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setup_should_name_the_kernels_and_leave_openblas_one_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
