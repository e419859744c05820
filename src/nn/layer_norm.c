/* layer_norm.c - layer normalisation, row by row. */
#include "nn/layer_norm.h"

#include "linalg/vector.h"

#include <stddef.h>

void layer_norm_forward(const NormLayer *l, real *y, const real *x, int ld, int at, int rows)
{
    for (int i = 0; i < rows; i++) {
        const size_t row = (size_t)(at + i);
        l->save->rstd[row] = vector_normalize(y + (size_t)i * ld, l->save->u + row * l->n,
                                              x + (size_t)i * ld, l->w->gain, l->w->bias, l->n);
    }
}

void layer_norm_backward(const NormLayer *l, real *dx, const real *dy, int ld, int at, int rows)
{
    for (int i = 0; i < rows; i++) {
        const size_t row = (size_t)(at + i);
        vector_normalize_backward(dx + (size_t)i * ld, l->dw->gain, l->dw->bias,
                                  dy + (size_t)i * ld, l->save->u + row * l->n, l->save->rstd[row],
                                  l->w->gain, l->n);
    }
}
