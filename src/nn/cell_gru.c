/* cell_gru.c - the gated recurrent unit (Cho et al. 2014), in PyTorch's variant: the reset gate
 * acts after the product.
 *
 *   r  = sigmoid(W_r x + b_r + U_r h' + c_r)          h' is the state before
 *   z  = sigmoid(W_z x + b_z + U_z h' + c_z)
 *   un = U_n h' + c_n
 *   n  = tanh(W_n x + b_n + r * un)
 *   h  = (1 - z) * n + z * h'
 *
 * The order of the gates is r, z, n in every (..., 3H) array; un is what the cell saves (`extra`).
 */
#include "nn/cell.h"

#include "linalg/vector.h"

enum { GATES = 3 };

static void forward(real *state, const CellSave *save, const real *u, int at, int rows, int H)
{
    const size_t wide = GATES * (size_t)H;
    for (int i = 0; i < rows; i++) {
        const size_t row = (size_t)(at + i);
        vector_gru(state + (size_t)i * H, save->gates + row * wide, save->extra + row * H,
                   u + (size_t)i * wide, save->previous + row * H, H);
    }
}

static void backward(real *dstate, const CellSave *save, int at, int rows, int H)
{
    const size_t wide = GATES * (size_t)H;
    for (int i = 0; i < rows; i++) {
        const size_t row = (size_t)(at + i);
        real *gates = save->gates + row * wide, *dh = dstate + (size_t)i * H;
        vector_gru_backward(gates, save->du + row * wide, dh, dh, gates, save->extra + row * H,
                            save->previous + row * H, H);
    }
}

const Cell cell_gru = {
    .gates = GATES, .states = 1, .extra = 1, .parts_differ = 1, .forward = forward,
    .backward = backward,
};
