/* linear.h - a weight as a value, and the three products of a linear layer.
 *
 * With y (m,n) = x (m,k) · w' for a weight w (n,k) in PyTorch's layout, training needs just these
 * three. How they round and what they read are said by the weight: nothing is kept between two
 * products but in the copies that the weight points to, and those are their owner's
 * (linalg/prepacked.h). Arrays are passed by their first element and row distance (ld).
 */
#ifndef ATTN_LINALG_LINEAR_H
#define ATTN_LINALG_LINEAR_H

#include "linalg/matmul.h"

typedef struct Prepacked Prepacked;

/* A weight or its gradient, (rows, columns): a whole matrix, or a block of a larger one. */
typedef struct {
    real      *weights;
    int        ld;              /* distance between two rows */
    int        rows, columns;   /* n and k: values of y, values of x */
    Precision  precision;       /* of all products with it */
    Prepacked *prepacked;       /* its copies for the kernels; NULL: none. Results are the same */
} Linear;

/* linear_of - without copies. With PRECISION_INT8 a weight of fewer than LINEAR_INT8_LEAST rows or
 * columns stays in float: to round the other side would take as long as its product. */
enum { LINEAR_INT8_LEAST = 32 };
Linear linear_of(real *weights, int ld, int rows, int columns, Precision precision);

/* linear_forward - y (m,n) = x (m,k) · w' + bias (n) in every row, or += x · w'. bias NULL: none;
 * only to overwrite. */
void linear_forward(Store store, real *y, int ldy, const real *x, int ldx, const Linear *w,
                    const real *bias, int m);

/* linear_backward_input - dx (m,k) = dy (m,n) · w, or += */
void linear_backward_input(Store store, real *dx, int ldx, const real *dy, int ldy,
                           const Linear *w, int m);

/* linear_backward_weight - dw (n,k) += dy' (n,m) · x (m,k) */
void linear_backward_weight(const Linear *dw, const real *dy, int ldy, const real *x, int ldx,
                            int m);

/* bias_forward - y (m,n) = bias (n) in every row; bias_backward - dbias (n) += sum of the rows of
 * dy (m,n) */
void bias_forward(real *y, const real *bias, int m, int n);
void bias_backward(real *dbias, const real *dy, int m, int n);

#endif
