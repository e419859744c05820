/* recurrent.c - a recurrent layer, forward and backward. */
#include "nn/recurrent.h"

#include "linalg/vector.h"

#include <string.h>

/* Step number k, left to right or right to left: its first row, and how many it has. */
typedef struct { int at, rows; } Step;

static Step step_at(const RecurrentLayer *l, int k)
{
    const int t = l->reverse ? l->seq->steps - 1 - k : k;
    return (Step){ l->seq->start[t], l->seq->rows[t] };
}

void recurrent_forward(const RecurrentLayer *l, real *h, int ldh, real *state, const real *x)
{
    const CellLayer *c = &l->cells;
    const int wide = c->cell->gates * c->H;
    const size_t width = (size_t)c->cell->states * c->H;

    /* 1. the input's part of all gates of all steps: (N,GH) = x (N,I) · W' + b */
    if (x)
        linear_forward(OVERWRITE, c->save->gates, wide, x, c->w->W.columns, &c->w->W, c->w->b,
                       l->seq->total);

    /* 2. the steps; right to left, a sentence joins at its last word, with a state of zero */
    memset(state, 0, (size_t)l->seq->rows[0] * width * sizeof *state);
    for (int k = 0; k < l->seq->steps; k++) {
        const Step s = step_at(l, k);
        memcpy(c->save->previous + (size_t)s.at * width, state,
               (size_t)s.rows * width * sizeof *state);
        cell_forward(c, state, s.at, s.rows, k == 0);
        for (int i = 0; i < s.rows; i++)
            memcpy(h + (size_t)(s.at + i) * ldh, state + (size_t)i * width,
                   (size_t)c->H * sizeof *h);
    }
}

void recurrent_backward(const RecurrentLayer *l, real *dx, Store store, real *dstate,
                        const real *dh, int ldh, const real *x)
{
    const CellLayer *c = &l->cells;
    const int wide = c->cell->gates * c->H, I = c->w->W.columns, N = l->seq->total;
    const size_t width = (size_t)c->cell->states * c->H;

    /* 2. dstate holds what flows back from the steps after, and from elsewhere for a sentence not
     * yet reached */
    for (int k = l->seq->steps - 1; k >= 0; k--) {
        const Step s = step_at(l, k);
        for (int i = 0; i < s.rows; i++)
            vector_add(dstate + (size_t)i * width, dh + (size_t)(s.at + i) * ldh, (size_t)c->H);
        cell_backward(c, dstate, s.at, s.rows, k == 0);
    }
    cell_weights_backward(c, N);

    /* 1. dW (GH,I) += dgates' · x;  dx (N,I) = dgates (N,GH) · W */
    linear_backward_weight(&c->dw->W, c->save->gates, wide, x, I, N);
    if (dx) linear_backward_input(store, dx, I, c->save->gates, wide, &c->w->W, N);
}
