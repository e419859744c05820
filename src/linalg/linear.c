/* linear.c - the products of a linear layer. */
#include "linalg/linear.h"

#include "linalg/vector.h"

#include <string.h>

Linear linear_of(real *weights, int ld, int rows, int columns, Precision precision)
{
    const int is_small = rows < LINEAR_INT8_LEAST || columns < LINEAR_INT8_LEAST;
    const int stays_float = precision == PRECISION_INT8 && is_small;
    return (Linear){ .weights = weights, .ld = ld, .rows = rows, .columns = columns,
                     .precision = stays_float ? PRECISION_FLOAT : precision };
}

/* ---- prepacked copies ---- */

size_t prepacked_forward_size(const Linear *w)
{
    return gemm_multiplies(w->precision) ? gemm_packed_size(w->precision, w->columns, w->rows) : 0;
}

size_t prepacked_backward_size(const Linear *w)
{
    return gemm_multiplies(w->precision) ? gemm_packed_size(w->precision, w->rows, w->columns) : 0;
}

static void write_forward(const Linear *w, Portion portion)
{
    gemm_pack(w->precision, w->prepacked->forward, transposed(w->weights, w->ld), w->columns,
              w->rows, portion);
}

static void write_backward(const Linear *w, Portion portion)
{
    gemm_pack(w->precision, w->prepacked->backward, matrix_of(w->weights, w->ld), w->rows,
              w->columns, portion);
}

void prepacked_write(const Linear *w, Portion portion)
{
    if (w->prepacked->forward) write_forward(w, portion);
    if (w->prepacked->backward) write_backward(w, portion);
}

/* The copy of w', or NULL. The first thread that asks makes it, while the others go without. */
static const real *prepacked_forward(const Linear *w)
{
    Prepacked *p = w->prepacked;
    int state = PREPACKED_LATER;
    if (!p || !p->forward) return NULL;
    if (atomic_load_explicit(&p->state, memory_order_acquire) == PREPACKED_READY) return p->forward;
    if (!atomic_compare_exchange_strong(&p->state, &state, PREPACKED_NOW)) return NULL;
    write_forward(w, (Portion){ 0, 1 });
    atomic_store_explicit(&p->state, PREPACKED_READY, memory_order_release);
    return p->forward;
}

static const real *prepacked_backward(const Linear *w)
{
    return w->prepacked ? w->prepacked->backward : NULL;
}

/* ---- products ---- */

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
