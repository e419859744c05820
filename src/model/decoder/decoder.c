/* decoder.c - what all decoder types share: their table, the activations, the states that steps
 * pass on, and the order of the steps. */
#include "model/decoder/decoder.h"

#include "model/decoder/decoder_step.h"
#include "model/embedding_layer.h"

#include <string.h>

#define DECODER_TYPE_ROW(constant, type, name, help) &decoder_##type,
#define DECODER_TYPE_NAME(constant, type, name, help) name,

const DecoderType *const decoder_types[] = { DECODER_TYPE_TABLE(DECODER_TYPE_ROW) 0 };
const char *const decoder_type_names[] = { DECODER_TYPE_TABLE(DECODER_TYPE_NAME) 0 };

/* ---- the activations ---- */

static void add_recurrent(DecoderState *d, Arena *arena, size_t B, int width, real *gradient)
{
    const size_t size = B * (size_t)width;
    d->recurrent[d->recurrents++] = (RecurrentState){ width, arena_reals(arena, size),
                                                      arena_reals(arena, size), gradient };
}

static CellSave cell_of(Arena *arena, const Architecture *net, size_t N, int backward)
{
    return cell_layout(arena, net, N, backward ? arena_reals(arena, cell_du(net, N)) : NULL);
}

static void layers_layout(DecoderState *d, Arena *arena, const Architecture *net, size_t N,
                          size_t B, int backward)
{
    const Sizes *n = &net->n;
    const size_t states = B * (size_t)n->Z;
    d->recurrents = 0;
    d->layers = n->L;
    d->dstart = backward ? arena_reals(arena, n->L * states) : NULL;
    for (int l = 0; l < n->L; l++) {
        d->save[l] = cell_of(arena, net, N, backward);
        d->h[l] = arena_reals(arena, N * n->H);
        add_recurrent(d, arena, B, n->Z, d->dstart ? d->dstart + l * states : NULL);
    }
}

static void type_layout(DecoderState *d, Arena *arena, const Architecture *net, size_t N, size_t B,
                        int backward)
{
    const DecoderShape *shape = &net->decoder_shape;
    d->output = shape->own_output ? arena_reals(arena, N * net->n.H)
              : net->n.L ? d->h[net->n.L - 1] : d->embedded;
    if (shape->cell.name) d->type.cell = cell_of(arena, net, N, backward);
    if (shape->saved) d->type.saved = arena_reals(arena, N * shape->saved);
    if (shape->gradient && backward) d->type.gradient = arena_reals(arena, B * shape->gradient);
    if (!shape->carried) return;
    add_recurrent(d, arena, B, shape->carried,
                  backward ? arena_reals(arena, B * shape->carried) : NULL);
}

void decoder_layout(DecoderState *d, Arena *arena, const Architecture *net, BatchSize size,
                    int backward)
{
    const Sizes *n = &net->n;
    const size_t N = (size_t)size.target_tokens, B = (size_t)size.sentences;
    const size_t positions = (size_t)size.source_steps;
    const size_t queries = N * net->attention.shape.query, step = cell_scratch(net, B);
    /* of a search, the context or its products (model/decoder/decoder_step.h) */
    const int context = backward || n->C > n->G + n->E ? n->C : n->G + n->E;
    d->S = size.source_steps;
    d->words = arena_reals(arena, N * n->E);
    attention_layers_layout(&d->attention, arena, net, SIDE_TARGET, size, backward);
    d->embedded = attention_layers_output(&d->attention, d->words);
    layers_layout(d, arena, net, N, B, backward);
    d->query = arena_reals(arena, queries);
    d->alpha = arena_reals(arena, N * positions);
    d->context = arena_reals(arena, N * (size_t)context);
    d->scratch = arena_reals(arena, step > 2 * positions ? step : 2 * positions);
    if (!size.target_steps)
        d->projection = (ProjectionScratch){ arena_reals(arena, N * n->E), arena_ints(arena, N) };
    if (backward) d->dquery = arena_reals(arena, queries);
    type_layout(d, arena, net, N, B, backward);
}

/* ---- the states of a search ---- */

void decoder_begin(DecoderState *d, const Pass *pass, const real *start)
{
    const size_t sentences = (size_t)pass->source->packed.rows[0];
    d->step = 0;
    for (int i = 0; i < d->recurrents; i++) {
        const size_t size = sentences * d->recurrent[i].width;
        if (i < d->layers) memcpy(d->recurrent[i].now, start + i * size, size * sizeof *start);
        else memset(d->recurrent[i].now, 0, size * sizeof *start);
    }
    attention_layers_read(&d->attention, pass);
}

void decoder_gather(DecoderState *d, const int *from, int rows)
{
    for (int k = 0; k < d->recurrents; k++) {
        RecurrentState *state = &d->recurrent[k];
        const size_t width = (size_t)state->width;
        for (int i = 0; i < rows; i++)
            memcpy(state->spare + i * width, state->now + from[i] * width,
                   width * sizeof *state->now);
        real *old = state->now;
        state->now = state->spare;
        state->spare = old;
    }
    attention_layers_gather(&d->attention, from, d->step, rows);
}

void decoder_end(DecoderState *d)
{
    attention_layers_free(&d->attention);
}

/* ---- forward ---- */

/* gates (N,G) of layer 0 = b + embedded (N,E) · W', for all words at once */
static void words_to_gates(DecoderState *d, const Pass *pass)
{
    const Sizes *n = &pass->architecture->n;
    const CellWeights *w = &pass->weights->decoder[0];
    const SideWords y = pass_words(pass, SIDE_TARGET);
    ProjectionCache *cache = pass->weights->words.target;
    real *gates = d->save[0].gates;
    if (cache)
        projection_cache_forward(cache, gates, d->embedded, y.id, &w->W, w->b, y.packed->total,
                                 d->projection);
    else linear_forward(OVERWRITE, gates, n->G, d->embedded, n->E, &w->W, w->b, y.packed->total);
}

void decoder_forward(DecoderState *d, const Pass *pass, const real *start)
{
    decoder_begin(d, pass, start);
    embedding_layer_forward(d->words, pass, SIDE_TARGET, 0);
    attention_layers_forward(&d->attention, pass, d->words);
    if (!pass->architecture->n.L) return;
    const PackedSequence *packed = &pass->target->packed;
    words_to_gates(d, pass);
    for (int t = 0; t < packed->steps; t++)
        pass->architecture->decoder->step(d, pass, packed->start[t], packed->rows[t]);
}

void decoder_step(DecoderState *d, const Pass *pass)
{
    embedding_layer_forward(d->words, pass, SIDE_TARGET, d->step);
    attention_layers_step(&d->attention, pass, d->words, d->step, d->alpha);
    if (pass->architecture->n.L) {
        words_to_gates(d, pass);
        pass->architecture->decoder->step(d, pass, 0, pass->target->packed.total);
    }
    d->step++;
}

/* ---- backward ---- */

static void steps_backward(DecoderState *d, DecoderGradient *g, const Pass *pass)
{
    const DecoderType *type = pass->architecture->decoder;
    const PackedSequence *packed = &pass->target->packed;
    const int G = pass->architecture->n.G, E = pass->architecture->n.E;
    for (int i = 0; i < d->recurrents; i++)
        memset(d->recurrent[i].gradient, 0,
               (size_t)packed->rows[0] * d->recurrent[i].width * sizeof(real));
    for (int t = packed->steps - 1; t >= 0; t--)
        type->step_backward(d, g, pass, packed->start[t], packed->rows[t]);
    type->weights_backward(d, g, pass, packed->total);
    decoder_layers_weights_backward(d, pass, packed->total);
    /* dW (G,E) += dgates' (G,N) · embedded (N,E);  dembedded (N,E) += dgates (N,G) · W */
    linear_backward_weight(&pass->gradients->decoder[0].W, d->save[0].gates, G, d->embedded, E,
                           packed->total);
    linear_backward_input(ACCUMULATE, g->dembedded, E, d->save[0].gates, G,
                          &pass->weights->decoder[0].W, packed->total);
}

void decoder_backward(DecoderState *d, DecoderGradient *g, const Pass *pass)
{
    const int is_recurrent = pass->architecture->n.L > 0;
    real *dembedded = is_recurrent ? g->dembedded : g->doutput;
    if (is_recurrent) steps_backward(d, g, pass);
    attention_layers_backward(&d->attention, pass, dembedded, d->words, g->attention.memory);
    embedding_layer_backward(dembedded, pass, SIDE_TARGET);
}
