/* test_linear.c - the three products of a linear layer against three loops, for odd shapes inside
 * larger matrices. */
#include "each_row.h"
#include "gradient.h"
#include "linalg/linear.h"
#include "naive.h"

#include <string.h>

static const struct { int m, k, n, margin; } shapes[] = {
    { 1, 1, 1, 3 }, { 3, 5, 4, 3 }, { 1, 17, 9, 3 }, { 7, 1, 33, 3 }, { 31, 29, 37, 3 },
    { 64, 96, 65, 3 },
    { 4, 1, 1, 0 }, { 5, 1, 6, 0 }, { 5, 6, 1, 0 },     /* where a column is a row as well */
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* x (m,k), w (n,k), y (m,n), each inside rows that are `margin` longer. */
typedef struct {
    Heap  heap;
    int   m, k, n, ldx, ldw, ldy;
    real *x, *w, *y;
} Case;

static Case case_of(int i)
{
    Case c = { .m = shapes[i].m, .k = shapes[i].k, .n = shapes[i].n };
    c.ldx = c.ldw = c.k + shapes[i].margin;
    c.ldy = c.n + shapes[i].margin;
    c.x = heap_random(&c.heap, (size_t)(c.m * c.ldx));
    c.w = heap_random(&c.heap, (size_t)(c.n * c.ldw));
    c.y = heap_random(&c.heap, (size_t)(c.m * c.ldy));
    return c;
}

static Linear weight(const Case *c)
{
    return linear_of(c->w, c->ldw, c->n, c->k, PRECISION_FLOAT);
}

/* What the matrix of row distance ld should hold after its (rows, columns) block got `product`: the
 * margin is as before, and the block is the product, or `before` + product. */
static double *stored(Heap *heap, Store store, const double *before, const double *product,
                      int rows, int columns, int ld)
{
    double *after = heap_doubles(heap, (size_t)(rows * ld));
    memcpy(after, before, (size_t)(rows * ld) * sizeof *after);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            after[i * ld + j] = product[i * columns + j]
                + (store == ACCUMULATE ? before[i * ld + j] : 0);
    return after;
}

/* Overwritten, accumulated, and from a bias. */
static void forward_should_be_x_times_w_transposed(void **state)
{
    for (int i = 0; i < SHAPES; i++)
        for (int way = 0; way < 3; way++) {
            Case c = case_of(i);
            const Store store = way == 1 ? ACCUMULATE : OVERWRITE;
            const size_t size = (size_t)(c.m * c.ldy);
            const real *b = way == 2 ? heap_random(&c.heap, (size_t)c.n) : NULL;
            double *product = heap_doubles(&c.heap, size);
            double *before = heap_widened(&c.heap, c.y, size);
            naive_product(product, (View){ c.x, c.ldx, 1 }, (View){ c.w, 1, c.ldw }, c.m, c.k, c.n);
            for (int j = 0; b && j < c.m * c.n; j++) product[j] += (double)b[j % c.n];
            const Linear w = weight(&c);
            linear_forward(store, c.y, c.ldy, c.x, c.ldx, &w, b, c.m);
            assert_near(c.y, stored(&c.heap, store, before, product, c.m, c.n, c.ldy), size,
                        c.k + 1);
            heap_free(&c.heap);
        }
}

static void backward_input_should_be_dy_times_w(void **state)
{
    for (int i = 0; i < SHAPES; i++)
        for (Store store = OVERWRITE; store <= ACCUMULATE; store++) {
            Case c = case_of(i);
            const size_t size = (size_t)(c.m * c.ldx);
            double *product = heap_doubles(&c.heap, size);
            double *before = heap_widened(&c.heap, c.x, size);
            naive_product(product, (View){ c.y, c.ldy, 1 }, (View){ c.w, c.ldw, 1 }, c.m, c.n, c.k);
            const Linear w = weight(&c);
            linear_backward_input(store, c.x, c.ldx, c.y, c.ldy, &w, c.m);
            assert_near(c.x, stored(&c.heap, store, before, product, c.m, c.k, c.ldx), size,
                        c.n + 1);
            heap_free(&c.heap);
        }
}

static void backward_weight_should_add_dy_transposed_times_x(void **state)
{
    for (int i = 0; i < SHAPES; i++) {
        Case c = case_of(i);
        const size_t size = (size_t)(c.n * c.ldw);
        double *product = heap_doubles(&c.heap, size), *before = heap_widened(&c.heap, c.w, size);
        naive_product(product, (View){ c.y, 1, c.ldy }, (View){ c.x, c.ldx, 1 }, c.n, c.m, c.k);
        const Linear w = weight(&c);
        linear_backward_weight(&w, c.y, c.ldy, c.x, c.ldx, c.m);
        assert_near(c.w, stored(&c.heap, ACCUMULATE, before, product, c.n, c.k, c.ldw), size,
                    c.m + 1);
        heap_free(&c.heap);
    }
}

static void filled_rows_should_all_be_the_bias_and_added_rows_its_gradient(void **state)
{
    enum { M = 5, N = 19 };
    Heap heap = { 0 };
    real *y = heap_random(&heap, M * N), *b = heap_random(&heap, N);
    real *dy = heap_random(&heap, M * N);
    real *db = heap_random(&heap, N);
    double *sums = heap_widened(&heap, db, N);
    for (int i = 0; i < M * N; i++)
        sums[i % N] += (double)dy[i];
    bias_forward(y, b, M, N);
    for (int i = 0; i < M * N; i++)
        assert_true(y[i] == b[i % N]);
    bias_backward(db, dy, M, N);
    assert_near(db, sums, N, M);
    heap_free(&heap);
}

/* x · w, x = 1 and w = 1 + 2^-9, which bfloat16 rounds to 1; and the gradients that are the same
 * numbers. */
static void every_product_should_round_as_its_weight_says(void **state)
{
    for (Precision precision = PRECISION_FLOAT; precision <= PRECISION_BF16; precision++) {
        if (!precision_works(precision)) continue;
        real one = 1, more = 1 + 0x1p-9f, y = 0, dx = 0, gradient = 0;
        const real expected = precision == PRECISION_FLOAT ? more : one;
        const Linear w = linear_of(&more, 1, 1, 1, precision);
        const Linear dw = linear_of(&gradient, 1, 1, 1, precision);
        linear_forward(OVERWRITE, &y, 1, &one, 1, &w, NULL, 1);
        linear_backward_input(OVERWRITE, &dx, 1, &one, 1, &w, 1);
        linear_backward_weight(&dw, &more, 1, &one, 1, 1);
        assert_true(y == expected && dx == expected && gradient == expected);
    }
}

static void small_weights_should_stay_in_float_where_the_others_get_8_bits(void **state)
{
    enum { LEAST = LINEAR_INT8_LEAST };
    assert_int_equal(linear_of(NULL, LEAST, LEAST, LEAST, PRECISION_INT8).precision,
                     PRECISION_INT8);
    assert_int_equal(linear_of(NULL, LEAST, LEAST - 1, LEAST, PRECISION_INT8).precision,
                     PRECISION_FLOAT);
    assert_int_equal(linear_of(NULL, LEAST, LEAST, LEAST - 1, PRECISION_INT8).precision,
                     PRECISION_FLOAT);
    assert_int_equal(linear_of(NULL, 1, 1, 1, PRECISION_BF16).precision, PRECISION_BF16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forward_should_be_x_times_w_transposed),
        cmocka_unit_test(backward_input_should_be_dy_times_w),
        cmocka_unit_test(backward_weight_should_add_dy_transposed_times_x),
        cmocka_unit_test(filled_rows_should_all_be_the_bias_and_added_rows_its_gradient),
        cmocka_unit_test(every_product_should_round_as_its_weight_says),
        cmocka_unit_test(small_weights_should_stay_in_float_where_the_others_get_8_bits),
    };
    return run_with_each_row(tests, sizeof tests / sizeof *tests);
}
