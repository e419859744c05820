/* ssru.c - the simpler simple recurrent unit, step by step. */
#include "nn/ssru.h"

#include "linalg/vector.h"

#include <string.h>

/* The state of sequence i before step t; NULL: zeros. */
static const real *before(const SsruSave *save, const PackedSequence *seq, int t, int i, int D)
{
    return t ? save->c + (size_t)(seq->start[t - 1] + i) * D : NULL;
}

void ssru_forward(const SsruWeights *w, const SsruSave *save, real *y, const real *x,
                  const PackedSequence *seq)
{
    const int D = w->weight.columns;
    linear_forward(OVERWRITE, save->gates, 2 * D, x, D, &w->weight, NULL, seq->total);
    for (int t = 0; t < seq->steps; t++)
        for (int i = 0; i < seq->rows[t]; i++) {
            const size_t row = (size_t)(seq->start[t] + i);
            vector_ssru(y + row * D, save->c + row * D, save->gates + row * 2 * D, w->bias,
                        before(save, seq, t, i, D), D);
        }
}

void ssru_backward(const SsruWeights *w, const SsruWeights *dw, const SsruSave *save, Store store,
                   real *dx, const real *dy, const real *x, const PackedSequence *seq, real *dc)
{
    const int D = w->weight.columns, N = seq->total;
    memset(dc, 0, (size_t)seq->rows[0] * D * sizeof *dc);
    for (int t = seq->steps - 1; t >= 0; t--)
        for (int i = 0; i < seq->rows[t]; i++) {
            const size_t row = (size_t)(seq->start[t] + i);
            vector_ssru_backward(save->gates + row * 2 * D, dc + (size_t)i * D, dy + row * D,
                                 save->c + row * D, before(save, seq, t, i, D), D);
        }
    for (int i = 0; i < N; i++)
        vector_add(dw->bias, save->gates + ((size_t)i * 2 + 1) * D, (size_t)D);
    linear_backward_weight(&dw->weight, save->gates, 2 * D, x, D, N);
    linear_backward_input(store, dx, D, save->gates, 2 * D, &w->weight, N);
}

void ssru_step(const SsruWeights *w, real *y, real *c, real *gates, const real *x, int rows)
{
    const int D = w->weight.columns;
    linear_forward(OVERWRITE, gates, 2 * D, x, D, &w->weight, NULL, rows);
    for (int i = 0; i < rows; i++) {
        real *state = c + (size_t)i * D;
        vector_ssru(y + (size_t)i * D, state, gates + (size_t)i * 2 * D, w->bias, state, D);
    }
}
