/* cell.h - the family of recurrent cells: what happens in one step of a recurrent layer.
 *
 * A cell reads its input as the input's part of its gates, W x + b, which the caller computes for as many steps at once
 * as he can, and its state before the step. The state is `states` blocks of H numbers: first h, the output that others
 * read, then what only the cell itself carries (LSTM's memory).
 *
 * A new cell is one new file with a `const Cell cell_NAME` and one row in the table of cell.c; the shapes of its
 * parameters and the option --cell follow from these rows. Parameters have the names and layouts of PyTorch's nn.GRU
 * and nn.LSTM. G, the number of gates, is the cell's own.
 */
#ifndef ATTN_NN_CELL_H
#define ATTN_NN_CELL_H

#include "nn/matrix.h"

typedef struct {            /* weights, or their gradients */
    real *W;                /* (GH, I)  weight_ih */
    real *U;                /* (GH, H)  weight_hh */
    real *b;                /* (GH)     bias_ih */
    real *c;                /* (GH)     bias_hh */
    Panels W_panels;        /* of the columns of W that every step reads, or NULLs */
    Panels U_panels;        /* of U, or NULLs */
} CellWeights;

typedef struct {            /* written by forward, read by backward */
    real *gates;            /* (N, GH)          W x + b, then the gates; backward leaves the gradient of W x + b here */
    real *kept;             /* (N, kept * H)    what else the cell wants to know in its backward pass */
    real *previous;         /* (N, states * H)  the state before the step */
    real *du;               /* (N, du * H)      backward only: the gradient of U h' + c; layers may share it */
} CellSave;

typedef struct {
    int gates, states, kept;        /* widths, in H */
    int du;                         /* 0 where the gradient of U h' + c is that of W x + b */

    /* forward - one step on `rows` sentences; `at` is their first row in the arrays of save.
     *
     * state    out  (rows, states * H)
     * save     in   gates: W x + b;  previous      out  gates, kept
     * w        in   U, c
     * u        scratch (rows, GH)
     * first         the state before is known to be zero: the product with it is left out */
    void (*forward)(real *state, const CellSave *save, const CellWeights *w, real *u, int at, int rows, int first,
                    int H);

    /* backward - the gradient of that step.
     *
     * dstate   in/out (rows, states * H)  the whole gradient of the state after; becomes that of the state before
     * save     in/out gates become the gradient of W x + b;  du */
    void (*backward)(real *dstate, const CellSave *save, const CellWeights *w, int at, int rows, int first, int H);

    /* weights_backward - after the last step: the gradients of U, b and c of all N rows in one product.
     * dw += from save->gates (now gradients), du and previous. W's is the caller's: he knows the input. */
    void (*weights_backward)(const CellWeights *dw, const CellSave *save, int N, int H);
} Cell;

extern const Cell *const cells[];               /* the table; NULL ends it */
extern const char *const cell_names[];          /* their names in the same order, for --cell */

#endif
