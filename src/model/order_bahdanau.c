/* order_bahdanau.c - Bahdanau, Cho and Bengio (2015), appendix A.2.2: look with the state before, then move on.
 *
 *   1. c_t = attention(d_{t-1} of the top layer, memory)
 *   2. d_t = layers([E y_{t-1} ; c_t], d_{t-1})
 */
#include "model/order.h"

static Carried *top(DecoderState *d, const Architecture *net)
{
    return &d->carried[net->n.L - 1];
}

static void step(DecoderState *d, const DecoderPass *pass, int at, int rows)
{
    const Sizes *n = &pass->net->n;
    attend(d, pass, top(d, pass->net)->now, n->Z, at, rows);
    stack_feed(d, pass, d->context + (size_t)at * n->C, at, rows);
    stack_step(d, pass, at, rows);
}

static void step_backward(DecoderState *d, const DecoderGradient *g, const DecoderPass *pass, int at, int rows)
{
    const Sizes *n = &pass->net->n;
    /* 2. */
    stack_backward(d, g->doutput + (size_t)at * n->H, g, pass, at, rows);
    stack_feed_backward(d, ACCUMULATE, g->dcontext + (size_t)at * n->C, pass, at, rows);
    /* 1. */
    attend_backward(d, top(d, pass->net)->gradient, n->Z, g, pass, at, rows);
}

static void weights_backward(DecoderState *d, const DecoderGradient *g, const DecoderPass *pass, int N)
{
    const Sizes *n = &pass->net->n;
    (void)g;
    stack_feed_weights(d, pass, d->context, N);
    attend_weights_backward(d, pass, d->save[n->L - 1].previous, n->Z, N);
}

const Order order_bahdanau = { .step = step, .step_backward = step_backward, .weights_backward = weights_backward };
