/* test_vector.c - the elementwise kernels against plain C, at every width up to WIDEST: vectors,
 * and what remains beside them. The gradients; and numbers from anywhere on the real line, infinite
 * ones and NaN, at every position.
 */
#include "each_row.h"
#include "gradient.h"
#include "linalg/vector.h"
#include "naive.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* exp, tanh, sigmoid and log are up to 4 units in the last place off (vector.h): as much as 16
 * operations. */
enum { LIBRARY = 16 };

enum { WIDEST = 70 };

/* ---- the whole real line ---- */

static const double epsilon = REAL_IS_DOUBLE ? DBL_EPSILON : FLT_EPSILON;
static const long double smallest = REAL_IS_DOUBLE ? 0x1p-1074L : 0x1p-149L;

/* Both signs of each are meant: where exp and its reciprocal begin to over- and underflow in float
 * and in double, where tanh saturates, numbers that are not normal, the ends. */
static const double magnitudes[] = {
    0, 0x1p-149, 0x1p-1074, 1e-40, 1e-310, REAL_MIN, 1e-20, 1e-6, 0.3, 0.35, 1, 9.01, 17.4, 19.1,
    40, 86.9, 87.4, 88.7, 88.8, 100, 103.9, 104.1, 200, 708.3, 709.8, 744.4, 745.2, 746, 1000,
    1e10, 1e30,
    REAL_MAX, INFINITY, NAN
};
enum { SPECIALS = 2 * sizeof magnitudes / sizeof *magnitudes };

static real special(size_t i)
{
    const double x = magnitudes[i % SPECIALS / 2];
    return (real)(i % 2 ? -x : x);
}

/* Up to so many units in the last place; beyond the range of real the same infinity; NaN is NaN. */
static void assert_right(const char *what, double units, real x, real got, long double want)
{
    const long double unit = (long double)epsilon * fabsl(want);
    const long double off = fabsl((long double)got - want);
    const int is_near = off <= units * unit + smallest;
    if (isnan(want) ? isnan(got) : isinf((real)want) ? got == (real)want : is_near)
        return;
    fail_msg("%s of %.17g is %.17g instead of %.17Lg", what, (double)x, (double)got, want);
}

static long double sigmoid(long double x)
{
    return x < 0 ? expl(x) / (1 + expl(x)) : 1 / (1 + expl(-x));
}

/* The functions of one number, as a kernel computes y (n) = f(x). */
typedef void Kernel(real *y, const real *x, int n);

static void by_tanh(real *y, const real *x, int n)
{
    memcpy(y, x, (size_t)n * sizeof *y);
    vector_tanh(y, (size_t)n);
}

static void by_relu(real *y, const real *x, int n)
{
    memcpy(y, x, (size_t)n * sizeof *y);
    vector_relu(y, (size_t)n);
}

static void by_log(real *y, const real *x, int n)
{
    memcpy(y, x, (size_t)n * sizeof *y);
    vector_log(y, (size_t)n);
}

/* Gate number `gate` of `gates`, the others those of zeros. x is the input's part or the
 * state's. */
static void by_gate(real *y, const real *x, int n, int gates, int gate)
{
    real input[4 * WIDEST] = { 0 }, u[4 * WIDEST] = { 0 }, previous[2 * WIDEST] = { 0 };
    real state[2 * WIDEST], kept[WIDEST];
    memcpy((n % 2 ? input : u) + gate * n, x, (size_t)n * sizeof *x);
    if (gates == 3) vector_gru(state, input, kept, u, previous, n);
    else vector_lstm(state, input, kept, u, previous, n);
    memcpy(y, input + gate * n, (size_t)n * sizeof *y);
}

static void by_gru_r(real *y, const real *x, int n) { by_gate(y, x, n, 3, 0); }
static void by_gru_z(real *y, const real *x, int n) { by_gate(y, x, n, 3, 1); }
static void by_lstm_i(real *y, const real *x, int n) { by_gate(y, x, n, 4, 0); }
static void by_lstm_f(real *y, const real *x, int n) { by_gate(y, x, n, 4, 1); }
static void by_lstm_g(real *y, const real *x, int n) { by_gate(y, x, n, 4, 2); }
static void by_lstm_o(real *y, const real *x, int n) { by_gate(y, x, n, 4, 3); }

/* n of a GRU: its input's part, beside a state's part of zero. */
static void by_gru_n(real *y, const real *x, int n)
{
    real input[3 * WIDEST] = { 0 }, u[3 * WIDEST] = { 0 }, previous[WIDEST] = { 0 };
    real un[WIDEST], h[WIDEST];
    memcpy(input + 2 * n, x, (size_t)n * sizeof *x);
    vector_gru(h, input, un, u, previous, n);
    memcpy(y, input + 2 * n, (size_t)n * sizeof *y);
}

/* tanh of a memory that goes on as it was, and what the gate lets out of it: f = o = 1. */
static void by_lstm_memory(real *y, const real *x, int n)
{
    real gates[4 * WIDEST] = { 0 }, u[4 * WIDEST] = { 0 }, previous[2 * WIDEST] = { 0 };
    real state[2 * WIDEST], kept[WIDEST];
    for (int i = 0; i < n; i++) gates[n + i] = gates[3 * n + i] = 1000;
    memcpy(previous + n, x, (size_t)n * sizeof *x);
    vector_lstm(state, gates, kept, u, previous, n);
    memcpy(y, kept, (size_t)n * sizeof *y);
    for (int i = 0; i < n; i++)
        if (!isnan(x[i])) assert_true(state[i] == kept[i] && state[n + i] == x[i]);
}

static void by_additive(real *y, const real *x, int n)
{
    const real one = 1, zero = 0;
    for (int i = 0; i < n; i++) y[i] = vector_additive(&zero, &x[i], &one, 1);
}

static void by_additive_backward(real *y, const real *x, int n)
{
    real ones[WIDEST], zeros[WIDEST] = { 0 }, dq[WIDEST] = { 0 }, dk[WIDEST] = { 0 };
    for (int i = 0; i < n; i++) {
        ones[i] = 1;
        y[i] = 0;
    }
    vector_additive_backward(dq, dk, y, 1, zeros, x, ones, n);
}

static long double relu_of(long double x) { return x < 0 ? 0 : x; }
static long double log_of(long double x) { return logl(x < REAL_MIN ? REAL_MIN : x); }

typedef struct {
    const char *name;
    Kernel     *kernel;
    long double (*right)(long double);
    double      units;                  /* the bound of vector.h, in units in the last place */
} Function;

static const Function functions[] = {
    { "tanh", by_tanh, tanhl, 3.2 },
    { "relu", by_relu, relu_of, 0 },
    { "log", by_log, log_of, 2.9 },
    { "GRU's r", by_gru_r, sigmoid, 2.5 },
    { "GRU's z", by_gru_z, sigmoid, 2.5 },
    { "GRU's n", by_gru_n, tanhl, 3.2 },
    { "LSTM's i", by_lstm_i, sigmoid, 2.5 },
    { "LSTM's f", by_lstm_f, sigmoid, 2.5 },
    { "LSTM's g", by_lstm_g, tanhl, 3.2 },
    { "LSTM's o", by_lstm_o, sigmoid, 2.5 },
    { "LSTM's tanh m", by_lstm_memory, tanhl, 3.2 },
    { "additive score", by_additive, tanhl, 3.2 },
    { "additive score's dv", by_additive_backward, tanhl, 3.2 },
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static void functions_should_be_right_on_the_whole_real_line_at_every_width(void **state)
{
    (void)state;
    for (const Function *f = functions; f < functions + FUNCTIONS; f++)
        for (size_t n = 1; n <= WIDEST; n++)
            for (size_t first = n % 8; first < SPECIALS; first += 8) {
                real x[WIDEST], y[WIDEST];
                for (size_t i = 0; i < n; i++) x[i] = special(first + i);
                f->kernel(y, x, (int)n);
                for (size_t i = 0; i < n; i++)
                    assert_right(f->name, f->units, x[i], y[i], f->right((long double)x[i]));
            }
}

/* From -reach to reach. */
static void functions_should_be_right_to_the_last_places_everywhere_between(void **state)
{
    (void)state;
    const double reaches[] = { 1e-6, 0.1, 2, 20, 120, 800, 1e4 };
    for (const Function *f = functions; f < functions + FUNCTIONS; f++)
        for (size_t r = 0; r < sizeof reaches / sizeof *reaches; r++)
            for (int part = 0; part < 20; part++) {
                real x[WIDEST], y[WIDEST];
                for (int i = 0; i < WIDEST; i++)
                    x[i] = (real)(reaches[r] * (2 * (part * WIDEST + i + 0.5) / (20 * WIDEST) - 1));
                f->kernel(y, x, WIDEST);
                for (int i = 0; i < WIDEST; i++)
                    assert_right(f->name, f->units, x[i], y[i], f->right((long double)x[i]));
            }
}

/* Vectors and what remains beside them compute the same. */
static void functions_should_give_the_same_bits_at_every_width(void **state)
{
    (void)state;
    for (const Function *f = functions; f < functions + FUNCTIONS; f++) {
        real x[WIDEST], all[WIDEST];
        for (int i = 0; i < WIDEST; i++) x[i] = (real)(0.37 * (i - WIDEST / 2));
        f->kernel(all, x, WIDEST);
        for (int n = 1; n < WIDEST; n++) {
            real some[WIDEST];
            f->kernel(some, x + WIDEST - n, n);
            assert_memory_equal(some, all + WIDEST - n, (size_t)n * sizeof *some);
        }
    }
}

/* Whether a product and its sum are one rounding here: (1 + 2^-20)² - (1 + 2^-19) is 2^-40, or 0
 * where the square was rounded to a float; 2^-40 and 2^-80 likewise in double. */
static int kernels_fuse(void)
{
    const double small = REAL_IS_DOUBLE ? 0x1p-40 : 0x1p-20;
    real y = (real)(1 + small);
    vector_affine(&y, y, (real)-(1 + 2 * small), 1);
    return y != 0;
}

/* FNV-1a of some bytes after others. */
static uint64_t hash_of(uint64_t hash, const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
    return hash;
}

/* The same bytes by every compiler on every CPU that fuses, and on every one that doesn't. */
static void functions_should_give_the_same_bits_everywhere(void **state)
{
    (void)state;
    const uint64_t frozen[2][2] = {     /* [REAL_IS_DOUBLE][kernels_fuse] */
        { 0xd68812eac6df46e4u, 0x234f3bc73c1be7b9u },
        { 0x7ffff2519c6f7617u, 0x1bbe35e337d68d30u },
    };
    uint64_t hash = 0xcbf29ce484222325u;
    for (const Function *f = functions; f < functions + FUNCTIONS; f++)
        for (int power = 3; power <= 12; power += 3)
            for (int part = -10; part < 10; part++) {
                real x[WIDEST], y[WIDEST];
                for (int i = 0; i < WIDEST; i++)
                    x[i] = (real)ldexp(part * WIDEST + i, -power);
                f->kernel(y, x, WIDEST);
                hash = hash_of(hash, y, sizeof y);
            }
    if (hash != frozen[REAL_IS_DOUBLE][kernels_fuse()])
        fail_msg("the hash of all results is 0x%llx", (unsigned long long)hash);
}

static void tanh_should_keep_the_sign_of_zero(void **state)
{
    (void)state;
    real x[] = { 0, -(real)0.0 };
    vector_tanh(x, 2);
    assert_true(x[0] == 0 && !signbit(x[0]) && x[1] == 0 && signbit(x[1]));
}

static void relu_backward_should_pass_what_relu_passed(void **state)
{
    (void)state;
    for (int n = 1; n <= WIDEST; n++)
        for (int first = 0; first < SPECIALS; first++) {
            real y[WIDEST], dx[WIDEST];
            for (int i = 0; i < n; i++) {
                y[i] = special((size_t)(first + i));
                dx[i] = 2;
            }
            vector_relu(y, (size_t)n);
            vector_relu_backward(dx, y, (size_t)n);
            for (int i = 0; i < n; i++) assert_true(dx[i] == (y[i] == 0 ? 0 : 2));
        }
}

/* x (n), other numbers at each position. */
static void ordinary(real *x, int n)
{
    for (int i = 0; i < n; i++) x[i] = (real)(1 + i % 7) / 8;
}

static void what_is_absorbed_should_be_added_and_leave_zeros(void **state)
{
    (void)state;
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

static void sums_should_be_no_number_where_one_of_them_is_none(void **state)
{
    (void)state;
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
            assert_true(isnan(vector_absolute_largest(x, n)));
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
    (void)state;
    const double specials[] = { REAL_MAX, INFINITY, 2 };
    for (int n = 1; n <= WIDEST; n++)
        for (int at = 0; at < n; at++)
            for (size_t s = 0; s < sizeof specials / sizeof *specials; s++) {
                real x[WIDEST], largest[2];
                ordinary(x, n);
                x[at] = (real)specials[s];
                assert_true(vector_largest(largest, x, n) == x[at]);
                assert_true(largest[at / VECTOR_BLOCK] == x[at]);
                assert_true(vector_absolute_largest(x, n) == x[at]);
                x[at] = -x[at];
                assert_true(vector_absolute_largest(x, n) == -x[at]);
                for (int i = 0; i < n; i++) x[i] = -x[i] - (real)specials[s];
                x[at] = -(real)specials[s];
                assert_true(vector_largest(largest, x, n) == (s == 1 ? -(real)INFINITY : x[at]));
            }
}

/* By the bounds of vector.h, up to numbers of which all but the greatest count as nothing. */
static void sums_of_exp_should_be_near(void **state)
{
    (void)state;
    for (int n = 1; n <= WIDEST; n++)
        for (double spread = 0.5; spread < 2000; spread *= 1.5) {
            real x[WIDEST], largest[2], sum[4];
            double want[4] = { 0 };
            ordinary(x, n);
            for (int i = 0; i < n; i++) x[i] *= (real)spread;
            const double greatest = (double)vector_exp_sums(largest, sum, x, n);
            for (int i = 0; i < n; i++) {
                const double e = exp((double)x[i] - greatest);
                const double light = e < (double)VECTOR_LIGHT ? e : 0;
                want[0] += e;
                want[1] += light;
                want[2] += e * e;
                want[3] += light * light;
            }
            assert_true((real)greatest == vector_largest(largest, x, n));
            for (int k = 0; k < 4; k++) {
                const double off = k < 2 ? 0x1p-14 : 0x1p-13;
                assert_true(fabs((double)sum[k] - want[k]) <= off * want[k] + n * 2e-35);
            }
        }
}

/* Of numbers between multiples of a unit, and far from the middle of two. */
static void rounding_should_be_the_squares_of_what_multiples_of_a_unit_leave(void **state)
{
    (void)state;
    const double units[] = { 0.25, 0.3 / 127, 1e-15 };
    for (int n = 1; n <= WIDEST; n++)
        for (int u = 0; u < 3; u++) {
            const real unit = (real)units[u];
            real x[WIDEST];
            double want = 0;
            for (int i = 0; i < n; i++) {
                const double multiple = (i * 37 % 1000 - 500) * (i % 5 ? 1 : 1000);
                x[i] = (real)((double)unit * (multiple + (i % 7 - 3) / 10.));
                const double lost = (double)x[i] - (double)unit * multiple;
                want += lost * lost;
            }
            assert_true(fabs(vector_rounding(x, unit, n) - want) <= 1e-8 * want);
        }
}

/* 0, a number below, perhaps so far that its exp is not normal or 0; and the rest at -infinity. */
static void softmax_should_be_right_on_the_whole_real_line(void **state)
{
    (void)state;
    for (int n = 2; n <= WIDEST; n++)
        for (size_t i = 1; i < SPECIALS; i += 2) {
            const double below = (double)special(i);
            if (isnan(below)) continue;
            for (int at = 0; at < n - 1; at += n / 5 + 1) {
                real x[WIDEST], largest[2];
                for (int j = 0; j < n; j++) x[j] = -(real)INFINITY;
                x[n - 1] = 0;
                x[at] = (real)below;
                const long double e = expl((long double)below);
                const real alone = vector_log_sum_exp(largest, x, n);
                const real returned = vector_softmax(x, n);
                assert_true(fabsl((long double)alone - log1pl(e)) <= 4 * (long double)epsilon);
                assert_true(alone == returned);
                assert_right("softmax", 4, (real)below, x[at], e / (1 + e));
                assert_right("softmax", 4, (real)below, x[n - 1], 1 / (1 + e));
                for (int j = 0; j < n - 1; j++)
                    if (j != at) assert_true(x[j] == 0);
            }
        }
}

/* m and v of zero, not normal, large, infinite; a gradient of none is none. */
static void adam_should_bear_any_moments(void **state)
{
    (void)state;
    const real beta1 = (real)0.5, beta2 = (real)0.75, keep = (real)0.875;
    for (int n = 1; n <= WIDEST; n++)
        for (int first = 0; first < SPECIALS; first++) {
            real w[WIDEST], m[WIDEST], v[WIDEST], g[WIDEST] = { 0 };
            for (int i = 0; i < n; i++) {
                w[i] = 1;
                m[i] = 0;
                v[i] = REAL(fabs)(special((size_t)(first + i)));
            }
            if (first % 3 == 0) g[n / 2] = NAN;
            const VectorAdam by = { 1, 1, beta1, beta2, (real)1e-8, keep };
            vector_adam(w, m, v, g, by, (size_t)n);
            for (int i = 0; i < n; i++) {
                const real before = REAL(fabs)(special((size_t)(first + i)));
                const int is_none = isnan(before) || isnan(g[i]);
                assert_true(is_none ? isnan(w[i]) : w[i] == keep);
                assert_true(is_none ? isnan(v[i]) : v[i] == beta2 * before);
            }
        }
}

/* Everything that is linear: y += x, y *= a, y = a y + b, y += a x, and the sums. */
static void linear_kernels_should_match_their_formulas_at_every_length(void **state)
{
    (void)state;
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

static void the_other_sums_should_match_their_formulas_at_every_width(void **state)
{
    (void)state;
    const double a = 0.375, threshold = 0.25;
    for (size_t n = 1; n <= WIDEST; n++) {
        Heap heap = { 0 };
        real *x = heap_random(&heap, n), *y = heap_random(&heap, n);
        double *want = heap_widened(&heap, y, n), absolute = 0, largest = 0, count = 0, above = 0;
        x[n / 2] = (real)threshold;
        for (size_t i = 0; i < n; i++) {
            const double xi = (double)x[i];
            want[i] += a * (xi - want[i]);
            absolute += fabs(xi);
            largest = fmax(largest, fabs(xi));
            count += xi >= threshold;
            above += xi >= threshold ? xi : 0;
        }
        vector_approach(y, (real)a, x, n);
        assert_near(y, want, n, 3);
        assert_near(&(real){ vector_absolute_sum(x, (int)n) }, &absolute, 1, n);
        assert_true((double)vector_absolute_largest(x, (int)n) == largest);
        assert_true(vector_count_from(x, (int)n, (real)threshold) == count);
        assert_true(vector_sum_from(x, (int)n, (real)threshold) == above);
        heap_free(&heap);
    }
}

static void adam_should_match_its_formula_at_every_width(void **state)
{
    (void)state;
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

static void square_sum_should_not_overflow_a_float(void **state)
{
    (void)state;
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
    (void)state;
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

/* ---- GRU gates: as a step of the twin whose input product is the identity ---- */

typedef struct {
    Heap  heap;
    int   H;
    real *input, *u, *previous, *dh;    /* (3H) (3H) (H) (H) */
    real *gates, *un, *h;               /* (3H) (H) (H)  forward's outputs */
} Gates;

static Gates gates_of(int H)
{
    Gates g = { .H = H };
    const size_t n = (size_t)H;
    g.input = heap_random(&g.heap, 3 * n);
    g.u = heap_random(&g.heap, 3 * n);
    g.previous = heap_random(&g.heap, n);
    g.dh = heap_random(&g.heap, n);
    g.gates = heap_zeros(&g.heap, 3 * n);
    g.un = heap_zeros(&g.heap, n);
    g.h = heap_zeros(&g.heap, n);
    return g;
}

static void gates_forward(Gates *g)
{
    memcpy(g->gates, g->input, 3 * (size_t)g->H * sizeof *g->gates);
    vector_gru(g->h, g->gates, g->un, g->u, g->previous, g->H);
}

/* With W = 0, b = input, U = 0 and c = u the twin's step is this row. */
static void gates_twin(double *h, const Gates *g)
{
    Heap heap = { 0 };
    const size_t n = (size_t)g->H;
    const CellWeights w = { .W = { .weights = heap_zeros(&heap, 3 * n) },
                            .U = { .weights = heap_zeros(&heap, 3 * n * n) }, .b = g->input,
                            .c = g->u };
    naive_gru(h, heap_zeros(&heap, 1), g->previous, &w, 1, 0, 1, g->H);
    heap_free(&heap);
}

static double gates_objective(void *context)
{
    const Gates *g = context;
    Heap heap = { 0 };
    double *h = heap_doubles(&heap, (size_t)g->H), sum = 0;
    gates_twin(h, g);
    for (int j = 0; j < g->H; j++)
        sum += (double)g->dh[j] * h[j];
    heap_free(&heap);
    return sum;
}

static void gru_gates_should_match_the_equations_at_every_width(void **state)
{
    (void)state;
    for (size_t n = 1; n <= WIDEST; n++) {
        Gates g = gates_of((int)n);
        double *h = heap_doubles(&g.heap, n);
        gates_twin(h, &g);
        gates_forward(&g);
        assert_near(g.h, h, n, 2 * LIBRARY);
        assert_memory_equal(g.un, g.u + 2 * g.H, n * sizeof(real));
        heap_free(&g.heap);
    }
}

static void gru_gates_should_saturate_without_overflow_at_every_width(void **state)
{
    (void)state;
    const real far = 1000, previous = (real)0.25;
    const struct { real r, z, n, h; } cases[] = {
        { far, -far, far, 1 }, { -far, -far, -far, -1 }, { far, far, far, previous },
        { -far, far, -far, previous },
    };
    for (int H = 1; H <= WIDEST; H++)
        for (int first = 0; first < 4; first++) {
            real gates[3 * WIDEST], u[3 * WIDEST] = { 0 }, un[WIDEST], h[WIDEST], before[WIDEST];
            for (int j = 0; j < H; j++) {
                gates[j] = cases[(first + j) % 4].r;
                gates[H + j] = cases[(first + j) % 4].z;
                gates[2 * H + j] = cases[(first + j) % 4].n;
                before[j] = previous;
            }
            vector_gru(h, gates, un, u, before, H);
            for (int j = 0; j < H; j++) {
                assert_true(h[j] == cases[(first + j) % 4].h);
                assert_true(gates[j] == (cases[(first + j) % 4].r > 0 ? 1 : 0));
            }
        }
}

static void gru_gates_backward_should_be_the_gradient(void **state)
{
    (void)state;
    for (size_t n = 1; n <= WIDEST; n += n < 34 ? 1 : 9) {     /* the twin costs n² a value */
        Gates g = gates_of((int)n);
        real *dgates = heap_zeros(&g.heap, 3 * n), *du = heap_zeros(&g.heap, 3 * n);
        real *dprevious = heap_random(&g.heap, n);
        gates_forward(&g);
        vector_gru_backward(dgates, du, dprevious, g.dh, g.gates, g.un, g.previous, g.H);
        assert_gradient(dgates, g.input, 3 * n, gates_objective, &g, 4 * LIBRARY);
        assert_gradient(du, g.u, 3 * n, gates_objective, &g, 4 * LIBRARY);
        assert_gradient(dprevious, g.previous, n, gates_objective, &g, 4 * LIBRARY);

        /* in place, as the layers call it */
        vector_gru_backward(g.gates, du, g.dh, g.dh, g.gates, g.un, g.previous, g.H);
        assert_near(g.gates, heap_widened(&g.heap, dgates, 3 * n), 3 * n, 4);
        assert_near(g.dh, heap_widened(&g.heap, dprevious, n), n, 4);
        heap_free(&g.heap);
    }
}

/* ---- LSTM gates ---- */

typedef struct {
    int   H;
    real *input, *previous, *dstate;    /* (4H) (2H) (2H) */
} Lstm;

/* state (2H) by the equations of cell_lstm.h, the state's part zero */
static void lstm_twin(double *state, const Lstm *g)
{
    const int H = g->H;
    for (int j = 0; j < H; j++) {
        const double i = (double)sigmoid((long double)g->input[j]);
        const double f = (double)sigmoid((long double)g->input[H + j]);
        const double o = (double)sigmoid((long double)g->input[3 * H + j]);
        state[H + j] = f * (double)g->previous[H + j] + i * tanh((double)g->input[2 * H + j]);
        state[j] = o * tanh(state[H + j]);
    }
}

static double lstm_objective(void *context)
{
    const Lstm *g = context;
    double state[2 * WIDEST], sum = 0;
    lstm_twin(state, g);
    for (int j = 0; j < 2 * g->H; j++) sum += (double)g->dstate[j] * state[j];
    return sum;
}

static void lstm_gates_and_their_gradients_should_match_at_every_width(void **unused)
{
    (void)unused;
    for (int H = 1; H <= WIDEST; H++) {
        Heap heap = { 0 };
        const size_t n = (size_t)H;
        Lstm g = { H, heap_random(&heap, 4 * n), heap_random(&heap, 2 * n),
                   heap_random(&heap, 2 * n) };
        real *gates = heap_zeros(&heap, 4 * n), *zeros = heap_zeros(&heap, 4 * n);
        real *state = heap_zeros(&heap, 2 * n), *tanh_m = heap_zeros(&heap, n);
        real *dstate = heap_zeros(&heap, 2 * n);
        double *want = heap_doubles(&heap, 2 * n);
        memcpy(gates, g.input, 4 * n * sizeof *gates);
        memcpy(dstate, g.dstate, 2 * n * sizeof *dstate);
        lstm_twin(want, &g);
        vector_lstm(state, gates, tanh_m, zeros, g.previous, H);
        assert_near(state, want, 2 * n, 2 * LIBRARY);
        vector_lstm_backward(gates, dstate, tanh_m, g.previous, H);
        assert_gradient(gates, g.input, 4 * n, lstm_objective, &g, 4 * LIBRARY);
        assert_gradient(dstate + n, g.previous + n, n, lstm_objective, &g, 4 * LIBRARY);
        for (size_t j = 0; j < n; j++) assert_true(dstate[j] == 0);
        heap_free(&heap);
    }
}

/* ---- layer normalisation ---- */

typedef struct { real *x; NormWeights w; const real *dy; int n; } Norm;

static double norm_objective(void *context)
{
    const Norm *g = context;
    double y[WIDEST], sum = 0;
    for (int i = 0; i < g->n; i++) y[i] = (double)g->x[i];
    naive_layer_norm(y, y, &g->w, g->n);
    for (int i = 0; i < g->n; i++) sum += (double)g->dy[i] * y[i];
    return sum;
}

/* From width 3 on: of two numbers only the sign of their difference is left. */
static void normalisation_and_its_gradients_should_match_at_every_width(void **state)
{
    (void)state;
    for (size_t n = 3; n <= WIDEST; n++) {
        Heap heap = { 0 };
        const double operations = 4 * LIBRARY + (double)n;
        const NormWeights w = { heap_random(&heap, n), heap_random(&heap, n) };
        Norm g = { heap_random(&heap, n), w, heap_random(&heap, n), (int)n };
        for (size_t i = 0; i < n; i++) g.x[i] = (real)(i % 3) - g.x[i] / 4;
        real *y = heap_zeros(&heap, n), *u = heap_zeros(&heap, n), *dx = heap_zeros(&heap, n);
        real *dgain = heap_zeros(&heap, n), *dbias = heap_zeros(&heap, n);
        double *want = heap_widened(&heap, g.x, n);
        naive_layer_norm(want, want, &w, (int)n);
        const real rstd = vector_normalize(y, u, g.x, w.gain, w.bias, (int)n);
        assert_near(y, want, n, operations);
        vector_normalize_backward(dx, dgain, dbias, g.dy, u, rstd, w.gain, (int)n);
        assert_gradient(dx, g.x, n, norm_objective, &g, operations);
        assert_gradient(dgain, w.gain, n, norm_objective, &g, operations);
        assert_gradient(dbias, w.bias, n, norm_objective, &g, operations);
        heap_free(&heap);
    }
}

/* ---- tanh, additive score, softmax ---- */

typedef struct { real *x; const real *dy; size_t n; } Row;

static double tanh_objective(void *context)
{
    const Row *row = context;
    double sum = 0;
    for (size_t i = 0; i < row->n; i++)
        sum += (double)row->dy[i] * tanh((double)row->x[i]);
    return sum;
}

static void tanh_backward_should_be_the_gradient_at_every_width(void **state)
{
    (void)state;
    for (size_t n = 1; n <= WIDEST; n++) {
        Heap heap = { 0 };
        real *x = heap_random(&heap, n), *y = heap_zeros(&heap, n), *dx = heap_random(&heap, n);
        real *dy = heap_zeros(&heap, n);
        memcpy(y, x, n * sizeof *y);
        memcpy(dy, dx, n * sizeof *dy);
        vector_tanh(y, n);
        vector_tanh_backward(dx, y, n);
        Row row = { x, dy, n };
        assert_gradient(dx, x, n, tanh_objective, &row, LIBRARY);
        heap_free(&heap);
    }
}

typedef struct { real *q, *k, *v; double de; int A; } Additive;

static double additive_objective(void *context)
{
    const Additive *s = context;
    double sum = 0;
    for (int a = 0; a < s->A; a++)
        sum += (double)s->v[a] * tanh((double)s->q[a] + (double)s->k[a]);
    return s->de * sum;
}

static void additive_score_and_its_gradients_should_match_at_every_width(void **state)
{
    (void)state;
    for (size_t n = 1; n <= WIDEST; n++) {
        Heap heap = { 0 };
        const double operations = LIBRARY + (double)n;
        Additive s = { heap_random(&heap, n), heap_random(&heap, n), heap_random(&heap, n), -1.25,
                       (int)n };
        real *dq = heap_zeros(&heap, n), *dk = heap_zeros(&heap, n), *dv = heap_zeros(&heap, n);
        double score = additive_objective(&s) / s.de;
        assert_near(&(real){ vector_additive(s.q, s.k, s.v, s.A) }, &score, 1, operations);
        vector_additive_backward(dq, dk, dv, (real)s.de, s.q, s.k, s.v, s.A);
        assert_gradient(dq, s.q, n, additive_objective, &s, operations);
        assert_gradient(dk, s.k, n, additive_objective, &s, operations);
        assert_gradient(dv, s.v, n, additive_objective, &s, operations);

        /* all three accumulate: again, and it is twice as much */
        vector_additive_backward(dq, dk, dv, (real)s.de, s.q, s.k, s.v, s.A);
        s.de *= 2;
        assert_gradient(dq, s.q, n, additive_objective, &s, operations);
        assert_gradient(dk, s.k, n, additive_objective, &s, operations);
        assert_gradient(dv, s.v, n, additive_objective, &s, operations);
        heap_free(&heap);
    }
}

static void softmax_should_match_plain_c_at_every_length(void **state)
{
    (void)state;
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

static double softmax_objective(void *context)
{
    const Row *row = context;
    double p[WIDEST], sum = 0;
    for (size_t i = 0; i < row->n; i++) p[i] = (double)row->x[i];
    naive_softmax(p, p, (int)row->n);
    for (size_t i = 0; i < row->n; i++) sum += (double)row->dy[i] * p[i];
    return sum;
}

static void softmax_backward_should_be_the_gradient_at_every_width(void **state)
{
    (void)state;
    for (size_t n = 1; n <= WIDEST; n++) {
        Heap heap = { 0 };
        real *x = heap_random(&heap, n), *y = heap_zeros(&heap, n), *dx = heap_random(&heap, n);
        real *dy = heap_zeros(&heap, n);
        memcpy(y, x, n * sizeof *y);
        memcpy(dy, dx, n * sizeof *dy);
        vector_softmax(y, (int)n);
        vector_softmax_backward(dx, y, (int)n);
        Row row = { x, dy, n };
        assert_gradient(dx, x, n, softmax_objective, &row, LIBRARY + (double)n);
        heap_free(&heap);
    }
}

static void softmax_should_bear_numbers_whose_exp_overflows(void **state)
{
    (void)state;
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
        cmocka_unit_test(functions_should_be_right_on_the_whole_real_line_at_every_width),
        cmocka_unit_test(functions_should_be_right_to_the_last_places_everywhere_between),
        cmocka_unit_test(functions_should_give_the_same_bits_at_every_width),
        cmocka_unit_test(functions_should_give_the_same_bits_everywhere),
        cmocka_unit_test(tanh_should_keep_the_sign_of_zero),
        cmocka_unit_test(relu_backward_should_pass_what_relu_passed),
        cmocka_unit_test(sums_should_be_no_number_where_one_of_them_is_none),
        cmocka_unit_test(the_largest_should_be_found_at_every_position),
        cmocka_unit_test(sums_of_exp_should_be_near),
        cmocka_unit_test(rounding_should_be_the_squares_of_what_multiples_of_a_unit_leave),
        cmocka_unit_test(softmax_should_be_right_on_the_whole_real_line),
        cmocka_unit_test(adam_should_bear_any_moments),
        cmocka_unit_test(linear_kernels_should_match_their_formulas_at_every_length),
        cmocka_unit_test(what_is_absorbed_should_be_added_and_leave_zeros),
        cmocka_unit_test(the_other_sums_should_match_their_formulas_at_every_width),
        cmocka_unit_test(adam_should_match_its_formula_at_every_width),
        cmocka_unit_test(square_sum_should_not_overflow_a_float),
        cmocka_unit_test(bfloat16_should_be_the_nearest_number_of_16_bits),
        cmocka_unit_test(gru_gates_should_match_the_equations_at_every_width),
        cmocka_unit_test(gru_gates_should_saturate_without_overflow_at_every_width),
        cmocka_unit_test(gru_gates_backward_should_be_the_gradient),
        cmocka_unit_test(lstm_gates_and_their_gradients_should_match_at_every_width),
        cmocka_unit_test(normalisation_and_its_gradients_should_match_at_every_width),
        cmocka_unit_test(tanh_backward_should_be_the_gradient_at_every_width),
        cmocka_unit_test(additive_score_and_its_gradients_should_match_at_every_width),
        cmocka_unit_test(softmax_should_match_plain_c_at_every_length),
        cmocka_unit_test(softmax_backward_should_be_the_gradient_at_every_width),
        cmocka_unit_test(softmax_should_bear_numbers_whose_exp_overflows),
    };
    return run_with_each_vector_row(tests, sizeof tests / sizeof *tests);
}
