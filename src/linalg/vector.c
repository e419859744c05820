/* vector.c - elementwise kernels: see vector.h for the laws they keep.
 *
 * Plain C that compilers vectorise without fast-math: exp, tanh, sigmoid and log have no branches,
 * and the code fixes the order of sums. So the compiler and its vectors change no result.
 */
#include "linalg/vector.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The exponent of a real begins at bit EXPONENT_AT and is BIAS too high; HALF_SQRT are the bits of
 * sqrt(1/2). SHIFT + x is x rounded to an integer, which is in its last bits. LN2_HIGH times an
 * exponent is exact. Below LOWEST exp is 0; above it 2^(k + RAISED) is a normal number, where
 * LOWERED = 2^-RAISED. From 2x = SATURATED on tanh x is 1. */
#ifdef REAL_DOUBLE
typedef uint64_t Bits;
typedef int64_t  SignedBits;
enum { EXPONENT_AT = 52, BIAS = 1023, RAISED = 512, EXP_TERMS = 13, LOG_TERMS = 11 };
#define HALF_SQRT 0x3fe6a09e667f3bcdu
#define SHIFT     0x1.8p52
#define LOG2_E    0x1.71547652b82fep0
#define LN2_HIGH  0x1.62e42feep-1
#define LN2_LOW   0x1.a39ef35793c76p-33
#define LOWEST    (-746.0)
#define LOWERED   0x1p-512
#define SATURATED 40.0
#else
typedef uint32_t Bits;
typedef int32_t  SignedBits;
enum { EXPONENT_AT = 23, BIAS = 127, RAISED = 64, EXP_TERMS = 7, LOG_TERMS = 5 };
#define HALF_SQRT 0x3f3504f3u
#define SHIFT     0x1.8p23f
#define LOG2_E    0x1.715476p0f
#define LN2_HIGH  0x1.63p-1f
#define LN2_LOW   (-0x1.bd0106p-13f)
#define LOWEST    (-104.0f)
#define LOWERED   0x1p-64f
#define SATURATED 20.0f
#endif

/* ---- exp, tanh, sigmoid, log of one number ---- */

static inline Bits bits_of(real x)
{
    Bits bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline real number_of(Bits bits)
{
    real x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* a b + c, rounded once on CPUs that can. */
static inline real multiply_add(real a, real b, real c)
{
#if defined __FMA__ || defined __ARM_FEATURE_FMA
    return REAL(fma)(a, b, c);
#else
    return a * b + c;
#endif
}

/* exp(x) = 2^k (1 + r series), power = 2^(k + raised) */
typedef struct { real power, r, series; } Exponential;

/* x = k ln 2 + r, |r| <= ln 2 / 2 and a little; exp(r) by Taylor's series: what is left off is
 * below 5.3e-9 in float, 4.2e-18 in double. */
static inline Exponential exponential(real x, int raised)
{
    static const real inverse_factorial[] = {
        1, (real)(1 / 2.), (real)(1 / 6.), (real)(1 / 24.), (real)(1 / 120.), (real)(1 / 720.),
        (real)(1 / 5040.), (real)(1 / 40320.), (real)(1 / 362880.), (real)(1 / 3628800.),
        (real)(1 / 39916800.), (real)(1 / 479001600.), (real)(1 / 6227020800.),
    };
    const real shift = SHIFT + (real)(BIAS + raised);
    const real shifted = multiply_add(x, LOG2_E, shift), k = shifted - shift;
    const real r = multiply_add(k, -LN2_LOW, multiply_add(k, -LN2_HIGH, x));
    real series = inverse_factorial[EXP_TERMS - 1];
#pragma GCC unroll 16
    for (int i = EXP_TERMS - 2; i >= 0; i--) series = multiply_add(series, r, inverse_factorial[i]);
    return (Exponential){ number_of(bits_of(shifted) << EXPONENT_AT), r, series };
}

/* exp(x), x <= 0. Where the result is no normal number, the last factor rounds it, once. */
static inline real exp_of(real x)
{
    const Exponential e = exponential(x < LOWEST ? LOWEST : x, RAISED);
    return multiply_add(e.r, e.series, 1) * e.power * LOWERED;
}

/* tanh |x| = e / (e + 2), e = exp(2|x|) - 1 */
static inline real tanh_of(real x)
{
    const real twice = 2 * REAL(fabs)(x);
    const Exponential y = exponential(twice > SATURATED ? SATURATED : twice, 0);
    const real e = multiply_add(y.power, y.r * y.series, y.power - 1);
    return REAL(copysign)(e / (e + 2), x);
}

static inline real sigmoid_of(real x)
{
    const real e = exp_of(-REAL(fabs)(x));
    return (x < 0 ? e : 1) / (1 + e);
}

/* log x, x >= REAL_MIN. x = 2^k m, m from sqrt(1/2) to sqrt(2), and with s = (m - 1) / (m + 1)
 *
 *   log m = 2 (s + s³/3 + s^5/5 + ...)
 *
 * What is left off is below 2.1e-9 log m in float, 6.3e-19 log m in double. */
static inline real log_of(real x)
{
    const Bits one = (Bits)BIAS << EXPONENT_AT;
    const Bits k = ((bits_of(x) + (one - HALF_SQRT)) >> EXPONENT_AT) - BIAS;
    const real m = number_of(bits_of(x) - (k << EXPONENT_AT)), s = (m - 1) / (m + 1);
    real series = (real)(1. / (2 * LOG_TERMS - 1));
#pragma GCC unroll 16
    for (int i = LOG_TERMS - 2; i >= 0; i--)
        series = multiply_add(series, s * s, (real)(1. / (2 * i + 1)));
    const real exponent = (real)(SignedBits)k;
    const real low = multiply_add(exponent, LN2_LOW, 2 * s * series);
    return x <= REAL_MAX ? multiply_add(exponent, LN2_HIGH, low) : x;
}

/* ---- sums and the largest: LANES of them, side by side ---- */

enum { LANES = 16 };

/* Statement for each i from 0 to n - 1; l = i mod LANES. */
#define IN_LANES(i, l, n, statement) \
    do { \
        size_t begin = 0, rest = (size_t)(n) % LANES; \
        for (; begin + LANES <= (size_t)(n); begin += LANES) \
            _Pragma("omp simd") \
            for (size_t l = 0; l < LANES; l++) { \
                const size_t i = begin + l; \
                statement; \
            } \
        for (size_t l = 0; l < rest; l++) { \
            const size_t i = begin + l; \
            statement; \
        } \
    } while (0)

static inline real sum_of_lanes(const real *lane)
{
    real eight[8], four[4];
    for (int l = 0; l < 8; l++) eight[l] = lane[l] + lane[l + 8];
    for (int l = 0; l < 4; l++) four[l] = eight[l] + eight[l + 4];
    return (four[0] + four[2]) + (four[1] + four[3]);
}

static inline double sum_of_double_lanes(const double *lane)
{
    double sum = 0;
    for (int l = 0; l < LANES; l++) sum += lane[l];
    return sum;
}

/* b where one of them is NaN. */
static inline real greater(real a, real b)
{
    return a > b ? a : b;
}

/* The largest of those that are not NaN; -infinity if none is. */
static inline real largest_of(const real *x, int n)
{
    real lane[LANES], largest = -(real)INFINITY;
    for (int l = 0; l < LANES; l++) lane[l] = largest;
    IN_LANES(i, l, n, lane[l] = greater(x[i], lane[l]));
    for (int l = 0; l < LANES; l++) largest = greater(lane[l], largest);
    return largest;
}

/* y (half) = the greater of each number of x (2 half) and the one half a row on; y may be x */
static inline void halve(real *y, const real *x, int half)
{
#pragma omp simd
    for (int i = 0; i < half; i++) y[i] = greater(x[i], x[i + half]);
}

static inline real largest_of_block(const real *x)
{
    real y[VECTOR_BLOCK / 2];
    halve(y, x, VECTOR_BLOCK / 2);
    halve(y, y, VECTOR_BLOCK / 4);
    halve(y, y, VECTOR_BLOCK / 8);
    halve(y, y, VECTOR_BLOCK / 16);
    return greater(greater(y[0], y[2]), greater(y[1], y[3]));
}

/* `otherwise`, or NaN if one of x (n) is. */
static inline real nan_or(real otherwise, const real *x, int n)
{
    SignedBits lane[LANES] = { 0 }, any = 0;
    IN_LANES(i, l, n, lane[l] |= x[i] != x[i]);
    for (int l = 0; l < LANES; l++) any |= lane[l];
    return any ? (real)NAN : otherwise;
}

/* ---- linear kernels ---- */

void vector_tanh(real *x, size_t n)
{
    for (size_t i = 0; i < n; i++) x[i] = tanh_of(x[i]);
}

void vector_tanh_backward(real *restrict dx, const real *restrict y, size_t n)
{
    for (size_t i = 0; i < n; i++) dx[i] *= 1 - y[i] * y[i];
}

void vector_relu(real *x, size_t n)
{
    for (size_t i = 0; i < n; i++) x[i] = x[i] < 0 ? 0 : x[i];
}

void vector_relu_backward(real *restrict dx, const real *restrict y, size_t n)
{
    for (size_t i = 0; i < n; i++) dx[i] = y[i] <= 0 ? 0 : dx[i];
}

void vector_add(real *restrict y, const real *restrict x, size_t n)
{
    for (size_t i = 0; i < n; i++) y[i] += x[i];
}

void vector_scale(real *y, real a, size_t n)
{
    for (size_t i = 0; i < n; i++) y[i] *= a;
}

void vector_affine(real *y, real a, real b, size_t n)
{
    for (size_t i = 0; i < n; i++) y[i] = multiply_add(a, y[i], b);
}

real vector_dot(const real *restrict x, const real *restrict y, size_t n)
{
    real lane[LANES] = { 0 };
    IN_LANES(i, l, n, lane[l] = multiply_add(x[i], y[i], lane[l]));
    return sum_of_lanes(lane);
}

real vector_sum(const real *x, int n)
{
    real lane[LANES] = { 0 };
    IN_LANES(i, l, n, lane[l] += x[i]);
    return sum_of_lanes(lane);
}

real vector_absolute_sum(const real *x, int n)
{
    real lane[LANES] = { 0 };
    IN_LANES(i, l, n, lane[l] += REAL(fabs)(x[i]));
    return sum_of_lanes(lane);
}

real vector_absolute_largest(const real *x, int n)
{
    real lane[LANES] = { 0 }, largest = 0;
    IN_LANES(i, l, n, lane[l] = greater(REAL(fabs)(x[i]), lane[l]));
    for (int l = 0; l < LANES; l++) largest = greater(lane[l], largest);
    return nan_or(largest, x, n);
}

void vector_axpy(real *restrict y, real a, const real *restrict x, size_t n)
{
    for (size_t i = 0; i < n; i++) y[i] = multiply_add(a, x[i], y[i]);
}

void vector_approach(real *restrict y, real a, const real *restrict x, size_t n)
{
    for (size_t i = 0; i < n; i++) y[i] = multiply_add(a, x[i] - y[i], y[i]);
}

void vector_to_bf16(uint16_t *y, const real *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const float number = (float)x[i];
        uint32_t bits;
        memcpy(&bits, &number, sizeof bits);
        const uint32_t rounded = bits + 0x7fff + (bits >> 16 & 1), quiet = bits | 0x400000;
        y[i] = (uint16_t)((number == number ? rounded : quiet) >> 16);
    }
}

void vector_from_bf16(real *y, const uint16_t *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t bits = (uint32_t)x[i] << 16;
        float number;
        memcpy(&number, &bits, sizeof number);
        y[i] = (real)number;
    }
}

double vector_square_sum(const real *x, size_t n)
{
    double lane[LANES] = { 0 };
    IN_LANES(i, l, n, lane[l] += (double)x[i] * (double)x[i]);
    return sum_of_double_lanes(lane);
}

void vector_gru(real *restrict h, real *restrict gates, real *restrict un, const real *restrict u,
                const real *restrict previous, int H)
{
    real *restrict r = gates, *restrict z = gates + H, *restrict n = gates + 2 * H;
    for (int j = 0; j < H; j++) {
        r[j] = sigmoid_of(r[j] + u[j]);
        z[j] = sigmoid_of(z[j] + u[H + j]);
        un[j] = u[2 * H + j];
        n[j] = tanh_of(multiply_add(r[j], un[j], n[j]));
        h[j] = (1 - z[j]) * n[j] + z[j] * previous[j];
    }
}

void vector_gru_backward(real *dgates, real *restrict du, real *dprevious, const real *dh,
                         const real *gates, const real *restrict un, const real *restrict previous,
                         int H)
{
/* Outputs may be inputs: element j is read before it is written, and no other is. */
#pragma omp simd
    for (int j = 0; j < H; j++) {
        real r = gates[j], z = gates[H + j], n = gates[2 * H + j];
        real dn = dh[j] * (1 - z) * (1 - n * n);
        real dz = dh[j] * (previous[j] - n) * z * (1 - z);
        real dr = dn * un[j] * r * (1 - r);
        dgates[j] = du[j] = dr;
        dgates[H + j] = du[H + j] = dz;
        dgates[2 * H + j] = dn;
        du[2 * H + j] = dn * r;
        dprevious[j] = dh[j] * z;
    }
}

void vector_lstm(real *restrict state, real *restrict gates, real *restrict tanh_m,
                 const real *restrict u, const real *restrict previous, int H)
{
    real *restrict i = gates, *restrict f = gates + H, *restrict g = gates + 2 * H;
    real *restrict o = gates + 3 * H;
    for (int j = 0; j < H; j++) {
        i[j] = sigmoid_of(i[j] + u[j]);
        f[j] = sigmoid_of(f[j] + u[H + j]);
        g[j] = tanh_of(g[j] + u[2 * H + j]);
        o[j] = sigmoid_of(o[j] + u[3 * H + j]);
        state[H + j] = f[j] * previous[H + j] + i[j] * g[j];
        tanh_m[j] = tanh_of(state[H + j]);
        state[j] = o[j] * tanh_m[j];
    }
}

void vector_lstm_backward(real *restrict gates, real *restrict dstate, const real *restrict tanh_m,
                          const real *restrict previous, int H)
{
    for (int j = 0; j < H; j++) {
        const real i = gates[j], f = gates[H + j], g = gates[2 * H + j], o = gates[3 * H + j];
        const real dh = dstate[j], dm = dstate[H + j] + dh * o * (1 - tanh_m[j] * tanh_m[j]);
        gates[j] = dm * g * i * (1 - i);
        gates[H + j] = dm * previous[H + j] * f * (1 - f);
        gates[2 * H + j] = dm * i * (1 - g * g);
        gates[3 * H + j] = dh * tanh_m[j] * o * (1 - o);
        dstate[j] = 0;
        dstate[H + j] = dm * f;
    }
}

real vector_additive(const real *restrict q, const real *restrict k, const real *restrict v, int A)
{
    real lane[LANES] = { 0 };
    IN_LANES(a, l, A, lane[l] = multiply_add(v[a], tanh_of(q[a] + k[a]), lane[l]));
    return sum_of_lanes(lane);
}

void vector_additive_backward(real *restrict dq, real *restrict dk, real *restrict dv, real dscore,
                              const real *restrict q, const real *restrict k,
                              const real *restrict v, int A)
{
    for (int a = 0; a < A; a++) {
        real t = tanh_of(q[a] + k[a]);
        real d = dscore * v[a] * (1 - t * t);
        dq[a] += d;
        dk[a] += d;
        dv[a] += dscore * t;
    }
}

real vector_normalize(real *y, real *restrict u, const real *x, const real *restrict gain,
                      const real *restrict bias, int n)
{
    const real mean = vector_sum(x, n) / n;
    real lane[LANES] = { 0 };
    IN_LANES(j, l, n, {
        u[j] = x[j] - mean;
        lane[l] = multiply_add(u[j], u[j], lane[l]);
    });
    const real rstd = 1 / REAL(sqrt)(sum_of_lanes(lane) / n + (real)1e-5);
#pragma omp simd    /* y may be x, which is not read any more */
    for (int j = 0; j < n; j++) {
        u[j] *= rstd;
        y[j] = gain[j] * u[j] + bias[j];
    }
    return rstd;
}

/* With d_j = gain_j dy_j:  dx_j = rstd · (d_j - mean of d - u_j · mean of d u) */
void vector_normalize_backward(real *dx, real *restrict dgain, real *restrict dbias, const real *dy,
                               const real *restrict u, real rstd, const real *restrict gain, int n)
{
    real sum[LANES] = { 0 }, along[LANES] = { 0 };
    IN_LANES(j, l, n, {
        const real d = gain[j] * dy[j];
        sum[l] += d;
        along[l] = multiply_add(d, u[j], along[l]);
    });
    const real mean = sum_of_lanes(sum) / n, slope = sum_of_lanes(along) / n;
#pragma omp simd    /* dx may be dy: element j is read before it is written, and no other is */
    for (int j = 0; j < n; j++) {
        real d = dy[j];
        dgain[j] += d * u[j];
        dbias[j] += d;
        dx[j] = rstd * (gain[j] * d - mean - u[j] * slope);
    }
}

static inline real largest_of_blocks(real *largest, const real *x, int n)
{
    int blocks = 0, at = 0;
    for (; at + VECTOR_BLOCK <= n; at += VECTOR_BLOCK) largest[blocks++] = largest_of_block(x + at);
    if (at < n) largest[blocks++] = largest_of(x + at, n - at);
    return largest_of(largest, blocks);
}

void vector_softmax_backward(real *dx, const real *y, int n)
{
    const real mean = vector_dot(y, dx, (size_t)n);
    for (int i = 0; i < n; i++)
        dx[i] = y[i] * (dx[i] - mean);
}

real vector_largest(real *largest, const real *x, int n)
{
    return nan_or(largest_of_blocks(largest, x, n), x, n);
}

real vector_log_sum_exp(real *largest, const real *x, int n)
{
    const real most = largest_of_blocks(largest, x, n);
    real lane[LANES] = { 0 };
    IN_LANES(i, l, n, lane[l] += exp_of(x[i] - most));
    return most + log_of(sum_of_lanes(lane));
}

real vector_exp_sums(real *restrict largest, real sum[3], const real *restrict x,
                     const real *restrict u, const real *restrict v, int n)
{
    const real most = largest_of_blocks(largest, x, n);
    real all[LANES] = { 0 }, by_u[LANES] = { 0 }, by_v[LANES] = { 0 };
    IN_LANES(i, l, n, {
        const real e = exp_of(x[i] - most);
        all[l] += e;
        by_u[l] = multiply_add(e, u[i], by_u[l]);
        by_v[l] = multiply_add(e, v[i], by_v[l]);
    });
    sum[0] = sum_of_lanes(all);
    sum[1] = sum_of_lanes(by_u);
    sum[2] = sum_of_lanes(by_v);
    return most;
}

double vector_rounding(const real *x, real unit, int n)
{
    double lane[LANES] = { 0 };
    const real inverse = 1 / unit, shift = SHIFT;
    IN_LANES(i, l, n, {
        const real nearest = x[i] * inverse + shift - shift;
        const double lost = (double)x[i] - (double)unit * (double)nearest;
        lane[l] += lost * lost;
    });
    return sum_of_double_lanes(lane);
}

real vector_softmax(real *x, int n)
{
    const real largest = largest_of(x, n);
    real lane[LANES] = { 0 };
    IN_LANES(i, l, n, lane[l] += x[i] = exp_of(x[i] - largest));
    const real sum = sum_of_lanes(lane);
    vector_scale(x, 1 / sum, (size_t)n);
    return largest + log_of(sum);
}

void vector_log(real *x, size_t n)
{
    for (size_t i = 0; i < n; i++) x[i] = log_of(x[i] < REAL_MIN ? REAL_MIN : x[i]);
}

double vector_count_from(const real *x, int n, real threshold)
{
    int count = 0;
    for (int i = 0; i < n; i++) count += x[i] >= threshold;
    return count;
}

double vector_sum_from(const real *x, int n, real threshold)
{
    double lane[LANES] = { 0 };
    IN_LANES(i, l, n, lane[l] += (double)(x[i] < threshold ? 0 : x[i]));
    return sum_of_double_lanes(lane);
}

void vector_adam(real *restrict w, real *restrict m, real *restrict v, const real *restrict g,
                 VectorAdam by, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const real gradient = by.scale * g[i];
        m[i] = by.beta1 * m[i] + (1 - by.beta1) * gradient;
        v[i] = by.beta2 * v[i] + (1 - by.beta2) * gradient * gradient;
        w[i] = by.keep * w[i] - by.step * m[i] / (REAL(sqrt)(v[i]) + by.eps);
    }
}
