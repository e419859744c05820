/* matrix.c - the products by our kernels or by OpenBLAS, whichever is faster. */
#include "linalg/matrix.h"

#include "linalg/gemm.h"
#include "linalg/openblas.h"

#include <string.h>

/* ---- who multiplies ---- */

/* A state of the thread, as the C library's rounding mode is: every product of a step rounds alike. */
static _Thread_local Precision precision;
static _Thread_local PackedWeights *copies;

void matrix_round(Precision how)
{
    precision = how;
}

void matrix_use(PackedWeights *packed)
{
    copies = packed;
}

static void multiply(Result r, Operand a, Operand b, int m, int k, int n)
{
    if (gemm_is_fastest()) gemm(precision, r, a, b, m, k, n);
    else openblas_multiply(r, a, b, m, k, n);
}

/* B is a weight: with its copy where there is one. */
static void multiply_weight(Result r, Operand a, Operand b, int m, int k, int n)
{
    const PackedCopy copy = copies ? packed_find(copies, b, k, n) : (PackedCopy){ NULL, PRECISION_FLOAT };
    if (copy.panels) gemm_packed(copy.precision, r, a, copy.panels, m, k, n);
    else multiply(r, a, b, m, k, n);
}

/* panels: of B, or NULL */
static void multiply_packed(Result r, Operand a, Operand b, const real *panels, Precision packed, int m, int k, int n)
{
    if (panels) gemm_packed(packed, r, a, panels, m, k, n);
    else multiply_weight(r, a, b, m, k, n);
}

/* ---- the products ---- */

static Operand matrix(const real *x, int ld)
{
    return (Operand){ x, ld, 1 };
}

static Operand transposed(const real *x, int ld)
{
    return (Operand){ x, 1, ld };
}

static Result stored(Store store, real *c, int ld)
{
    return (Result){ c, ld, store == ACCUMULATE ? c : NULL, ld };
}

static Result from_bias(real *c, int ld, const real *bias)
{
    return (Result){ c, ld, bias, 0 };
}

void matrix_forward(Store store, real *y, int ldy, const real *x, int ldx, const real *w, int ldw, int m, int k, int n)
{
    multiply_weight(stored(store, y, ldy), matrix(x, ldx), transposed(w, ldw), m, k, n);
}

void matrix_affine(real *y, int ldy, const real *x, int ldx, const real *w, int ldw, const real *b,
                   int m, int k, int n)
{
    multiply_weight(from_bias(y, ldy, b), matrix(x, ldx), transposed(w, ldw), m, k, n);
}

void matrix_backward_input(Store store, real *dx, int ldx, const real *dy, int ldy, const real *w, int ldw,
                           int m, int k, int n)
{
    multiply(stored(store, dx, ldx), matrix(dy, ldy), matrix(w, ldw), m, n, k);
}

void matrix_backward_weight(real *dw, int ldw, const real *dy, int ldy, const real *x, int ldx, int m, int k, int n)
{
    multiply(stored(ACCUMULATE, dw, ldw), transposed(dy, ldy), matrix(x, ldx), n, m, k);
}

/* ---- weights that are read many times ---- */

size_t matrix_panels(int k, int n)
{
    return gemm_is_fastest() ? gemm_panels(PRECISION_FLOAT, k, n) : 0;
}

Panels matrix_pack(real *forward, real *backward, const real *w, int ldw, int k, int n, Portion portion)
{
    if (!gemm_is_fastest()) return (Panels){ NULL, NULL, PRECISION_FLOAT };
    if (forward) gemm_pack(precision, forward, transposed(w, ldw), k, n, portion);
    if (backward) gemm_pack(precision, backward, matrix(w, ldw), n, k, portion);
    return (Panels){ forward, backward, precision };
}

void matrix_forward_packed(Store store, real *y, int ldy, const real *x, int ldx, const real *w, int ldw, Panels panels,
                           int m, int k, int n)
{
    multiply_packed(stored(store, y, ldy), matrix(x, ldx), transposed(w, ldw), panels.forward, panels.precision,
                    m, k, n);
}

void matrix_affine_packed(real *y, int ldy, const real *x, int ldx, const real *w, int ldw, const real *b,
                          Panels panels, int m, int k, int n)
{
    multiply_packed(from_bias(y, ldy, b), matrix(x, ldx), transposed(w, ldw), panels.forward, panels.precision,
                    m, k, n);
}

void matrix_backward_input_packed(Store store, real *dx, int ldx, const real *dy, int ldy, const real *w, int ldw,
                                  Panels panels, int m, int k, int n)
{
    multiply_packed(stored(store, dx, ldx), matrix(dy, ldy), matrix(w, ldw), panels.backward, panels.precision,
                    m, n, k);
}

/* ---- rows ---- */

void matrix_fill_rows(real *y, const real *b, int m, int n)
{
    for (int i = 0; i < m; i++)
        memcpy(y + (size_t)i * n, b, (size_t)n * sizeof *y);
}

void matrix_add_rows(real *db, const real *dy, int m, int n)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            db[j] += dy[(size_t)i * n + j];
}
