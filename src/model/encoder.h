/* encoder.h - reads the source, h_s = [→cell(x_s) ; ←cell(x_s)] layer upon layer, and prepares what the decoder needs:
 * the memory (encoder states, sentence after sentence), the attention's keys, and the first decoder states.
 * Self-attention layers may stand above the recurrent ones, or instead of them: then they read E x_s + P(s), the words
 * with their positions (nn/position.h).
 */
#ifndef ATTN_MODEL_ENCODER_H
#define ATTN_MODEL_ENCODER_H

#include "model/attention_layers.h"
#include "model/pass.h"

/* Activations of one batch; N source tokens, B sentences. */
typedef struct {
    real       *embedded;               /* (N, E)    packed */
    real       *h[MAX_LAYERS];          /* (N, C)    packed; dropped out below the top layer */
    CellSave    save[MAX_LAYERS][2];
    AttentionLayers attention;
    real       *memory;                 /* (N, C)    sentence after sentence */
    real       *prepared;               /* (N, K)    room for the keys, where they are not the memory */
    const real *keys;                   /* (N, K) */
    real       *mean;                   /* (B, C)    of the memory, per sentence; start = project */
    real       *start;                  /* (L, B, Z) first decoder states */
    real       *state;                  /* (B, Z)    last states of the layer that runs, or their gradient */
    real       *scratch;                /* (B, G) */
    ProjectionScratch projection;                /*        translation only: for words.source */
    real       *du;                     /*           backward only, as what follows */
    real       *dh, *dx;                /* (N, max(C, E)) */
} EncoderState;

/* Gradients that the decoder hands back; dmemory and dkeys start at zero and are accumulated. */
typedef struct {
    real *dmemory;                      /* (N, C) */
    real *dkeys;                        /* (N, K) */
    real *dstart;                       /* (L, B, Z) */
} EncoderGradient;

void encoder_layout(EncoderState *e, Arena *arena, const Architecture *net, BatchSize size, int backward);

/* encoder_forward - of pass->source. */
void encoder_forward(EncoderState *e, const Pass *pass);

/* encoder_memory - what the decoder attends to: after encoder_forward. */
AttentionSource encoder_memory(const EncoderState *e, const SourceBatch *batch);

/* encoder_backward - pass->gradients are accumulated; d is used up. */
void encoder_backward(EncoderState *e, EncoderGradient *d, const Pass *pass);

#endif
