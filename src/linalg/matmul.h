/* matmul.h - C = A · B or C += A · B, by our kernels or by OpenBLAS, whichever is faster on this
 * CPU. The library has lib/products.c in place of matmul.c. */
#ifndef ATTN_LINALG_MATMUL_H
#define ATTN_LINALG_MATMUL_H

#include "linalg/gemm.h"

/* Whether a result replaces the values in its place or is added to them. */
typedef enum { OVERWRITE, ACCUMULATE } Store;

/* A matrix whose rows are ld apart, its transpose, and what is computed. */
static inline Operand matrix_of(const real *x, int ld)
{
    return (Operand){ x, ld, 1 };
}

static inline Operand transposed(const real *x, int ld)
{
    return (Operand){ x, 1, ld };
}

static inline Result result_in(Store store, real *c, int ld)
{
    return (Result){ c, ld, store == ACCUMULATE ? c : NULL, ld };
}

/* gemm_is_fastest - whether our kernels, which are right on every CPU, are faster than OpenBLAS in
 * float.
 * gemm_multiplies - whether products of that precision are theirs; else OpenBLAS's, which has float
 * alone. */
int gemm_is_fastest(void);
int gemm_multiplies(Precision precision);

/* matmul - C (m,n) = start + A (m,k) · B (k,n), rounded as the precision says; OpenBLAS has
 * PRECISION_FLOAT alone. Takes up to 450 KB of stack. */
void matmul(Precision precision, Result r, Operand a, Operand b, int m, int k, int n);

#endif
