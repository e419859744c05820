/* decoder.c - the attending decoder. */
#include "model/decoder.h"

#include "model/embed.h"
#include "nn/matrix.h"
#include "nn/vector.h"

#include <string.h>

void decoder_layout(DecoderState *d, Arena *arena, const Net *net, int rows, int sentences, int source_steps,
                    int backward)
{
    const Sizes *n = &net->n;
    const size_t N = (size_t)rows, B = (size_t)sentences, H = (size_t)n->H;
    d->S = source_steps;
    d->embedded = arena_reals(arena, N * n->E);
    for (int l = 0; l < n->L; l++) {
        d->save[l] = (GruSave){ arena_reals(arena, N * 3 * H), arena_reals(arena, N * H), arena_reals(arena, N * H) };
        d->h[l] = arena_reals(arena, N * H);
        d->state[l] = arena_reals(arena, B * H);
    }
    d->query = arena_reals(arena, N * net->P);
    d->alpha = arena_reals(arena, N * source_steps);
    d->context = arena_reals(arena, N * n->C);
    size_t gates = B * 3 * H, positions = (size_t)source_steps;
    d->scratch = arena_reals(arena, gates > positions ? gates : positions);
    if (!backward) return;
    for (int l = 0; l < n->L; l++)
        d->du[l] = arena_reals(arena, N * 3 * H);
    d->dstate = arena_reals(arena, n->L * B * H);
    d->dquery = arena_reals(arena, N * net->P);
}

void decoder_inputs(DecoderState *d, const Net *net, const Weights *w, const int *input, const uint64_t *token, int N,
                    const Noise *noise)
{
    const Sizes *n = &net->n;
    embed_forward(d->embedded, net, w, SIDE_TARGET, input, token, N, noise);

    /* gates (N,3H) = b + embedded (N,E) · W[:, :E]';  W (3H, E + C) */
    matrix_fill_rows(d->save[0].gates, w->decoder[0].b, N, 3 * n->H);
    matrix_forward(ACCUMULATE, d->save[0].gates, 3 * n->H, d->embedded, n->E, w->decoder[0].W, n->E + n->C, N, n->E,
                   3 * n->H);
}

/* One layer's step: d->state[l] goes from before to after, h gets the new state, dropped out below the top. */
static void layer_step(DecoderState *d, const Net *net, const Weights *w, int l, int at, int rows,
                       const uint64_t *token, const Noise *noise)
{
    const Sizes *n = &net->n;
    const size_t state_size = (size_t)rows * n->H * sizeof(real);
    real *h = d->h[l] + (size_t)at * n->H;
    if (l) {    /* gates (rows,3H) = b + h^{l-1} (rows,H) · W' */
        real *gates = d->save[l].gates + (size_t)at * 3 * n->H;
        matrix_fill_rows(gates, w->decoder[l].b, rows, 3 * n->H);
        matrix_forward(ACCUMULATE, gates, 3 * n->H, d->h[l - 1] + (size_t)at * n->H, n->H, w->decoder[l].W, n->H,
                       rows, n->H, 3 * n->H);
    }
    memcpy(d->save[l].previous + (size_t)at * n->H, d->state[l], state_size);
    gru_cell_forward(h, n->H, &d->save[l], &w->decoder[l], d->scratch, at, rows, 0, n->H);
    memcpy(d->state[l], h, state_size);
    if (token && l < n->L - 1) dropout_apply(h, &noise->hidden, PLACE_DECODER + l, token + at, rows, n->H);
}

void decoder_step(DecoderState *d, const Net *net, const Weights *w, int at, int rows, const AttentionSource *source,
                  const uint64_t *token, const Noise *noise)
{
    const Sizes *n = &net->n;
    real *query = d->query + (size_t)at * net->P, *context = d->context + (size_t)at * n->C;

    /* 1. c_t */
    net->score->query_forward(query, d->state[n->L - 1], w->score, rows, net->score_sizes);
    attention_forward(context, d->alpha + (size_t)at * d->S, d->S, query, source, net->score, w->score, rows,
                      net->score_sizes);
    /* 2. the context's part of layer 0: gates (rows,3H) += c (rows,C) · W[:, E:]' */
    matrix_forward(ACCUMULATE, d->save[0].gates + (size_t)at * 3 * n->H, 3 * n->H, context, n->C,
                   w->decoder[0].W + n->E, n->E + n->C, rows, n->C, 3 * n->H);
    /* 3. the layers */
    for (int l = 0; l < n->L; l++)
        layer_step(d, net, w, l, at, rows, token, noise);
}

void decoder_forward(DecoderState *d, const Net *net, const Weights *w, const TargetBatch *batch, const real *start,
                     int sentences, const AttentionSource *source, const Noise *noise)
{
    const Packed *packed = &batch->packed;
    const size_t states = (size_t)sentences * net->n.H;
    decoder_inputs(d, net, w, batch->input, batch->token, packed->total, noise);
    for (int l = 0; l < net->n.L; l++)
        memcpy(d->state[l], start + l * states, states * sizeof(real));
    for (int t = 0; t < packed->steps; t++)
        decoder_step(d, net, w, packed->start[t], packed->rows[t], source, batch->token, noise);
}

/* ---- backward ---- */

/* The layers of one step, top to bottom. In: dstate = what flows back from step t+1, g->dh of the top layer.
 * Out: dstate = the recurrence's part of the gradient of d_{t-1}; the gates of all layers are gradients. */
static void layers_backward(DecoderState *d, const DecoderGradient *g, const Net *net, const Weights *w, int at,
                            int rows, int B, const uint64_t *token, const Noise *noise)
{
    const Sizes *n = &net->n;
    const size_t H = (size_t)n->H;
    for (int l = n->L - 1; l >= 0; l--) {
        real *dstate = d->dstate + (size_t)l * B * H;
        if (l == n->L - 1) {
            vector_add(dstate, g->dh + at * H, rows * H);
        } else {    /* dh^l (rows,H) = dgates^{l+1} (rows,3H) · W^{l+1} */
            real *dh = d->scratch;
            matrix_backward_input(OVERWRITE, dh, n->H, d->save[l + 1].gates + at * 3 * H, 3 * n->H,
                                  w->decoder[l + 1].W, n->H, rows, n->H, 3 * n->H);
            dropout_apply(dh, &noise->hidden, PLACE_DECODER + l, token + at, rows, n->H);
            vector_add(dstate, dh, rows * H);
        }
        gru_cell_backward(dstate, &d->save[l], d->du[l], dstate, &w->decoder[l], at, rows, 0, n->H);
    }
}

/* The gradients of the weights, from all steps at once. */
static void weights_backward(DecoderState *d, const Net *net, const Weights *dw, int N)
{
    const Sizes *n = &net->n;
    const int wide = 3 * n->H;
    for (int l = 0; l < n->L; l++)
        gru_weights_backward(&dw->decoder[l], &d->save[l], d->du[l], N, n->H);
    /* dW (3H, E + C) += dgates' (3H,N) · [embedded (N,E) ; context (N,C)];  dW^l (3H,H) += dgates' · h^{l-1} (N,H) */
    const real *dgates = d->save[0].gates;
    matrix_backward_weight(dw->decoder[0].W, n->E + n->C, dgates, wide, d->embedded, n->E, N, n->E, wide);
    matrix_backward_weight(dw->decoder[0].W + n->E, n->E + n->C, dgates, wide, d->context, n->C, N, n->C, wide);
    for (int l = 1; l < n->L; l++)
        matrix_backward_weight(dw->decoder[l].W, n->H, d->save[l].gates, wide, d->h[l - 1], n->H, N, n->H, wide);
    net->score->query_weights_backward(dw->score, d->dquery, d->save[n->L - 1].previous, N, net->score_sizes);
}

void decoder_backward(DecoderState *d, DecoderGradient *g, real *dmemory, real *dkeys, const Net *net,
                      const Weights *w, const Weights *dw, const TargetBatch *batch, int sentences,
                      const AttentionSource *source, const Noise *noise)
{
    const Sizes *n = &net->n;
    const Packed *packed = &batch->packed;
    const int N = packed->total;
    real *dtop = d->dstate + (size_t)(n->L - 1) * sentences * n->H;

    memset(d->dstate, 0, (size_t)n->L * sentences * n->H * sizeof(real));
    for (int t = packed->steps - 1; t >= 0; t--) {
        const int at = packed->start[t], rows = packed->rows[t];
        real *dcontext = g->dcontext + (size_t)at * n->C, *dquery = d->dquery + (size_t)at * net->P;
        /* 3. */
        layers_backward(d, g, net, w, at, rows, sentences, batch->token, noise);
        /* 2. dc (rows,C) += dgates (rows,3H) · W[:, E:] */
        matrix_backward_input(ACCUMULATE, dcontext, n->C, d->save[0].gates + (size_t)at * 3 * n->H, 3 * n->H,
                              w->decoder[0].W + n->E, n->E + n->C, rows, n->C, 3 * n->H);
        /* 1. */
        attention_backward(dquery, dmemory, dkeys, dw->score, dcontext, d->alpha + (size_t)at * d->S, d->S,
                           d->query + (size_t)at * net->P, source, net->score, w->score, rows, net->score_sizes,
                           d->scratch);
        net->score->query_backward(dtop, dquery, w->score, rows, net->score_sizes);
    }
    weights_backward(d, net, dw, N);

    /* the words: dembedded (N,E) += dgates (N,3H) · W[:, :E] */
    matrix_backward_input(ACCUMULATE, g->dembedded, n->E, d->save[0].gates, 3 * n->H, w->decoder[0].W, n->E + n->C, N,
                          n->E, 3 * n->H);
    embed_backward(dw, g->dembedded, net, SIDE_TARGET, batch->input, batch->token, N, noise);
}
