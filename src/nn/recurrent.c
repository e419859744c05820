/* recurrent.c - a recurrent layer, forward and backward. */
#include "nn/recurrent.h"

#include "linalg/vector.h"

#include <string.h>

/* The order of the steps: left to right, or right to left. */
static int step_at(const Packed *seq, int k, int reverse)
{
    return reverse ? seq->steps - 1 - k : k;
}

void recurrent_forward(const Cell *cell, real *h, int ldh, real *state, const CellSave *save, const real *x,
                       const CellWeights *w, const CellDropout *dropout, const Packed *seq, int reverse, int I, int H,
                       real *scratch)
{
    const int wide = cell->gates * H;
    const size_t width = (size_t)cell->states * H;

    /* 1. the input's part of all gates of all steps: (N,GH) = x (N,I) · W' + b */
    if (x) linear_forward(OVERWRITE, save->gates, wide, x, I, &w->W, w->b, seq->total);

    /* 2. the steps; right to left, sentences join as their last word is reached, with the zero state they wait with */
    memset(state, 0, (size_t)seq->rows[0] * width * sizeof *state);
    for (int k = 0; k < seq->steps; k++) {
        int t = step_at(seq, k, reverse), at = seq->start[t], rows = seq->rows[t];
        memcpy(save->previous + (size_t)at * width, state, (size_t)rows * width * sizeof *state);
        cell_forward(cell, state, save, w, dropout, scratch, at, rows, k == 0, H);
        for (int i = 0; i < rows; i++)
            memcpy(h + (size_t)(at + i) * ldh, state + (size_t)i * width, (size_t)H * sizeof *h);
    }
}

void recurrent_backward(const Cell *cell, real *dx, Store store, const CellWeights *dw, real *dstate,
                        const CellSave *save, const real *dh, int ldh, const real *x, const CellWeights *w,
                        const CellDropout *dropout, const Packed *seq, int reverse, int I, int H, real *scratch)
{
    const int wide = cell->gates * H;
    const size_t width = (size_t)cell->states * H;

    /* 2. dstate holds what flows back from the steps after, and from elsewhere for a sentence not yet reached */
    for (int k = seq->steps - 1; k >= 0; k--) {
        int t = step_at(seq, k, reverse), at = seq->start[t], rows = seq->rows[t];
        for (int i = 0; i < rows; i++)
            vector_add(dstate + (size_t)i * width, dh + (size_t)(at + i) * ldh, (size_t)H);
        cell_backward(cell, dstate, dw, save, w, dropout, scratch, at, rows, k == 0, H);
    }
    cell_weights_backward(cell, dw, save, dropout, seq->total, H);

    /* 1. dW (GH,I) += dgates' · x;  dx (N,I) = dgates (N,GH) · W */
    linear_backward_weight(&dw->W, save->gates, wide, x, I, seq->total);
    if (dx) linear_backward_input(store, dx, I, save->gates, wide, &w->W, seq->total);
}
