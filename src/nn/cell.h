/* cell.h - the family of recurrent cells: what happens in one step of a recurrent layer, and the
 * layer.
 *
 * A cell reads its state before the step, and the input's part of its gates, W x + b, which the
 * caller computes for as many steps at once as possible. The state is `states` blocks of H numbers:
 * first h, the output that other layers read, then what the cell alone reads (LSTM's memory).
 *
 * With layer normalisation (Ba, Kiros and Hinton 2016, the recurrent networks of their appendix;
 * Nematus) both parts of the gates are normalised, each over all its GH values, before they meet:
 *
 *   LN(W x + b; gain and bias of input_norm)    LN(U h' + c; gain and bias of state_norm)
 *
 * A new cell is a `const Cell cell_NAME` and its row in the table of cell.c; the shapes of its
 * parameters and the option --cell follow from these. Parameters have the names and layouts of
 * PyTorch's nn.GRU and nn.LSTM. G, the number of gates, is the cell's own.
 */
#ifndef ATTN_NN_CELL_H
#define ATTN_NN_CELL_H

#include "linalg/linear.h"
#include "nn/dropout.h"
#include "nn/layer_norm.h"
#include "nn/nn.h"

typedef struct {            /* weights, or their gradients */
    Linear W;               /* (GH, I)  weight_ih */
    Linear U;               /* (GH, H)  weight_hh */
    real  *b;               /* (GH)     bias_ih */
    real  *c;               /* (GH)     bias_hh */
    NormWeights input_norm, state_norm;     /* (GH) NULL: as they are */
} CellWeights;

typedef struct {            /* written by forward, read by backward */
    real *gates;            /* (N, GH)          W x + b; then the gates; backward leaves the
                             *                  gradient of W x + b here */
    real *extra;            /* (N, extra * H)   what else the backward pass of the cell reads */
    real *previous;         /* (N, states * H)  the state before the step */
    real *du;               /* (N, GH)          backward only: the gradient of U h' + c; layers may
                             *                  share it. Not used where that of W x + b is the same
                             *                  (cell_keeps_du) */
    NormSave input_norm, state_norm;        /* (N, GH) where there is normalisation */
} CellSave;

/* Dropout of h' where it is multiplied with U, and nowhere else: what the cell carries on stays
 * whole (Gal and Ghahramani 2016; Semeniuta et al. 2016). The mask is not stored. */
typedef struct {
    Dropout         dropout;        /* p 0: none, and the rest is not read */
    int             place;
    const uint64_t *token;          /* (N) */
} CellDropout;

typedef struct {
    int gates, states, extra;       /* widths, in H */
    int parts_differ;               /* whether the gradients of U h' + c and W x + b differ */

    /* forward - the cell's own equations for `rows` sentences; `at` is their first row in the
     * arrays of save.
     *
     * state    out  (rows, states * H)
     * save     in   gates: the input's part;  previous      out  gates, extra
     * u        in   (rows, GH) the state's part */
    void (*forward)(real *state, const CellSave *save, const real *u, int at, int rows, int H);

    /* backward - their gradient.
     *
     * dstate   in/out (rows, states * H)  the whole gradient of the state after; becomes the
     *                 direct part of that of the state before, without what flows through U
     * save     in/out gates become the gradient of the input's part;  du, where parts_differ, that
     *                 of the state's */
    void (*backward)(real *dstate, const CellSave *save, int at, int rows, int H);
} Cell;

/* One layer of cells in one pass: what all its steps share. */
typedef struct {
    const Cell        *cell;
    int                H;
    const CellWeights *w, *dw;      /* dw: backward only, accumulated */
    const CellSave    *save;
    CellDropout        dropout;
    real              *scratch;     /* (rows, GH + H); backward (rows, H) */
} CellLayer;

/* cell_forward - one step of `rows` sentences, whose first row in the arrays of save is `at`: the
 * state's part of the gates, both parts normalised, the cell's equations.
 *
 * state    out  (rows, states * H)
 * save     in   gates: W x + b;  previous      out  all else but du
 * first         the state before is known to be zero: the product with it is left out */
void cell_forward(const CellLayer *l, real *state, int at, int rows, int first);

/* cell_backward - the gradient of that step.
 *
 * dstate   in/out (rows, states * H)  the whole gradient of the state after; becomes that of the
 *                 state before
 * dw       in/out of the normalisations alone
 * save     in/out gates become the gradient of W x + b;  du */
void cell_backward(const CellLayer *l, real *dstate, int at, int rows, int first);

/* cell_weights_backward - after the last step: the gradients of U, b and c of all N rows in one
 * product. The caller, which has the input, adds that of W. save->previous is used up where there
 * is dropout. */
void cell_weights_backward(const CellLayer *l, int N);

/* cell_keeps_du - whether save->du is used; with layer normalisation it always is. */
int cell_keeps_du(const Cell *cell, int normalises);

extern const Cell cell_gru, cell_lstm;
extern const Cell *const cells[];               /* the table; NULL ends it */
extern const char *const cell_names[];          /* their names in the same order, for --cell */

/* ---- one direction of one recurrent layer over packed sequences, from a zero state ----
 *
 * Cost: one product (N,I)·(I,GH) for all steps, then one (rows,H)·(H,GH) a step. */

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
