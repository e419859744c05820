/* decoder.c - what every decoder does, whatever the order of its steps. */
#include "model/decoder.h"

#include "model/embedding_layer.h"
#include "model/order.h"
#include "nn/position.h"

#include <string.h>

static const Order *const orders[] = { [DECODER_BAHDANAU] = &order_bahdanau, [DECODER_LUONG] = &order_luong,
                                      [DECODER_CONDITIONAL] = &order_conditional };

const Order *order_of(const Architecture *net)
{
    return orders[net->options.decoder];
}

/* ---- memory ---- */

void decoder_carry(DecoderState *d, Arena *arena, size_t B, int width, real *gradient)
{
    const size_t size = B * (size_t)width;
    d->carried[d->carries++] = (Carried){ width, arena_reals(arena, size), arena_reals(arena, size), gradient };
}

static void stack_layout(DecoderState *d, Arena *arena, const Architecture *net, size_t N, size_t B, int backward)
{
    const Sizes *n = &net->n;
    const size_t states = B * (size_t)n->Z;
    d->carries = 0;
    d->layers = n->L;
    d->dstart = backward ? arena_reals(arena, n->L * states) : NULL;
    for (int l = 0; l < n->L; l++) {
        d->save[l] = cell_layout(arena, net, N, backward ? arena_reals(arena, cell_du(net, N)) : NULL);
        d->h[l] = arena_reals(arena, N * n->H);
        decoder_carry(d, arena, B, n->Z, d->dstart ? d->dstart + l * states : NULL);
    }
    d->output = d->h[n->L - 1];
}

void decoder_layout(DecoderState *d, Arena *arena, const Architecture *net, int rows, int sentences, int source_steps,
                    int target_steps, int backward)
{
    const Sizes *n = &net->n;
    const size_t N = (size_t)rows, B = (size_t)sentences, step = cell_scratch(net, B), positions = (size_t)source_steps;
    d->S = source_steps;
    d->words = arena_reals(arena, N * n->E);
    attention_layers_layout(&d->attention, arena, &n->decoder_attention, 1, N, target_steps, backward);
    d->embedded = attention_layers_output(&d->attention, d->words);
    stack_layout(d, arena, net, N, B, backward);
    d->query = arena_reals(arena, N * net->attention.shape.query);
    d->alpha = arena_reals(arena, N * positions);
    d->context = arena_reals(arena, N * n->C);
    d->scratch = arena_reals(arena, step > 2 * positions ? step : 2 * positions);
    if (!target_steps) d->projection = (ProjectionScratch){ arena_reals(arena, N * n->E), arena_ints(arena, N) };
    if (backward) d->dquery = arena_reals(arena, N * net->attention.shape.query);
    if (order_of(net)->layout) order_of(net)->layout(d, arena, net, N, B, backward);
}

/* ---- forward ---- */

void decoder_begin(DecoderState *d, const real *start, int sentences)
{
    d->step = 0;
    for (int i = 0; i < d->carries; i++) {
        const size_t size = (size_t)sentences * d->carried[i].width;
        if (i < d->layers) memcpy(d->carried[i].now, start + i * size, size * sizeof *start);
        else memset(d->carried[i].now, 0, size * sizeof *start);
    }
}

void decoder_gather(DecoderState *d, const int *from, int rows)
{
    for (int k = 0; k < d->carries; k++) {
        Carried *c = &d->carried[k];
        const size_t width = (size_t)c->width;
        for (int i = 0; i < rows; i++)
            memcpy(c->spare + i * width, c->now + from[i] * width, width * sizeof *c->now);
        real *old = c->now;
        c->now = c->spare;
        c->spare = old;
    }
    attention_layers_gather(&d->attention, from, d->step, rows);
}

/* Positions of the words: of each step in a batch, of the one step of a search. */
static void add_positions(DecoderState *d, const PackedSequence *seq, int N, int E)
{
    if (!seq) position_add(d->words, d->step, N, E);
    for (int t = 0; seq && t < seq->steps; t++)
        position_add(d->words + (size_t)seq->start[t] * E, t, seq->rows[t], E);
}

static void words_forward(DecoderState *d, const DecoderPass *pass, const int *input, const PackedSequence *seq, int N)
{
    const int E = pass->net->n.E, layers = pass->net->n.decoder_attention.layers;
    const SelfAttentionWeights *w = pass->w->decoder_attention;
    embedding_layer_forward(d->words, pass->net, pass->w, SIDE_TARGET, input, pass->token, N, pass->noise);
    if (layers) add_positions(d, seq, N, E);
    if (seq) attention_layers_forward(&d->attention, w, d->words, seq, pass->token, pass->noise);
    else attention_layers_step(&d->attention, w, d->words, d->step, N);
}

void decoder_inputs(DecoderState *d, const DecoderPass *pass, const int *input, const PackedSequence *seq, int N)
{
    const Sizes *n = &pass->net->n;
    const CellWeights *w = &pass->w->decoder[0];
    d->input = input;
    words_forward(d, pass, input, seq, N);

    /* gates (N,G) = b + embedded (N,E) · W' */
    if (pass->w->words.target)
        projection_cache_forward(pass->w->words.target, d->save[0].gates, d->embedded, input, &w->W, w->b, N,
                                 d->projection);
    else
        linear_forward(OVERWRITE, d->save[0].gates, n->G, d->embedded, n->E, &w->W, w->b, N);
}

void decoder_step(DecoderState *d, const DecoderPass *pass, int at, int rows)
{
    order_of(pass->net)->step(d, pass, at, rows);
    d->step++;
}

void decoder_forward(DecoderState *d, const DecoderPass *pass, const TargetBatch *batch, const real *start,
                     int sentences)
{
    const PackedSequence *packed = &batch->packed;
    decoder_inputs(d, pass, batch->input, packed, packed->total);
    decoder_begin(d, start, sentences);
    for (int t = 0; t < packed->steps; t++)
        decoder_step(d, pass, packed->start[t], packed->rows[t]);
}

void decoder_end(DecoderState *d)
{
    attention_layers_forget(&d->attention);
}

/* ---- backward ---- */

/* dembedded (N,E) += dgates (N,G) · W;  dW (G,E) += dgates' (G,N) · embedded (N,E) */
static void inputs_backward(DecoderState *d, DecoderGradient *g, const DecoderPass *pass, const TargetBatch *batch)
{
    const Sizes *n = &pass->net->n;
    const Weights *dw = pass->dw;
    const int N = batch->packed.total;
    const real *dgates = d->save[0].gates;
    linear_backward_weight(&dw->decoder[0].W, dgates, n->G, d->embedded, n->E, N);
    linear_backward_input(ACCUMULATE, g->dembedded, n->E, dgates, n->G, &pass->w->decoder[0].W, N);
    attention_layers_backward(&d->attention, g->dembedded, dw->decoder_attention, pass->w->decoder_attention, d->words,
                              &batch->packed, pass->token, pass->noise);
    embedding_layer_backward(dw, g->dembedded, pass->net, SIDE_TARGET, batch->input, pass->token, N, pass->noise);
}

void decoder_backward(DecoderState *d, DecoderGradient *g, const DecoderPass *pass, const TargetBatch *batch,
                      int sentences)
{
    const Order *order = order_of(pass->net);
    const PackedSequence *packed = &batch->packed;
    for (int i = 0; i < d->carries; i++)
        memset(d->carried[i].gradient, 0, (size_t)sentences * d->carried[i].width * sizeof(real));
    for (int t = packed->steps - 1; t >= 0; t--)
        order->step_backward(d, g, pass, packed->start[t], packed->rows[t]);
    order->weights_backward(d, g, pass, packed->total);
    stack_weights_backward(d, pass, packed->total);
    inputs_backward(d, g, pass, batch);
}
