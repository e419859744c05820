/* test_gram.c - lengths of products against the products themselves. */
#include "linalg/gram.h"
#include "linalg/matmul.h"
#include "numbers.h"

#include <math.h>

/* |A v|, A (n,k) */
static double length_of(const real *a, const real *v, int n, int k)
{
    double squares = 0;
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < k; i++)
            sum += (double)a[j * k + i] * (double)v[i];
        squares += sum * sum;
    }
    return sqrt(squares);
}

static Gram gram_of(const real *a, int n, int k, int part)
{
    Gram g = gram_new(k);
    for (int at = 0; at < n; at += part)
        gram_add(&g, transposed(a + at * k, k), at + part < n ? part : n - at);
    gram_end(&g);
    return g;
}

/* In parts of several sizes; one v of each is zero. */
static void lengths_should_be_those_of_the_products(void **state)
{
    (void)state;
    static const int n[] = { 1, 3, 40, 700 }, k[] = { 1, 5, 33, 130 };
    enum { ROWS = 3 };
    const real one = 1;
    for (int c = 0; c < 16; c++) {
        Heap heap = { 0 };
        const int rows = n[c % 4], width = k[c / 4];
        const real *a = heap_random(&heap, (size_t)(rows * width));
        real *v = heap_random(&heap, (size_t)(ROWS * width));
        real *room = heap_zeros(&heap, (size_t)(ROWS * width));
        double length[ROWS];
        for (int i = 0; i < width; i++) v[width + i] = 0;
        Gram g = gram_of(a, rows, width, 1 + c * 13);
        gram_lengths(&g, length, v, ROWS, room);
        for (int i = 0; i < ROWS; i++) {
            const double want = length_of(a, v + i * width, rows, width);
            const double most = sqrt(g.trace) * length_of(v + i * width, &one, width, 1);
            assert_true(length[i] >= want && length[i] <= want + 0.02 * most);
        }
        gram_free(&g);
        heap_free(&heap);
    }
}

/* Rows that cancel leave a product of nearly nothing, of which rounding may hide all. */
static void what_rounding_hides_should_be_added(void **state)
{
    (void)state;
    enum { N = 500, K = 16 };
    real a[N * K], v[K], room[K];
    double length[1];
    for (int i = 0; i < N * K; i++) a[i] = (real)(1 + 1e-6 * (i % 7));
    for (int i = 0; i < K; i++) v[i] = i % 2 ? 1 : -1;
    Gram g = gram_of(a, N, K, N);
    gram_lengths(&g, length, v, 1, room);
    assert_true(length[0] >= length_of(a, v, N, K));
    assert_true(length[0] <= 0.05 * sqrt(g.trace * K));
    gram_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_should_be_those_of_the_products),
        cmocka_unit_test(what_rounding_hides_should_be_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
