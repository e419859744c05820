/* stack.c - the decoder's recurrent layers, and its attention, for one step. */
#include "model/order.h"

#include "base/rng.h"
#include "linalg/vector.h"

#include <string.h>

/* ---- attention ---- */

/* What happens to the weights of rows from `at`; whether anything does. */
static int change_of(AttentionChange *change, DecoderState *d, const DecoderPass *pass, int at)
{
    const Noise *noise = pass->noise;
    const int drops = pass->token && noise->attention.p > 0;
    if (!pass->net->hard.choice && !drops) return 0;
    *change = (AttentionChange){ .hard = pass->net->hard, .dropout = noise->attention, .place = PLACE_ATTENTION,
                                 .key = noise->draws ? noise->draws : rng_key(0, 0, RNG_ATTENTION),
                                 .name = pass->name ? pass->name + at : NULL, .token = drops ? pass->token + at : NULL,
                                 .shown = !pass->token, .used = d->scratch + d->S };
    return 1;
}

void attend(DecoderState *d, const DecoderPass *pass, const real *state, int ld, int at, int rows)
{
    const Attention *a = &pass->net->attention;
    AttentionChange change;
    const int changes = change_of(&change, d, pass, at);
    attention_forward(a, d->context + (size_t)at * a->n.C, d->alpha + (size_t)at * d->S, d->S,
                      d->query + (size_t)at * a->shape.query, state, ld, pass->source, pass->w->score, rows,
                      changes ? &change : NULL);
}

void attend_backward(DecoderState *d, real *dstate, int ld, const DecoderGradient *g, const DecoderPass *pass, int at,
                     int rows)
{
    const Attention *a = &pass->net->attention;
    const size_t query = (size_t)at * a->shape.query;
    AttentionChange change;
    const int changes = change_of(&change, d, pass, at);
    if (changes && g->advantage) change.advantage = g->advantage + at;
    attention_backward(a, dstate, ld, d->dquery + query, &g->attention, g->dcontext + (size_t)at * a->n.C,
                       d->alpha + (size_t)at * d->S, d->S, d->query + query, pass->source, pass->w->score, rows,
                       changes ? &change : NULL, d->scratch);
}

/* ---- what layer 0 reads beside the word: W (G, F) ---- */

/* gates (rows,G) += x (rows,F) · W' */
void stack_feed(DecoderState *d, const DecoderPass *pass, const real *x, int at, int rows)
{
    const Sizes *n = &pass->net->n;
    linear_forward(ACCUMULATE, d->save[0].gates + (size_t)at * n->G, n->G, x, n->F, &pass->w->feed, NULL, rows);
}

/* dx (rows,F) = or += dgates (rows,G) · W */
void stack_feed_backward(DecoderState *d, Store store, real *dx, const DecoderPass *pass, int at, int rows)
{
    const Sizes *n = &pass->net->n;
    linear_backward_input(store, dx, n->F, d->save[0].gates + (size_t)at * n->G, n->G, &pass->w->feed, rows);
}

/* dW (G,F) += dgates' (G,N) · x (N,F) */
void stack_feed_weights(DecoderState *d, const DecoderPass *pass, const real *x, int N)
{
    const Sizes *n = &pass->net->n;
    linear_backward_weight(&pass->dw->feed, d->save[0].gates, n->G, x, n->F, N);
}

/* ---- layers ---- */

/* gates (rows,G) = b + h^{l-1} (rows,H) · W' */
static void layer_input(DecoderState *d, const DecoderPass *pass, int l, int at, int rows)
{
    const Sizes *n = &pass->net->n;
    const CellWeights *w = &pass->w->decoder[l];
    linear_forward(OVERWRITE, d->save[l].gates + (size_t)at * n->G, n->G, d->h[l - 1] + (size_t)at * n->H, n->H, &w->W,
                   w->b, rows);
}

static CellDropout state_dropout(const DecoderPass *pass, int l)
{
    return (CellDropout){ pass->noise->recurrent, PLACE_DECODER_STATE + l, pass->token };
}

void stack_step(DecoderState *d, const DecoderPass *pass, int at, int rows)
{
    const Order *order = order_of(pass->net);
    const Sizes *n = &pass->net->n;
    const size_t H = (size_t)n->H, Z = (size_t)n->Z;
    for (int l = 0; l < n->L; l++) {
        const CellDropout dropout = state_dropout(pass, l);
        real *state = d->carried[l].now, *h = d->h[l] + at * H;
        if (l) layer_input(d, pass, l, at, rows);
        memcpy(d->save[l].previous + at * Z, state, rows * Z * sizeof *state);
        cell_forward(pass->net->cell, state, &d->save[l], &pass->w->decoder[l], &dropout, d->scratch, at, rows, 0,
                     n->H);
        if (!l && order->within) order->within(d, pass, at, rows);
        for (int i = 0; i < rows; i++)
            memcpy(h + i * H, state + i * Z, H * sizeof *h);
        if (l && pass->net->options.residual) vector_add(h, d->h[l - 1] + at * H, rows * H);
        if (pass->token && l < n->L - 1)
            dropout_apply(h, &pass->noise->hidden, PLACE_DECODER + l, pass->token + at, rows, n->H);
    }
}

/* dx (rows,H) = dgates (rows,G) · W, and with a way past the layer its own gradient dh, which may be the scratch. */
static const real *layer_input_backward(DecoderState *d, const real *dh, const DecoderPass *pass, int l, int at,
                                        int rows)
{
    const Sizes *n = &pass->net->n;
    const int residual = pass->net->options.residual;
    real *dx = d->scratch;
    if (residual && dh != dx) memcpy(dx, dh, (size_t)rows * n->H * sizeof *dx);
    linear_backward_input(residual ? ACCUMULATE : OVERWRITE, dx, n->H, d->save[l].gates + (size_t)at * n->G, n->G,
                          &pass->w->decoder[l].W, rows);
    dropout_apply(dx, &pass->noise->hidden, PLACE_DECODER + l - 1, pass->token + at, rows, n->H);
    return dx;
}

void stack_backward(DecoderState *d, const real *dtop, const DecoderGradient *g, const DecoderPass *pass, int at,
                    int rows)
{
    const Order *order = order_of(pass->net);
    const Sizes *n = &pass->net->n;
    const size_t H = (size_t)n->H, Z = (size_t)n->Z;
    const real *dh = dtop;
    for (int l = n->L - 1; l >= 0; l--) {
        const CellDropout dropout = state_dropout(pass, l);
        real *dstate = d->carried[l].gradient;
        if (l < n->L - 1) dh = layer_input_backward(d, dh, pass, l + 1, at, rows);
        for (int i = 0; i < rows; i++)
            vector_add(dstate + i * Z, dh + i * H, H);
        if (!l && order->within_backward) order->within_backward(d, g, pass, at, rows);
        /* dh may be the scratch */
        cell_backward(pass->net->cell, dstate, &pass->dw->decoder[l], &d->save[l], &pass->w->decoder[l], &dropout,
                      d->scratch + rows * H, at, rows, 0, n->H);
    }
}

void stack_weights_backward(DecoderState *d, const DecoderPass *pass, int N)
{
    const Sizes *n = &pass->net->n;
    const Weights *dw = pass->dw;
    for (int l = 0; l < n->L; l++) {
        const CellDropout dropout = state_dropout(pass, l);
        cell_weights_backward(pass->net->cell, &dw->decoder[l], &d->save[l], &dropout, N, n->H);
    }
    /* dW^l (G,H) += dgates' (G,N) · h^{l-1} (N,H) */
    for (int l = 1; l < n->L; l++)
        linear_backward_weight(&dw->decoder[l].W, d->save[l].gates, n->G, d->h[l - 1], n->H, N);
}
