/* recurrent.h - one direction of one recurrent layer over packed sequences, from a zero state; with
 * any cell.
 *
 * Cost: one product (N,I)·(I,GH) for all steps, then one (rows,H)·(H,GH) a step.
 */
#ifndef ATTN_NN_RECURRENT_H
#define ATTN_NN_RECURRENT_H

#include "nn/cell.h"
#include "nn/nn.h"

typedef struct {
    CellLayer     cells;
    const PackedSequence *seq;
    int           reverse;      /* right to left, from the last word of each sentence */
} RecurrentLayer;

/* recurrent_forward
 *
 * h        out  (N, H), row distance ldh: two directions write side by side into one (N, 2H)
 * state    out  (B, states * H)  each sequence's state after its last step, in the order
 *               of the rows of step 0
 * x        in   (N, I); NULL: save->gates has the input's part already
 */
void recurrent_forward(const RecurrentLayer *l, real *h, int ldh, real *state, const real *x);

/* recurrent_backward
 *
 * dx       out  (N, I), overwritten, or accumulated for the second direction of a layer (store);
 *                       NULL: not wanted
 * dstate   in   (B, states * H)  the gradient of the last states, from elsewhere than h; used up
 * save     in/out       gates become gradients
 * dh       in   (N, H), row distance ldh
 */
void recurrent_backward(const RecurrentLayer *l, real *dx, Store store, real *dstate,
                        const real *dh, int ldh, const real *x);

#endif
