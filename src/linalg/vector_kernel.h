/* vector_kernel.h - the vector functions as a table, one for each instruction set that vector.c is
 * compiled for. vector.h says what they do.
 */
#ifndef ATTN_LINALG_VECTOR_KERNEL_H
#define ATTN_LINALG_VECTOR_KERNEL_H

#include "linalg/vector.h"

/* Of each vector_NAME: what it returns, NAME, its parameters, and their names. */
#define VECTOR_FUNCTIONS(F)                                                                        \
    F(void, tanh, (real *x, size_t n), (x, n))                                                     \
    F(void, tanh_backward, (real *dx, const real *y, size_t n), (dx, y, n))                        \
    F(void, relu, (real *x, size_t n), (x, n))                                                     \
    F(void, relu_backward, (real *dx, const real *y, size_t n), (dx, y, n))                        \
    F(void, add, (real *y, const real *x, size_t n), (y, x, n))                                    \
    F(void, scale, (real *y, real a, size_t n), (y, a, n))                                         \
    F(void, affine, (real *y, real a, real b, size_t n), (y, a, b, n))                             \
    F(real, dot, (const real *x, const real *y, size_t n), (x, y, n))                              \
    F(void, axpy, (real *y, real a, const real *x, size_t n), (y, a, x, n))                        \
    F(void, approach, (real *y, real a, const real *x, size_t n), (y, a, x, n))                    \
    F(double, square_sum, (const real *x, size_t n), (x, n))                                       \
    F(double, absorb, (real *y, real *x, size_t n), (y, x, n))                                     \
    F(void, to_bf16, (uint16_t *y, const real *x, size_t n), (y, x, n))                            \
    F(void, from_bf16, (real *y, const uint16_t *x, size_t n), (y, x, n))                          \
    F(void, gru, (real *h, real *gates, real *un, const real *u, const real *previous, int H),     \
      (h, gates, un, u, previous, H))                                                              \
    F(void, gru_backward, (real *dgates, real *du, real *dprevious, const real *dh,                \
                           const real *gates, const real *un, const real *previous, int H),        \
      (dgates, du, dprevious, dh, gates, un, previous, H))                                         \
    F(void, lstm, (real *state, real *gates, real *tanh_m, const real *u, const real *previous,    \
                   int H),                                                                         \
      (state, gates, tanh_m, u, previous, H))                                                      \
    F(void, lstm_backward, (real *gates, real *dstate, const real *tanh_m, const real *previous,   \
                            int H),                                                                \
      (gates, dstate, tanh_m, previous, H))                                                        \
    F(real, additive, (const real *q, const real *k, const real *v, int A), (q, k, v, A))          \
    F(void, additive_backward, (real *dq, real *dk, real *dv, real dscore, const real *q,          \
                                const real *k, const real *v, int A),                              \
      (dq, dk, dv, dscore, q, k, v, A))                                                            \
    F(real, normalize, (real *y, real *u, const real *x, const real *gain, const real *bias,       \
                        int n),                                                                    \
      (y, u, x, gain, bias, n))                                                                    \
    F(void, normalize_backward, (real *dx, real *dgain, real *dbias, const real *dy,               \
                                 const real *u, real rstd, const real *gain, int n),               \
      (dx, dgain, dbias, dy, u, rstd, gain, n))                                                    \
    F(real, softmax, (real *x, int n), (x, n))                                                     \
    F(void, softmax_backward, (real *dx, const real *y, int n), (dx, y, n))                        \
    F(real, sum, (const real *x, int n), (x, n))                                                   \
    F(real, absolute_sum, (const real *x, int n), (x, n))                                          \
    F(void, log, (real *x, size_t n), (x, n))                                                      \
    F(double, count_from, (const real *x, int n, real threshold), (x, n, threshold))               \
    F(double, sum_from, (const real *x, int n, real threshold), (x, n, threshold))                 \
    F(real, largest, (real *largest, const real *x, int n), (largest, x, n))                       \
    F(real, log_sum_exp, (real *largest, const real *x, int n), (largest, x, n))                   \
    F(void, r_drop, (real *p, real *q, const real *d, VectorRDrop by, int n), (p, q, d, by, n))    \
    F(void, adam, (real *w, real *m, real *v, const real *g, VectorAdam by, size_t n),             \
      (w, m, v, g, by, n))

#define VECTOR_MEMBER(type, name, parameters, arguments) type (*name) parameters;
typedef struct { VECTOR_FUNCTIONS(VECTOR_MEMBER) } VectorKernels;

#endif
