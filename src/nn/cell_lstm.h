/* cell_lstm.h - long short-term memory (Hochreiter and Schmidhuber 1997, with the forget gate of
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
#ifndef ATTN_NN_CELL_LSTM_H
#define ATTN_NN_CELL_LSTM_H

#include "nn/cell.h"

extern const Cell cell_lstm;

#endif
