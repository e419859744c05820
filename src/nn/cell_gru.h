/* cell_gru.h - the gated recurrent unit (Cho et al. 2014), in PyTorch's variant: the reset gate
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
#ifndef ATTN_NN_CELL_GRU_H
#define ATTN_NN_CELL_GRU_H

#include "nn/cell.h"

extern const Cell cell_gru;

#endif
