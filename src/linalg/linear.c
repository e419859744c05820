/* linear.c - the products of a linear layer. */
#include "linalg/linear.h"

#include "linalg/prepacked.h"
#include "linalg/vector.h"

#include <string.h>

Linear linear_of(real *weights, int ld, int rows, int columns, Precision precision)
{
    const int is_small = rows < LINEAR_INT8_LEAST || columns < LINEAR_INT8_LEAST;
    const int stays_float = precision == PRECISION_INT8 && is_small;
    return (Linear){ .weights = weights, .ld = ld, .rows = rows, .columns = columns,
                     .precision = stays_float ? PRECISION_FLOAT : precision };
}

void linear_forward(Store store, real *y, int ldy, const real *x, int ldx, const Linear *w,
                    const real *bias, int m)
{
    const real *prepacked = prepacked_forward(w);
    const Result r = bias ? (Result){ y, ldy, bias, 0 } : result_in(store, y, ldy);
    const Operand a = matrix_of(x, ldx);
    if (prepacked) gemm_packed(w->precision, r, a, prepacked, m, w->columns, w->rows);
    else matmul(w->precision, r, a, transposed(w->weights, w->ld), m, w->columns, w->rows);
}

void linear_backward_input(Store store, real *dx, int ldx, const real *dy, int ldy,
                           const Linear *w, int m)
{
    const real *prepacked = prepacked_backward(w);
    const Result r = result_in(store, dx, ldx);
    const Operand a = matrix_of(dy, ldy);
    if (prepacked) gemm_packed(w->precision, r, a, prepacked, m, w->rows, w->columns);
    else matmul(w->precision, r, a, matrix_of(w->weights, w->ld), m, w->rows, w->columns);
}

void linear_backward_weight(const Linear *dw, const real *dy, int ldy, const real *x, int ldx,
                            int m)
{
    matmul(dw->precision, result_in(ACCUMULATE, dw->weights, dw->ld), transposed(dy, ldy),
           matrix_of(x, ldx), dw->rows, m, dw->columns);
}

void bias_forward(real *y, const real *bias, int m, int n)
{
    for (int i = 0; i < m; i++)
        memcpy(y + (size_t)i * n, bias, (size_t)n * sizeof *y);
}

void bias_backward(real *dbias, const real *dy, int m, int n)
{
    for (int i = 0; i < m; i++)
        vector_add(dbias, dy + (size_t)i * n, (size_t)n);
}
