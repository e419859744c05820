/* test_vector.c - the vector functions: elementwise ones give the same at every width as for one
 * number, sums what plain C gives, and every row of kernels the same.
 * test_vector_accuracy.c: functions such as tanh on the whole real line.
 */
#include "linalg/kernels.h"
#include "naive.h"
#include "each_row.h"

#include <float.h>
#include <string.h>

/* exp, tanh, sigmoid and log are up to 4 units in the last place off (vector.h): as much as 16
 * operations. */
enum { LIBRARY = 16 };

/* ---- elementwise functions ---- */

/* A function of arrays, each of so many blocks of n numbers; 0 ends them. Of a sum the last array
 * begins with the results. */
enum { ARRAYS = 7 };
typedef struct {
    const char *name;
    void (*run)(real *const *a, int n);
    int blocks[ARRAYS + 1], is_sum;
} Function;

#define FUNCTION(name, ...) static void name(real *const *a, int n) { __VA_ARGS__; }
FUNCTION(run_tanh, vector_tanh(a[0], (size_t)n))
FUNCTION(run_tanh_backward, vector_tanh_backward(a[0], a[1], (size_t)n))
FUNCTION(run_relu, vector_relu(a[0], (size_t)n))
FUNCTION(run_relu_backward, vector_relu_backward(a[0], a[1], (size_t)n))
FUNCTION(run_gate, vector_gate(a[0], (real)1.6, (real)0.07, (size_t)n))
FUNCTION(run_gate_backward, vector_gate_backward(a[0], a[1], (real)1.6, (real)0.07, (size_t)n))
FUNCTION(run_gelu, vector_gelu(a[0], (size_t)n))
FUNCTION(run_gelu_backward, vector_gelu_backward(a[0], a[1], (size_t)n))
FUNCTION(run_ssru, vector_ssru(a[0], a[1], a[2], a[3], a[4], n))
FUNCTION(run_ssru_in_place, vector_ssru(a[0], a[1], a[2], a[3], a[1], n))
FUNCTION(run_ssru_first, vector_ssru(a[0], a[1], a[2], a[3], NULL, n))
FUNCTION(run_ssru_backward, vector_ssru_backward(a[0], a[1], a[2], a[3], a[4], n))
FUNCTION(run_ssru_backward_first, vector_ssru_backward(a[0], a[1], a[2], a[3], NULL, n))
FUNCTION(run_add, vector_add(a[0], a[1], (size_t)n))
FUNCTION(run_scale, vector_scale(a[0], (real)0.3, (size_t)n))
FUNCTION(run_affine, vector_affine(a[0], (real)0.3, (real)0.7, (size_t)n))
FUNCTION(run_axpy, vector_axpy(a[0], (real)0.3, a[1], (size_t)n))
FUNCTION(run_approach, vector_approach(a[0], (real)0.3, a[1], (size_t)n))
FUNCTION(run_log, vector_log(a[0], (size_t)n))
FUNCTION(run_gru, vector_gru(a[0], a[1], a[2], a[3], a[4], n))
FUNCTION(run_gru_backward, vector_gru_backward(a[0], a[1], a[2], a[3], a[4], a[5], a[6], n))
FUNCTION(run_gru_in_place, vector_gru_backward(a[0], a[1], a[2], a[2], a[0], a[3], a[4], n))
FUNCTION(run_lstm, vector_lstm(a[0], a[1], a[2], a[3], a[4], n))
FUNCTION(run_lstm_backward, vector_lstm_backward(a[0], a[1], a[2], a[3], n))
FUNCTION(run_additive_backward, vector_additive_backward(a[0], a[1], a[2], (real)0.3, a[3], a[4], a[5], n))
FUNCTION(run_r_drop, vector_r_drop(a[0], a[1], a[2],
                                   (VectorRDrop){ { (real)0.7, (real)1.3 }, (real)0.4, (real)0.1 }, n))
FUNCTION(run_adam, for (int i = 0; i < n; i++) a[2][i] *= a[2][i];
         vector_adam(a[0], a[1], a[2], a[3], (VectorAdam){ (real)0.5, (real)0.1, (real)0.9, (real)0.99,
                                                           (real)0.01, (real)0.999 }, (size_t)n))
FUNCTION(run_absorb, a[2][0] = (real)vector_absorb(a[0], a[1], (size_t)n))
FUNCTION(run_dot, a[2][0] = vector_dot(a[0], a[1], (size_t)n))
FUNCTION(run_sums, a[1][0] = vector_sum(a[0], n) + vector_absolute_sum(a[0], n);
         if (n > 1) a[1][1] = (real)(vector_square_sum(a[0], (size_t)n) + vector_sum_from(a[0], n, 0)))
FUNCTION(run_additive, a[3][0] = vector_additive(a[0], a[1], a[2], n))
FUNCTION(run_normalize, a[4][0] = vector_normalize(a[0], a[1], a[0], a[2], a[3], (real)1e-5, n))
FUNCTION(run_normalize_backward, vector_normalize_backward(a[0], a[1], a[2], a[0], a[3], (real)0.7, a[4], n))
FUNCTION(run_heads, const VectorHeads by = { 2, n, (real)0.7 };
         const real *row[5];
         real weights[10];
         for (int t = 0; t < 5; t++) row[t] = a[1] + 4 * t * n;
         vector_scores(weights, a[0], row, 5, by);
         vector_mix(a[0], weights, row, 5, by))
FUNCTION(run_softmax, a[1][0] = vector_softmax(a[0], n))
FUNCTION(run_softmax_backward, vector_softmax_backward(a[0], a[1], n))

static const Function functions[] = {
    { "tanh", run_tanh, { 1 }, 0 },
    { "tanh backward", run_tanh_backward, { 1, 1 }, 0 },
    { "relu", run_relu, { 1 }, 0 },
    { "relu backward", run_relu_backward, { 1, 1 }, 0 },
    { "gate", run_gate, { 1 }, 0 },
    { "gate backward", run_gate_backward, { 1, 1 }, 0 },
    { "gelu", run_gelu, { 1 }, 0 },
    { "gelu backward", run_gelu_backward, { 1, 1 }, 0 },
    { "ssru", run_ssru, { 1, 1, 2, 1, 1 }, 0 },
    { "ssru in place", run_ssru_in_place, { 1, 1, 2, 1 }, 0 },
    { "ssru of a first step", run_ssru_first, { 1, 1, 2, 1 }, 0 },
    { "ssru backward", run_ssru_backward, { 2, 1, 1, 1, 1 }, 0 },
    { "ssru backward of a first step", run_ssru_backward_first, { 2, 1, 1, 1 }, 0 },
    { "add", run_add, { 1, 1 }, 0 },
    { "scale", run_scale, { 1 }, 0 },
    { "affine", run_affine, { 1 }, 0 },
    { "axpy", run_axpy, { 1, 1 }, 0 },
    { "approach", run_approach, { 1, 1 }, 0 },
    { "log", run_log, { 1 }, 0 },
    { "gru", run_gru, { 1, 3, 1, 3, 1 }, 0 },
    { "gru backward", run_gru_backward, { 3, 3, 1, 1, 3, 1, 1 }, 0 },
    { "gru backward in place", run_gru_in_place, { 3, 3, 1, 1, 1 }, 0 },
    { "lstm", run_lstm, { 2, 4, 1, 4, 2 }, 0 },
    { "lstm backward", run_lstm_backward, { 4, 2, 1, 2 }, 0 },
    { "additive backward", run_additive_backward, { 1, 1, 1, 1, 1, 1 }, 0 },
    { "r_drop", run_r_drop, { 1, 1, 1 }, 0 },
    { "adam", run_adam, { 1, 1, 1, 1 }, 0 },
    { "absorb", run_absorb, { 1, 1, 1 }, 1 },
    { "dot", run_dot, { 1, 1, 1 }, 1 },
    { "sums", run_sums, { 1, 1 }, 1 },
    { "additive", run_additive, { 1, 1, 1, 1 }, 1 },
    { "normalize", run_normalize, { 1, 1, 1, 1, 1 }, 1 },
    { "normalize backward", run_normalize_backward, { 1, 1, 1, 1, 1 }, 1 },
    { "scores and mix", run_heads, { 2, 20 }, 1 },
    { "softmax", run_softmax, { 1, 1 }, 1 },
    { "softmax backward", run_softmax_backward, { 1, 1 }, 1 },
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static void take_arrays(real **a, Heap *heap, const Function *f, int n)
{
    for (int i = 0; f->blocks[i]; i++)
        a[i] = heap_random(heap, (size_t)(f->blocks[i] * n));
}

/* A value depends neither on the width of its row nor on its place there. So what is right at width
 * 1, which tests/unit/nn proves by differences, is right at every width. */
static void functions_should_give_the_same_bits_at_every_width_and_place(void **state)
{
    for (const Function *f = functions; f < functions + FUNCTIONS; f++)
        for (int n = 1; n <= WIDEST && !f->is_sum; n++) {
            Heap heap = { 0 }, same = { 0 };
            real *all[ARRAYS] = { NULL }, *before[ARRAYS] = { NULL }, one[ARRAYS][4], *alone[ARRAYS];
            take_arrays(all, &heap, f, n);
            take_arrays(before, &same, f, n);
            f->run(all, n);
            for (int j = 0; j < n; j++) {
                for (int i = 0; f->blocks[i]; i++)
                    for (int b = 0; b < f->blocks[i]; b++) one[i][b] = before[i][b * n + j];
                for (int i = 0; i < ARRAYS; i++) alone[i] = one[i];
                f->run(alone, 1);
                for (int i = 0; f->blocks[i]; i++)
                    for (int b = 0; b < f->blocks[i]; b++)
                        if (memcmp(&one[i][b], &all[i][b * n + j], sizeof(real)))
                            fail_msg("%s: value %d of %d", f->name, j, n);
            }
            heap_free(&heap);
            heap_free(&same);
        }
}

/* Rows that fuse multiply and add, all but the first, agree to the last bit. */
static void every_row_should_give_what_the_first_one_does(void **state)
{
    const Kernels *row, *chosen = kernels_of_cpu();
    if (chosen != kernels_row(0)) skip();       /* once is enough */
    for (const Function *f = functions; f < functions + FUNCTIONS; f++)
        for (int n = 1; n <= WIDEST; n++) {
            Heap heap[2] = { { 0 }, { 0 } };
            real *first[ARRAYS] = { NULL }, *second[ARRAYS] = { NULL };
            for (int i = 0; (row = kernels_row(i)); i++) {
                Heap own = { 0 };
                real *a[ARRAYS] = { NULL };
                kernels_choose(row->name);
                if (i < 2) take_arrays(i ? second : first, &heap[i], f, n);
                if (i < 2) f->run(i ? second : first, n);
                take_arrays(a, &own, f, n);
                f->run(a, n);
                for (int k = 0; f->blocks[k]; k++) {
                    const size_t count = (size_t)(f->blocks[k] * n);
                    assert_near(a[k], heap_widened(&own, first[k], count), count, 1024);
                    if (i) assert_memory_equal(a[k], second[k], count * sizeof(real));
                }
                heap_free(&own);
            }
            heap_free(&heap[0]);
            heap_free(&heap[1]);
        }
    kernels_choose(chosen->name);
}

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
            assert_true(isnan(vector_normalize(y, u, x, ones, ones, (real)1e-5, n)));
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

/* ---- formulas ---- */

/* As many products of single keys and values give the same bits. */
static void heads_should_be_dots_and_sums_in_order(void **state)
{
    enum { KEYS = 11, HEADS = 3, WIDTH = 37, D = HEADS * WIDTH };
    const VectorHeads by = { HEADS, WIDTH, (real)0.3 };
    Heap heap = { 0 };
    const real *q = heap_random(&heap, D), *pairs = heap_random(&heap, KEYS * 2 * D), *row[KEYS];
    for (int t = 0; t < KEYS; t++) row[t] = pairs + (KEYS - 1 - t) * 2 * D;
    for (int keys = 1; keys <= KEYS; keys++) {
        real weights[HEADS * KEYS], z[D], want[D] = { 0 };
        vector_scores(weights, q, row, keys, by);
        vector_mix(z, weights, row, keys, by);
        for (int head = 0; head < HEADS; head++)
            for (int t = 0; t < keys; t++) {
                const int at = head * WIDTH;
                const real weight = by.scale * vector_dot(q + at, row[t] + at, WIDTH);
                assert_true(weights[head * keys + t] == weight);
                vector_axpy(want + at, weight, row[t] + D + at, WIDTH);
            }
        assert_memory_equal(z, want, sizeof want);
    }
    heap_free(&heap);
}

/* Everything that is linear, and the sums. */
static void linear_functions_and_sums_should_match_their_formulas_at_every_width(void **state)
{
    const double a = -0.75, b = 0.375, threshold = 0.25;
    for (size_t n = 1; n <= WIDEST; n++) {
        Heap heap = { 0 };
        real *x = heap_random(&heap, n), *start = heap_random(&heap, n), *v = heap_random(&heap, n);
        real *y[4];     /* y + x + a x, a y, a y + b, y + a (x - y) */
        double *want[4], product = 0, squares = 0, total = 0, absolute = 0, score = 0;
        double count = 0, above = 0;
        x[n / 2] = (real)threshold;
        for (int k = 0; k < 4; k++) {
            y[k] = heap_zeros(&heap, n);
            memcpy(y[k], start, n * sizeof *start);
            want[k] = heap_doubles(&heap, n);
        }
        for (size_t i = 0; i < n; i++) {
            const double xi = (double)x[i], yi = (double)start[i];
            want[0][i] = yi + xi + a * xi;
            want[1][i] = a * yi;
            want[2][i] = a * yi + b;
            want[3][i] = yi + a * (xi - yi);
            product += xi * yi;
            squares += xi * xi;
            total += xi;
            absolute += fabs(xi);
            score += (double)v[i] * tanh(xi + yi);
            count += xi >= threshold;
            above += xi >= threshold ? xi : 0;
        }
        vector_add(y[0], x, n);
        vector_axpy(y[0], (real)a, x, n);
        vector_scale(y[1], (real)a, n);
        vector_affine(y[2], (real)a, (real)b, n);
        vector_approach(y[3], (real)a, x, n);
        for (int k = 0; k < 4; k++) assert_near(y[k], want[k], n, 3);
        assert_near(&(real){ vector_dot(x, start, n) }, &product, 1, n);
        assert_near(&(real){ vector_sum(x, (int)n) }, &total, 1, n);
        assert_near(&(real){ vector_absolute_sum(x, (int)n) }, &absolute, 1, n);
        assert_near(&(real){ vector_additive(x, start, v, (int)n) }, &score, 1, LIBRARY + (double)n);
        assert_true(vector_count_from(x, (int)n, (real)threshold) == count);
        assert_true(vector_sum_from(x, (int)n, (real)threshold) == above);
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

static void a_row_of_equal_values_should_become_the_bias(void **state)
{
    const real x[] = { 0.25, 0.25, 0.25 }, gain[] = { 2, 3, 4 }, bias[] = { -1, 0, 1 };
    real y[3], u[3];
    vector_normalize(y, u, x, gain, bias, (real)1e-5, 3);
    assert_memory_equal(y, bias, sizeof y);
}

static void softmax_should_match_plain_c_at_every_length(void **state)
{
    for (size_t n = 1; n <= WIDEST; n++) {
        Heap heap = { 0 };
        real *x = heap_random(&heap, n);
        double *p = heap_widened(&heap, x, n), log_sum = (double)x[n - 1];
        naive_softmax(p, p, (int)n);
        log_sum -= log(p[n - 1]);
        real *largest = heap_take(&heap, n / VECTOR_BLOCK + 1, sizeof *largest);
        double greatest = (double)x[0];
        for (size_t i = 1; i < n; i++) greatest = (double)x[i] > greatest ? (double)x[i] : greatest;
        assert_true((double)vector_largest(largest, x, (int)n) == greatest);
        const real alone = vector_log_sum_exp(largest, x, (int)n);
        const real returned = vector_softmax(x, (int)n);
        assert_near(x, p, n, LIBRARY + (double)n);
        assert_near(&returned, &log_sum, 1, LIBRARY + (double)n);
        assert_near(&alone, &log_sum, 1, LIBRARY + (double)n);
        heap_free(&heap);
    }
}

static void softmax_should_bear_numbers_whose_exp_overflows(void **state)
{
    real x[] = { 5000, 4999, -5000 };
    const double p[] = { 1 / (1 + exp(-1)), exp(-1) / (1 + exp(-1)), 0 };
    const double log_sum = 5000 + log1p(exp(-1));
    real largest[1];
    const real alone = vector_log_sum_exp(largest, x, 3), returned = vector_softmax(x, 3);
    assert_near(x, p, 3, LIBRARY);
    assert_near(&returned, &log_sum, 1, 2);
    assert_near(&alone, &log_sum, 1, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_should_give_the_same_bits_at_every_width_and_place),
        cmocka_unit_test(every_row_should_give_what_the_first_one_does),
        cmocka_unit_test(sums_should_be_no_number_where_one_of_them_is_none),
        cmocka_unit_test(the_largest_should_be_found_at_every_position),
        cmocka_unit_test(linear_functions_and_sums_should_match_their_formulas_at_every_width),
        cmocka_unit_test(heads_should_be_dots_and_sums_in_order),
        cmocka_unit_test(what_is_absorbed_should_be_added_and_leave_zeros),
        cmocka_unit_test(square_sum_should_not_overflow_a_float),
        cmocka_unit_test(bfloat16_should_be_the_nearest_number_of_16_bits),
        cmocka_unit_test(a_row_of_equal_values_should_become_the_bias),
        cmocka_unit_test(softmax_should_match_plain_c_at_every_length),
        cmocka_unit_test(softmax_should_bear_numbers_whose_exp_overflows),
    };
    return run_with_each_vector_row(tests, sizeof tests / sizeof *tests);
}
