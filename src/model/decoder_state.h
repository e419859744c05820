/* decoder_state.h - the activations of a decoder, and what its steps hand on. */
#ifndef ATTN_MODEL_DECODER_STATE_H
#define ATTN_MODEL_DECODER_STATE_H

#include "model/attention_layers.h"
#include "model/pass.h"

/* What a step hands to the next: the state of a recurrent layer, or what a decoder type carries. */
typedef struct {
    int   width;
    real *now;                          /* (B, width)  before a step, then after it */
    real *spare;                        /* (B, width)  scratch of decoder_gather */
    real *gradient;                     /* (B, width)  backward only */
} RecurrentState;

/* N rows in all (target tokens in training, one step's rows in a search), at most B rows a step. */
struct DecoderState {
    real    *words;                     /* (N, E)     E y, with positions if there is self-attention */
    real    *embedded;                  /* (N, E)     what is read of them: `words`, or the self-attention's result */
    ProjectionScratch projection;       /*            search only: for the projections of words */
    AttentionLayers attention;
    int      step;                      /* steps done, in a search */
    CellSave save[MAX_LAYERS];
    real    *h[MAX_LAYERS];             /* (N, H)     new states; dropped out below the top layer */
    RecurrentState recurrent[MAX_LAYERS + 1];   /* of the layers (width Z), then what the decoder type carries */
    int      layers, recurrents;        /* how many are of layers, and how many there are */
    real    *query;                     /* (N, Q) */
    real    *alpha;                     /* (N, S)     row distance S */
    real    *context;                   /* (N, C) */
    real    *output;                    /* (N, H)     what the readout reads of the step */
    int      S;                         /* steps of the longest source */
    real    *scratch;
    real    *dstart;                    /* (L, B, Z)  backward only: gradient of the first states */
    real    *dquery;                    /* (N, Q)     backward only */
    struct {                            /* what the shape of the decoder type asks for */
        CellSave cell;
        real    *saved;                 /* (N, saved) */
        real    *gradient;              /* (B, gradient) backward only */
    } type;
};

/* decoder_layout - for a batch of that size. A search does not know its steps before: target_steps is 0, and
 * target_tokens and sentences are the most rows of a step. */
void decoder_layout(DecoderState *d, Arena *arena, const Architecture *net, BatchSize size, int backward);

/* decoder_begin - what is carried into the first step: start (L, B, Z) for the layers, else zero. */
void decoder_begin(DecoderState *d, const real *start, int sentences);

/* decoder_gather - row i goes on from what row from[i] carries; the same row may be taken more than once. */
void decoder_gather(DecoderState *d, const int *from, int rows);

/* decoder_end - after the last step of a search: gives back what its steps took beside the arena. */
void decoder_end(DecoderState *d);

/* The gradients that the readout hands back, used up, and those that the attention adds to. */
struct DecoderGradient {
    real             *doutput;          /* (N, H)  of d->output */
    real             *dcontext;         /* (N, C) */
    real             *dembedded;        /* (N, E) */
    AttentionGradient attention;
    const real       *advantage;        /* (N)     of HARD_REINFORCE */
};

#endif
