/* decoder_bahdanau.c - the decoder types that attend with the state before the step, and then
 * update all layers.
 *
 * bahdanau: Bahdanau, Cho and Bengio (2015), appendix A.2.2
 *   1. c_t = attention(d_{t-1} of the top layer, memory)
 *   2. d_t = layers([E y_{t-1} ; c_t], d_{t-1})
 *
 * gnmt: Wu et al. (2016), "Google's Neural Machine Translation System", section 3 and figure 1. The
 * first layer's state attends, so that the layers above need not be done first, and all of them
 * read what it found.
 *   1. c_t   = attention(d_{t-1}^1, memory)
 *   2. d_t^1 = cell([E y_{t-1} ; c_t], d_{t-1}^1)
 *      d_t^l = cell([d_t^{l-1} ; c_t], d_{t-1}^l)        the layers above
 */
#include "model/decoder/decoder_step.h"

static DecoderShape bahdanau_shape(const Sizes *n)
{
    return (DecoderShape){ .fed = n->C, .query_layer = n->L - 1 };
}

static DecoderShape gnmt_shape(const Sizes *n)
{
    return (DecoderShape){ .fed = n->C, .context_above = 1, .query_layer = 0 };
}

static int query_layer(const Pass *pass)
{
    return pass->architecture->decoder_shape.query_layer;
}

static void step(DecoderState *d, const Pass *pass, int at, int rows)
{
    const Sizes *n = &pass->architecture->n;
    /* 1. */
    decoder_attend(d, pass, d->recurrent[query_layer(pass)].now, n->Z, at, rows);
    /* 2. */
    decoder_layers_feed(d, pass, d->context + (size_t)at * n->C, at, rows);
    decoder_layers_step(d, pass, NULL, at, rows);
}

static void step_backward(DecoderState *d, const DecoderGradient *g, const Pass *pass, int at,
                          int rows)
{
    const Sizes *n = &pass->architecture->n;
    /* 2. */
    decoder_layers_backward(d, g->doutput + (size_t)at * n->H, g, pass, NULL, at, rows);
    decoder_layers_feed_backward(d, ACCUMULATE, g->dcontext + (size_t)at * n->C, pass, at, rows);
    /* 1. */
    decoder_attend_backward(d, d->recurrent[query_layer(pass)].gradient, n->Z, g, pass, at, rows);
}

static void weights_backward(DecoderState *d, const DecoderGradient *g, const Pass *pass, int N)
{
    (void)g;
    decoder_layers_feed_weights(d, pass, d->context, N);
    decoder_attend_weights(d, pass, d->save[query_layer(pass)].previous, pass->architecture->n.Z,
                           N);
}

const DecoderType decoder_bahdanau = {
    .shape = bahdanau_shape, .step = step, .step_backward = step_backward,
    .weights_backward = weights_backward,
};

const DecoderType decoder_gnmt = {
    .shape = gnmt_shape, .step = step, .step_backward = step_backward,
    .weights_backward = weights_backward,
};
