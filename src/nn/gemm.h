/* gemm.h - C (m,n) = A (m,k) · B (k,n) on one core, for the shapes of a recurrent network.
 *
 * B is copied into panels, k rows of TILE_COLUMNS neighbours each, zero beyond n; A is read where it stands. Vectors
 * run along a panel's rows, so one tile of C needs of A only single values. After Goto and van de Geijn, "Anatomy of
 * high-performance matrix multiplication" (2008), without its copy of A: here A has few rows, and a copy is not
 * used often enough to pay.
 *
 * The sum over k begins with `start` and adds the products in the order of k, so a result depends on nothing else.
 */
#ifndef ATTN_NN_GEMM_H
#define ATTN_NN_GEMM_H

#include "base/real.h"

#include <stddef.h>

/* A matrix or its transpose: element (i, j) is x[i * row + j * column]; row or column is 1. */
typedef struct {
    const real *x;
    ptrdiff_t   row, column;
} Operand;

/* What is computed: C, and what the sums begin with: row i at start + i * start_row (0: the same row for all);
 * NULL: zeros; C itself: C += A · B. */
typedef struct {
    real       *c;
    ptrdiff_t   row;
    const real *start;
    ptrdiff_t   start_row;
} Result;

/* gemm_is_fastest - whether these kernels are made for the CPU that the program is built for (AVX2, AVX-512). They
 * are right everywhere. */
int gemm_is_fastest(void);

/* gemm - takes 384 KB of stack. */
void gemm(Result r, Operand a, Operand b, int m, int k, int n);

/* The same in two parts, for a B that is used many times. gemm_pack writes gemm_panels(k, n) values. */
size_t gemm_panels(int k, int n);
void   gemm_pack(real *panels, Operand b, int k, int n);
void   gemm_packed(Result r, Operand a, const real *panels, int m, int k, int n);

#endif
