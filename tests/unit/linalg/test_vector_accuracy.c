/* test_vector_accuracy.c - functions of numbers from anywhere on the real line, infinite ones and
 * NaN, at every width and position: within the bounds of vector.h, and the same bits everywhere.
 */
#include "each_row.h"

#include <float.h>
#include <string.h>

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

/* The functions of one number, as a kernel computes y (n) = f(x). */
typedef void VectorFunction(real *y, const real *x, int n);

#define IN_PLACE(name) \
    static void by_##name(real *y, const real *x, int n) \
    { \
        memcpy(y, x, (size_t)n * sizeof *y); \
        vector_##name(y, (size_t)n); \
    }
IN_PLACE(tanh)
IN_PLACE(relu)
IN_PLACE(log)

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
    VectorFunction *kernel;
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

static void assert_all_right(const Function *f, const real *x, int n)
{
    real y[WIDEST];
    f->kernel(y, x, n);
    for (int i = 0; i < n; i++)
        assert_right(f->name, f->units, x[i], y[i], f->right((long double)x[i]));
}

static void functions_should_be_right_on_the_whole_real_line_at_every_width(void **state)
{
    for (const Function *f = functions; f < functions + FUNCTIONS; f++)
        for (size_t n = 1; n <= WIDEST; n++)
            for (size_t first = n % 8; first < SPECIALS; first += 8) {
                real x[WIDEST];
                for (size_t i = 0; i < n; i++) x[i] = special(first + i);
                assert_all_right(f, x, (int)n);
            }
}

/* From -reach to reach. */
static void functions_should_be_right_to_the_last_places_everywhere_between(void **state)
{
    const double reaches[] = { 1e-6, 0.1, 2, 20, 120, 800, 1e4 };
    for (const Function *f = functions; f < functions + FUNCTIONS; f++)
        for (size_t r = 0; r < sizeof reaches / sizeof *reaches; r++)
            for (int part = 0; part < 20; part++) {
                real x[WIDEST];
                for (int i = 0; i < WIDEST; i++)
                    x[i] = (real)(reaches[r] * (2 * (part * WIDEST + i + 0.5) / (20 * WIDEST) - 1));
                assert_all_right(f, x, WIDEST);
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
    real x[] = { 0, -(real)0.0 };
    vector_tanh(x, 2);
    assert_true(x[0] == 0 && !signbit(x[0]) && x[1] == 0 && signbit(x[1]));
}

static void relu_backward_should_pass_what_relu_passed(void **state)
{
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

/* x p(x) and its derivative; p = sigmoid(a x + b x³), or the normal distribution where a is 0. How
 * far the rounding of what exp is taken of goes: `exponent` units of p. */
typedef struct { long double value, slope, exponent; } Gated;

static Gated gated(long double x, long double a, long double b)
{
    if (isinf(x)) return (Gated){ x > 0 ? x : 0, x > 0, 0 };
    const long double u = a != 0 ? a * x + b * x * x * x : x * x / 2;
    const long double p = a != 0 ? sigmoid(u) : erfcl(-x / sqrtl(2)) / 2;
    const long double dp = a != 0 ? p * sigmoid(-u) * (a + 3 * b * x * x) : expl(-u) / sqrtl(2 * acosl(-1));
    return (Gated){ x * p, p + (dp == 0 ? 0 : x * dp), x < 0 ? fabsl(u) : 0 };
}

static void assert_gated(real x, real a, real b)
{
    const Gated want = gated((long double)x, (long double)a, (long double)b);
    const long double allowed = (12 + 4 * want.exponent) * (long double)epsilon;
    real y = x, slope = 1;
    if (a != 0) vector_gate(&y, a, b, 1);
    else vector_gelu(&y, 1);
    if (a != 0) vector_gate_backward(&slope, &x, a, b, 1);
    else vector_gelu_backward(&slope, &x, 1);
    if (isnan(x)) {
        assert_true(isnan(y) && isnan(slope));
        return;
    }
    if (isinf(want.value) ? y != x
        : fabsl((long double)y - want.value) > allowed * fabsl(want.value) + 1000 * smallest)
        fail_msg("%g: %.17g instead of %.17Lg", (double)x, (double)y, want.value);
    if (fabsl((long double)slope - want.slope) > 32 * (long double)epsilon)
        fail_msg("the slope at %g is %.17g instead of %.17Lg", (double)x, (double)slope, want.slope);
}

static void gates_should_be_right_with_their_slopes(void **state)
{
    const real kinds[][2] = { { 1, 0 }, { (real)1.702, 0 }, { (real)1.6, (real)0.07 }, { 0, 0 } };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        for (size_t i = 0; i < SPECIALS; i++)
            if (!(REAL(fabs)(special(i)) > 1e30f && isfinite(special(i))))
                assert_gated(special(i), kinds[k][0], kinds[k][1]);
        for (int i = -3000; i <= 3000; i++)
            assert_gated((real)(i / 128.0), kinds[k][0], kinds[k][1]);
    }
}

/* 0, a number below, perhaps so far that its exp is not normal or 0; and the rest at -infinity. */
static void softmax_should_be_right_on_the_whole_real_line(void **state)
{
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_should_be_right_on_the_whole_real_line_at_every_width),
        cmocka_unit_test(functions_should_be_right_to_the_last_places_everywhere_between),
        cmocka_unit_test(functions_should_give_the_same_bits_everywhere),
        cmocka_unit_test(tanh_should_keep_the_sign_of_zero),
        cmocka_unit_test(relu_backward_should_pass_what_relu_passed),
        cmocka_unit_test(gates_should_be_right_with_their_slopes),
        cmocka_unit_test(softmax_should_be_right_on_the_whole_real_line),
        cmocka_unit_test(adam_should_bear_any_moments),
    };
    return run_with_each_vector_row(tests, sizeof tests / sizeof *tests);
}
