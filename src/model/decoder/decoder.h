/* decoder.h - predicts the target word by word, attending to the source at every step.
 *
 * The decoder type (model/decoder/decoder_type.h) defines a step. Training computes all steps of a
 * packed batch; a search computes one step at a time, for all its hypotheses.
 */
#ifndef ATTN_MODEL_DECODER_H
#define ATTN_MODEL_DECODER_H

#include "model/attention_layers.h"
#include "model/pass.h"

/* A state that a step passes to the next: that of a recurrent layer, or one that the decoder type
 * carries. */
typedef struct {
    int   width;
    real *now;                          /* (B, width)  before a step, then after it */
    real *spare;                        /* (B, width)  scratch of decoder_gather */
    real *gradient;                     /* (B, width)  backward only */
} RecurrentState;

/* N rows in all (target tokens in training, one step's rows in a search), at most B rows a step. */
struct DecoderState {
    real    *words;                     /* (N, E)     the words (model/embedding_layer.h) */
    real    *embedded;                  /* (N, E)     `words`, or the result of self-attention */
    ProjectionScratch projection;       /*            search only: scratch for cached projections */
    AttentionLayers attention;
    int      step;                      /* search only: steps computed so far */
    CellSave save[MAX_LAYERS];
    real    *h[MAX_LAYERS];             /* (N, H)     new states; dropped out below the top layer */
    RecurrentState recurrent[MAX_LAYERS + 1];   /* layers (width Z), then the decoder type's */
    int      layers, recurrents;        /* recurrent states of layers; all recurrent states */
    real    *query;                     /* (N, Q) */
    real    *alpha;                     /* (N, S)     row distance S */
    real    *context;                   /* (N, C)     or its products (decoder_step.h) */
    real    *output;                    /* (N, D)     read by the readout */
    int      S;                         /* steps of the longest source */
    real    *scratch;
    real    *dstart;                    /* (L, B, Z)  backward only: gradient of the first states */
    real    *dquery;                    /* (N, Q)     backward only */
    struct {                            /* as the decoder type's shape requires */
        CellSave cell;
        real    *saved;                 /* (N, saved) */
        real    *gradient;              /* (B, gradient) backward only */
    } type;
};

/* The gradients from the readout, which the backward pass overwrites, and those that the attention
 * accumulates. */
struct DecoderGradient {
    real             *doutput;          /* (N, D)  of d->output */
    real             *dcontext;         /* (N, C) */
    real             *dembedded;        /* (N, E) */
    AttentionGradient attention;
    const real       *advantage;        /* (N)     of HARD_REINFORCE */
};

/* decoder_layout - lays out the activations for a batch of that size. A search does not know its
 * number of steps in advance: target_steps is 0, target_tokens and sentences are the largest number
 * of rows of a step, and the source's sizes are those of all sentences. */
void decoder_layout(DecoderState *d, Arena *arena, const Architecture *net, BatchSize size,
                    int backward);

/* decoder_begin - before the first step: sets the recurrent states, start (L, B, Z) of the layers,
 * zero of the others; and prepares the memory of pass->source, pass->memory, for self-attention
 * layers that attend to it. */
void decoder_begin(DecoderState *d, const Pass *pass, const real *start);

/* decoder_gather - row i continues from the states of row from[i]; a row may be taken more than
 * once. */
void decoder_gather(DecoderState *d, const int *from, int rows);

/* decoder_end - after the last step of a search, releases the memory that its steps took outside
 * the arena. */
void decoder_end(DecoderState *d);

/* decoder_forward - computes all steps of pass->target. start (L, B, Z): the first states of the
 * layers. */
void decoder_forward(DecoderState *d, const Pass *pass, const real *start);

/* decoder_step - computes the next step of a search, between decoder_begin and decoder_end;
 * pass->target has one step. */
void decoder_step(DecoderState *d, const Pass *pass);

/* decoder_backward - accumulates g->attention and pass->gradients; d->dstart becomes the gradient
 * of the first states. */
void decoder_backward(DecoderState *d, DecoderGradient *g, const Pass *pass);

#endif
