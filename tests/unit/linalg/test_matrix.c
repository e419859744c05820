/* test_matrix.c - the three products of a linear layer against three loops, for odd shapes inside larger matrices. */
#include "gradient.h"
#include "linalg/gemm.h"
#include "linalg/matrix.h"
#include "naive.h"

#include <string.h>

static const struct { int m, k, n, margin; } shapes[] = {
    { 1, 1, 1, 3 }, { 3, 5, 4, 3 }, { 1, 17, 9, 3 }, { 7, 1, 33, 3 }, { 31, 29, 37, 3 }, { 64, 96, 65, 3 },
    { 4, 1, 1, 0 }, { 5, 1, 6, 0 }, { 5, 6, 1, 0 },     /* where a column is a row as well */
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* x (m,k), w (n,k), y (m,n), each inside rows that are `margin` longer. */
typedef struct {
    Heap  heap;
    int   m, k, n, ldx, ldw, ldy;
    real *x, *w, *y;
} Case;

static Case case_new(int i)
{
    Case c = { .m = shapes[i].m, .k = shapes[i].k, .n = shapes[i].n };
    c.ldx = c.ldw = c.k + shapes[i].margin;
    c.ldy = c.n + shapes[i].margin;
    c.x = heap_random(&c.heap, (size_t)(c.m * c.ldx));
    c.w = heap_random(&c.heap, (size_t)(c.n * c.ldw));
    c.y = heap_random(&c.heap, (size_t)(c.m * c.ldy));
    return c;
}

/* What the matrix of row distance ld should hold after its (rows, columns) block got `product`: the margin is as
 * before, and the block is the product, or `before` + product. */
static double *stored(Heap *heap, Store store, const double *before, const double *product, int rows, int columns,
                      int ld)
{
    double *after = heap_doubles(heap, (size_t)(rows * ld));
    memcpy(after, before, (size_t)(rows * ld) * sizeof *after);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            after[i * ld + j] = product[i * columns + j] + (store == ACCUMULATE ? before[i * ld + j] : 0);
    return after;
}

static void forward_should_be_x_times_w_transposed(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++)
        for (Store store = OVERWRITE; store <= ACCUMULATE; store++) {
            Case c = case_new(i);
            const size_t size = (size_t)(c.m * c.ldy);
            double *product = heap_doubles(&c.heap, size), *before = heap_widened(&c.heap, c.y, size);
            naive_product(product, (View){ c.x, c.ldx, 1 }, (View){ c.w, 1, c.ldw }, c.m, c.k, c.n);
            matrix_forward(store, c.y, c.ldy, c.x, c.ldx, c.w, c.ldw, c.m, c.k, c.n);
            assert_near(c.y, stored(&c.heap, store, before, product, c.m, c.n, c.ldy), size, c.k + 1);
            heap_free(&c.heap);
        }
}

static void backward_input_should_be_dy_times_w(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++)
        for (Store store = OVERWRITE; store <= ACCUMULATE; store++) {
            Case c = case_new(i);
            const size_t size = (size_t)(c.m * c.ldx);
            double *product = heap_doubles(&c.heap, size), *before = heap_widened(&c.heap, c.x, size);
            naive_product(product, (View){ c.y, c.ldy, 1 }, (View){ c.w, c.ldw, 1 }, c.m, c.n, c.k);
            matrix_backward_input(store, c.x, c.ldx, c.y, c.ldy, c.w, c.ldw, c.m, c.k, c.n);
            assert_near(c.x, stored(&c.heap, store, before, product, c.m, c.k, c.ldx), size, c.n + 1);
            heap_free(&c.heap);
        }
}

static void backward_weight_should_add_dy_transposed_times_x(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        Case c = case_new(i);
        const size_t size = (size_t)(c.n * c.ldw);
        double *product = heap_doubles(&c.heap, size), *before = heap_widened(&c.heap, c.w, size);
        naive_product(product, (View){ c.y, 1, c.ldy }, (View){ c.x, c.ldx, 1 }, c.n, c.m, c.k);
        matrix_backward_weight(c.w, c.ldw, c.y, c.ldy, c.x, c.ldx, c.m, c.k, c.n);
        assert_near(c.w, stored(&c.heap, ACCUMULATE, before, product, c.n, c.k, c.ldw), size, c.m + 1);
        heap_free(&c.heap);
    }
}

typedef struct { const Case *c; const real *dy; } Forward;

/* sum of dy * (x · w') */
static double objective(void *context)
{
    const Forward *f = context;
    const Case *c = f->c;
    Heap heap = { 0 };
    double *y = heap_doubles(&heap, (size_t)(c->m * c->n)), sum = 0;
    naive_product(y, (View){ c->x, c->ldx, 1 }, (View){ c->w, 1, c->ldw }, c->m, c->k, c->n);
    for (int i = 0; i < c->m; i++)
        for (int j = 0; j < c->n; j++)
            sum += (double)f->dy[i * c->ldy + j] * y[i * c->n + j];
    heap_free(&heap);
    return sum;
}

static void both_backward_products_should_be_the_gradients_of_forward(void **state)
{
    (void)state;
    Case c = case_new(1);
    real *dx = heap_zeros(&c.heap, (size_t)(c.m * c.ldx)), *dw = heap_zeros(&c.heap, (size_t)(c.n * c.ldw));
    matrix_backward_input(OVERWRITE, dx, c.ldx, c.y, c.ldy, c.w, c.ldw, c.m, c.k, c.n);
    matrix_backward_weight(dw, c.ldw, c.y, c.ldy, c.x, c.ldx, c.m, c.k, c.n);
    Forward f = { &c, c.y };
    assert_gradient(dx, c.x, (size_t)(c.m * c.ldx), objective, &f, c.n);
    assert_gradient(dw, c.w, (size_t)(c.n * c.ldw), objective, &f, c.m);
    heap_free(&c.heap);
}

static void filled_rows_should_all_be_the_bias_and_added_rows_its_gradient(void **state)
{
    (void)state;
    enum { M = 5, N = 19 };
    Heap heap = { 0 };
    real *y = heap_random(&heap, M * N), *b = heap_random(&heap, N), *dy = heap_random(&heap, M * N);
    real *db = heap_random(&heap, N);
    double *sums = heap_widened(&heap, db, N);
    for (int i = 0; i < M * N; i++)
        sums[i % N] += (double)dy[i];
    matrix_fill_rows(y, b, M, N);
    for (int i = 0; i < M * N; i++)
        assert_true(y[i] == b[i % N]);
    matrix_add_rows(db, dy, M, N);
    assert_near(db, sums, N, M);
    heap_free(&heap);
}

/* y = 1 · w' + b, w = 1 + 2^-9: which bfloat16 rounds to 1. */
static real one_more(Panels panels)
{
    const real x = 1, w = 1 + 0x1p-9f, b = 0;
    real y = 0;
    matrix_affine_packed(&y, 1, &x, 1, &w, 1, &b, panels, 1, 1, 1);
    return y;
}

static void products_should_round_as_their_thread_says_and_copies_as_when_they_were_made(void **state)
{
    (void)state;
    if (!precision_works(PRECISION_BF16)) skip();
    Heap heap = { 0 };
    const real w = 1 + 0x1p-9f;
    const Panels none = { NULL, NULL, PRECISION_FLOAT };
    real *room[] = { heap_zeros(&heap, matrix_panels(1, 1)), heap_zeros(&heap, matrix_panels(1, 1)) };
    const Panels exact = matrix_pack(room[0], NULL, &w, 1, 1, 1, (Portion){ 0, 1 });
    matrix_round(PRECISION_BF16);
    const Panels rounded = matrix_pack(room[1], NULL, &w, 1, 1, 1, (Portion){ 0, 1 });
    assert_true(one_more(none) == 1 && one_more(exact) == w && one_more(rounded) == 1);
    matrix_round(PRECISION_FLOAT);
    assert_true(one_more(none) == w && one_more(exact) == w && one_more(rounded) == 1);
    heap_free(&heap);
}

static void copies_should_give_what_the_weights_give(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        Case c = case_new(i);
        real *b = heap_random(&c.heap, (size_t)c.n), *direct = heap_zeros(&c.heap, (size_t)(c.m * c.ldy));
        real *forward = heap_zeros(&c.heap, matrix_panels(c.k, c.n)), *dx = heap_zeros(&c.heap, (size_t)(c.m * c.ldx));
        const Panels panels = matrix_pack(forward, heap_zeros(&c.heap, matrix_panels(c.n, c.k)), c.w, c.ldw, c.k, c.n,
                                          (Portion){ 0, 1 });

        matrix_backward_input(OVERWRITE, dx, c.ldx, c.y, c.ldy, c.w, c.ldw, c.m, c.k, c.n);
        memcpy(direct, c.y, (size_t)(c.m * c.ldy) * sizeof *direct);
        matrix_affine(direct, c.ldy, c.x, c.ldx, c.w, c.ldw, b, c.m, c.k, c.n);
        matrix_forward(ACCUMULATE, direct, c.ldy, c.x, c.ldx, c.w, c.ldw, c.m, c.k, c.n);
        real *dy = heap_zeros(&c.heap, (size_t)(c.m * c.ldy));
        memcpy(dy, c.y, (size_t)(c.m * c.ldy) * sizeof *dy);
        matrix_affine_packed(c.y, c.ldy, c.x, c.ldx, c.w, c.ldw, b, panels, c.m, c.k, c.n);
        matrix_forward_packed(ACCUMULATE, c.y, c.ldy, c.x, c.ldx, c.w, c.ldw, panels, c.m, c.k, c.n);
        assert_memory_equal(c.y, direct, (size_t)(c.m * c.ldy) * sizeof *direct);

        for (int row = 0; row < c.m; row++)     /* the margin stays as it is: here zero */
            memset(c.x + row * c.ldx, 0, (size_t)c.ldx * sizeof *c.x);
        matrix_backward_input_packed(OVERWRITE, c.x, c.ldx, dy, c.ldy, c.w, c.ldw, panels, c.m, c.k, c.n);
        assert_memory_equal(c.x, dx, (size_t)(c.m * c.ldx) * sizeof *dx);
        heap_free(&c.heap);
    }
}

static void affine_should_add_the_bias_to_every_row(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        Case c = case_new(i);
        const size_t size = (size_t)(c.m * c.ldy);
        const real *b = heap_random(&c.heap, (size_t)c.n);
        double *product = heap_doubles(&c.heap, size), *before = heap_widened(&c.heap, c.y, size);
        naive_product(product, (View){ c.x, c.ldx, 1 }, (View){ c.w, 1, c.ldw }, c.m, c.k, c.n);
        for (int j = 0; j < c.m * c.n; j++) product[j] += (double)b[j % c.n];
        matrix_affine(c.y, c.ldy, c.x, c.ldx, c.w, c.ldw, b, c.m, c.k, c.n);
        assert_near(c.y, stored(&c.heap, OVERWRITE, before, product, c.m, c.n, c.ldy), size, c.k + 1);
        heap_free(&c.heap);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forward_should_be_x_times_w_transposed),
        cmocka_unit_test(backward_input_should_be_dy_times_w),
        cmocka_unit_test(backward_weight_should_add_dy_transposed_times_x),
        cmocka_unit_test(both_backward_products_should_be_the_gradients_of_forward),
        cmocka_unit_test(filled_rows_should_all_be_the_bias_and_added_rows_its_gradient),
        cmocka_unit_test(affine_should_add_the_bias_to_every_row),
        cmocka_unit_test(copies_should_give_what_the_weights_give),
        cmocka_unit_test(products_should_round_as_their_thread_says_and_copies_as_when_they_were_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
