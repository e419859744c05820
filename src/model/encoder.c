/* encoder.c - recurrent encoder, memory, keys, first decoder states. */
#include "model/encoder.h"

#include "linalg/vector.h"
#include "model/embedding_layer.h"
#include "nn/position.h"
#include "nn/recurrent.h"

#include <string.h>

void encoder_layout(EncoderState *e, Arena *arena, const Architecture *net, BatchSize size, int backward)
{
    const Sizes *n = &net->n;
    const size_t N = (size_t)size.source_tokens, B = (size_t)size.sentences;
    e->embedded = arena_reals(arena, N * n->E);
    if (backward) e->du = arena_reals(arena, cell_du(net, N));
    for (int l = 0; l < n->R; l++) {
        e->h[l] = arena_reals(arena, N * n->C);
        for (int d = 0; d < n->directions; d++)
            e->save[l][d] = cell_layout(arena, net, N, e->du);
    }
    attention_layers_layout(&e->attention, arena, &n->encoder_attention, 0, N, size.source_steps, backward);
    e->memory = arena_reals(arena, N * n->C);
    e->prepared = arena_reals(arena, attention_keys_size(&net->attention, N));
    e->mean = arena_reals(arena, B * n->C);
    e->start = arena_reals(arena, B * n->L * n->Z);
    e->state = arena_reals(arena, B * n->Z);
    e->scratch = arena_reals(arena, cell_scratch(net, B));
    if (!backward) e->projection = (ProjectionScratch){ arena_reals(arena, N * n->E), arena_ints(arena, N) };
    if (backward) {
        size_t widest = (size_t)(n->C > n->E ? n->C : n->E);
        e->dh = arena_reals(arena, N * widest);
        e->dx = arena_reals(arena, N * widest);
    }
}

/* ---- first decoder states ---- */

/* Where a sentence stands in the encoder's own order: its row among those of the step of its last word. */
static int own_row(const SourceBatch *batch, int sentence)
{
    return batch->last[sentence] - batch->packed.start[batch->length[sentence] - 1];
}

/* start = last: layer l begins in the encoder layer's state after the last word. */
static void copy_last(EncoderState *e, const Architecture *net, const SourceBatch *batch, int B, int l)
{
    const size_t Z = (size_t)net->n.Z;
    for (int i = 0; i < B; i++)
        memcpy(e->start + ((size_t)l * B + i) * Z, e->state + own_row(batch, i) * Z, Z * sizeof(real));
}

/* e->state becomes the gradient of the last states of layer l. */
static void copy_last_backward(EncoderState *e, const real *dstart, const Architecture *net, const SourceBatch *batch, int B,
                               int l)
{
    const size_t Z = (size_t)net->n.Z;
    for (int i = 0; i < B; i++)
        memcpy(e->state + own_row(batch, i) * Z, dstart + ((size_t)l * B + i) * Z, Z * sizeof(real));
}

/* start = project: state d_0 of layer l (B,Z) = tanh(mean (B,C) · W_l' + b_l), W_l (Z,C) its rows of bridge.weight */
static void bridge_forward(EncoderState *e, const Architecture *net, const Weights *w, const SourceBatch *batch, int B)
{
    const int C = net->n.C, Z = net->n.Z, L = net->n.L;
    memset(e->mean, 0, (size_t)B * C * sizeof(real));
    for (int i = 0; i < B; i++)
        for (int s = 0; s < batch->length[i]; s++)
            vector_axpy(e->mean + (size_t)i * C, 1 / (real)batch->length[i],
                        e->memory + (size_t)(batch->first[i] + s) * C, (size_t)C);
    for (int l = 0; l < L; l++) {
        real *start = e->start + (size_t)l * B * Z;
        linear_forward(OVERWRITE, start, Z, e->mean, C, &w->bridge[l], w->bridge_bias + (size_t)l * Z, B);
    }
    vector_tanh(e->start, (size_t)L * B * Z);
}

/* dmemory += ; dstart is used up; dmean is scratch (B,C) */
static void bridge_backward(const EncoderState *e, EncoderGradient *d, real *dmean, const Architecture *net, const Weights *w,
                            const Weights *dw, const SourceBatch *batch, int B)
{
    const int C = net->n.C, Z = net->n.Z, L = net->n.L;
    vector_tanh_backward(d->dstart, e->start, (size_t)L * B * Z);
    for (int l = 0; l < L; l++) {
        const real *dstart = d->dstart + (size_t)l * B * Z;
        bias_backward(dw->bridge_bias + (size_t)l * Z, dstart, B, Z);
        /* dW_l (Z,C) += dstart' (Z,B) · mean (B,C);  dmean (B,C) += dstart (B,Z) · W_l */
        linear_backward_weight(&dw->bridge[l], dstart, Z, e->mean, C, B);
        linear_backward_input(l ? ACCUMULATE : OVERWRITE, dmean, C, dstart, Z, &w->bridge[l], B);
    }
    for (int i = 0; i < B; i++)
        for (int s = 0; s < batch->length[i]; s++)
            vector_axpy(d->dmemory + (size_t)(batch->first[i] + s) * C, 1 / (real)batch->length[i],
                        dmean + (size_t)i * C, (size_t)C);
}

/* ---- layers ---- */

/* The input of layer l and its width. */
static const real *input_of(const EncoderState *e, const Sizes *n, int l, int *I)
{
    *I = l ? n->C : n->E;
    return l ? e->h[l - 1] : e->embedded;
}

/* Direction d of layer l. */
static RecurrentLayer layer_of(const EncoderState *e, const Architecture *net, const Weights *w, const SourceBatch *batch,
                               const Noise *noise, int l, int d)
{
    const CellDropout dropout = { noise->recurrent, PLACE_ENCODER_STATE + 2 * l + d, batch->token };
    return (RecurrentLayer){ .cells = { .cell = net->cell, .H = net->n.H, .w = &w->encoder[l][d],
                                        .save = &e->save[l][d], .dropout = dropout, .scratch = e->scratch },
                             .seq = &batch->packed, .reverse = d };
}

/* The words' part of the gates of layer 0, where it is remembered. */
static int words_to_gates(EncoderState *e, const Weights *w, const SourceBatch *batch, int d)
{
    const CellWeights *cell = &w->encoder[0][d];
    if (!w->words.source[d]) return 0;
    projection_cache_forward(w->words.source[d], e->save[0][d].gates, e->embedded, batch->ids, &cell->W, cell->b,
                     batch->packed.total, e->projection);
    return 1;
}

static void layers_forward(EncoderState *e, const Architecture *net, const Weights *w, const SourceBatch *batch, int B,
                           const Noise *noise)
{
    const Sizes *n = &net->n;
    for (int l = 0; l < n->R; l++) {
        int I;
        const real *x = input_of(e, n, l, &I);
        for (int d = 0; d < n->directions; d++) {
            const RecurrentLayer layer = layer_of(e, net, w, batch, noise, l, d);
            const int ready = !l && words_to_gates(e, w, batch, d);
            recurrent_forward(&layer, e->h[l] + d * n->H, n->C, e->state, ready ? NULL : x);
        }
        if (net->options.start == START_LAST) copy_last(e, net, batch, B, l);
        if (l && net->options.residual) vector_add(e->h[l], x, (size_t)batch->packed.total * n->C);
        if (l < n->R - 1)
            dropout_apply(e->h[l], &noise->hidden, PLACE_ENCODER + l, batch->token, batch->packed.total, n->C);
    }
}

/* e->dh holds the gradient of the top layer's states. */
static void layers_backward(EncoderState *e, const EncoderGradient *grad, const Architecture *net, const Weights *w,
                            const Weights *dw, const SourceBatch *batch, int B, const Noise *noise)
{
    const Sizes *n = &net->n;
    for (int l = n->R - 1; l >= 0; l--) {
        int I;
        const real *x = input_of(e, n, l, &I);
        for (int d = 0; d < n->directions; d++) {
            RecurrentLayer layer = layer_of(e, net, w, batch, noise, l, d);
            layer.cells.dw = &dw->encoder[l][d];
            memset(e->state, 0, (size_t)B * n->Z * sizeof(real));
            if (net->options.start == START_LAST) copy_last_backward(e, grad->dstart, net, batch, B, l);
            recurrent_backward(&layer, e->dx, d ? ACCUMULATE : OVERWRITE, e->state, e->dh + d * n->H, n->C, x);
        }
        if (l && net->options.residual) vector_add(e->dx, e->dh, (size_t)batch->packed.total * n->C);
        if (l) dropout_apply(e->dx, &noise->hidden, PLACE_ENCODER + l - 1, batch->token, batch->packed.total, I);
        real *below = e->dx;
        e->dx = e->dh;
        e->dh = below;
    }
}

/* What the self-attention reads: the top recurrent layer, or the words. */
static real *below_attention(const EncoderState *e, const Sizes *n)
{
    return n->R ? e->h[n->R - 1] : e->embedded;
}

/* ---- the encoder ---- */

/* x_s: words, and where they stand if nothing else tells */
static void words_forward(EncoderState *e, const Architecture *net, const Weights *w, const SourceBatch *batch,
                          const Noise *noise)
{
    const PackedSequence *packed = &batch->packed;
    const int E = net->n.E;
    embedding_layer_forward(e->embedded, net, w, SIDE_SOURCE, batch->ids, batch->token, packed->total, noise);
    for (int t = 0; !net->n.R && t < packed->steps; t++)
        position_add(e->embedded + (size_t)packed->start[t] * E, t, packed->rows[t], E);
}

void encoder_forward(EncoderState *e, const Architecture *net, const Weights *w, const SourceBatch *batch, int sentences,
                     const Noise *noise)
{
    const Sizes *n = &net->n;
    const int N = batch->packed.total;

    /* 1. x_s */
    words_forward(e, net, w, batch, noise);
    /* 2. h_s */
    layers_forward(e, net, w, batch, sentences, noise);
    real *below = below_attention(e, n), *top = attention_layers_output(&e->attention, below);
    attention_layers_forward(&e->attention, w->encoder_attention, below, &batch->packed, batch->token, noise);
    /* 3. the memory: the top layer, sentence after sentence */
    for (int i = 0; i < N; i++)
        memcpy(e->memory + (size_t)batch->memory_row[i] * n->C, top + (size_t)i * n->C,
               (size_t)n->C * sizeof(real));
    /* 4. keys and first states */
    e->keys = attention_keys_forward(&net->attention, w->score, e->prepared, e->memory, N);
    if (net->options.start == START_PROJECT) bridge_forward(e, net, w, batch, sentences);
}

void encoder_backward(EncoderState *e, EncoderGradient *d, const Architecture *net, const Weights *w, const Weights *dw,
                      const SourceBatch *batch, int sentences, const Noise *noise)
{
    const Sizes *n = &net->n;
    const int N = batch->packed.total;
    const ScoreLayer score = score_layer_of(&net->attention, w->score, dw->score);

    /* 4. */
    if (net->options.start == START_PROJECT) bridge_backward(e, d, e->dx, net, w, dw, batch, sentences);
    attention_keys_backward(&net->attention, &score, d->dmemory, d->dkeys, e->memory, N);
    /* 3. */
    for (int i = 0; i < N; i++)
        memcpy(e->dh + (size_t)i * n->C, d->dmemory + (size_t)batch->memory_row[i] * n->C,
               (size_t)n->C * sizeof(real));
    /* 2. */
    attention_layers_backward(&e->attention, e->dh, dw->encoder_attention, w->encoder_attention, below_attention(e, n),
                              &batch->packed, batch->token, noise);
    layers_backward(e, d, net, w, dw, batch, sentences, noise);
    /* 1. layers_backward left dx of the first layer in dh */
    embedding_layer_backward(dw, e->dh, net, SIDE_SOURCE, batch->ids, batch->token, N, noise);
}
