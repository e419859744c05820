/* matrix.h - the three products of a linear layer.
 *
 * With y (m,n) = x (m,k) · w' for a weight w (n,k) in PyTorch's layout, training needs just these three forms.
 * Blocks of larger matrices are passed by their first element and row distance (ld).
 */
#ifndef ATTN_LINALG_MATRIX_H
#define ATTN_LINALG_MATRIX_H

#include "base/portion.h"
#include "linalg/packed.h"

#include <stddef.h>

/* matrix_round - how this thread's products round from now on, which is a state of the thread as fesetround's is; at
 * first PRECISION_FLOAT. Not PRECISION_INT8: that is for copies of weights that no longer learn (linalg/packed.h). */
void matrix_round(Precision precision);

/* matrix_use - copies (linalg/packed.h) that this thread's products x · w' read from now on in place of the weights they
 * belong to, in their precision; at first, and with NULL: none. */
void matrix_use(PackedWeights *packed);

/* Whether a result replaces what stands there or is added to it. */
typedef enum { OVERWRITE, ACCUMULATE } Store;

/* y (m,n) = x (m,k) · w' (k,n), or += */
void matrix_forward(Store store, real *y, int ldy, const real *x, int ldx, const real *w, int ldw, int m, int k, int n);
/* y (m,n) = x (m,k) · w' (k,n) + b (n) in every row */
void matrix_affine(real *y, int ldy, const real *x, int ldx, const real *w, int ldw, const real *b,
                   int m, int k, int n);
/* dx (m,k) = dy (m,n) · w (n,k), or += */
void matrix_backward_input(Store store, real *dx, int ldx, const real *dy, int ldy, const real *w, int ldw,
                           int m, int k, int n);
/* dw (n,k) += dy' (n,m) · x (m,k) */
void matrix_backward_weight(real *dw, int ldw, const real *dy, int ldy, const real *x, int ldx, int m, int k, int n);

/* Copies of a weight (n,k) in the order that the kernels read, for products with few rows: there, copying it each time
 * takes as long as multiplying. NULL: none, and the weight itself is read; results are the same. */
typedef struct {
    const real *forward, *backward;
    Precision   precision;
} Panels;

/* matrix_panels - reals of the copy of a (k,n): of w' for `forward`, of w for `backward`; 0 where OpenBLAS multiplies,
 * which takes no copies.
 * matrix_pack - writes those for which room is given (else NULL), or the worker's part of them, in this thread's
 * precision; they are out of date when w changes. */
size_t matrix_panels(int k, int n);
Panels matrix_pack(real *forward, real *backward, const real *w, int ldw, int k, int n, Portion portion);

/* The products with a w that has such copies. */
void matrix_forward_packed(Store store, real *y, int ldy, const real *x, int ldx, const real *w, int ldw, Panels panels,
                           int m, int k, int n);
void matrix_affine_packed(real *y, int ldy, const real *x, int ldx, const real *w, int ldw, const real *b,
                          Panels panels, int m, int k, int n);
void matrix_backward_input_packed(Store store, real *dx, int ldx, const real *dy, int ldy, const real *w, int ldw,
                                  Panels panels, int m, int k, int n);

/* y (m,n) = b (n) in every row */
void matrix_fill_rows(real *y, const real *b, int m, int n);
/* db (n) += sum of the rows of dy (m,n) */
void matrix_add_rows(real *db, const real *dy, int m, int n);

#endif
