/* cell_lstm.c - one step of an LSTM, forward and backward. */
#include "nn/cell_lstm.h"

#include "nn/matrix.h"
#include "nn/vector.h"

enum { GATES = 4, STATES = 2 };

static void forward(real *state, const CellSave *save, const CellWeights *w, real *u, int at, int rows, int first,
                    int H)
{
    const size_t wide = GATES * (size_t)H, width = STATES * (size_t)H;
    const real *previous = save->previous + (size_t)at * width;

    /* 1. u (rows,4H) = h' (rows,H) · U' + c */
    matrix_fill_rows(u, w->c, rows, (int)wide);
    if (!first) matrix_forward(ACCUMULATE, u, (int)wide, previous, (int)width, w->U, H, rows, H, (int)wide);

    /* 2. gates and state, row by row */
    for (int i = 0; i < rows; i++)
        vector_lstm(state + i * width, save->gates + (at + i) * wide, save->kept + (size_t)(at + i) * H, u + i * wide,
                    previous + i * width, H);
}

static void backward(real *dstate, const CellSave *save, const CellWeights *w, int at, int rows, int first, int H)
{
    const size_t wide = GATES * (size_t)H, width = STATES * (size_t)H;

    /* 2. dm' is left where dm was */
    for (int i = 0; i < rows; i++) {
        size_t row = (size_t)(at + i);
        vector_lstm_backward(save->gates + row * wide, dstate + i * width, save->kept + row * H,
                             save->previous + row * width, H);
    }

    /* 1. dh' (rows,H) = dgates (rows,4H) · U */
    if (!first)
        matrix_backward_input(OVERWRITE, dstate, (int)width, save->gates + (size_t)at * wide, (int)wide, w->U, H, rows,
                              H, (int)wide);
}

static void weights_backward(const CellWeights *dw, const CellSave *save, int N, int H)
{
    const int wide = GATES * H;
    /* dU (4H,H) += dgates' (4H,N) · h' (N,H) */
    matrix_backward_weight(dw->U, H, save->gates, wide, save->previous, STATES * H, N, H, wide);
    matrix_add_rows(dw->c, save->gates, N, wide);
    matrix_add_rows(dw->b, save->gates, N, wide);
}

const Cell cell_lstm = {
    .gates = GATES, .states = STATES, .kept = 1, .du = 0,
    .forward = forward, .backward = backward, .weights_backward = weights_backward,
};
