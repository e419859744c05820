/* decoder_luong.c - Luong, Pham and Manning (2015), sections 3 and 3.3: update the state, attend
 * with the new one, and feed the attentional state made of both to the next step.
 *
 *   1. d_t = layers([E y_{t-1} ; o_{t-1}], d_{t-1})      o_0 = 0
 *   2. c_t = attention(output of the top layer, memory)
 *   3. o_t = tanh(W [c_t ; d_t])                         equation 5, read by the readout
 *
 * Parameters: decoder.attentional.weight (H, C + H), W = [W_c W_d].
 */
#include "model/decoder/decoder_step.h"

#include "linalg/vector.h"

#include <string.h>

enum { CONTEXT, STATE };                /* the blocks of W, by what they read */

/* Fed and carried: o_{t-1}, which is saved for the gradient of the weights. */
static DecoderShape shape(const Sizes *n)
{
    return (DecoderShape){
        .fed = n->H, .carried = n->H, .saved = n->H, .gradient = n->H, .own_output = 1,
        .matrix = { { .name = "attentional", .rows = n->H,
                      .block = { [CONTEXT] = n->C, [STATE] = n->H } } },
    };
}

static void step(DecoderState *d, const Pass *pass, int at, int rows)
{
    const Sizes *n = &pass->architecture->n;
    const Linear *W = pass->weights->type.linear;
    const int H = n->H, C = n->C;
    const size_t row = (size_t)at * H, values = (size_t)rows * H;
    real *before = d->type.saved + row, *carried = d->recurrent[n->L].now;
    real *o = d->output + row, *top = d->h[n->L - 1] + row;

    /* 1. */
    memcpy(before, carried, values * sizeof(real));
    decoder_layers_feed(d, pass, before, at, rows);
    decoder_layers_step(d, pass, NULL, at, rows);
    /* 2. */
    decoder_attend(d, pass, top, H, at, rows);
    /* 3. o (rows,H) = tanh(c (rows,C) · W_c' + d (rows,H) · W_d') */
    linear_forward(OVERWRITE, o, H, d->context + (size_t)at * C, C, &W[CONTEXT], NULL, rows);
    linear_forward(ACCUMULATE, o, H, top, H, &W[STATE], NULL, rows);
    vector_tanh(o, values);
    memcpy(carried, o, values * sizeof(real));
}

static void step_backward(DecoderState *d, const DecoderGradient *g, const Pass *pass, int at,
                          int rows)
{
    const Sizes *n = &pass->architecture->n;
    const Linear *W = pass->weights->type.linear;
    const int H = n->H, C = n->C;
    const size_t row = (size_t)at * H, values = (size_t)rows * H;
    real *o = g->doutput + row, *dcarried = d->recurrent[n->L].gradient, *dtop = d->type.gradient;

    /* 3. do = the gradients from the readout and from the next step;
     *    dc (rows,C) += do · W_c;  dd (rows,H) = do · W_d */
    vector_add(o, dcarried, values);
    vector_tanh_backward(o, d->output + row, values);
    linear_backward_input(ACCUMULATE, g->dcontext + (size_t)at * C, C, o, H, &W[CONTEXT], rows);
    linear_backward_input(OVERWRITE, dtop, H, o, H, &W[STATE], rows);
    /* 2. */
    decoder_attend_backward(d, dtop, H, g, pass, at, rows);
    /* 1. */
    decoder_layers_backward(d, dtop, g, pass, NULL, at, rows);
    decoder_layers_feed_backward(d, OVERWRITE, dcarried, pass, at, rows);
}

static void weights_backward(DecoderState *d, const DecoderGradient *g, const Pass *pass, int N)
{
    const Sizes *n = &pass->architecture->n;
    const Linear *dW = pass->gradients->type.linear;
    const int H = n->H, C = n->C;
    const real *top = d->h[n->L - 1];
    decoder_layers_feed_weights(d, pass, d->type.saved, N);
    decoder_attend_weights(d, pass, top, H, N);
    /* dW_c (H,C) += do' (H,N) · c (N,C);  dW_d (H,H) += do' · d (N,H) */
    linear_backward_weight(&dW[CONTEXT], g->doutput, H, d->context, C, N);
    linear_backward_weight(&dW[STATE], g->doutput, H, top, H, N);
}

const DecoderType decoder_luong = {
    .shape = shape, .step = step, .step_backward = step_backward,
    .weights_backward = weights_backward,
};
