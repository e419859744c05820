/* cell_lstm.c - long short-term memory (Hochreiter and Schmidhuber 1997, with the forget gate of
 * Gers et al. 2000), as PyTorch's nn.LSTM:
 *
 *   i = sigmoid(W_i x + b_i + U_i h' + c_i)        [h' ; m']: state before; m: PyTorch's c
 *   f = sigmoid(W_f x + b_f + U_f h' + c_f)
 *   g = tanh   (W_g x + b_g + U_g h' + c_g)
 *   o = sigmoid(W_o x + b_o + U_o h' + c_o)
 *   m = f * m' + i * g
 *   h = o * tanh(m)
 *
 * The order of the gates is i, f, g, o in every (..., 4H) array; tanh(m) is what the cell saves
 * (`extra`).
 */
#include "nn/cell.h"

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
