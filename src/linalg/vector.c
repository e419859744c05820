/* vector.c - elementwise kernels: see vector.h for the laws they keep.
 *
 * Plain C that compilers vectorise without fast-math: exp, tanh, sigmoid and log have no branches,
 * and the code fixes the order of sums. So the compiler and its vectors change no result.
 */
#include "linalg/kernels.h"
#include "linalg/vector_math.h"

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

static void kernel_tanh(real *x, size_t n)
{
    for (size_t i = 0; i < n; i++) x[i] = tanh_of(x[i]);
}

static void kernel_tanh_backward(real *restrict dx, const real *restrict y, size_t n)
{
    for (size_t i = 0; i < n; i++) dx[i] *= 1 - y[i] * y[i];
}

static void kernel_relu(real *x, size_t n)
{
    for (size_t i = 0; i < n; i++) x[i] = x[i] < 0 ? 0 : x[i];
}

static void kernel_relu_backward(real *restrict dx, const real *restrict y, size_t n)
{
    for (size_t i = 0; i < n; i++) dx[i] = y[i] <= 0 ? 0 : dx[i];
}

/* A factor of 0 is 0 even times infinity. */
static inline real times(real x, real factor)
{
    return factor == 0 ? 0 : x * factor;
}

/* x² that is finite where x is not: times 0 it is 0. */
static inline real square_of(real x)
{
    return x * x > REAL_MAX ? REAL_MAX : x * x;
}

static void kernel_gate(real *x, real a, real b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = times(x[i], sigmoid_of(x[i] * multiply_add(b, square_of(x[i]), a)));
}

/* s + x s (1 - s) (a + 3 b x²), s the sigmoid */
static void kernel_gate_backward(real *restrict dx, const real *restrict x, real a, real b,
                                 size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const real square = square_of(x[i]), s = sigmoid_of(x[i] * multiply_add(b, square, a));
        dx[i] *= s + times(x[i] * multiply_add(3 * b, square, a), s * (1 - s));
    }
}

static void kernel_gelu(real *x, size_t n)
{
    for (size_t i = 0; i < n; i++) x[i] = times(x[i], normal_of(x[i]));
}

/* P(x) + x exp(-x²/2) / sqrt(2 pi) */
static void kernel_gelu_backward(real *restrict dx, const real *restrict x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        dx[i] *= normal_of(x[i])
                 + times(x[i], (real)0.39894228040143268 * exp_of(-square_of(x[i]) / 2));
}

static void kernel_add(real *restrict y, const real *restrict x, size_t n)
{
    for (size_t i = 0; i < n; i++) y[i] += x[i];
}

static void kernel_scale(real *y, real a, size_t n)
{
    for (size_t i = 0; i < n; i++) y[i] *= a;
}

static void kernel_affine(real *y, real a, real b, size_t n)
{
    for (size_t i = 0; i < n; i++) y[i] = multiply_add(a, y[i], b);
}

static real kernel_dot(const real *restrict x, const real *restrict y, size_t n)
{
    real lane[LANES] = { 0 };
    IN_LANES(i, l, n, lane[l] = multiply_add(x[i], y[i], lane[l]));
    return sum_of_lanes(lane);
}

static real kernel_sum(const real *x, int n)
{
    real lane[LANES] = { 0 };
    IN_LANES(i, l, n, lane[l] += x[i]);
    return sum_of_lanes(lane);
}

static real kernel_absolute_sum(const real *x, int n)
{
    real lane[LANES] = { 0 };
    IN_LANES(i, l, n, lane[l] += REAL(fabs)(x[i]));
    return sum_of_lanes(lane);
}

static void kernel_axpy(real *restrict y, real a, const real *restrict x, size_t n)
{
    for (size_t i = 0; i < n; i++) y[i] = multiply_add(a, x[i], y[i]);
}

/* One chain of sums for each lane, as in dot. */
static void kernel_scores(real *restrict a, const real *restrict q, const real *const *row,
                          int keys, VectorHeads by)
{
    const size_t d = (size_t)by.width;
    for (int t = 0; t < keys; t++)
        for (int head = 0; head < by.heads; head++)
            a[head * keys + t] = by.scale * kernel_dot(q + head * d, row[t] + head * d, d);
}

/* z (n) += a_t row_t (n) of four rows, from `at` on, in their order */
static inline void add_four(real *restrict z, const real *a, const real *const *row, size_t at,
                            size_t n)
{
    const real a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
    const real *x0 = row[0] + at, *x1 = row[1] + at, *x2 = row[2] + at, *x3 = row[3] + at;
    for (size_t i = 0; i < n; i++) {
        const real two = multiply_add(a1, x1[i], multiply_add(a0, x0[i], z[i]));
        z[i] = multiply_add(a3, x3[i], multiply_add(a2, x2[i], two));
    }
}

static void kernel_mix(real *restrict z, const real *restrict a, const real *const *row, int keys,
                       VectorHeads by)
{
    const size_t d = (size_t)by.width, values = d * (size_t)by.heads;
    for (size_t i = 0; i < values; i++) z[i] = 0;
    int t = 0;
    for (; t + 4 <= keys; t += 4)
        for (int head = 0; head < by.heads; head++)
            add_four(z + head * d, a + head * keys + t, row + t, values + head * d, d);
    for (; t < keys; t++)
        for (int head = 0; head < by.heads; head++)
            kernel_axpy(z + head * d, a[head * keys + t], row[t] + values + head * d, d);
}

static void kernel_approach(real *restrict y, real a, const real *restrict x, size_t n)
{
    for (size_t i = 0; i < n; i++) y[i] = multiply_add(a, x[i] - y[i], y[i]);
}

static void kernel_to_bf16(uint16_t *y, const real *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const float number = (float)x[i];
        uint32_t bits;
        memcpy(&bits, &number, sizeof bits);
        const uint32_t rounded = bits + 0x7fff + (bits >> 16 & 1), quiet = bits | 0x400000;
        y[i] = (uint16_t)((number == number ? rounded : quiet) >> 16);
    }
}

static void kernel_from_bf16(real *y, const uint16_t *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t bits = (uint32_t)x[i] << 16;
        float number;
        memcpy(&number, &bits, sizeof number);
        y[i] = (real)number;
    }
}

static double kernel_square_sum(const real *x, size_t n)
{
    double lane[LANES] = { 0 };
    IN_LANES(i, l, n, lane[l] += (double)x[i] * (double)x[i]);
    return sum_of_double_lanes(lane);
}

static double kernel_absorb(real *restrict y, real *restrict x, size_t n)
{
    double lane[LANES] = { 0 };
    IN_LANES(i, l, n, {
        y[i] += x[i];
        x[i] = 0;
        lane[l] += (double)y[i] * (double)y[i];
    });
    return sum_of_double_lanes(lane);
}

static void kernel_gru(real *restrict h, real *restrict gates, real *restrict un,
                       const real *restrict u, const real *restrict previous, int H)
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

static void kernel_gru_backward(real *dgates, real *restrict du, real *dprevious, const real *dh,
                                const real *gates, const real *restrict un,
                                const real *restrict previous, int H)
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

static void kernel_lstm(real *restrict state, real *restrict gates, real *restrict tanh_m,
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

static void kernel_lstm_backward(real *restrict gates, real *restrict dstate,
                                 const real *restrict tanh_m, const real *restrict previous, int H)
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

static void kernel_ssru(real *restrict h, real *c, real *restrict gates,
                        const real *restrict bias, const real *previous, int D)
{
/* c may be previous: element j is read before it is written, and no other is. */
#pragma omp simd
    for (int j = 0; j < D; j++) {
        const real f = gates[D + j] = sigmoid_of(gates[D + j] + bias[j]);
        const real kept = previous ? f * previous[j] : 0;
        c[j] = multiply_add(1 - f, gates[j], kept);
        h[j] = c[j] < 0 ? 0 : c[j];
    }
}

static void kernel_ssru_backward(real *restrict gates, real *restrict dc, const real *restrict dh,
                                 const real *restrict c, const real *restrict previous, int D)
{
    for (int j = 0; j < D; j++) {
        const real f = gates[D + j], d = dc[j] + (c[j] <= 0 ? 0 : dh[j]);
        gates[D + j] = d * ((previous ? previous[j] : 0) - gates[j]) * f * (1 - f);
        gates[j] = d * (1 - f);
        dc[j] = d * f;
    }
}

static real kernel_additive(const real *restrict q, const real *restrict k, const real *restrict v,
                            int A)
{
    real lane[LANES] = { 0 };
    IN_LANES(a, l, A, lane[l] = multiply_add(v[a], tanh_of(q[a] + k[a]), lane[l]));
    return sum_of_lanes(lane);
}

static void kernel_additive_backward(real *restrict dq, real *restrict dk, real *restrict dv,
                                     real dscore, const real *restrict q, const real *restrict k,
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

static real kernel_normalize(real *y, real *restrict u, const real *x, const real *restrict gain,
                             const real *restrict bias, real epsilon, int n)
{
    const real mean = kernel_sum(x, n) / n;
    real lane[LANES] = { 0 };
    IN_LANES(j, l, n, {
        u[j] = x[j] - mean;
        lane[l] = multiply_add(u[j], u[j], lane[l]);
    });
    const real rstd = 1 / REAL(sqrt)(sum_of_lanes(lane) / n + epsilon);
#pragma omp simd    /* y may be x, which is not read any more */
    for (int j = 0; j < n; j++) {
        u[j] *= rstd;
        y[j] = gain[j] * u[j] + bias[j];
    }
    return rstd;
}

/* With d_j = gain_j dy_j:  dx_j = rstd · (d_j - mean of d - u_j · mean of d u) */
static void kernel_normalize_backward(real *dx, real *restrict dgain, real *restrict dbias,
                                      const real *dy, const real *restrict u, real rstd,
                                      const real *restrict gain, int n)
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

static void kernel_softmax_backward(real *dx, const real *y, int n)
{
    const real mean = kernel_dot(y, dx, (size_t)n);
    for (int i = 0; i < n; i++)
        dx[i] = y[i] * (dx[i] - mean);
}

static real kernel_largest(real *largest, const real *x, int n)
{
    return nan_or(largest_of_blocks(largest, x, n), x, n);
}

static real kernel_log_sum_exp(real *largest, const real *x, int n)
{
    const real most = largest_of_blocks(largest, x, n);
    real lane[LANES] = { 0 };
    IN_LANES(i, l, n, lane[l] += exp_of(x[i] - most));
    return most + log_of(sum_of_lanes(lane));
}

static real kernel_softmax(real *x, int n)
{
    const real largest = largest_of(x, n);
    real lane[LANES] = { 0 };
    IN_LANES(i, l, n, lane[l] += x[i] = exp_of(x[i] - largest));
    const real sum = sum_of_lanes(lane);
    kernel_scale(x, 1 / sum, (size_t)n);
    return largest + log_of(sum);
}

static void kernel_log(real *x, size_t n)
{
    for (size_t i = 0; i < n; i++) x[i] = log_of(x[i] < REAL_MIN ? REAL_MIN : x[i]);
}

static double kernel_count_from(const real *x, int n, real threshold)
{
    int count = 0;
    for (int i = 0; i < n; i++) count += x[i] >= threshold;
    return count;
}

static double kernel_sum_from(const real *x, int n, real threshold)
{
    double lane[LANES] = { 0 };
    IN_LANES(i, l, n, lane[l] += (double)(x[i] < threshold ? 0 : x[i]));
    return sum_of_double_lanes(lane);
}

static void kernel_r_drop(real *restrict p, real *restrict q, const real *restrict d,
                          VectorRDrop by, int n)
{
    for (int i = 0; i < n; i++) {
        const real x = p[i], y = q[i], step = by.half * d[i];
        p[i] = x * (by.own[0] + step) - by.half * y - by.uniform;
        q[i] = y * (by.own[1] - step) - by.half * x - by.uniform;
    }
}

static void kernel_adam(real *restrict w, real *restrict m, real *restrict v,
                        const real *restrict g, VectorAdam by, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const real gradient = by.scale * g[i];
        m[i] = by.beta1 * m[i] + (1 - by.beta1) * gradient;
        v[i] = by.beta2 * v[i] + (1 - by.beta2) * gradient * gradient;
        w[i] = by.keep * w[i] - by.step * m[i] / (REAL(sqrt)(v[i]) + by.eps);
    }
}

/* ---- the table ---- */

#define ROW(type, name, parameters, arguments) .name = kernel_##name,
const VectorKernels OF_KERNELS(vector) = { VECTOR_FUNCTIONS(ROW) };
