/* layer_norm.h - layer normalisation (Ba, Kiros and Hinton 2016, equation 4), PyTorch's
 * nn.LayerNorm:
 *
 *   mean = sum_j x_j / n        rstd = 1 / sqrt(sum_j (x_j - mean)² / n + epsilon)
 *   u    = (x - mean) · rstd    y    = g * u + b
 *
 * With an epsilon above 0 a row of equal values is 0 before gain and bias, and not NaN.
 */
#ifndef ATTN_NN_LAYER_NORM_H
#define ATTN_NN_LAYER_NORM_H

#include "base/real.h"

#define NORM_EPSILON ((real)1e-5)       /* PyTorch's default */

typedef struct {            /* weights, or their gradients */
    real *gain;             /* (n)  weight: initially 1 */
    real *bias;             /* (n) */
} NormWeights;

typedef struct {            /* written by forward, read by backward */
    real *u;                /* (rows, n) row distance n */
    real *rstd;             /* (rows) */
} NormSave;

/* One normalisation in one pass. */
typedef struct {
    const NormWeights *w, *dw;      /* dw: backward only, accumulated */
    const NormSave    *save;
    int                n;
    real               epsilon;
} NormLayer;

/* layer_norm_forward - each row by itself: y (rows, n) from x (rows, n), may be x itself. at: the
 * first of the rows in save. */
void layer_norm_forward(const NormLayer *l, real *y, const real *x, int at, int rows);

/* layer_norm_backward - its gradient: dx (rows, n), overwritten; may be dy itself. */
void layer_norm_backward(const NormLayer *l, real *dx, const real *dy, int at, int rows);

#endif
