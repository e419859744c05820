/* encoder.c - recurrent encoder, memory, keys, first decoder states. */
#include "model/encoder.h"

#include "linalg/vector.h"
#include "nn/cell.h"

#include <string.h>

void encoder_layout(EncoderState *e, Arena *arena, const Architecture *net, BatchSize size,
                    int backward)
{
    const Sizes *n = &net->n;
    const size_t N = (size_t)size.source_tokens, B = (size_t)size.sentences;
    e->embedded = arena_reals(arena, N * n->E);
    e->embedding_norm = embedding_layer_layout(arena, net, N);
    if (backward) e->du = arena_reals(arena, cell_du(net, N));
    for (int l = 0; l < n->R; l++) {
        e->h[l] = arena_reals(arena, N * encoder_width(n, l));
        for (int d = 0; d < encoder_directions(n, l); d++)
            e->save[l][d] = cell_layout(arena, net, N, e->du);
    }
    attention_layers_layout(&e->attention, arena, net, SIDE_SOURCE, size, backward);
    e->memory = arena_reals(arena, N * n->C);
    e->prepared = arena_reals(arena, attention_keys_size(&net->attention, N));
    e->mean = arena_reals(arena, B * n->C);
    e->start = arena_reals(arena, B * n->L * n->Z);
    e->state = arena_reals(arena, B * n->Z);
    e->scratch = arena_reals(arena, cell_scratch(net, B));
    if (!backward)
        e->projection = (ProjectionScratch){ arena_reals(arena, N * n->E), arena_ints(arena, N) };
    if (backward) {
        size_t widest = (size_t)(n->C > n->E ? n->C : n->E);
        if (n->R && (size_t)encoder_width(n, 0) > widest) widest = (size_t)encoder_width(n, 0);
        e->dh = arena_reals(arena, N * widest);
        e->dx = arena_reals(arena, N * widest);
    }
}

/* ---- first decoder states ---- */

/* start = last: the decoder's layer l starts from the state of the encoder's layer l after the last
 * word; backward, that state's gradient comes from `start` (L,B,Z), of all layers. A sentence's index
 * in the encoder's order is its row within the step of that word. */
static void copy_last(EncoderState *e, const Pass *pass, real *start, int l, int backward)
{
    const SourceBatch *batch = pass->source;
    const size_t Z = (size_t)pass->architecture->n.Z, B = (size_t)batch->packed.rows[0];
    for (size_t i = 0; i < B; i++) {
        const int row = batch->last[i] - batch->packed.start[batch->length[i] - 1];
        real *last = e->state + row * Z, *first = start + (l * B + i) * Z;
        memcpy(backward ? last : first, backward ? first : last, Z * sizeof(real));
    }
}

/* Whether the first states of recurrent decoder layers are projected. */
static int has_bridge(const Architecture *net)
{
    return net->n.L && net->options.start == START_PROJECT;
}

/* start = project: state d_0 of layer l (B,Z) = tanh(mean (B,C) · W_l' + b_l); W_l (Z,C) are the
 * layer's rows of bridge.weight */
static void bridge_forward(EncoderState *e, const Pass *pass)
{
    const Sizes *n = &pass->architecture->n;
    const Weights *w = pass->weights;
    const SourceBatch *batch = pass->source;
    const int B = batch->packed.rows[0], C = n->C, Z = n->Z, L = n->L;
    memset(e->mean, 0, (size_t)B * C * sizeof(real));
    for (int i = 0; i < B; i++)
        for (int s = 0; s < batch->length[i]; s++)
            vector_axpy(e->mean + (size_t)i * C, 1 / (real)batch->length[i],
                        e->memory + (size_t)(batch->first[i] + s) * C, (size_t)C);
    for (int l = 0; l < L; l++) {
        real *start = e->start + (size_t)l * B * Z;
        linear_forward(OVERWRITE, start, Z, e->mean, C, &w->bridge[l],
                       w->bridge_bias + (size_t)l * Z, B);
    }
    vector_tanh(e->start, (size_t)L * B * Z);
}

/* Accumulates d->dmemory and overwrites d->dstart; dmean is scratch (B,C). */
static void bridge_backward(const EncoderState *e, EncoderGradient *d, real *dmean,
                            const Pass *pass)
{
    const Sizes *n = &pass->architecture->n;
    const Weights *w = pass->weights, *dw = pass->gradients;
    const SourceBatch *batch = pass->source;
    const int B = batch->packed.rows[0], C = n->C, Z = n->Z, L = n->L;
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
    *I = l ? encoder_width(n, l - 1) : n->E;
    return l ? e->h[l - 1] : e->embedded;
}

/* Direction d of layer l. */
static RecurrentLayer layer_of(const EncoderState *e, const Pass *pass, int l, int d)
{
    const Weights *w = pass->weights, *dw = pass->gradients;
    return (RecurrentLayer){
        .cells = pass_cell(pass, SIDE_SOURCE, &w->encoder[l][d], dw ? &dw->encoder[l][d] : NULL,
                           &e->save[l][d], PLACE_ENCODER_STATE + 2 * l + d, e->scratch),
        .seq = &pass->source->packed, .reverse = d,
    };
}

static void layers_forward(EncoderState *e, const Pass *pass)
{
    const Sizes *n = &pass->architecture->n;
    const NetworkOptions *options = &pass->architecture->options;
    const int N = pass->source->packed.total;
    for (int l = 0; l < n->R; l++) {
        int I;
        const real *x = input_of(e, n, l, &I);
        const int width = encoder_width(n, l);
        for (int d = 0; d < encoder_directions(n, l); d++) {
            const RecurrentLayer layer = layer_of(e, pass, l, d);
            const CellWeights *w = layer.cells.w;
            ProjectionCache *cache = l ? NULL : pass->weights->words.source[d];
            if (cache)
                projection_cache_forward(cache, e->save[0][d].gates, x, pass->source->ids, &w->W,
                                         w->b, N, e->projection);
            recurrent_forward(&layer, e->h[l] + d * n->H, width, e->state, cache ? NULL : x);
        }
        if (options->start == START_LAST) copy_last(e, pass, e->start, l, 0);
        if (l >= n->first_residual) vector_add(e->h[l], x, (size_t)N * width);
        if (l < n->R - 1)
            dropout_apply(e->h[l], &pass->noise->hidden, PLACE_ENCODER + l, pass->source->token, N,
                          width);
    }
}

/* e->dh holds the gradient of the top layer's states, and becomes the gradient of the words. */
static void layers_backward(EncoderState *e, const EncoderGradient *grad, const Pass *pass)
{
    const Sizes *n = &pass->architecture->n;
    const NetworkOptions *options = &pass->architecture->options;
    const int N = pass->source->packed.total;
    for (int l = n->R - 1; l >= 0; l--) {
        int I;
        const real *x = input_of(e, n, l, &I);
        for (int d = 0; d < encoder_directions(n, l); d++) {
            const RecurrentLayer layer = layer_of(e, pass, l, d);
            memset(e->state, 0, (size_t)pass->source->packed.rows[0] * n->Z * sizeof(real));
            if (options->start == START_LAST) copy_last(e, pass, grad->dstart, l, 1);
            recurrent_backward(&layer, e->dx, d ? ACCUMULATE : OVERWRITE, e->state,
                               e->dh + d * n->H, encoder_width(n, l), x);
        }
        if (l >= n->first_residual) vector_add(e->dx, e->dh, (size_t)N * I);
        if (l)
            dropout_apply(e->dx, &pass->noise->hidden, PLACE_ENCODER + l - 1, pass->source->token,
                          N, I);
        real *below = e->dx;
        e->dx = e->dh;
        e->dh = below;
    }
}

/* The input of the self-attention: the top recurrent layer, or the words. */
static real *below_attention(const EncoderState *e, const Sizes *n)
{
    return n->R ? e->h[n->R - 1] : e->embedded;
}

/* ---- the encoder ---- */

void encoder_forward(EncoderState *e, const Pass *pass)
{
    const Architecture *net = pass->architecture;
    const Sizes *n = &net->n;
    const int N = pass->source->packed.total;

    /* 1. x_s */
    embedding_layer_forward(e->embedded, &e->embedding_norm, pass, SIDE_SOURCE, 0);
    /* 2. h_s */
    layers_forward(e, pass);
    real *below = below_attention(e, n), *top = attention_layers_output(&e->attention, below);
    attention_layers_forward(&e->attention, pass, below);
    /* 3. the memory: the top layer, sentence after sentence */
    for (int i = 0; i < N; i++)
        memcpy(e->memory + (size_t)pass->source->memory_row[i] * n->C, top + (size_t)i * n->C,
               (size_t)n->C * sizeof(real));
    /* 4. keys and first states */
    e->keys = attention_keys_forward(&net->attention, pass->weights->score, e->prepared, e->memory,
                                     N);
    if (has_bridge(net)) bridge_forward(e, pass);
}

AttentionSource encoder_memory(const EncoderState *e, const SourceBatch *batch)
{
    return (AttentionSource){ e->memory, e->keys, batch->first, batch->length, NULL, 0 };
}

void encoder_backward(EncoderState *e, EncoderGradient *d, const Pass *pass)
{
    const Architecture *net = pass->architecture;
    const Sizes *n = &net->n;
    const int N = pass->source->packed.total;
    const ScoreLayer score = { net->attention.n, pass->weights->score, pass->gradients->score };

    /* 4. */
    if (has_bridge(net)) bridge_backward(e, d, e->dx, pass);
    attention_keys_backward(&net->attention, &score, d->dmemory, d->dkeys, e->memory, N);
    /* 3. */
    for (int i = 0; i < N; i++)
        memcpy(e->dh + (size_t)i * n->C, d->dmemory + (size_t)pass->source->memory_row[i] * n->C,
               (size_t)n->C * sizeof(real));
    /* 2. */
    attention_layers_backward(&e->attention, pass, e->dh, below_attention(e, n), NULL);
    layers_backward(e, d, pass);
    /* 1. */
    embedding_layer_backward(e->dh, &e->embedding_norm, pass, SIDE_SOURCE);
}
