/* gru.h - the gated recurrent unit (Cho et al. 2014), in PyTorch's variant: the reset gate acts after the product.
 *
 *   r  = sigmoid(W_r x + b_r + U_r h' + c_r)          h' is the state before
 *   z  = sigmoid(W_z x + b_z + U_z h' + c_z)
 *   un = U_n h' + c_n
 *   n  = tanh(W_n x + b_n + r * un)
 *   h  = (1 - z) * n + z * h'
 *
 * The gates stand in the order r, z, n in every (..., 3H) array.
 */
#ifndef ATTN_NN_GRU_H
#define ATTN_NN_GRU_H

#include "nn/nn.h"

typedef struct {            /* weights, or their gradients */
    real *W;                /* (3H, I)  weight_ih */
    real *U;                /* (3H, H)  weight_hh */
    real *b;                /* (3H)     bias_ih */
    real *c;                /* (3H)     bias_hh */
} GruWeights;

typedef struct {            /* written by forward, read by backward */
    real *gates;            /* (N, 3H)  r, z, n; backward leaves the gradient of the input's part here */
    real *un;               /* (N, H)   */
    real *previous;         /* (N, H)   h' */
} GruSave;

/* gru_cell_forward - one step on `rows` sentences; `at` is their first row in the arrays of save.
 *
 * h        out  (rows, H), row distance ldh
 * save     in   gates: W x + b;  previous: h'       out  gates: r, z, n;  un
 * w        in   U, c
 * u        scratch (rows, 3H)
 * first         h' is known to be zero: the product with it is left out
 */
void gru_cell_forward(real *h, int ldh, const GruSave *save, const GruWeights *w, real *u, int at, int rows, int first,
                      int H);

/* gru_cell_backward - the gradient of that step.
 *
 * dprevious out (rows, H)  overwritten: the gradient of h'; may be dh itself
 * save      in/out         gates become the gradient of W x + b
 * du        out (N, 3H)    its rows from `at` are the gradient of U h' + c
 * dh        in  (rows, H)  the whole gradient of h
 */
void gru_cell_backward(real *dprevious, const GruSave *save, real *du, const real *dh, const GruWeights *w, int at,
                       int rows, int first, int H);

/* gru_weights_backward - after the last step: the gradients of U, b and c of all steps in one product.
 * dw += from save->gates (now gradients), du and save->previous. W's is the caller's: it knows the input. */
void gru_weights_backward(const GruWeights *dw, const GruSave *save, const real *du, int N, int H);

/* gru_forward - one direction of one encoder layer over packed sequences, from a zero state.
 *
 * h        out  (N, H), row distance ldh: two directions write side by side into one (N, 2H)
 * x        in   (N, I)
 * reverse       right to left: the state starts at each sentence's own last word
 * scratch       (B, 4H)
 * Cost: one product (N,I)·(I,3H) for all steps, then one (rows,H)·(H,3H) a step.
 */
void gru_forward(real *h, int ldh, const GruSave *save, const real *x, const GruWeights *w, const Packed *seq,
                 int reverse, int I, int H, real *scratch);

/* gru_backward - its gradient.
 *
 * dx       out  (N, I), overwritten, or accumulated for the second direction of a layer (store); NULL: not wanted
 * dw       in/out       accumulated
 * save     in/out       gates become gradients
 * dh       in   (N, H), row distance ldh
 * scratch       (N, 3H) + (B, H)
 */
void gru_backward(real *dx, Store store, const GruWeights *dw, const GruSave *save, const real *dh, int ldh,
                  const real *x, const GruWeights *w, const Packed *seq, int reverse, int I, int H, real *scratch);

#endif
