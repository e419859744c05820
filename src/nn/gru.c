/* gru.c - GRU cell and layer, forward and backward. */
#include "nn/gru.h"

#include "nn/matrix.h"
#include "nn/vector.h"

#include <string.h>

void gru_cell_forward(real *h, int ldh, const GruSave *save, const GruWeights *w, real *u, int at, int rows, int first,
                      int H)
{
    const size_t wide = 3 * (size_t)H;
    const real *previous = save->previous + (size_t)at * H;

    /* 1. u (rows,3H) = h' (rows,H) · U' + c */
    matrix_fill_rows(u, w->c, rows, (int)wide);
    if (!first) matrix_forward(ACCUMULATE, u, (int)wide, previous, H, w->U, H, rows, H, (int)wide);

    /* 2. gates and state, row by row */
    for (int i = 0; i < rows; i++)
        vector_gru(h + (size_t)i * ldh, save->gates + (size_t)(at + i) * wide, save->un + (size_t)(at + i) * H,
                   u + (size_t)i * wide, previous + (size_t)i * H, H);
}

void gru_cell_backward(real *dprevious, const GruSave *save, real *du, const real *dh, const GruWeights *w, int at,
                       int rows, int first, int H)
{
    const size_t wide = 3 * (size_t)H;

    /* 2. */
    for (int i = 0; i < rows; i++) {
        size_t row = (size_t)(at + i);
        real *gates = save->gates + row * wide;
        vector_gru_backward(gates, du + row * wide, dprevious + (size_t)i * H, dh + (size_t)i * H, gates,
                            save->un + row * H, save->previous + row * H, H);
    }

    /* 1. dh' (rows,H) += du (rows,3H) · U */
    if (!first)
        matrix_backward_input(ACCUMULATE, dprevious, H, du + (size_t)at * wide, (int)wide, w->U, H, rows, H, (int)wide);
}

void gru_weights_backward(const GruWeights *dw, const GruSave *save, const real *du, int N, int H)
{
    /* dU (3H,H) += du' (3H,N) · h' (N,H) */
    matrix_backward_weight(dw->U, H, du, 3 * H, save->previous, H, N, H, 3 * H);
    matrix_add_rows(dw->c, du, N, 3 * H);
    matrix_add_rows(dw->b, save->gates, N, 3 * H);
}

/* The order of the steps: left to right, or right to left. */
static int step_at(const Packed *seq, int k, int reverse)
{
    return reverse ? seq->steps - 1 - k : k;
}

void gru_forward(real *h, int ldh, const GruSave *save, const real *x, const GruWeights *w, const Packed *seq,
                 int reverse, int I, int H, real *scratch)
{
    const size_t state_size = sizeof(real) * (size_t)H;
    real *u = scratch, *state = scratch + (size_t)seq->rows[0] * 3 * H;

    /* 1. the input's part of all gates of all steps: (N,3H) = x (N,I) · W' + b */
    matrix_fill_rows(save->gates, w->b, seq->total, 3 * H);
    matrix_forward(ACCUMULATE, save->gates, 3 * H, x, I, w->W, I, seq->total, I, 3 * H);

    /* 2. the steps; right to left, sentences join as their last word is reached, with the zero state they wait with */
    memset(state, 0, (size_t)seq->rows[0] * state_size);
    for (int k = 0; k < seq->steps; k++) {
        int t = step_at(seq, k, reverse), at = seq->start[t], rows = seq->rows[t];
        real *h_t = h + (size_t)at * ldh;
        memcpy(save->previous + (size_t)at * H, state, (size_t)rows * state_size);
        gru_cell_forward(h_t, ldh, save, w, u, at, rows, k == 0, H);
        for (int i = 0; i < rows; i++)
            memcpy(state + (size_t)i * H, h_t + (size_t)i * ldh, state_size);
    }
}

void gru_backward(real *dx, Store store, const GruWeights *dw, const GruSave *save, const real *dh, int ldh,
                  const real *x, const GruWeights *w, const Packed *seq, int reverse, int I, int H, real *scratch)
{
    real *du = scratch, *dstate = scratch + (size_t)seq->total * 3 * H;

    /* 2. dstate holds what flows back from the steps after; it is zero for a sentence not yet reached */
    memset(dstate, 0, (size_t)seq->rows[0] * H * sizeof(real));
    for (int k = seq->steps - 1; k >= 0; k--) {
        int t = step_at(seq, k, reverse), at = seq->start[t], rows = seq->rows[t];
        for (int i = 0; i < rows; i++)
            vector_add(dstate + (size_t)i * H, dh + (size_t)(at + i) * ldh, (size_t)H);
        gru_cell_backward(dstate, save, du, dstate, w, at, rows, k == 0, H);
    }
    gru_weights_backward(dw, save, du, seq->total, H);

    /* 1. dW (3H,I) += dgates' · x;  dx (N,I) = dgates (N,3H) · W */
    matrix_backward_weight(dw->W, I, save->gates, 3 * H, x, I, seq->total, I, 3 * H);
    if (dx)
        matrix_backward_input(store, dx, I, save->gates, 3 * H, w->W, I,
                              seq->total, I, 3 * H);
}
