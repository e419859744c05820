/* matrix.h - the three products of a linear layer, and the door to OpenBLAS.
 *
 * With y (m,n) = x (m,k) · w' for a weight w (n,k) in PyTorch's layout, training needs just these three forms.
 * Blocks of larger matrices are passed by their first element and row distance (ld).
 */
#ifndef ATTN_NN_MATRIX_H
#define ATTN_NN_MATRIX_H

#include "nn/packed.h"

#include <stddef.h>

/* matrix_round - how this thread's products round from now on, which is a state of the thread as fesetround's is; at
 * first PRECISION_FLOAT. Not PRECISION_INT8: that is for copies of weights that no longer learn (nn/packed.h).
 * matrix_can_round - whether this program can, on this CPU; matrix_need - else which instructions that takes.
 * Names in the order of Precision, NULL ends them: of all, and of those to learn with. */
void        matrix_round(Precision precision);
int         matrix_can_round(Precision precision);
const char *matrix_need(Precision precision);
extern const char *const precision_names[], *const learning_precision_names[];

/* matrix_use - copies (nn/packed.h) that this thread's products x · w' read from now on in place of the weights they
 * belong to, in their precision; at first, and with NULL: none. */
void matrix_use(PackedWeights *packed);

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

/* matrix_setup - where OpenBLAS multiplies, matrix_setup_openblas, which a program calls that measures it all the same:
 * chooses OpenBLAS's kernels for this CPU, and one BLAS thread for each of our workers, before the
 * library starts. OpenBLAS reads its environment when it is loaded, so the program starts itself again with the
 * variables set (2 ms). ATTN_CORETYPE overrules the choice: a name that OPENBLAS_CORETYPE knows, or "auto" for
 * what the library or the user's environment says. Call it first in main. Measured on AMD Zen 5, which OpenBLAS
 * 0.3.21 takes for a Haswell: 128 GFLOP/s a core without, 240 with SkylakeX. */
void matrix_setup(char **argv);
void matrix_setup_openblas(char **argv);

/* matrix_reserve - where OpenBLAS multiplies, takes now what it needs of memory when so many threads make products at
 * a time; ends the program with a message where that is refused (ulimit -v, ulimit -d). Without it OpenBLAS (0.3.21,
 * blas_memory_alloc) would ask again for ever in its first product. */
void matrix_reserve(int threads);

/* Whose kernels do the products: "own AVX-512", or "SkylakeX" of "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ...
 * MAX_THREADS=64"; matrix_library is NULL where OpenBLAS has none of them to do. */
const char *matrix_library(void);
const char *matrix_kernels(void);

#endif
