/* decoder_conditional.c - the conditional GRU of Nematus (Sennrich et al. 2017, section 2) and
 * Marian: attend between two updates of the state, with a state that has read the previous word. It
 * works with any cell.
 *
 *   1. s'_t = cell_1(E y_{t-1}, s_{t-1})           layer 0; one product for the words of all steps
 *   2. c_t  = attention(s'_t, memory)
 *   3. s_t  = cell_2(c_t, s'_t)                    the transition; s_t is the state of layer 0
 *
 * Further layers read the output of s_t. Parameters:
 * decoder.transition.{weight_ih,weight_hh,bias_ih,bias_hh}, W (GH, C), U (GH, H), (GH), (GH) of
 * cell_2; with layer normalisation decoder.transition_norm.{ih,hh}.{weight,bias} (GH).
 */
#include "model/decoder/decoder_step.h"

#include <string.h>

static DecoderShape shape(const Sizes *n)
{
    return (DecoderShape){ .cell = { .name = "transition", .input = n->C } };
}

static CellLayer transition_of(const DecoderState *d, const Pass *pass)
{
    return (CellLayer){ .cell = pass->architecture->cell, .H = pass->architecture->n.H,
                        .w = &pass->weights->type.cell,
                        .dw = pass->gradients ? &pass->gradients->type.cell : NULL,
                        .save = &d->type.cell,
                        .dropout = { pass->noise->recurrent, PLACE_DECODER_TYPE_STATE,
                                     pass->target->token },
                        .scratch = d->scratch };
}

/* Runs between the new state of layer 0 and its readers. */
static void transition(DecoderState *d, const Pass *pass, int at, int rows)
{
    const Sizes *n = &pass->architecture->n;
    const CellLayer layer = transition_of(d, pass);
    real *state = d->recurrent[0].now, *gates = layer.save->gates + (size_t)at * n->G;

    /* 2. */
    decoder_attend(d, pass, state, n->Z, at, rows);
    /* 3. gates (rows,G) = b + c (rows,C) · W' */
    if (context_is_projected(pass)) context_to_gates(gates, d, pass, layer.w->b, rows);
    else linear_forward(OVERWRITE, gates, n->G, d->context + (size_t)at * n->C, n->C, &layer.w->W,
                        layer.w->b, rows);
    memcpy(layer.save->previous + (size_t)at * n->Z, state, (size_t)rows * n->Z * sizeof *state);
    cell_forward(&layer, state, at, rows, 0);
}

static void transition_backward(DecoderState *d, const DecoderGradient *g, const Pass *pass, int at,
                                int rows)
{
    const Sizes *n = &pass->architecture->n;
    const CellLayer layer = transition_of(d, pass);
    real *dstate = d->recurrent[0].gradient, *dgates = layer.save->gates + (size_t)at * n->G;

    /* 3. dc (rows,C) += dgates (rows,G) · W */
    cell_backward(&layer, dstate, at, rows, 0);
    linear_backward_input(ACCUMULATE, g->dcontext + (size_t)at * n->C, n->C, dgates, n->G,
                          &layer.w->W, rows);
    /* 2. */
    decoder_attend_backward(d, dstate, n->Z, g, pass, at, rows);
}

static void step(DecoderState *d, const Pass *pass, int at, int rows)
{
    decoder_layers_step(d, pass, transition, at, rows);
}

static void step_backward(DecoderState *d, const DecoderGradient *g, const Pass *pass, int at,
                          int rows)
{
    const real *doutput = g->doutput + (size_t)at * pass->architecture->n.H;
    decoder_layers_backward(d, doutput, g, pass, transition_backward, at, rows);
}

static void weights_backward(DecoderState *d, const DecoderGradient *g, const Pass *pass, int N)
{
    const Sizes *n = &pass->architecture->n;
    const CellLayer layer = transition_of(d, pass);
    (void)g;
    decoder_attend_weights(d, pass, layer.save->previous, n->Z, N);
    /* dW (G,C) += dgates' (G,N) · c (N,C) */
    linear_backward_weight(&layer.dw->W, layer.save->gates, n->G, d->context, n->C, N);
    cell_weights_backward(&layer, N);
}

static const Linear *context_weight(const Weights *w)
{
    return &w->type.cell.W;
}

const DecoderType decoder_conditional = {
    .shape = shape, .step = step, .step_backward = step_backward,
    .weights_backward = weights_backward, .context_weight = context_weight,
};
