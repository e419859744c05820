/* cell_lstm.c - one step of an LSTM, forward and backward. */
#include "nn/cell_lstm.h"

#include "linalg/vector.h"

#include <string.h>

enum { GATES = 4, STATES = 2 };

static void forward(real *state, const CellSave *save, const real *u, int at, int rows, int H)
{
    const size_t wide = GATES * (size_t)H, width = STATES * (size_t)H;
    for (int i = 0; i < rows; i++) {
        const size_t row = (size_t)(at + i);
        vector_lstm(state + i * width, save->gates + row * wide, save->extra + row * H,
                    u + i * wide, save->previous + row * width, H);
    }
}

/* dm' is left where dm was; h' reaches the gates alone. */
static void backward(real *dstate, const CellSave *save, int at, int rows, int H)
{
    const size_t wide = GATES * (size_t)H, width = STATES * (size_t)H;
    for (int i = 0; i < rows; i++) {
        const size_t row = (size_t)(at + i);
        vector_lstm_backward(save->gates + row * wide, dstate + i * width, save->extra + row * H,
                             save->previous + row * width, H);
        memset(dstate + i * width, 0, (size_t)H * sizeof *dstate);
    }
}

const Cell cell_lstm = {
    .gates = GATES, .states = STATES, .extra = 1, .parts_differ = 0, .forward = forward,
    .backward = backward,
};
