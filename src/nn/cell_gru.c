/* cell_gru.c - one step of a GRU, forward and backward. */
#include "nn/cell_gru.h"

#include "nn/matrix.h"
#include "nn/vector.h"

enum { GATES = 3 };

static void forward(real *state, const CellSave *save, const CellWeights *w, real *u, int at, int rows, int first,
                    int H)
{
    const size_t wide = GATES * (size_t)H;
    const real *previous = save->previous + (size_t)at * H;

    /* 1. u (rows,3H) = h' (rows,H) · U' + c */
    if (first) matrix_fill_rows(u, w->c, rows, (int)wide);
    else matrix_affine_packed(u, (int)wide, previous, H, w->U, H, w->c, w->U_panels, rows, H, (int)wide);

    /* 2. gates and state, row by row */
    for (int i = 0; i < rows; i++)
        vector_gru(state + (size_t)i * H, save->gates + (size_t)(at + i) * wide, save->kept + (size_t)(at + i) * H,
                   u + (size_t)i * wide, previous + (size_t)i * H, H);
}

static void backward(real *dstate, const CellSave *save, const CellWeights *w, int at, int rows, int first, int H)
{
    const size_t wide = GATES * (size_t)H;

    /* 2. */
    for (int i = 0; i < rows; i++) {
        size_t row = (size_t)(at + i);
        real *gates = save->gates + row * wide, *dh = dstate + (size_t)i * H;
        vector_gru_backward(gates, save->du + row * wide, dh, dh, gates, save->kept + row * H,
                            save->previous + row * H, H);
    }

    /* 1. dh' (rows,H) += du (rows,3H) · U */
    if (!first)
        matrix_backward_input_packed(ACCUMULATE, dstate, H, save->du + (size_t)at * wide, (int)wide, w->U, H,
                                     w->U_panels, rows, H, (int)wide);
}

static void weights_backward(const CellWeights *dw, const CellSave *save, int N, int H)
{
    const int wide = GATES * H;
    /* dU (3H,H) += du' (3H,N) · h' (N,H) */
    matrix_backward_weight(dw->U, H, save->du, wide, save->previous, H, N, H, wide);
    matrix_add_rows(dw->c, save->du, N, wide);
    matrix_add_rows(dw->b, save->gates, N, wide);
}

const Cell cell_gru = {
    .gates = GATES, .states = 1, .kept = 1, .du = GATES,
    .forward = forward, .backward = backward, .weights_backward = weights_backward,
};
