/* decoder.c - the part of the decoder that all decoder types share. */
#include "model/decoder/decoder.h"

#include "model/decoder/decoder_layers.h"
#include "model/embedding_layer.h"

#include <string.h>

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

static void steps_forward(DecoderState *d, const Pass *pass)
{
    const PackedSequence *packed = &pass->target->packed;
    words_to_gates(d, pass);
    for (int t = 0; t < packed->steps; t++)
        pass->architecture->decoder->step(d, pass, packed->start[t], packed->rows[t]);
}

void decoder_forward(DecoderState *d, const Pass *pass, const real *start)
{
    decoder_begin(d, pass, start);
    embedding_layer_forward(d->words, pass, SIDE_TARGET, 0);
    attention_layers_forward(&d->attention, pass, d->words);
    if (pass->architecture->n.L) steps_forward(d, pass);
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

/* dembedded (N,E) += dgates (N,G) · W;  dW (G,E) += dgates' (G,N) · embedded (N,E) */
static void words_to_gates_backward(DecoderState *d, DecoderGradient *g, const Pass *pass)
{
    const Sizes *n = &pass->architecture->n;
    const int N = pass->target->packed.total;
    const real *dgates = d->save[0].gates;
    linear_backward_weight(&pass->gradients->decoder[0].W, dgates, n->G, d->embedded, n->E, N);
    linear_backward_input(ACCUMULATE, g->dembedded, n->E, dgates, n->G,
                          &pass->weights->decoder[0].W, N);
}

static void steps_backward(DecoderState *d, DecoderGradient *g, const Pass *pass)
{
    const DecoderType *type = pass->architecture->decoder;
    const PackedSequence *packed = &pass->target->packed;
    for (int i = 0; i < d->recurrents; i++)
        memset(d->recurrent[i].gradient, 0,
               (size_t)packed->rows[0] * d->recurrent[i].width * sizeof(real));
    for (int t = packed->steps - 1; t >= 0; t--)
        type->step_backward(d, g, pass, packed->start[t], packed->rows[t]);
    type->weights_backward(d, g, pass, packed->total);
    decoder_layers_weights_backward(d, pass, packed->total);
    words_to_gates_backward(d, g, pass);
}

void decoder_backward(DecoderState *d, DecoderGradient *g, const Pass *pass)
{
    const int is_recurrent = pass->architecture->n.L > 0;
    real *dembedded = is_recurrent ? g->dembedded : g->doutput;
    if (is_recurrent) steps_backward(d, g, pass);
    attention_layers_backward(&d->attention, pass, dembedded, d->words, g->attention.memory);
    embedding_layer_backward(dembedded, pass, SIDE_TARGET);
}
