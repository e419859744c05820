/* test_gemm.c - C = A · B by tiles and panels against three loops: every remainder of m, n and k, each side transposed
 * or not, inside larger matrices, from zero, from C and from a bias, in one part and in two, in both precisions.
 *
 * All inputs are multiples of 1/64 in [-1, 1], which bfloat16 holds: some 4,000 products of two of them add up exactly
 * in float, in any order. So all but the largest shapes have to agree to the last bit.
 */
#include "naive.h"
#include "nn/gemm.h"
#include "numbers.h"

#include <math.h>
#include <string.h>

enum { MARGIN = 3 };        /* what a row distance is larger than a row */

typedef struct { int m, k, n; } Shape;
typedef enum { FROM_ZERO, FROM_C, FROM_BIAS, BEGINNINGS } Beginning;

/* How a product is made. */
typedef struct {
    int       a_transposed, b_transposed;
    Beginning beginning;
    int       in_two;               /* B packed first */
} Way;

typedef struct {
    Heap      heap;
    Shape     s;
    Operand   a, b;
    int       ldc;
    real     *c, *bias, *panels;
    double   *product;              /* (m,n) */
} Case;

static Operand operand(Heap *heap, int rows, int columns, int is_transposed)
{
    const int ld = (is_transposed ? rows : columns) + MARGIN;
    const real *x = heap_random(heap, (size_t)(is_transposed ? columns : rows) * (size_t)ld);
    return is_transposed ? (Operand){ x, 1, ld } : (Operand){ x, ld, 1 };
}

static View view(Operand o)
{
    return (View){ o.x, (int)o.row, (int)o.column };
}

/* What the arrays of a case hold beyond its shape belongs to nobody: the sanitizers see one step beyond them. */
static Case case_new(Shape s, Way way)
{
    Case c = { .s = s, .ldc = s.n + MARGIN };
    c.a = operand(&c.heap, s.m, s.k, way.a_transposed);
    c.b = operand(&c.heap, s.k, s.n, way.b_transposed);
    c.c = heap_random(&c.heap, (size_t)s.m * (size_t)c.ldc);
    c.bias = heap_random(&c.heap, (size_t)s.n);
    c.panels = heap_zeros(&c.heap, gemm_panels(PRECISION_FLOAT, s.k, s.n));
    c.product = heap_doubles(&c.heap, (size_t)s.m * (size_t)s.n);
    naive_product(c.product, view(c.a), view(c.b), s.m, s.k, s.n);
    return c;
}

static Result result_of(const Case *c, Beginning beginning)
{
    switch (beginning) {
    case FROM_C:    return (Result){ c->c, c->ldc, c->c, c->ldc };
    case FROM_BIAS: return (Result){ c->c, c->ldc, c->bias, 0 };
    default:        return (Result){ c->c, c->ldc, NULL, 0 };
    }
}

/* What C with its margin should hold afterwards. */
static double *expected(Case *c, Beginning beginning)
{
    double *after = heap_widened(&c->heap, c->c, (size_t)c->s.m * (size_t)c->ldc);
    for (int i = 0; i < c->s.m; i++)
        for (int j = 0; j < c->s.n; j++) {
            double *x = &after[i * c->ldc + j], sum = c->product[i * c->s.n + j];
            *x = sum + (beginning == FROM_C ? *x : beginning == FROM_BIAS ? (double)c->bias[j] : 0);
        }
    return after;
}

static void check_in(Precision precision, Shape s, Way way, double operations)
{
    Case c = case_new(s, way);
    const double *after = expected(&c, way.beginning);
    const Result r = result_of(&c, way.beginning);
    if (way.in_two) {
        enum { WORKERS = 3 };
        for (int i = 0; i < WORKERS; i++)
            gemm_pack(precision, c.panels, c.b, s.k, s.n, (Portion){ i, WORKERS });
        gemm_packed(precision, r, c.a, c.panels, s.m, s.k, s.n);
    } else {
        gemm(precision, r, c.a, c.b, s.m, s.k, s.n);
    }
    assert_near(c.c, after, (size_t)s.m * (size_t)c.ldc, operations);
    heap_free(&c.heap);
}

static void check(Shape s, Way way, double operations)
{
    for (Precision precision = PRECISION_FLOAT; precision <= PRECISION_BF16; precision++)
        if (gemm_has(precision)) check_in(precision, s, way, operations);
}

/* The other sides of each shape take turns, so that every remainder meets every form. */
static void every_remainder_should_be_exact(void **state)
{
    (void)state;
    enum { LARGEST = 70 };
    int turn = 0;
    for (int size = 1; size <= LARGEST; size++)
        for (int form = 0; form < 4; form++, turn++) {
            const int other = 1 + turn * 37 % LARGEST, third = 1 + turn * 23 % LARGEST;
            const Shape shapes[] = { { size, other, third }, { other, size, third }, { other, third, size } };
            for (int i = 0; i < 3; i++)
                check(shapes[i], (Way){ form & 1, form >> 1, turn % BEGINNINGS, turn / BEGINNINGS % 2 }, 0);
        }
}

static void every_form_should_be_exact_from_every_beginning(void **state)
{
    (void)state;
    for (int form = 0; form < 4; form++)
        for (Beginning beginning = FROM_ZERO; beginning < BEGINNINGS; beginning++)
            for (int in_two = 0; in_two < 2; in_two++)
                check((Shape){ 29, 33, 67 }, (Way){ form & 1, form >> 1, beginning, in_two }, 0);
}

/* More than one part of B in depth and in width. */
static void sums_should_go_on_from_part_to_part(void **state)
{
    (void)state;
    const Shape deep[] = { { 5, 385, 33 }, { 15, 768, 64 }, { 3, 1153, 31 } }, wide = { 2, 390, 1500 };
    for (int form = 0; form < 4; form++)
        for (Beginning beginning = FROM_ZERO; beginning < BEGINNINGS; beginning++) {
            for (size_t i = 0; i < sizeof deep / sizeof *deep; i++)
                check(deep[i], (Way){ form & 1, form >> 1, beginning, form == 2 }, 0);
            check(wide, (Way){ form & 1, form >> 1, beginning, form == 1 }, 0);
        }
}

/* With a bound that does not need exactness: a rounding for each of the k products. */
static void the_shapes_of_training_should_agree(void **state)
{
    (void)state;
    check((Shape){ 40, 256, 1000 }, (Way){ 0, 1, FROM_BIAS, 0 }, 257);
    check((Shape){ 20, 8000, 64 }, (Way){ 0, 0, FROM_ZERO, 0 }, 8001);
    check((Shape){ 1000, 290, 64 }, (Way){ 1, 0, FROM_C, 0 }, 291);
    check((Shape){ 32, 256, 768 }, (Way){ 0, 1, FROM_BIAS, 1 }, 257);
    check((Shape){ 1, 256, 1000 }, (Way){ 0, 1, FROM_ZERO, 1 }, 257);
}

static void an_empty_sum_should_be_its_beginning_and_an_empty_matrix_stay_alone(void **state)
{
    (void)state;
    for (Beginning beginning = FROM_ZERO; beginning < BEGINNINGS; beginning++)
        for (int in_two = 0; in_two < 2; in_two++) {
            check((Shape){ 5, 0, 40 }, (Way){ 0, 0, beginning, in_two }, 0);
            check((Shape){ 0, 7, 40 }, (Way){ 0, 0, beginning, in_two }, 0);
            check((Shape){ 5, 7, 0 }, (Way){ 0, 0, beginning, in_two }, 0);
        }
}

/* Values that are not exact, so that another order of the sums would show. */
static real *thirds(Heap *heap, size_t count)
{
    real *x = heap_random(heap, count);
    for (size_t i = 0; i < count; i++) x[i] /= 3;
    return x;
}

static void check_rows(Precision precision)
{
    enum { M = 45, K = 500, N = 90 };
    Heap heap = { 0 };
    const Operand a = { thirds(&heap, M * K), K, 1 }, b = { thirds(&heap, K * N), 1, K };
    real *whole = heap_zeros(&heap, M * N), *row = heap_zeros(&heap, M * N), *packed = heap_zeros(&heap, M * N);
    real *panels = heap_zeros(&heap, gemm_panels(precision, K, N));
    gemm(precision, (Result){ whole, N, NULL, 0 }, a, b, M, K, N);
    gemm_pack(precision, panels, b, K, N, (Portion){ 0, 1 });
    gemm_packed(precision, (Result){ packed, N, NULL, 0 }, a, panels, M, K, N);
    for (int i = 0; i < M; i++)
        gemm(precision, (Result){ row + i * N, N, NULL, 0 }, (Operand){ a.x + i * K, K, 1 }, b, 1, K, N);
    assert_memory_equal(whole, packed, M * N * sizeof *whole);
    assert_memory_equal(whole, row, M * N * sizeof *whole);
    heap_free(&heap);
}

static void results_should_not_depend_on_the_way_nor_on_the_other_rows(void **state)
{
    (void)state;
    check_rows(PRECISION_FLOAT);
    if (gemm_has(PRECISION_BF16)) check_rows(PRECISION_BF16);
}

/* x rounded to 8 significant bits, to nearest, ties to even. */
static double to_bf16(real x)
{
    int exponent;
    const double fraction = frexp((double)x, &exponent);
    return ldexp(nearbyint(ldexp(fraction, 8)), exponent - 8);
}

static real one_product(real x, real y)
{
    real c = 0;
    gemm(PRECISION_BF16, (Result){ &c, 1, NULL, 0 }, (Operand){ &x, 1, 1 }, (Operand){ &y, 1, 1 }, 1, 1, 1);
    return c;
}

static void bf16_should_round_both_sides_to_nearest_even(void **state)
{
    (void)state;
    if (!gemm_has(PRECISION_BF16)) skip();
    for (int i = 0; i < 1024; i++) {        /* eighths of a unit in the last place, so that every eighth is a tie */
        const real x = 1 + (real)i / 1024;
        assert_true((double)one_product(x, 1) == to_bf16(x));
        assert_true((double)one_product(1, -x) == -to_bf16(x));
        assert_true((double)one_product(x, x) == to_bf16(x) * to_bf16(x));
    }
    assert_true(isnan(one_product((real)NAN, 1)) && isnan(one_product(1, (real)NAN)));
    assert_true(isinf(one_product((real)INFINITY, 1)) && isinf(one_product(1, (real)-INFINITY)));
}

static void bf16_should_stay_within_its_bound(void **state)
{
    (void)state;
    if (!gemm_has(PRECISION_BF16)) skip();
    enum { M = 17, N = 70 };
    static const int depths[] = { 1, 2, 33, 256, 1001 };
    for (size_t d = 0; d < sizeof depths / sizeof *depths; d++) {
        Heap heap = { 0 };
        const int k = depths[d];
        const Operand a = { thirds(&heap, (size_t)(M * k)), k, 1 }, b = { thirds(&heap, (size_t)(k * N)), N, 1 };
        real *c = heap_zeros(&heap, M * N);
        gemm(PRECISION_BF16, (Result){ c, N, NULL, 0 }, a, b, M, k, N);
        for (int i = 0; i < M * N; i++) {
            double sum = 0, absolute = 0;
            for (int p = 0; p < k; p++) {
                const double product = (double)a.x[i / N * k + p] * (double)b.x[p * N + i % N];
                sum += product;
                absolute += fabs(product);
            }
            const double u = 0x1p-8, bound = (2 * u + u * u + 2 * k * 0x1p-24) * absolute;
            assert_true(fabs((double)c[i] - sum) <= bound);
        }
        heap_free(&heap);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_remainder_should_be_exact),
        cmocka_unit_test(every_form_should_be_exact_from_every_beginning),
        cmocka_unit_test(sums_should_go_on_from_part_to_part),
        cmocka_unit_test(the_shapes_of_training_should_agree),
        cmocka_unit_test(an_empty_sum_should_be_its_beginning_and_an_empty_matrix_stay_alone),
        cmocka_unit_test(results_should_not_depend_on_the_way_nor_on_the_other_rows),
        cmocka_unit_test(bf16_should_round_both_sides_to_nearest_even),
        cmocka_unit_test(bf16_should_stay_within_its_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
