/* each_row.c - a group of cmocka for each row. */
#include "each_row.h"

#include "base/system/cpu.h"

/* ---- the rows ---- */

#ifdef __x86_64__
#include "amx_twin.h"

extern const Kernel        kernel_float_avx512, kernel_bf16_amx_twin, kernel_int8_amx_twin;
extern const VectorKernels vector_avx512;

static const Kernels amx_twin = {
    "amx_twin", CPU_AVX512_BF16 | CPU_AMX, 1, NULL,
    { &kernel_float_avx512, &kernel_bf16_amx_twin, &kernel_int8_amx_twin }, &vector_avx512
};

static const Kernels *twin(void)
{
    return cpu_sets() & CPU_AVX512_BF16 ? &amx_twin : NULL;
}

static int registers_left(void)
{
    if (amx_twin_is_released()) return 0;
    print_error("A product did not give up the registers of AMX.\n");
    return 1;
}
#else
static int registers_left(void)
{
    return 0;
}

static const Kernels *twin(void)
{
    return NULL;
}
#endif

const Kernels *each_row(int i)
{
    const Kernels *row = kernels_row(i);
    return !row && i && kernels_row(i - 1) ? twin() : row;
}

/* ---- tests ---- */

static int run(const Kernels *row, const struct CMUnitTest *tests, size_t count)
{
    kernels_take(row);
    const int failed = _cmocka_run_group_tests(row->name, tests, count, NULL, NULL);
    kernels_choose(NULL);
    return failed + registers_left();
}

int run_with_each_row(const struct CMUnitTest *tests, size_t count)
{
    const Kernels *row;
    int failed = 0;
    for (int i = 0; (row = each_row(i)); i++)
        failed += run(row, tests, count);
    if (!twin()) print_message("No AVX512-BF16 here: kernels of AMX are not tested.\n");
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
