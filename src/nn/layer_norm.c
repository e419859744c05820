/* layer_norm.c - layer normalisation, row by row. */
#include "nn/layer_norm.h"

#include "linalg/vector.h"

#include <stddef.h>

void layer_norm_forward(real *y, const NormSave *save, const real *x, int ld, const NormWeights *w, int at, int rows,
                        int n)
{
    for (int i = 0; i < rows; i++) {
        const size_t row = (size_t)(at + i);
        save->rstd[row] = vector_normalize(y + (size_t)i * ld, save->u + row * n, x + (size_t)i * ld, w->gain,
                                           w->bias, n);
    }
}

void layer_norm_backward(real *dx, const NormWeights *dw, const real *dy, int ld, const NormSave *save,
                         const NormWeights *w, int at, int rows, int n)
{
    for (int i = 0; i < rows; i++) {
        const size_t row = (size_t)(at + i);
        vector_normalize_backward(dx + (size_t)i * ld, dw->gain, dw->bias, dy + (size_t)i * ld, save->u + row * n,
                                  save->rstd[row], w->gain, n);
    }
}
