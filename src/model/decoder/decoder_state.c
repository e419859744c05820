/* decoder_state.c - layout of the decoder's activations; recurrent states of a search. */
#include "model/decoder/decoder_state.h"

#include <string.h>

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

/* Of a row: the context, or its products (model/context_projection.h). */
static int context_room(const Sizes *n)
{
    return n->C > n->G + n->E ? n->C : n->G + n->E;
}

void decoder_layout(DecoderState *d, Arena *arena, const Architecture *net, BatchSize size,
                    int backward)
{
    const Sizes *n = &net->n;
    const size_t N = (size_t)size.target_tokens, B = (size_t)size.sentences;
    const size_t positions = (size_t)size.source_steps;
    const size_t queries = N * net->attention.shape.query, step = cell_scratch(net, B);
    d->S = size.source_steps;
    d->words = arena_reals(arena, N * n->E);
    attention_layers_layout(&d->attention, arena, net, SIDE_TARGET, size, backward);
    d->embedded = attention_layers_output(&d->attention, d->words);
    layers_layout(d, arena, net, N, B, backward);
    d->query = arena_reals(arena, queries);
    d->alpha = arena_reals(arena, N * positions);
    d->context = arena_reals(arena, N * (size_t)(backward ? n->C : context_room(n)));
    d->scratch = arena_reals(arena, step > 2 * positions ? step : 2 * positions);
    if (!size.target_steps)
        d->projection = (ProjectionScratch){ arena_reals(arena, N * n->E), arena_ints(arena, N) };
    if (backward) d->dquery = arena_reals(arena, queries);
    type_layout(d, arena, net, N, B, backward);
}

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
