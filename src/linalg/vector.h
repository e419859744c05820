/* vector.h - the loops that are not matrix products: gates, tanh, softmax, scores, optimizer.
 *
 * Right on the whole real line, infinite numbers and those that are not normal included; what
 * depends on a NaN is NaN. The most that a result is off, in units in the last place (of each 97th
 * float and 15 million doubles, with and without fused multiply-add): exp 1.2, sigmoid 2.5, log
 * 2.9, tanh 3.2.
 *
 * A value depends neither on the width of its row nor on its place there, and sums have an order of
 * their own. So all compilers and optimisations give the same bytes on CPUs that fuse multiply and
 * add, and others, the same among themselves, on CPUs that don't.
 *
 * Arrays of one call don't overlap unless it says so.
 */
#ifndef ATTN_LINALG_VECTOR_H
#define ATTN_LINALG_VECTOR_H

#include "base/real.h"

#include <stddef.h>
#include <stdint.h>

void vector_tanh(real *x, size_t n);                               /* x = tanh x, in place */
void vector_tanh_backward(real *dx, const real *y, size_t n);      /* dx *= 1 - y², y = tanh x */
void vector_relu(real *x, size_t n);                               /* x = max(x, 0), in place */
void vector_relu_backward(real *dx, const real *y, size_t n);      /* dx = 0 where relu x = y = 0 */
void vector_gate(real *x, real a, real b, size_t n);   /* x = x · sigmoid(a x + b x³), in place */
void vector_gate_backward(real *dx, const real *x, real a, real b, size_t n);
                                                       /* dx *= the derivative at x */
void vector_gelu(real *x, size_t n);                   /* x = x · P(x), P of the normal distribution */
void vector_gelu_backward(real *dx, const real *x, size_t n);      /* dx *= the derivative at x */
void vector_add(real *y, const real *x, size_t n);                 /* y += x */
void vector_scale(real *y, real a, size_t n);                      /* y *= a */
void vector_affine(real *y, real a, real b, size_t n);             /* y = a y + b */
real vector_dot(const real *x, const real *y, size_t n);
void vector_axpy(real *y, real a, const real *x, size_t n);        /* y += a x */
/* One query and the keys and values of so many positions, of several heads side by side: row t has
 * the keys (heads width) and behind them the values.
 * scores: a (heads, keys) = scale q · k_t, added up as vector_dot does
 * mix:    z (heads width) = sum over t of a_t v_t, in the order of t */
typedef struct { int heads, width; real scale; } VectorHeads;
void vector_scores(real *a, const real *q, const real *const *row, int keys, VectorHeads by);
void vector_mix(real *z, const real *a, const real *const *row, int keys, VectorHeads by);
void vector_approach(real *y, real a, const real *x, size_t n);    /* y += a (x - y) */
double vector_square_sum(const real *x, size_t n);                 /* sum of squares, in double */
double vector_absorb(real *y, real *x, size_t n);      /* y += x, x = 0; the sum of squares of y */

/* Numbers of 32 bits rounded to their upper 16 (bfloat16), to nearest even, and back. */
void vector_to_bf16(uint16_t *y, const real *x, size_t n);
void vector_from_bf16(real *y, const uint16_t *x, size_t n);

/* One row of GRU gates, H wide; the equations are in nn/cell.h.
 * gates   in   (3H) the input's part of r, z, n;  out  r, z, n
 * un      out  (H)  the recurrent part of n
 * u       in   (3H) the state's part of r, z, n */
void vector_gru(real *h, real *gates, real *un, const real *u, const real *previous, int H);
/* dgates  out  (3H) gradient of the input's part; may be `gates` itself
 * du      out  (3H) gradient of the state's part
 * dprevious out (H) the direct part, z dh; what flows through U is the caller's to add */
void vector_gru_backward(real *dgates, real *du, real *dprevious, const real *dh,
                         const real *gates, const real *un, const real *previous, int H);

/* The same of an LSTM; the equations are in nn/cell.h.
 * state   out  (2H) h, m
 * gates   in   (4H) the input's part of i, f, g, o;  out  i, f, g, o
 * tanh_m  out  (H)
 * u       in   (4H) the state's part
 * previous in  (2H) h', m' */
void vector_lstm(real *state, real *gates, real *tanh_m, const real *u, const real *previous,
                 int H);
/* gates   in/out  (4H) i, f, g, o become their gradients, before the functions
 * dstate  in/out  (2H) gradient of h, m: becomes 0 and that of m' */
void vector_lstm_backward(real *gates, real *dstate, const real *tanh_m, const real *previous,
                          int H);

/* One row of nn/ssru.h.
 * h       out  (D) max(0, c)
 * c       out  (D) may be `previous`
 * gates   in   (2D) W x, W_f x;  out  W x, f
 * bias    in   (D) b_f
 * previous in  (D) c'; NULL: zeros */
void vector_ssru(real *h, real *c, real *gates, const real *bias, const real *previous, int D);
/* gates   in/out (2D) W x, f become the gradients of W x and W_f x
 * dc      in/out (D) the gradient of c from the step behind: becomes that of c'
 * dh, c   in   (D) */
void vector_ssru_backward(real *gates, real *dc, const real *dh, const real *c,
                          const real *previous, int D);

/* Additive score of one query and one key: sum_a v_a tanh(q_a + k_a). */
real vector_additive(const real *q, const real *k, const real *v, int A);
/* The gradients for dscore: dq += , dk += , dv += . */
void vector_additive_backward(real *dq, real *dk, real *dv, real dscore, const real *q,
                              const real *k, const real *v, int A);

/* One row of nn/layer_norm.h: u = (x - mean) · rstd, y = gain * u + bias; returns rstd. y may be
 * x itself. */
real vector_normalize(real *y, real *u, const real *x, const real *gain, const real *bias,
                      real epsilon, int n);
/* The gradients: dx overwritten, may be dy; dgain += , dbias += . */
void vector_normalize_backward(real *dx, real *dgain, real *dbias, const real *dy, const real *u,
                               real rstd, const real *gain, int n);

/* x (n) = softmax(x), in place; returns log of the sum of exp, so that log p = x_before - that. All
 * NaN where one is NaN or +infinity, or all are -infinity. */
real vector_softmax(real *x, int n);
/* dx (n) = y (dx - sum of y dx), y = softmax(x); in place */
void vector_softmax_backward(real *dx, const real *y, int n);
real vector_sum(const real *x, int n);
real vector_absolute_sum(const real *x, int n);
void vector_log(real *x, size_t n);     /* x = log x, in place; below REAL_MIN that of REAL_MIN */

/* What lies at or above a threshold: how many of x (n), and their sum. */
double vector_count_from(const real *x, int n, real threshold);
double vector_sum_from(const real *x, int n, real threshold);

/* largest (ceil(n / VECTOR_BLOCK)) = the greatest of each block of x, anything where one of them is
 * NaN; returns the greatest of all, or log of the sum of exp. */
enum { VECTOR_BLOCK = 64 };
real vector_largest(real *largest, const real *x, int n);
real vector_log_sum_exp(real *largest, const real *x, int n);

/* R-Drop's gradient of two rows p and q (n) with d = log p - log q but for a constant (nn/loss.h):
 * p = p (own[0] + half d) - half q - uniform, q = q (own[1] - half d) - half p - uniform */
typedef struct { real own[2], half, uniform; } VectorRDrop;
void vector_r_drop(real *p, real *q, const real *d, VectorRDrop by, int n);

/* The factors of one step of Adam: the gradient is multiplied by `scale`, the weights first by
 * `keep`; the bias corrections are folded into step and eps by the caller (nn/adam.h). */
typedef struct { real scale, step, beta1, beta2, eps, keep; } VectorAdam;

/* vector_adam - one step of Adam on n values. */
void vector_adam(real *w, real *m, real *v, const real *g, VectorAdam by, size_t n);

#endif
