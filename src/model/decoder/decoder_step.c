/* decoder_step.c - the attention of one step, its products with the context, and the recurrent
 * layers. */
#include "model/decoder/decoder_step.h"

#include "base/random/rng.h"
#include "linalg/vector.h"

#include <string.h>

/* ---- the attention, its noise and its gradients ---- */

/* Sets the noise of the attention weights of the rows from `at`; returns whether there is any. */
static int change_of(AttentionNoise *change, DecoderState *d, const Pass *pass, int at)
{
    const Noise *noise = pass->noise;
    const HardAttention *hard = &pass->architecture->hard;
    const uint64_t *token = tokens_from(pass->target->token, at);
    const int drops = noise->attention.p > 0, reinforces = hard->estimator == HARD_REINFORCE;
    if (!hard->choice && !drops) return 0;
    *change = (AttentionNoise){ .hard = *hard, .dropout = noise->attention,
                                .place = PLACE_ATTENTION,
                                .key = noise->draws ? noise->draws : rng_key(0, 0, RNG_ATTENTION),
                                .name = token, .token = drops ? token : NULL,
                                .choice = reinforces ? noise->choice : (Dropout){ 0 },
                                .choice_place = PLACE_CHOICE,
                                .shown = !pass->gradients, .used = d->scratch + d->S };
    return 1;
}

/* The arrays of the rows from `at`. */
static AttentionStep step_of(const DecoderState *d, const Attention *a, int at, int rows)
{
    const size_t row = (size_t)at;
    return (AttentionStep){ .rows = rows, .context = d->context + row * a->n.C,
                            .alpha = d->alpha + row * d->S, .ld = d->S,
                            .query = d->query + row * a->shape.query,
                            .word = d->embedded + row * a->n.E };
}

static ScoreLayer score_of(const Pass *pass)
{
    return (ScoreLayer){ pass->architecture->attention.n, pass->weights->score,
                         pass->gradients ? pass->gradients->score : NULL };
}

void decoder_attend(DecoderState *d, const Pass *pass, const real *state, int ld, int at, int rows)
{
    const Attention *a = &pass->architecture->attention;
    const ScoreLayer score = score_of(pass);
    const AttentionStep step = step_of(d, a, at, rows);
    AttentionNoise change;
    const int changes = change_of(&change, d, pass, at);
    attention_forward(a, &score, &step, state, ld, pass->memory, changes ? &change : NULL);
}

void decoder_attend_backward(DecoderState *d, real *dstate, int ld, const DecoderGradient *g,
                             const Pass *pass, int at, int rows)
{
    const Attention *a = &pass->architecture->attention;
    const ScoreLayer score = score_of(pass);
    AttentionStep step = step_of(d, a, at, rows);
    step.dcontext = g->dcontext + (size_t)at * a->n.C;
    step.dquery = d->dquery + (size_t)at * a->shape.query;
    step.de = d->scratch;
    step.dword = g->dembedded + (size_t)at * a->n.E;
    AttentionNoise change;
    const int changes = change_of(&change, d, pass, at);
    if (changes && g->advantage) change.advantage = g->advantage + at;
    attention_backward(a, &score, &step, dstate, ld, &g->attention, pass->memory,
                       changes ? &change : NULL);
}

void decoder_attend_weights(const DecoderState *d, const Pass *pass, const real *state, int ld,
                            int N)
{
    const ScoreLayer score = score_of(pass);
    attention_weights_backward(&pass->architecture->attention, &score, d->dquery, state, ld,
                               d->embedded, N);
}

/* ---- the weights that read the context, one beside the other ---- */

static int reads_context(const Architecture *net)
{
    return net->options.readout == READOUT_DEEP;
}

int context_projection_width(const Architecture *net, const Weights *w)
{
    const Sizes *n = &net->n;
    const int has_sum = net->attention.score->context_forward == NULL;
    if (!net->decoder->context_weight || !has_sum || w->precision != PRECISION_FLOAT) return 0;
    return n->G + (reads_context(net) ? n->E : 0);
}

void context_projection_forward(real *values, const Architecture *net, const Weights *w,
                                const real *memory, int M)
{
    const Sizes *n = &net->n;
    const int width = context_projection_width(net, w);
    linear_forward(OVERWRITE, values, width, memory, n->C, net->decoder->context_weight(w), NULL,
                   M);
    if (reads_context(net))
        linear_forward(OVERWRITE, values + n->G, width, memory, n->C, &w->hidden[HIDDEN_CONTEXT],
                       NULL, M);
}

int context_is_projected(const Pass *pass)
{
    return pass->memory && pass->memory->values;
}

void context_to_gates(real *gates, const DecoderState *d, const Pass *pass, const real *bias,
                      int rows)
{
    const size_t G = (size_t)pass->architecture->n.G, width = (size_t)pass->memory->width;
    for (size_t i = 0; i < (size_t)rows; i++) {
        memcpy(gates + i * G, bias, G * sizeof *gates);
        vector_add(gates + i * G, d->context + i * width, G);
    }
}

void context_to_readout(real *hidden, const DecoderState *d, const Pass *pass, int rows)
{
    const Sizes *n = &pass->architecture->n;
    const size_t E = (size_t)n->E, width = (size_t)pass->memory->width;
    for (size_t i = 0; i < (size_t)rows; i++)
        vector_add(hidden + i * E, d->context + i * width + n->G, E);
}

/* ---- what layer 0 reads besides the word: W (G, F) ---- */

/* gates (rows,G) += x (rows,F) · W' */
void decoder_layers_feed(DecoderState *d, const Pass *pass, const real *x, int at, int rows)
{
    const Sizes *n = &pass->architecture->n;
    linear_forward(ACCUMULATE, d->save[0].gates + (size_t)at * n->G, n->G, x, n->F,
                   &pass->weights->feed[0], NULL, rows);
}

/* dx (rows,F) = or += dgates (rows,G) · W */
void decoder_layers_feed_backward(DecoderState *d, Store store, real *dx, const Pass *pass, int at,
                                  int rows)
{
    const Sizes *n = &pass->architecture->n;
    linear_backward_input(store, dx, n->F, d->save[0].gates + (size_t)at * n->G, n->G,
                          &pass->weights->feed[0], rows);
}

/* dW (G,F) += dgates' (G,N) · x (N,F) */
void decoder_layers_feed_weights(DecoderState *d, const Pass *pass, const real *x, int N)
{
    const Sizes *n = &pass->architecture->n;
    linear_backward_weight(&pass->gradients->feed[0], d->save[0].gates, n->G, x, n->F, N);
}

/* ---- layers ---- */

/* gates (rows,G) = b + h^{l-1} (rows,H) · W' [+ c (rows,C) · W_C'] */
static void layer_input(DecoderState *d, const Pass *pass, int l, int at, int rows)
{
    const Sizes *n = &pass->architecture->n;
    const CellWeights *w = &pass->weights->decoder[l];
    real *gates = d->save[l].gates + (size_t)at * n->G;
    linear_forward(OVERWRITE, gates, n->G, d->h[l - 1] + (size_t)at * n->H, n->H, &w->W, w->b,
                   rows);
    if (n->above)
        linear_forward(ACCUMULATE, gates, n->G, d->context + (size_t)at * n->C, n->C,
                       &pass->weights->feed[l], NULL, rows);
}

static CellLayer layer_of(const DecoderState *d, const Pass *pass, int l)
{
    return (CellLayer){ .cell = pass->architecture->cell, .H = pass->architecture->n.H,
                        .w = &pass->weights->decoder[l],
                        .dw = pass->gradients ? &pass->gradients->decoder[l] : NULL,
                        .save = &d->save[l],
                        .dropout = { pass->noise->recurrent, PLACE_DECODER_STATE + l,
                                     pass->target->token },
                        .scratch = d->scratch };
}

void decoder_layers_step(DecoderState *d, const Pass *pass, DecoderHook *within, int at, int rows)
{
    const Sizes *n = &pass->architecture->n;
    const size_t H = (size_t)n->H, Z = (size_t)n->Z;
    for (int l = 0; l < n->L; l++) {
        const CellLayer layer = layer_of(d, pass, l);
        real *state = d->recurrent[l].now, *h = d->h[l] + at * H;
        if (l) layer_input(d, pass, l, at, rows);
        memcpy(d->save[l].previous + at * Z, state, rows * Z * sizeof *state);
        cell_forward(&layer, state, at, rows, 0);
        if (!l && within) within(d, pass, at, rows);
        for (int i = 0; i < rows; i++)
            memcpy(h + i * H, state + i * Z, H * sizeof *h);
        if (l >= n->first_residual)
            vector_add(h, d->h[l - 1] + at * H, rows * H);
        if (l < n->L - 1)
            dropout_apply(h, &pass->noise->hidden, PLACE_DECODER + l,
                          tokens_from(pass->target->token, at), rows, n->H);
    }
}

/* dx (rows,H) = dgates (rows,G) · W; with a residual the layer's own gradient dh is added. dh may
 * be the scratch. dc (rows,C) += dgates · W_C */
static const real *layer_input_backward(DecoderState *d, const real *dh, real *dcontext,
                                        const Pass *pass, int l, int at, int rows)
{
    const Sizes *n = &pass->architecture->n;
    const int residual = l >= n->first_residual;
    const real *dgates = d->save[l].gates + (size_t)at * n->G;
    real *dx = d->scratch;
    if (residual && dh != dx) memcpy(dx, dh, (size_t)rows * n->H * sizeof *dx);
    linear_backward_input(residual ? ACCUMULATE : OVERWRITE, dx, n->H, dgates, n->G,
                          &pass->weights->decoder[l].W, rows);
    if (n->above)
        linear_backward_input(ACCUMULATE, dcontext + (size_t)at * n->C, n->C, dgates, n->G,
                              &pass->weights->feed[l], rows);
    dropout_apply(dx, &pass->noise->hidden, PLACE_DECODER + l - 1,
                  tokens_from(pass->target->token, at), rows, n->H);
    return dx;
}

void decoder_layers_backward(DecoderState *d, const real *dtop, const DecoderGradient *g,
                             const Pass *pass, DecoderBackwardHook *within, int at, int rows)
{
    const Sizes *n = &pass->architecture->n;
    const size_t H = (size_t)n->H, Z = (size_t)n->Z;
    const real *dh = dtop;
    for (int l = n->L - 1; l >= 0; l--) {
        CellLayer layer = layer_of(d, pass, l);
        real *dstate = d->recurrent[l].gradient;
        if (l < n->L - 1) dh = layer_input_backward(d, dh, g->dcontext, pass, l + 1, at, rows);
        for (int i = 0; i < rows; i++)
            vector_add(dstate + i * Z, dh + i * H, H);
        if (!l && within) within(d, g, pass, at, rows);
        layer.scratch += rows * H;      /* dh may be in front */
        cell_backward(&layer, dstate, at, rows, 0);
    }
}

void decoder_layers_weights_backward(DecoderState *d, const Pass *pass, int N)
{
    const Sizes *n = &pass->architecture->n;
    for (int l = 0; l < n->L; l++) {
        const CellLayer layer = layer_of(d, pass, l);
        cell_weights_backward(&layer, N);
    }
    /* dW^l (G,H) += dgates' (G,N) · h^{l-1} (N,H);  dW_C (G,C) += dgates' · c (N,C) */
    for (int l = 1; l < n->L; l++) {
        linear_backward_weight(&pass->gradients->decoder[l].W, d->save[l].gates, n->G, d->h[l - 1],
                               n->H, N);
        if (n->above)
            linear_backward_weight(&pass->gradients->feed[l], d->save[l].gates, n->G, d->context,
                                   n->C, N);
    }
}
