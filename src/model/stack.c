/* stack.c - the decoder's recurrent layers, and its attention, for one step. */
#include "model/order.h"

#include "base/rng.h"
#include "linalg/vector.h"

#include <string.h>

/* ---- attention ---- */

/* What happens to the weights of rows from `at`; whether anything does. */
static int change_of(AttentionNoise *change, DecoderState *d, const DecoderPass *pass, int at)
{
    const Noise *noise = pass->noise;
    const int drops = pass->token && noise->attention.p > 0;
    if (!pass->net->hard.choice && !drops) return 0;
    *change = (AttentionNoise){ .hard = pass->net->hard, .dropout = noise->attention, .place = PLACE_ATTENTION,
                                 .key = noise->draws ? noise->draws : rng_key(0, 0, RNG_ATTENTION),
                                 .name = pass->name ? pass->name + at : NULL, .token = drops ? pass->token + at : NULL,
                                 .shown = !pass->token, .used = d->scratch + d->S };
    return 1;
}

/* The arrays of rows from `at`. */
static AttentionStep step_of(const DecoderState *d, const Attention *a, int at, int rows)
{
    const size_t row = (size_t)at;
    return (AttentionStep){ .rows = rows, .context = d->context + row * a->n.C, .alpha = d->alpha + row * d->S,
                            .ld = d->S, .query = d->query + row * a->shape.query };
}

static ScoreLayer score_of(const DecoderPass *pass)
{
    return score_layer_of(&pass->net->attention, pass->w->score, pass->dw ? pass->dw->score : NULL);
}

void attend(DecoderState *d, const DecoderPass *pass, const real *state, int ld, int at, int rows)
{
    const Attention *a = &pass->net->attention;
    const ScoreLayer score = score_of(pass);
    const AttentionStep step = step_of(d, a, at, rows);
    AttentionNoise change;
    const int changes = change_of(&change, d, pass, at);
    attention_forward(a, &score, &step, state, ld, pass->source, changes ? &change : NULL);
}

void attend_backward(DecoderState *d, real *dstate, int ld, const DecoderGradient *g, const DecoderPass *pass, int at,
                     int rows)
{
    const Attention *a = &pass->net->attention;
    const ScoreLayer score = score_of(pass);
    AttentionStep step = step_of(d, a, at, rows);
    step.dcontext = g->dcontext + (size_t)at * a->n.C;
    step.dquery = d->dquery + (size_t)at * a->shape.query;
    step.de = d->scratch;
    AttentionNoise change;
    const int changes = change_of(&change, d, pass, at);
    if (changes && g->advantage) change.advantage = g->advantage + at;
    attention_backward(a, &score, &step, dstate, ld, &g->attention, pass->source, changes ? &change : NULL);
}

void attend_weights_backward(const DecoderState *d, const DecoderPass *pass, const real *state, int ld, int N)
{
    const ScoreLayer score = score_of(pass);
    attention_weights_backward(&pass->net->attention, &score, d->dquery, state, ld, N);
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

static CellLayer layer_of(const DecoderState *d, const DecoderPass *pass, int l)
{
    return (CellLayer){ .cell = pass->net->cell, .H = pass->net->n.H, .w = &pass->w->decoder[l],
                        .dw = pass->dw ? &pass->dw->decoder[l] : NULL, .save = &d->save[l],
                        .dropout = { pass->noise->recurrent, PLACE_DECODER_STATE + l, pass->token },
                        .scratch = d->scratch };
}

void stack_step(DecoderState *d, const DecoderPass *pass, int at, int rows)
{
    const Order *order = order_of(pass->net);
    const Sizes *n = &pass->net->n;
    const size_t H = (size_t)n->H, Z = (size_t)n->Z;
    for (int l = 0; l < n->L; l++) {
        const CellLayer layer = layer_of(d, pass, l);
        real *state = d->carried[l].now, *h = d->h[l] + at * H;
        if (l) layer_input(d, pass, l, at, rows);
        memcpy(d->save[l].previous + at * Z, state, rows * Z * sizeof *state);
        cell_forward(&layer, state, at, rows, 0);
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
        CellLayer layer = layer_of(d, pass, l);
        real *dstate = d->carried[l].gradient;
        if (l < n->L - 1) dh = layer_input_backward(d, dh, pass, l + 1, at, rows);
        for (int i = 0; i < rows; i++)
            vector_add(dstate + i * Z, dh + i * H, H);
        if (!l && order->within_backward) order->within_backward(d, g, pass, at, rows);
        layer.scratch += rows * H;      /* dh may stand before */
        cell_backward(&layer, dstate, at, rows, 0);
    }
}

void stack_weights_backward(DecoderState *d, const DecoderPass *pass, int N)
{
    const Sizes *n = &pass->net->n;
    const Weights *dw = pass->dw;
    for (int l = 0; l < n->L; l++) {
        const CellLayer layer = layer_of(d, pass, l);
        cell_weights_backward(&layer, N);
    }
    /* dW^l (G,H) += dgates' (G,N) · h^{l-1} (N,H) */
    for (int l = 1; l < n->L; l++)
        linear_backward_weight(&dw->decoder[l].W, d->save[l].gates, n->G, d->h[l - 1], n->H, N);
}
