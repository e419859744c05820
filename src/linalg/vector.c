/* vector.c - elementwise kernels, compiled with fast-math: see vector.h. */
#include "linalg/vector.h"

#include <math.h>

void vector_tanh(real *x, size_t n)
{
    for (size_t i = 0; i < n; i++) x[i] = REAL(tanh)(x[i]);
}

void vector_tanh_backward(real *restrict dx, const real *restrict y, size_t n)
{
    for (size_t i = 0; i < n; i++) dx[i] *= 1 - y[i] * y[i];
}

void vector_relu(real *x, size_t n)
{
    for (size_t i = 0; i < n; i++) x[i] = x[i] > 0 ? x[i] : 0;
}

void vector_relu_backward(real *restrict dx, const real *restrict y, size_t n)
{
    for (size_t i = 0; i < n; i++) dx[i] = y[i] > 0 ? dx[i] : 0;
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
    for (size_t i = 0; i < n; i++) y[i] = a * y[i] + b;
}

real vector_dot(const real *restrict x, const real *restrict y, size_t n)
{
    real sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

real vector_sum(const real *x, int n)
{
    real sum = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    return sum;
}

real vector_absolute_sum(const real *x, int n)
{
    real sum = 0;
    for (int i = 0; i < n; i++) sum += REAL(fabs)(x[i]);
    return sum;
}

real vector_absolute_largest(const real *x, int n)
{
    real largest = 0;
    for (int i = 0; i < n; i++) largest = REAL(fabs)(x[i]) > largest ? REAL(fabs)(x[i]) : largest;
    return largest;
}

void vector_axpy(real *restrict y, real a, const real *restrict x, size_t n)
{
    for (size_t i = 0; i < n; i++) y[i] += a * x[i];
}

void vector_approach(real *restrict y, real a, const real *restrict x, size_t n)
{
    for (size_t i = 0; i < n; i++) y[i] += a * (x[i] - y[i]);
}

double vector_square_sum(const real *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += (double)x[i] * x[i];
    return sum;
}

static inline real sigmoid(real x)
{
    return 1 / (1 + REAL(exp)(-x));
}

void vector_gru(real *restrict h, real *restrict gates, real *restrict un, const real *restrict u,
                const real *restrict previous, int H)
{
    real *restrict r = gates, *restrict z = gates + H, *restrict n = gates + 2 * H;
    for (int j = 0; j < H; j++) {
        r[j] = sigmoid(r[j] + u[j]);
        z[j] = sigmoid(z[j] + u[H + j]);
        un[j] = u[2 * H + j];
        n[j] = REAL(tanh)(n[j] + r[j] * un[j]);
        h[j] = (1 - z[j]) * n[j] + z[j] * previous[j];
    }
}

void vector_gru_backward(real *dgates, real *restrict du, real *dprevious, const real *dh, const real *gates,
                         const real *restrict un, const real *restrict previous, int H)
{
#pragma omp simd    /* outputs may be inputs: element j is read before it is written, and no other is */
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

void vector_lstm(real *restrict state, real *restrict gates, real *restrict tanh_m, const real *restrict u,
                 const real *restrict previous, int H)
{
    real *restrict i = gates, *restrict f = gates + H, *restrict g = gates + 2 * H, *restrict o = gates + 3 * H;
    for (int j = 0; j < H; j++) {
        i[j] = sigmoid(i[j] + u[j]);
        f[j] = sigmoid(f[j] + u[H + j]);
        g[j] = REAL(tanh)(g[j] + u[2 * H + j]);
        o[j] = sigmoid(o[j] + u[3 * H + j]);
        state[H + j] = f[j] * previous[H + j] + i[j] * g[j];
        tanh_m[j] = REAL(tanh)(state[H + j]);
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
    real sum = 0;
    for (int a = 0; a < A; a++) sum += v[a] * REAL(tanh)(q[a] + k[a]);
    return sum;
}

void vector_additive_backward(real *restrict dq, real *restrict dk, real *restrict dv, real dscore,
                              const real *restrict q, const real *restrict k, const real *restrict v, int A)
{
    for (int a = 0; a < A; a++) {
        real t = REAL(tanh)(q[a] + k[a]);
        real d = dscore * v[a] * (1 - t * t);
        dq[a] += d;
        dk[a] += d;
        dv[a] += dscore * t;
    }
}

real vector_normalize(real *y, real *restrict u, const real *x, const real *restrict gain, const real *restrict bias,
                      int n)
{
    real mean = vector_sum(x, n) / n, squares = 0;
    for (int j = 0; j < n; j++) {
        u[j] = x[j] - mean;
        squares += u[j] * u[j];
    }
    const real rstd = 1 / REAL(sqrt)(squares / n + (real)1e-5);
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
    real sum = 0, along = 0;
    for (int j = 0; j < n; j++) {
        real d = gain[j] * dy[j];
        sum += d;
        along += d * u[j];
    }
    const real mean = sum / n, slope = along / n;
#pragma omp simd    /* dx may be dy: element j is read before it is written, and no other is */
    for (int j = 0; j < n; j++) {
        real d = dy[j];
        dgain[j] += d * u[j];
        dbias[j] += d;
        dx[j] = rstd * (gain[j] * d - mean - u[j] * slope);
    }
}

static real largest_of(const real *x, int n)
{
    real largest = x[0];
    for (int i = 1; i < n; i++) largest = x[i] > largest ? x[i] : largest;
    return largest;
}

void vector_softmax_backward(real *dx, const real *y, int n)
{
    const real mean = vector_dot(y, dx, (size_t)n);
    for (int i = 0; i < n; i++)
        dx[i] = y[i] * (dx[i] - mean);
}

real vector_largest(real *largest, const real *x, int n)
{
    int blocks = 0;
    for (int at = 0; at < n; at += VECTOR_BLOCK)
        largest[blocks++] = largest_of(x + at, n - at < VECTOR_BLOCK ? n - at : VECTOR_BLOCK);
    return largest_of(largest, blocks);
}

real vector_log_sum_exp(real *largest, const real *x, int n)
{
    const real most = vector_largest(largest, x, n);
    real sum = 0;
    for (int i = 0; i < n; i++) sum += REAL(exp)(x[i] - most);
    return most + REAL(log)(sum);
}

real vector_softmax(real *x, int n)
{
    real largest = largest_of(x, n), sum = 0;
    for (int i = 0; i < n; i++) {
        x[i] = REAL(exp)(x[i] - largest);
        sum += x[i];
    }
    vector_scale(x, 1 / sum, (size_t)n);
    return largest + REAL(log)(sum);
}

void vector_log(real *x, size_t n)
{
    for (size_t i = 0; i < n; i++) x[i] = REAL(log)(x[i] > REAL_MIN ? x[i] : REAL_MIN);
}

double vector_count_from(const real *x, int n, real threshold)
{
    int count = 0;
    for (int i = 0; i < n; i++) count += x[i] >= threshold;
    return count;
}

double vector_sum_from(const real *x, int n, real threshold)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (double)(x[i] >= threshold ? x[i] : 0);
    return sum;
}

void vector_adam(real *restrict w, real *restrict m, real *restrict v, const real *restrict g, real scale, real step,
                 real beta1, real beta2, real eps, real keep, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        real gradient = scale * g[i];
        m[i] = beta1 * m[i] + (1 - beta1) * gradient;
        v[i] = beta2 * v[i] + (1 - beta2) * gradient * gradient;
        w[i] = keep * w[i] - step * m[i] / (REAL(sqrt)(v[i]) + eps);
    }
}
