/* gemm.h - C (m,n) = A (m,k) · B (k,n) on one core, for the shapes of a recurrent network.
 *
 * B is copied into panels, k rows of a few neighbours each (kernels.h), zero beyond n; A is
 * read in place. Vectors run along a panel's rows, so a tile of C takes single values of A. This is
 * the method of Goto and van de Geijn, "Anatomy of high-performance matrix multiplication" (2008),
 * without its copy of A: here A has few rows, and a copy would not be used often enough to pay.
 *
 * Each sum adds its products in the order of k, in parts whose lengths follow from k, and `start`
 * after the first part, with AMX and PRECISION_BF16 before it: a result depends on nothing else, so
 * it is the same for any m, and from B packed or not. This holds for all precisions: how a row of A
 * or a column of B is rounded depends on that row or column alone.
 */
#ifndef ATTN_LINALG_GEMM_H
#define ATTN_LINALG_GEMM_H

#include "base/real.h"
#include "linalg/precision.h"

#include <stddef.h>

/* A matrix or its transpose: element (i, j) is x[i * row + j * column]; row or column is 1. */
typedef struct {
    const real *x;
    ptrdiff_t   row, column;
} Operand;

/* C, and what its sums start with: row i at start + i * start_row (0: the same row for all); NULL:
 * zero; C itself: C += A · B. */
typedef struct {
    real       *c;
    ptrdiff_t   row;
    const real *start;
    ptrdiff_t   start_row;
} Result;

/* gemm - C = start + A · B; takes 450 KB of stack, as gemm_packed does. */
void gemm(Precision precision, Result r, Operand a, Operand b, int m, int k, int n);

/* The same in two parts, for a B that is used many times: gemm_pack writes B's panels, which are
 * gemm_packed_size(k, n) reals, or one worker's part of them; gemm_packed multiplies by them. With
 * PRECISION_BF16 they are as many as B has, or half where there are instructions for it; with
 * PRECISION_INT8 a quarter and at most two for each column. */
size_t gemm_packed_size(Precision precision, int k, int n);
void   gemm_pack(Precision precision, real *packed, Operand b, int k, int n, Portion portion);
void   gemm_packed(Precision precision, Result r, Operand a, const real *packed, int m, int k,
                   int n);

#endif
