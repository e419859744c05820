/* order_conditional.c - the conditional GRU of Nematus (Sennrich et al. 2017, section 2) and Marian: look between two
 * transitions, with a state that knows the word before. It goes with any cell.
 *
 *   1. s'_t = cell_1(E y_{t-1}, s_{t-1})           layer 0; the words' part of all steps is one product
 *   2. c_t  = attention(s'_t, memory)
 *   3. s_t  = cell_2(c_t, s'_t)                    the transition: W (G, C), U (G, H); s_t is the state of layer 0
 *
 * Further layers read the output of s_t.
 */
#include "model/order.h"

#include <string.h>

static void layout(DecoderState *d, Arena *arena, const Architecture *net, size_t N, size_t B, int backward)
{
    (void)B;
    d->transition = cell_layout(arena, net, N, backward ? arena_reals(arena, cell_du(net, N)) : NULL);
}

static CellLayer transition_of(const DecoderState *d, const DecoderPass *pass)
{
    return (CellLayer){ .cell = pass->net->cell, .H = pass->net->n.H, .w = &pass->w->transition,
                        .dw = pass->dw ? &pass->dw->transition : NULL, .save = &d->transition,
                        .dropout = { pass->noise->recurrent, PLACE_TRANSITION_STATE, pass->token },
                        .scratch = d->scratch };
}

static void within(DecoderState *d, const DecoderPass *pass, int at, int rows)
{
    const Sizes *n = &pass->net->n;
    const CellLayer layer = transition_of(d, pass);
    real *state = d->carried[0].now, *gates = d->transition.gates + (size_t)at * n->G;

    /* 2. */
    attend(d, pass, state, n->Z, at, rows);
    /* 3. gates (rows,G) = b + c (rows,C) · W' */
    linear_forward(OVERWRITE, gates, n->G, d->context + (size_t)at * n->C, n->C, &layer.w->W,
                   layer.w->b, rows);
    memcpy(d->transition.previous + (size_t)at * n->Z, state, (size_t)rows * n->Z * sizeof *state);
    cell_forward(&layer, state, at, rows, 0);
}

static void within_backward(DecoderState *d, const DecoderGradient *g, const DecoderPass *pass, int at, int rows)
{
    const Sizes *n = &pass->net->n;
    const CellLayer layer = transition_of(d, pass);
    real *dstate = d->carried[0].gradient;

    /* 3. dc (rows,C) += dgates (rows,G) · W */
    cell_backward(&layer, dstate, at, rows, 0);
    linear_backward_input(ACCUMULATE, g->dcontext + (size_t)at * n->C, n->C, d->transition.gates + (size_t)at * n->G,
                          n->G, &layer.w->W, rows);
    /* 2. */
    attend_backward(d, dstate, n->Z, g, pass, at, rows);
}

static void step_backward(DecoderState *d, const DecoderGradient *g, const DecoderPass *pass, int at, int rows)
{
    stack_backward(d, g->doutput + (size_t)at * pass->net->n.H, g, pass, at, rows);
}

static void weights_backward(DecoderState *d, const DecoderGradient *g, const DecoderPass *pass, int N)
{
    const Sizes *n = &pass->net->n;
    const CellLayer layer = transition_of(d, pass);
    (void)g;
    attend_weights_backward(d, pass, d->transition.previous, n->Z, N);
    /* dW (G,C) += dgates' (G,N) · c (N,C) */
    linear_backward_weight(&layer.dw->W, d->transition.gates, n->G, d->context, n->C, N);
    cell_weights_backward(&layer, N);
}

const Order order_conditional = {
    .layout = layout, .step = stack_step, .within = within, .step_backward = step_backward,
    .within_backward = within_backward, .weights_backward = weights_backward,
};
