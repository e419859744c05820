/* network.c - encoder, decoder and readout put together. */
#include "model/network.h"

#include "model/decoder.h"
#include "model/encoder.h"
#include "model/readout.h"

#include <string.h>

typedef struct {
    EncoderState    encoder;
    DecoderState    decoder;
    ReadoutState    readout;
    EncoderGradient dencoder;
    real           *dkeys;              /* room for the gradient of the keys, where they are not the memory */
    DecoderGradient ddecoder;
} Activations;

static void layout(Activations *a, Arena *arena, const Architecture *net, BatchSize size, int backward)
{
    const size_t S = (size_t)size.source_tokens, T = (size_t)size.target_tokens;
    encoder_layout(&a->encoder, arena, net, size, backward);
    decoder_layout(&a->decoder, arena, net, size.target_tokens, size.sentences, size.source_steps, size.target_steps,
                   backward);
    readout_layout(&a->readout, arena, net, size.target_tokens, backward);
    if (!backward) return;
    a->dencoder.dmemory = arena_reals(arena, S * net->n.C);
    a->dkeys = arena_reals(arena, attention_keys_size(&net->attention, S));
    a->ddecoder = (DecoderGradient){ .doutput = arena_reals(arena, T * net->n.H),
                                     .dcontext = arena_reals(arena, T * net->n.C),
                                     .dembedded = arena_reals(arena, T * net->n.E) };
}

size_t network_measure(const Architecture *net, BatchSize size, int backward)
{
    Activations a = { 0 };
    Arena measure = { 0 };
    layout(&a, &measure, net, size, backward);
    return measure.used;
}

static AttentionSource attention_source(const Activations *a, const Batch *batch)
{
    return (AttentionSource){ a->encoder.memory, a->encoder.keys, batch->source.first, batch->source.length };
}

static void forward(Activations *a, const Architecture *net, const Weights *w, const Batch *batch, const Noise *noise)
{
    const int B = batch->size.sentences, N = batch->size.target_tokens;
    encoder_forward(&a->encoder, net, w, &batch->source, B, noise);
    const AttentionSource source = attention_source(a, batch);
    const DecoderPass pass = { net, w, &source, batch->target.token, noise, batch->target.token, NULL };
    decoder_forward(&a->decoder, &pass, &batch->target, a->encoder.start, B);
    readout_forward(&a->readout, net, w, &a->decoder, batch->target.token, N, noise);
}

/* Zero, for the steps to add to. */
static AttentionGradient attention_gradient(Activations *a, const Architecture *net, int M)
{
    const size_t keys = attention_keys_size(&net->attention, (size_t)M);
    a->dencoder.dkeys = keys ? a->dkeys : a->dencoder.dmemory;
    memset(a->dencoder.dmemory, 0, (size_t)M * net->n.C * sizeof(real));
    if (keys) memset(a->dkeys, 0, keys * sizeof(real));
    return (AttentionGradient){ a->dencoder.dmemory, a->dencoder.dkeys };
}

Loss network_loss(const Architecture *net, const Weights *w, const Batch *batch, double smoothing, Arena *arena)
{
    Activations a = { 0 };
    layout(&a, arena, net, batch->size, 0);
    forward(&a, net, w, batch, &(Noise){ 0 });
    return readout_loss(&a.readout, net, w, batch->target.output, batch->size.target_tokens, smoothing);
}

Loss network_gradient(const Architecture *net, const Weights *w, const Weights *dw, const Batch *batch, const Noise *noise,
                      double smoothing, double scale, Arena *arena)
{
    const int B = batch->size.sentences, N = batch->size.target_tokens;
    Activations a = { 0 };
    layout(&a, arena, net, batch->size, 1);
    forward(&a, net, w, batch, noise);
    const AttentionSource source = attention_source(&a, batch);
    const DecoderPass pass = { net, w, &source, batch->target.token, noise, batch->target.token, dw };

    Loss loss = readout_loss_backward(&a.readout, net, w, dw, &batch->target, noise, smoothing, scale);
    readout_backward(&a.readout, &a.ddecoder, net, w, dw, &a.decoder, batch->target.token, N, noise);
    a.ddecoder.attention = attention_gradient(&a, net, batch->size.source_tokens);
    if (a.readout.cost) hard_attention_advantage(a.readout.cost, &batch->target.packed, noise->baseline, scale);
    a.ddecoder.advantage = a.readout.cost;
    decoder_backward(&a.decoder, &a.ddecoder, &pass, &batch->target, B);
    a.dencoder.dstart = a.decoder.dstart;
    encoder_backward(&a.encoder, &a.dencoder, net, w, dw, &batch->source, B, noise);
    return loss;
}

/* Multiply-adds of a stack's linear maps, for one row; the products of queries, keys and values with each other are
 * not counted. */
static double stack_products(const AttentionStack *stack)
{
    const double D = stack->sizes.attention.D;
    return stack->layers * D * (4 * D + 2.0 * stack->sizes.F);
}

double network_flops(const Architecture *net, BatchSize size, int sparse)
{
    const Sizes *n = &net->n;
    double source = 0, target = 0, sentence = 0;                         /* multiply-adds per unit, forward */
    for (int l = 0; l < n->R; l++)
        source += n->directions * (double)n->G * ((l ? n->C : n->E) + n->H);
    for (int l = 0; l < n->L; l++)
        target += (double)n->G * ((l ? n->H : n->E + n->F) + n->H);
    source += stack_products(&n->encoder_attention) + net->attention.shape.key_products;
    target += stack_products(&n->decoder_attention) + net->attention.shape.query_products;
    if (net->options.decoder == DECODER_CONDITIONAL) target += (double)n->G * (n->C + n->H);
    if (net->options.decoder == DECODER_LUONG) target += (double)n->H * (n->C + n->H);
    if (net->options.readout == READOUT_DEEP) target += (double)n->E * (n->H + n->C + n->E);
    if (net->options.start == START_PROJECT) sentence = (double)n->L * n->Z * n->C;
    const double output = (double)n->Vt * n->O * size.target_tokens;
    return 3 * 2 * (source * size.source_tokens + target * size.target_tokens + sentence * size.sentences)
           + (sparse ? 1 : 3) * 2 * output;
}
