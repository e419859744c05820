/* test_gemm.c - C = A · B by tiles and panels against three loops: every remainder of m, n and k, each side transposed
 * or not, inside larger matrices, from zero, from C and from a bias, in one part and in two.
 *
 * All inputs are multiples of 1/64 in [-1, 1]: some 4,000 products of two of them add up exactly in float, in any
 * order. So all but the largest shapes have to agree to the last bit.
 */
#include "naive.h"
#include "nn/gemm.h"
#include "numbers.h"

#include <stdlib.h>
#include <string.h>

enum { MARGIN = 3 };        /* what a row distance is larger than a row */

typedef struct { int m, k, n; } Shape;
typedef enum { FROM_ZERO, FROM_C, FROM_BIAS, BEGINNINGS } Beginning;

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
static Case case_new(Shape s, int a_transposed, int b_transposed)
{
    Case c = { .s = s, .ldc = s.n + MARGIN };
    c.a = operand(&c.heap, s.m, s.k, a_transposed);
    c.b = operand(&c.heap, s.k, s.n, b_transposed);
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

static void check(Shape s, int a_transposed, int b_transposed, Beginning beginning, int in_two, double operations)
{
    Case c = case_new(s, a_transposed, b_transposed);
    const double *after = expected(&c, beginning);
    if (in_two) {
        gemm_pack(PRECISION_FLOAT, c.panels, c.b, s.k, s.n);
        gemm_packed(PRECISION_FLOAT, result_of(&c, beginning), c.a, c.panels, s.m, s.k, s.n);
    } else {
        gemm(PRECISION_FLOAT, result_of(&c, beginning), c.a, c.b, s.m, s.k, s.n);
    }
    assert_near(c.c, after, (size_t)s.m * (size_t)c.ldc, operations);
    heap_free(&c.heap);
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
                check(shapes[i], form & 1, form >> 1, turn % BEGINNINGS, turn / BEGINNINGS % 2, 0);
        }
}

static void every_form_should_be_exact_from_every_beginning(void **state)
{
    (void)state;
    for (int form = 0; form < 4; form++)
        for (Beginning beginning = FROM_ZERO; beginning < BEGINNINGS; beginning++)
            for (int in_two = 0; in_two < 2; in_two++)
                check((Shape){ 29, 33, 67 }, form & 1, form >> 1, beginning, in_two, 0);
}

/* More than one part of B in depth and in width. */
static void sums_should_go_on_from_part_to_part(void **state)
{
    (void)state;
    const Shape deep[] = { { 5, 385, 33 }, { 15, 768, 64 }, { 3, 1153, 31 } }, wide = { 2, 390, 1500 };
    for (int form = 0; form < 4; form++)
        for (Beginning beginning = FROM_ZERO; beginning < BEGINNINGS; beginning++) {
            for (size_t i = 0; i < sizeof deep / sizeof *deep; i++)
                check(deep[i], form & 1, form >> 1, beginning, form == 2, 0);
            check(wide, form & 1, form >> 1, beginning, form == 1, 0);
        }
}

/* With a bound that does not need exactness: a rounding for each of the k products. */
static void the_shapes_of_training_should_agree(void **state)
{
    (void)state;
    check((Shape){ 40, 256, 1000 }, 0, 1, FROM_BIAS, 0, 257);
    check((Shape){ 20, 8000, 64 }, 0, 0, FROM_ZERO, 0, 8001);
    check((Shape){ 1000, 290, 64 }, 1, 0, FROM_C, 0, 291);
    check((Shape){ 32, 256, 768 }, 0, 1, FROM_BIAS, 1, 257);
    check((Shape){ 1, 256, 1000 }, 0, 1, FROM_ZERO, 1, 257);
}

static void an_empty_sum_should_be_its_beginning_and_an_empty_matrix_stay_alone(void **state)
{
    (void)state;
    for (Beginning beginning = FROM_ZERO; beginning < BEGINNINGS; beginning++)
        for (int in_two = 0; in_two < 2; in_two++) {
            check((Shape){ 5, 0, 40 }, 0, 0, beginning, in_two, 0);
            check((Shape){ 0, 7, 40 }, 0, 0, beginning, in_two, 0);
            check((Shape){ 5, 7, 0 }, 0, 0, beginning, in_two, 0);
        }
}

/* Values that are not exact, so that another order of the sums would show. */
static real *thirds(Heap *heap, size_t count)
{
    real *x = heap_random(heap, count);
    for (size_t i = 0; i < count; i++) x[i] /= 3;
    return x;
}

static void results_should_not_depend_on_the_way_nor_on_the_other_rows(void **state)
{
    (void)state;
    enum { M = 45, K = 500, N = 90 };
    Heap heap = { 0 };
    const Operand a = { thirds(&heap, M * K), K, 1 }, b = { thirds(&heap, K * N), 1, K };
    real *whole = heap_zeros(&heap, M * N), *row = heap_zeros(&heap, M * N), *packed = heap_zeros(&heap, M * N);
    real *panels = heap_zeros(&heap, gemm_panels(PRECISION_FLOAT, K, N));
    gemm(PRECISION_FLOAT, (Result){ whole, N, NULL, 0 }, a, b, M, K, N);
    gemm_pack(PRECISION_FLOAT, panels, b, K, N);
    gemm_packed(PRECISION_FLOAT, (Result){ packed, N, NULL, 0 }, a, panels, M, K, N);
    for (int i = 0; i < M; i++)
        gemm(PRECISION_FLOAT, (Result){ row + i * N, N, NULL, 0 }, (Operand){ a.x + i * K, K, 1 }, b, 1, K, N);
    assert_memory_equal(whole, packed, M * N * sizeof *whole);
    assert_memory_equal(whole, row, M * N * sizeof *whole);
    heap_free(&heap);
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
