/* encoder.h - encodes the source, h_s = [→cell(x_s) ; ←cell(x_s)] in each layer, and computes
 * the decoder's inputs: the memory (encoder states, sentence after sentence), the attention's keys,
 * and the first decoder states. Self-attention layers may follow the recurrent layers, or replace
 * them: then they read E x_s + P(s), the words with their positions (model/embedding_layer.c).
 */
#ifndef ATTN_MODEL_ENCODER_H
#define ATTN_MODEL_ENCODER_H

#include "model/attention_layers.h"
#include "model/pass.h"

/* Activations of one batch; N source tokens, B sentences. */
typedef struct {
    real       *embedded;               /* (N, E)    packed */
    NormSave    embedding_norm;
    real       *h[MAX_LAYERS];          /* (N, encoder_width) packed; dropped out below the top
                                         *           layer */
    CellSave    save[MAX_LAYERS][2];
    AttentionLayers attention;
    real       *memory;                 /* (N, C)    sentence after sentence */
    real       *prepared;               /* (N, K)    space for keys other than the memory */
    const real *keys;                   /* (N, K) */
    real       *mean;                   /* (B, C)    each sentence's mean; start = project */
    real       *start;                  /* (L, B, Z) first decoder states */
    real       *state;                  /* (B, Z)    last states of a layer, or their gradient */
    real       *scratch;                /* (B, G) */
    ProjectionScratch projection;       /*        translation only: scratch for words.source */
    real       *du;                     /*           backward only, like the next two */
    real       *dh, *dx;                /* (N, the widest of C, E and the layers) */
} EncoderState;

/* Gradients from the decoder; dmemory and dkeys start at zero and are accumulated. */
typedef struct {
    real *dmemory;                      /* (N, C) */
    real *dkeys;                        /* (N, K) */
    real *dstart;                       /* (L, B, Z) */
} EncoderGradient;

void encoder_layout(EncoderState *e, Arena *arena, const Architecture *net, BatchSize size,
                    int backward);

/* encoder_forward - encodes pass->source. */
void encoder_forward(EncoderState *e, const Pass *pass);

/* encoder_memory - after encoder_forward, returns the memory that the decoder attends to. */
AttentionSource encoder_memory(const EncoderState *e, const SourceBatch *batch);

/* encoder_backward - accumulates pass->gradients and overwrites d. */
void encoder_backward(EncoderState *e, EncoderGradient *d, const Pass *pass);

#endif
