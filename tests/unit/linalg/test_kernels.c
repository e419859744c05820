/* test_kernels.c - the choice of a row; products in bf16 and in 8 bits, which are the same bytes with
 * every row; and whose kernels multiply where ours do not (memory limits: tests/cli/limits.bats). */
#include "base/system/cpu.h"
#include "each_row.h"
#include "linalg/matmul.h"
#include "linalg/openblas.h"
#include "numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

UNIT_TEST(the_fastest_row_should_be_chosen_unless_another_is_named)
{
    const Kernels *row, *last = NULL;
    for (int i = 0; (row = kernels_row(i)); i++) {
        assert_int_equal(kernels_choose(row->name), 0);
        assert_ptr_equal(kernels_of_cpu(), row);
        if (strcmp(row->name, "avx512_bf16") || cpu_is_amd()) last = row;
    }
    const char *const none[] = { NULL, "" }, *const wrong[] = { "SSE2", "none", " " };
    for (int i = 0; i < 2; i++) assert_int_equal(kernels_choose(none[i]), 0);
    for (int i = 0; i < 3; i++) assert_int_equal(kernels_choose(wrong[i]), -1);
    assert_ptr_equal(kernels_of_cpu(), last);
}

/* Of A (M,k) and B (k,N), each side transposed or not. */
enum { M = 17, N = 37, DEEPEST = 1601 };
typedef struct { real *a, *b; int k, form; } Sides;

static void multiply(Precision precision, real *c, const Sides *s)
{
    const Operand a = s->form & 1 ? (Operand){ s->a, 1, M } : (Operand){ s->a, s->k, 1 };
    const Operand b = s->form & 2 ? (Operand){ s->b, 1, s->k } : (Operand){ s->b, N, 1 };
    gemm(precision, (Result){ c, N, NULL, 0 }, a, b, M, s->k, N);
}

/* Of ARM64's bf16 and AMX's, whose sums round in ways of their own. */
static int has_own_sums(Precision precision, const Kernels *row)
{
    return precision == PRECISION_BF16 && row->needs & (CPU_BF16 | CPU_AMX);
}

/* With each row what it is with the first; NaN is as good as any other NaN. */
static void check(Precision precision, const Sides *s)
{
    real first[M * N], c[M * N];
    const Kernels *row;
    for (int i = 0; (row = each_row(i)); i++) {
        kernels_take(row);
        if (!precision_works(precision) || has_own_sums(precision, row)) continue;
        multiply(precision, i ? c : first, s);
        for (int j = 0; i && j < M * N; j++)
            assert_true(!memcmp(&c[j], &first[j], sizeof *c) || (isnan(c[j]) && isnan(first[j])));
    }
    kernels_choose(NULL);
}

static void check_each(Precision precision, int has_hostile)
{
    static const int depths[] = { 0, 1, 2, 3, 31, 385, 767, 768, 769, DEEPEST };
    static const real hostile[] = { 0, -0.0f, (real)NAN, (real)INFINITY, (real)-INFINITY, 3e38f,
                                    -1e-39f, 1e-30f, 1 + 0x1p-8f, 1 + 0x3p-8f };
    for (size_t d = 0; d < sizeof depths / sizeof *depths; d++)
        for (int form = 0; form < 4; form++) {
            Heap heap = { 0 };
            const size_t k = (size_t)depths[d];
            Sides s = { heap_random(&heap, M * k + 1), heap_random(&heap, N * k + 1), depths[d],
                        form };
            for (size_t i = 0; i < M * k; i++) s.a[i] /= 3;
            for (size_t i = 0; has_hostile && k && i < 10; i++) s.b[i * 7 % (N * k)] = hostile[i];
            check(precision, &s);
            heap_free(&heap);
        }
}

UNIT_TEST(products_of_rounded_factors_should_be_the_same_bytes_with_every_row)
{
    for (int has_hostile = 0; has_hostile < 2; has_hostile++) {
        check_each(PRECISION_BF16, has_hostile);
        check_each(PRECISION_INT8, has_hostile);
    }
}

UNIT_TEST(openblas_should_name_its_kernels_and_have_one_thread)
{
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

int main(void) { return run_unit_tests(); }
