/* order_luong.c - Luong, Pham and Manning (2015), sections 3 and 3.3: move on, then look with the new state, and feed
 * what was made of it to the next step.
 *
 *   1. d_t = layers([E y_{t-1} ; o_{t-1}], d_{t-1})      o_0 = 0
 *   2. c_t = attention(output of the top layer, memory)
 *   3. o_t = tanh(W [c_t ; d_t])                         equation 5; what the readout sees, W = [W_c W_d]
 */
#include "model/order.h"

#include "linalg/vector.h"

#include <string.h>

static Carried *fed(DecoderState *d, const Architecture *net)
{
    return &d->carried[net->n.L];
}

static void layout(DecoderState *d, Arena *arena, const Architecture *net, size_t N, size_t B, int backward)
{
    const size_t H = (size_t)net->n.H;
    d->fed = arena_reals(arena, N * H);
    d->output = arena_reals(arena, N * H);
    decoder_carry(d, arena, B, net->n.H, backward ? arena_reals(arena, B * H) : NULL);
    if (backward) d->dtop = arena_reals(arena, B * H);
}

static void step(DecoderState *d, const DecoderPass *pass, int at, int rows)
{
    const Sizes *n = &pass->net->n;
    const int H = n->H, C = n->C;
    const size_t row = (size_t)at * H, values = (size_t)rows * H;
    const Linear *W = pass->w->attentional;
    real *o = d->output + row, *top = d->h[n->L - 1] + row;

    /* 1. */
    memcpy(d->fed + row, fed(d, pass->net)->now, values * sizeof(real));
    stack_feed(d, pass, d->fed + row, at, rows);
    stack_step(d, pass, at, rows);
    /* 2. */
    attend(d, pass, top, H, at, rows);
    /* 3. o (rows,H) = tanh(c (rows,C) · W_c' + d (rows,H) · W_d') */
    linear_forward(OVERWRITE, o, H, d->context + (size_t)at * C, C, &W[ATTENTIONAL_CONTEXT], NULL, rows);
    linear_forward(ACCUMULATE, o, H, top, H, &W[ATTENTIONAL_STATE], NULL, rows);
    vector_tanh(o, values);
    memcpy(fed(d, pass->net)->now, o, values * sizeof(real));
}

static void step_backward(DecoderState *d, const DecoderGradient *g, const DecoderPass *pass, int at, int rows)
{
    const Sizes *n = &pass->net->n;
    const int H = n->H, C = n->C;
    const size_t row = (size_t)at * H, values = (size_t)rows * H;
    const Linear *W = pass->w->attentional;
    real *o = g->doutput + row, *dfed = fed(d, pass->net)->gradient;

    /* 3. what the readout and the next step want; dc (rows,C) += do · W_c;  dd (rows,H) = do · W_d */
    vector_add(o, dfed, values);
    vector_tanh_backward(o, d->output + row, values);
    linear_backward_input(ACCUMULATE, g->dcontext + (size_t)at * C, C, o, H, &W[ATTENTIONAL_CONTEXT], rows);
    linear_backward_input(OVERWRITE, d->dtop, H, o, H, &W[ATTENTIONAL_STATE], rows);
    /* 2. */
    attend_backward(d, d->dtop, H, g, pass, at, rows);
    /* 1. */
    stack_backward(d, d->dtop, g, pass, at, rows);
    stack_feed_backward(d, OVERWRITE, dfed, pass, at, rows);
}

static void weights_backward(DecoderState *d, const DecoderGradient *g, const DecoderPass *pass, int N)
{
    const Sizes *n = &pass->net->n;
    const Linear *dW = pass->dw->attentional;
    const int H = n->H, C = n->C;
    const real *top = d->h[n->L - 1];
    stack_feed_weights(d, pass, d->fed, N);
    attend_weights_backward(d, pass, top, H, N);
    /* dW_c (H,C) += do' (H,N) · c (N,C);  dW_d (H,H) += do' · d (N,H) */
    linear_backward_weight(&dW[ATTENTIONAL_CONTEXT], g->doutput, H, d->context, C, N);
    linear_backward_weight(&dW[ATTENTIONAL_STATE], g->doutput, H, top, H, N);
}

const Order order_luong = {
    .layout = layout, .step = step, .step_backward = step_backward, .weights_backward = weights_backward,
};
