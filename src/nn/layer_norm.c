/* layer_norm.c - layer normalisation, row by row. */
#include "nn/layer_norm.h"

#include "linalg/vector.h"

#include <stddef.h>

void layer_norm_forward(const NormLayer *l, real *y, const real *x, int at, int rows)
{
    const size_t n = (size_t)l->n;
    real *u = l->save->u + at * n;
    for (int i = 0; i < rows; i++)
        l->save->rstd[at + i] = vector_normalize(y + i * n, u + i * n, x + i * n, l->w->gain,
                                                 l->w->bias, l->epsilon, l->n);
}

void layer_norm_backward(const NormLayer *l, real *dx, const real *dy, int at, int rows)
{
    const size_t n = (size_t)l->n;
    const real *u = l->save->u + at * n;
    for (int i = 0; i < rows; i++)
        vector_normalize_backward(dx + i * n, l->dw->gain, l->dw->bias, dy + i * n, u + i * n,
                                  l->save->rstd[at + i], l->w->gain, l->n);
}
