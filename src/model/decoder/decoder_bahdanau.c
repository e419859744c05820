/* decoder_bahdanau.c - Bahdanau, Cho and Bengio (2015), appendix A.2.2: attend with the previous
 * state, then update it.
 *
 *   1. c_t = attention(d_{t-1} of the top layer, memory)
 *   2. d_t = layers([E y_{t-1} ; c_t], d_{t-1})
 */
#include "model/decoder/decoder_bahdanau.h"

#include "model/decoder/decoder_attention.h"
#include "model/decoder/decoder_layers.h"

static DecoderShape shape(const Sizes *n)
{
    return (DecoderShape){ .fed = n->C, .query_layer = n->L - 1 };
}

static int query_layer(const Pass *pass)
{
    return pass->architecture->decoder_shape.query_layer;
}

void bahdanau_step(DecoderState *d, const Pass *pass, int at, int rows)
{
    const Sizes *n = &pass->architecture->n;
    /* 1. */
    decoder_attend(d, pass, d->recurrent[query_layer(pass)].now, n->Z, at, rows);
    /* 2. */
    decoder_layers_feed(d, pass, d->context + (size_t)at * n->C, at, rows);
    decoder_layers_step(d, pass, NULL, at, rows);
}

void bahdanau_step_backward(DecoderState *d, const DecoderGradient *g, const Pass *pass, int at,
                            int rows)
{
    const Sizes *n = &pass->architecture->n;
    /* 2. */
    decoder_layers_backward(d, g->doutput + (size_t)at * n->H, g, pass, NULL, at, rows);
    decoder_layers_feed_backward(d, ACCUMULATE, g->dcontext + (size_t)at * n->C, pass, at, rows);
    /* 1. */
    decoder_attend_backward(d, d->recurrent[query_layer(pass)].gradient, n->Z, g, pass, at,
                            rows);
}

void bahdanau_weights_backward(DecoderState *d, const DecoderGradient *g, const Pass *pass, int N)
{
    const Sizes *n = &pass->architecture->n;
    (void)g;
    decoder_layers_feed_weights(d, pass, d->context, N);
    decoder_attend_weights(d, pass, d->save[query_layer(pass)].previous, n->Z, N);
}

const DecoderType decoder_bahdanau = {
    .shape = shape, .step = bahdanau_step, .step_backward = bahdanau_step_backward,
    .weights_backward = bahdanau_weights_backward,
};
