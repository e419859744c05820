/* test_vector.c - the elementwise kernels against plain C, at every width: what adds, scales, sums,
 * finds the largest, rounds or steps. Functions such as tanh: test_vector_accuracy.c; the rows of
 * layers and their gradients: test_vector_layers.c.
 */
#include "naive.h"
#include "vector_case.h"

#include <float.h>
#include <string.h>

/* ---- sums and extremes ---- */

/* x (n), other numbers at each position. */
static void ordinary(real *x, int n)
{
    for (int i = 0; i < n; i++) x[i] = (real)(1 + i % 7) / 8;
}

static void sums_should_be_no_number_where_one_of_them_is_none(void **state)
{
    for (int n = 1; n <= WIDEST; n++)
        for (int at = 0; at < n; at++) {
            real x[WIDEST], y[WIDEST], ones[WIDEST], u[WIDEST], largest[2];
            ordinary(x, n);
            ordinary(ones, n);
            x[at] = NAN;
            assert_true(isnan(vector_sum(x, n)) && isnan(vector_absolute_sum(x, n)));
            assert_true(isnan(vector_dot(x, ones, (size_t)n)));
            assert_true(isnan(vector_dot(ones, x, (size_t)n)));
            assert_true(isnan(vector_square_sum(x, (size_t)n)) && isnan(vector_sum_from(x, n, 0)));
            assert_true(isnan(vector_largest(largest, x, n)));
            assert_true(isnan(vector_log_sum_exp(largest, x, n)));
            assert_true(isnan(vector_additive(x, ones, ones, n)));
            assert_true(isnan(vector_normalize(y, u, x, ones, ones, n)));
            assert_true(isnan(y[0]) && isnan(y[n - 1]));
            memcpy(y, x, sizeof y);
            assert_true(isnan(vector_softmax(y, n)) && isnan(y[n - 1]) && isnan(y[0]));
            memcpy(y, ones, sizeof y);
            vector_softmax_backward(y, x, n);
            assert_true(isnan(y[n - 1]) && isnan(y[0]));
        }
}

static void the_largest_should_be_found_at_every_position(void **state)
{
    const double specials[] = { REAL_MAX, INFINITY, 2 };
    for (int n = 1; n <= WIDEST; n++)
        for (int at = 0; at < n; at++)
            for (size_t s = 0; s < sizeof specials / sizeof *specials; s++) {
                real x[WIDEST], largest[2];
                ordinary(x, n);
                x[at] = (real)specials[s];
                assert_true(vector_largest(largest, x, n) == x[at]);
                assert_true(largest[at / VECTOR_BLOCK] == x[at]);
                for (int i = 0; i < n; i++) x[i] = -x[i] - (real)specials[s];
                x[at] = -(real)specials[s];
                assert_true(vector_largest(largest, x, n) == (s == 1 ? -(real)INFINITY : x[at]));
            }
}

/* ---- linear kernels, Adam, bfloat16 ---- */

/* Everything that is linear: y += x, y *= a, y = a y + b, y += a x, and the sums. */
static void linear_kernels_should_match_their_formulas_at_every_length(void **state)
{
    const double a = -0.75, b = 0.375;
    for (size_t n = 1; n <= WIDEST; n++) {
        Heap heap = { 0 };
        real *x = heap_random(&heap, n), *start = heap_random(&heap, n);
        real *sum = heap_zeros(&heap, n), *scaled = heap_zeros(&heap, n);
        real *affine = heap_zeros(&heap, n);
        double *want_sum = heap_doubles(&heap, n), *want_scaled = heap_doubles(&heap, n);
        double *want_affine = heap_doubles(&heap, n), product = 0, squares = 0, total = 0;
        for (size_t i = 0; i < n; i++) {
            double xi = (double)x[i], yi = (double)start[i];
            sum[i] = scaled[i] = affine[i] = start[i];
            want_sum[i] = yi + xi + a * xi;
            want_scaled[i] = a * yi;
            want_affine[i] = a * yi + b;
            product += xi * yi;
            squares += xi * xi;
            total += xi;
        }
        vector_add(sum, x, n);
        vector_axpy(sum, (real)a, x, n);
        vector_scale(scaled, (real)a, n);
        vector_affine(affine, (real)a, (real)b, n);
        assert_near(sum, want_sum, n, 3);
        assert_near(scaled, want_scaled, n, 1);
        assert_near(affine, want_affine, n, 2);
        assert_near(&(real){ vector_dot(x, start, n) }, &product, 1, n);
        assert_near(&(real){ vector_sum(x, (int)n) }, &total, 1, n);
        assert_true(fabs(vector_square_sum(x, n) - squares)
                    <= (double)n * DBL_EPSILON * (1 + squares));
        heap_free(&heap);
    }
}

static void what_is_absorbed_should_be_added_and_leave_zeros(void **state)
{
    for (size_t n = 1; n <= WIDEST; n++) {
        Heap heap = { 0 };
        real *x = heap_random(&heap, n), *y = heap_random(&heap, n), *sum = heap_zeros(&heap, n);
        memcpy(sum, y, n * sizeof *y);
        vector_add(sum, x, n);
        assert_true(vector_absorb(y, x, n) == vector_square_sum(sum, n));
        assert_memory_equal(y, sum, n * sizeof *y);
        for (size_t i = 0; i < n; i++) assert_true(x[i] == 0);
        heap_free(&heap);
    }
}

static void the_other_sums_should_match_their_formulas_at_every_width(void **state)
{
    const double a = 0.375, threshold = 0.25;
    for (size_t n = 1; n <= WIDEST; n++) {
        Heap heap = { 0 };
        real *x = heap_random(&heap, n), *y = heap_random(&heap, n);
        double *want = heap_widened(&heap, y, n), absolute = 0, count = 0, above = 0;
        x[n / 2] = (real)threshold;
        for (size_t i = 0; i < n; i++) {
            const double xi = (double)x[i];
            want[i] += a * (xi - want[i]);
            absolute += fabs(xi);
            count += xi >= threshold;
            above += xi >= threshold ? xi : 0;
        }
        vector_approach(y, (real)a, x, n);
        assert_near(y, want, n, 3);
        assert_near(&(real){ vector_absolute_sum(x, (int)n) }, &absolute, 1, n);
        assert_true(vector_count_from(x, (int)n, (real)threshold) == count);
        assert_true(vector_sum_from(x, (int)n, (real)threshold) == above);
        heap_free(&heap);
    }
}

static void adam_should_match_its_formula_at_every_width(void **state)
{
    const AdamOptions options = { .rate = 0.125, .beta1 = 0.75, .beta2 = 0.875, .epsilon = 0.0625,
                                  .decay = 0.5 };
    for (size_t n = 1; n <= WIDEST; n++) {
        Heap heap = { 0 };
        real *w = heap_random(&heap, n), *m = heap_random(&heap, n), *v = heap_random(&heap, n);
        real *g = heap_random(&heap, n);
        for (size_t i = 0; i < n; i++) v[i] = REAL(fabs)(v[i]) + (real)0.125;
        double *want_w = heap_widened(&heap, w, n), *want_m = heap_widened(&heap, m, n);
        double *want_v = heap_widened(&heap, v, n);
        for (size_t i = 0; i < n; i++)
            naive_adam(&want_w[i], &want_m[i], &want_v[i], 0.5 * (double)g[i], &options, 3);
        adam_step(w, m, v, g, 0.5, &options, 3, n);
        assert_near(w, want_w, n, 16);
        assert_near(m, want_m, n, 4);
        assert_near(v, want_v, n, 4);
        heap_free(&heap);
    }
}

static void r_drop_should_match_its_formula_at_every_width(void **state)
{
    const VectorRDrop by = { { (real)0.75, (real)1.25 }, (real)0.5, (real)0.125 };
    for (size_t n = 1; n <= WIDEST; n++) {
        Heap heap = { 0 };
        real *p = heap_random(&heap, n), *q = heap_random(&heap, n), *d = heap_random(&heap, n);
        double *want_p = heap_widened(&heap, p, n), *want_q = heap_widened(&heap, q, n);
        for (size_t i = 0; i < n; i++) {
            const double x = want_p[i], y = want_q[i], di = (double)d[i];
            want_p[i] = x * (0.75 + 0.5 * di) - 0.5 * y - 0.125;
            want_q[i] = y * (1.25 - 0.5 * di) - 0.5 * x - 0.125;
        }
        vector_r_drop(p, q, d, by, (int)n);
        assert_near(p, want_p, n, 6);
        assert_near(q, want_q, n, 6);
        heap_free(&heap);
    }
}

static void square_sum_should_not_overflow_a_float(void **state)
{
    const real x[] = { (real)1e30, (real)1e30 };
    assert_true(fabs(vector_square_sum(x, 2) / 2e60 - 1) < 1e-6);
}

static float of_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Every number of 16 bits is itself; what lies between it and the next larger one goes to the
 * nearer, and from the middle to the one whose last bit is 0. */
static void bfloat16_should_be_the_nearest_number_of_16_bits(void **state)
{
    for (uint32_t upper = 0; upper <= 0xffff; upper++) {
        const float exact = of_bits(upper << 16);
        const real x[] = { (real)exact, (real)of_bits(upper << 16 | 0x7fff),
                           (real)of_bits(upper << 16 | 0x8000),
                           (real)of_bits(upper << 16 | 0x8001) };
        uint16_t y[4];
        real back[4];
        vector_to_bf16(y, x, 4);
        vector_from_bf16(back, y, 4);
        for (int i = 0; i < 4; i++)
            assert_int_equal(isnan(x[i]), isnan(back[i]));
        if (isnan(exact) || isinf(exact)) continue;
        assert_int_equal(y[0], upper);
        assert_int_equal(y[1], upper);
        assert_int_equal(y[2], upper + upper % 2);
        assert_int_equal(y[3], upper + 1);
        assert_true((float)back[0] == exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_should_be_no_number_where_one_of_them_is_none),
        cmocka_unit_test(the_largest_should_be_found_at_every_position),
        cmocka_unit_test(linear_kernels_should_match_their_formulas_at_every_length),
        cmocka_unit_test(what_is_absorbed_should_be_added_and_leave_zeros),
        cmocka_unit_test(the_other_sums_should_match_their_formulas_at_every_width),
        cmocka_unit_test(adam_should_match_its_formula_at_every_width),
        cmocka_unit_test(r_drop_should_match_its_formula_at_every_width),
        cmocka_unit_test(square_sum_should_not_overflow_a_float),
        cmocka_unit_test(bfloat16_should_be_the_nearest_number_of_16_bits),
    };
    return run_with_each_vector_row(tests, sizeof tests / sizeof *tests);
}
