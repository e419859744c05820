/* test_gemm.c - C = A · B by tiles and panels against three loops: every remainder of m, n and k,
 * each side transposed or not, inside larger matrices, from zero, from C and from a bias, in one
 * part and in two, in all precisions.
 *
 * All inputs are multiples of 1/64 in [-1, 1], which bfloat16 holds: some 4,000 products of two of
 * them add up exactly in float, in any order. So all but the largest shapes have to agree to the
 * last bit. In int8, whose units round, all of them agree with the same in plain C.
 */
#include "linalg/gemm.h"
#include "each_row.h"
#include "naive.h"
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
    double   *product;              /* (m,n); of int8, expected() computes it */
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

/* What the arrays of a case hold beyond its shape belongs to nobody: the sanitizers see one step
 * beyond them. */
static Case case_of(Precision precision, Shape s, Way way)
{
    Case c = { .s = s, .ldc = s.n + MARGIN };
    c.a = operand(&c.heap, s.m, s.k, way.a_transposed);
    c.b = operand(&c.heap, s.k, s.n, way.b_transposed);
    c.c = heap_random(&c.heap, (size_t)s.m * (size_t)c.ldc);
    c.bias = heap_random(&c.heap, (size_t)s.n);
    c.panels = heap_zeros(&c.heap, gemm_packed_size(precision, s.k, s.n));
    c.product = heap_doubles(&c.heap, (size_t)s.m * (size_t)s.n);
    if (precision != PRECISION_INT8)
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

/* ---- int8 in plain C ---- */

/* Values of one row of A or column of B as integers, and their unit. */
typedef struct { int *q; real unit; } Integers;

static Integers integers(Heap *heap, const real *x, ptrdiff_t step, int k)
{
    Integers all = { heap_take(heap, (size_t)k + 1, sizeof *all.q), 0 };
    real largest = 0;
    for (int p = 0; p < k; p++) largest = REAL(fmax)(largest, REAL(fabs)(x[p * step]));
    const real inverse = largest > 0 ? 127 / largest : 0;
    for (int p = 0; p < k; p++) all.q[p] = (int)REAL(rint)(x[p * step] * inverse);
    all.unit = largest / 127;
    return all;
}

/* product (m,n) += A (m,k) · B (k,n), all k at once */
static void add_integers(Heap *heap, real *product, Operand a, Operand b, Shape s)
{
    Integers *rows = heap_take(heap, (size_t)s.m + 1, sizeof *rows);
    for (int i = 0; i < s.m; i++) rows[i] = integers(heap, a.x + i * a.row, a.column, s.k);
    for (int j = 0; j < s.n; j++) {
        const Integers column = integers(heap, b.x + j * b.column, b.row, s.k);
        for (int i = 0; i < s.m; i++) {
            long sum = 0;
            for (int p = 0; p < s.k; p++) sum += rows[i].q[p] * column.q[p];
            const real scaled = (real)sum * (rows[i].unit * column.unit);
            product[i * s.n + j] += scaled;
        }
    }
}

/* product (m,n) += A · B in int8: in equal parts of at most 384 words of 4 */
static void integer_product(real *product, Operand a, Operand b, Shape s)
{
    const int words = (s.k + 3) / 4, parts = (words + 383) / 384;
    const int length = parts ? 4 * ((words + parts - 1) / parts) : 1;
    Heap heap = { 0 };
    for (int l = 0; l < s.k; l += length) {
        const Shape part = { s.m, l + length < s.k ? length : s.k - l, s.n };
        add_integers(&heap, product, (Operand){ a.x + l * a.column, a.row, a.column },
                     (Operand){ b.x + l * b.row, b.row, b.column }, part);
    }
    heap_free(&heap);
}

/* ---- a product ---- */

/* What C with its margin should hold afterwards. */
static double *expected(Case *c, Precision precision, Beginning beginning)
{
    const Shape s = c->s;
    double *after = heap_widened(&c->heap, c->c, (size_t)s.m * (size_t)c->ldc);
    real *sums = heap_zeros(&c->heap, (size_t)s.m * (size_t)s.n);
    for (int i = 0; i < s.m * s.n; i++) {
        if (beginning == FROM_C) sums[i] = c->c[i / s.n * c->ldc + i % s.n];
        if (beginning == FROM_BIAS) sums[i] = c->bias[i % s.n];
    }
    if (precision == PRECISION_INT8) integer_product(sums, c->a, c->b, s);
    for (int i = 0; i < s.m * s.n; i++)
        after[i / s.n * c->ldc + i % s.n] =
            (double)sums[i] + (precision == PRECISION_INT8 ? 0 : c->product[i]);
    return after;
}

static void check_in(Precision precision, Shape s, Way way, double operations)
{
    Case c = case_of(precision, s, way);
    const double *after = expected(&c, precision, way.beginning);
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
    for (Precision precision = PRECISION_FLOAT; precision <= PRECISION_INT8; precision++)
        if (precision_works(precision))
            check_in(precision, s, way, precision == PRECISION_INT8 ? 0 : operations);
}

/* The other sides of each shape take turns, so that every remainder meets every form. */
static void every_remainder_should_be_exact(void **state)
{
    enum { LARGEST = 70 };
    int turn = 0;
    for (int size = 1; size <= LARGEST; size++)
        for (int form = 0; form < 4; form++, turn++) {
            const int other = 1 + turn * 37 % LARGEST, third = 1 + turn * 23 % LARGEST;
            const Shape shapes[] = { { size, other, third }, { other, size, third },
                                     { other, third, size } };
            for (int i = 0; i < 3; i++)
                check(shapes[i], (Way){ form & 1, form >> 1, turn % BEGINNINGS,
                                        turn / BEGINNINGS % 2 }, 0);
        }
}

/* More than one part of B in depth and in width; in int8 one is four times as deep. */
static void sums_should_go_on_from_part_to_part(void **state)
{
    const Shape deep[] = { { 5, 385, 33 }, { 15, 768, 64 }, { 3, 1153, 31 }, { 3, 3079, 65 } };
    const Shape wide = { 2, 390, 1500 };
    for (int form = 0; form < 4; form++)
        for (Beginning beginning = FROM_ZERO; beginning < BEGINNINGS; beginning++) {
            for (size_t i = 0; i < sizeof deep / sizeof *deep; i++)
                check(deep[i], (Way){ form & 1, form >> 1, beginning, form == 2 }, 0);
            check(wide, (Way){ form & 1, form >> 1, beginning, form == 1 }, 0);
        }
}

/* More strips than one, more columns than stay in the second cache. */
static void strips_should_be_kept_from_block_to_block(void **state)
{
    check((Shape){ 35, 250, 1600 }, (Way){ 0, 1, FROM_BIAS, 1 }, 0);
}

static void an_empty_sum_should_be_its_beginning_and_an_empty_matrix_stay_alone(void **state)
{
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
    real *whole = heap_zeros(&heap, M * N), *row = heap_zeros(&heap, M * N);
    real *packed = heap_zeros(&heap, M * N);
    real *panels = heap_zeros(&heap, gemm_packed_size(precision, K, N));
    gemm(precision, (Result){ whole, N, NULL, 0 }, a, b, M, K, N);
    gemm_pack(precision, panels, b, K, N, (Portion){ 0, 1 });
    gemm_packed(precision, (Result){ packed, N, NULL, 0 }, a, panels, M, K, N);
    for (int i = 0; i < M; i++)
        gemm(precision, (Result){ row + i * N, N, NULL, 0 }, (Operand){ a.x + i * K, K, 1 }, b, 1,
             K, N);
    assert_memory_equal(whole, packed, M * N * sizeof *whole);
    assert_memory_equal(whole, row, M * N * sizeof *whole);
    heap_free(&heap);
}

static void results_should_not_depend_on_the_way_nor_on_the_other_rows(void **state)
{
    for (Precision precision = PRECISION_FLOAT; precision <= PRECISION_INT8; precision++)
        if (precision_works(precision)) check_rows(precision);
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
    gemm(PRECISION_BF16, (Result){ &c, 1, NULL, 0 }, (Operand){ &x, 1, 1 }, (Operand){ &y, 1, 1 },
         1, 1, 1);
    return c;
}

static void bf16_should_round_both_sides_to_nearest_even(void **state)
{
    if (!precision_works(PRECISION_BF16)) skip();
    /* eighths of a unit in the last place, so that every eighth is a tie */
    for (int i = 0; i < 1024; i++) {
        const real x = 1 + (real)i / 1024;
        assert_true((double)one_product(x, 1) == to_bf16(x));
        assert_true((double)one_product(1, -x) == -to_bf16(x));
        assert_true((double)one_product(x, x) == to_bf16(x) * to_bf16(x));
    }
    assert_true(isnan(one_product((real)NAN, 1)) && isnan(one_product(1, (real)NAN)));
    assert_true(isinf(one_product((real)INFINITY, 1)) && isinf(one_product(1, (real)-INFINITY)));
}

/* The bound of linalg/precision.h; int8 is compared with the same in plain C. */
static void bf16_should_stay_within_its_bound(void **state)
{
    enum { M = 17, N = 70 };
    static const int depths[] = { 1, 2, 33, 256, 1001 };
    if (!precision_works(PRECISION_BF16)) skip();
    for (size_t d = 0; d < sizeof depths / sizeof *depths; d++) {
        Heap heap = { 0 };
        const int k = depths[d];
        const double u = 0x1p-8, bound = 2 * u + u * u + 2 * k * 0x1p-24;
        const real *a = thirds(&heap, (size_t)(M * k)), *b = thirds(&heap, (size_t)(k * N));
        real *c = heap_zeros(&heap, M * N);
        gemm(PRECISION_BF16, (Result){ c, N, NULL, 0 }, (Operand){ a, k, 1 }, (Operand){ b, N, 1 },
             M, k, N);
        for (int i = 0; i < M * N; i++) {
            double sum = 0, absolute = 0;
            for (int p = 0; p < k; p++) {
                const double product = (double)a[i / N * k + p] * (double)b[i % N + p * N];
                sum += product;
                absolute += fabs(product);
            }
            assert_true(fabs((double)c[i] - sum) <= bound * absolute);
        }
        heap_free(&heap);
    }
}

/* a (k) · b (k) in int8 */
static real dot_of_integers(const real *a, const real *b, int k)
{
    real c = 0;
    gemm(PRECISION_INT8, (Result){ &c, 1, NULL, 0 }, (Operand){ a, k, 1 }, (Operand){ b, 1, k }, 1,
         k, 1);
    return c;
}

/* Where the largest is 127 the unit is 1. */
static void int8_should_round_ties_to_the_even_one(void **state)
{
    if (!precision_works(PRECISION_INT8)) skip();
    for (int twice = -253; twice <= 253; twice++) {
        const real x[] = { 127, (real)twice / 2 }, second[] = { 0, 127 };
        assert_true(dot_of_integers(x, second, 2) == 127 * REAL(rint)(x[1]));
        assert_true(dot_of_integers(second, x, 2) == 127 * REAL(rint)(x[1]));
    }
}

/* Only the largest values there are, of some signs. */
typedef enum { ALL_EQUAL, ALTERNATING, ANY, SIGNS } Sign;

static const real *largest_values(Heap *heap, size_t count, Sign sign)
{
    real *x = heap_random(heap, count);
    for (size_t i = 0; i < count; i++)
        x[i] = sign == ALL_EQUAL || (sign == ALTERNATING ? i % 2 : x[i] > 0) ? 127 : -127;
    return x;
}

static void check_largest(Shape s, Sign of_a, Sign of_b)
{
    Heap heap = { 0 };
    const size_t count = (size_t)(s.m * s.n);
    const Operand a = { largest_values(&heap, (size_t)(s.m * s.k), of_a), s.k, 1 };
    const Operand b = { largest_values(&heap, (size_t)(s.k * s.n), of_b), 1, s.k };
    real *c = heap_zeros(&heap, count), *expected_sums = heap_zeros(&heap, count);
    integer_product(expected_sums, a, b, s);
    gemm(PRECISION_INT8, (Result){ c, s.n, NULL, 0 }, a, b, s.m, s.k, s.n);
    assert_memory_equal(c, expected_sums, count * sizeof *c);
    heap_free(&heap);
}

/* Two products of 127 and 127 are just below 2^15, and a part's sum above 2^24. */
static void int8_should_not_saturate_nor_overflow(void **state)
{
    if (!precision_works(PRECISION_INT8)) skip();
    static const int depths[] = { 1, 2, 3, 4, 5, 7, 63, 255, 1535, 1536, 1537, 3073 };
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++)
        for (int signs = 0; signs < SIGNS * SIGNS; signs++)
            check_largest((Shape){ 1 + signs * 2, depths[i], 37 }, signs % SIGNS, signs / SIGNS);
}

static void int8_should_count_tiny_numbers_as_zero_and_pass_on_what_is_not_finite(void **state)
{
    if (!precision_works(PRECISION_INT8)) skip();
    const real wrong[] = { (real)NAN, (real)-NAN, (real)INFINITY, (real)-INFINITY };
    const real one[] = { 1, 1 }, zero[] = { 0, -0.0f };
    const real tiny[] = { 9e-31f, -1e-45f }, small[] = { 1e-29f, 0 };
    assert_true(dot_of_integers(zero, one, 2) == 0 && dot_of_integers(one, zero, 2) == 0);
    assert_true(dot_of_integers(tiny, one, 2) == 0 && dot_of_integers(one, tiny, 2) == 0);
    assert_true(dot_of_integers(small, one, 2) > 9.9e-30f
                && dot_of_integers(one, small, 2) < 1.01e-29f);
    for (int i = 0; i < 4; i++)
        for (int at = 0; at < 2; at++) {
            const real x[] = { at ? 1 : wrong[i], at ? wrong[i] : 1 };
            assert_false(isfinite(dot_of_integers(x, one, 2)));
            assert_false(isfinite(dot_of_integers(one, x, 2)));
            assert_false(isfinite(dot_of_integers(zero, x, 2)));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_remainder_should_be_exact),
        cmocka_unit_test(sums_should_go_on_from_part_to_part),
        cmocka_unit_test(strips_should_be_kept_from_block_to_block),
        cmocka_unit_test(an_empty_sum_should_be_its_beginning_and_an_empty_matrix_stay_alone),
        cmocka_unit_test(results_should_not_depend_on_the_way_nor_on_the_other_rows),
        cmocka_unit_test(bf16_should_round_both_sides_to_nearest_even),
        cmocka_unit_test(bf16_should_stay_within_its_bound),
        cmocka_unit_test(int8_should_round_ties_to_the_even_one),
        cmocka_unit_test(int8_should_not_saturate_nor_overflow),
        cmocka_unit_test(int8_should_count_tiny_numbers_as_zero_and_pass_on_what_is_not_finite),
    };
    return run_with_each_row(tests, sizeof tests / sizeof *tests);
}
