/* decoder.h - writes the target, word by word, looking at the source at every step.
 *
 * In which order a step looks and moves on is said by a row of a table (model/order.h); what is the same for all stands
 * here. decoder_step is the one place where a step is computed: training walks over a packed batch with it,
 * translation over the living hypotheses.
 */
#ifndef ATTN_MODEL_DECODER_H
#define ATTN_MODEL_DECODER_H

#include "model/attention_layers.h"
#include "model/batch.h"
#include "model/architecture.h"

/* What a step hands to the next. */
typedef struct {
    int   width;
    real *now;                          /* (B, width)  before a step, then after it */
    real *spare;                        /* (B, width)  room for decoder_gather */
    real *gradient;                     /* (B, width)  backward only */
} Carried;

enum { MOST_CARRIED = MAX_LAYERS + 1 };

/* Activations; N rows in all (target tokens in training, one step's rows in translation), at most B rows a step. */
typedef struct {
    real    *words;                     /* (N, E)     E y, with positions if there is self-attention */
    real    *embedded;                  /* (N, E)     what is read of them: `words`, or the self-attention's result */
    const int *input;                   /* (N)        the words */
    ProjectionScratch projection;                /*            search only: for the projections of words */
    AttentionLayers attention;
    int      step;                      /* steps done, in a search */
    CellSave save[MAX_LAYERS];
    real    *h[MAX_LAYERS];             /* (N, H)     new states; dropped out below the top layer */
    Carried  carried[MOST_CARRIED];     /* first the layers' states (width Z), then what else the order carries */
    int      layers, carries;           /* how many are states, and how many there are */
    real    *query;                     /* (N, Q) */
    real    *alpha;                     /* (N, S)     row distance S */
    real    *context;                   /* (N, C) */
    CellSave transition;                /* conditional: cell_2 */
    real    *fed;                       /* (N, H)     luong: o_{t-1} */
    real    *output;                    /* (N, H)     what the readout sees of the step */
    int      S;                         /* steps of the longest source */
    real    *scratch;
    real    *dstart;                    /* (L, B, Z)  backward only, as what follows: gradient of the first states */
    real    *dquery;                    /* (N, Q) */
    real    *dtop;                      /* (B, H)     luong: of the top layer's output, this step */
} DecoderState;

/* What all steps of a pass read. */
typedef struct {
    const Architecture             *net;
    const Weights         *w;
    const AttentionSource *source;
    const uint64_t        *token;       /* (N) names of the dropout masks; NULL in translation: no dropout */
    const Noise           *noise;
    const uint64_t        *name;        /* (N) names of what hard attention draws (nn/hard_attention.h) */
    const Weights         *dw;          /* backward only */
} DecoderPass;

/* decoder_layout - target_steps: of the longest target; 0 for a search, whose steps are not known before. */
void decoder_layout(DecoderState *d, Arena *arena, const Architecture *net, int rows, int sentences, int source_steps,
                    int target_steps, int backward);

/* decoder_begin - what is carried into the first step: start (L, B, Z) for the layers, else zero. */
void decoder_begin(DecoderState *d, const real *start, int sentences);

/* decoder_gather - row i goes on from what row from[i] has carried; the same row may be taken more than once. */
void decoder_gather(DecoderState *d, const int *from, int rows);

/* decoder_inputs - the words' part of layer 0 for N rows at once: embedded (dropped out) and b + W_E · E y.
 * seq: the packed rows of all steps; NULL: the rows are the next step of a search. */
void decoder_inputs(DecoderState *d, const DecoderPass *pass, const int *input, const PackedSequence *seq, int N);

/* decoder_step - rows `at` .. `at + rows - 1`, after decoder_inputs. What is carried goes from before to after. */
void decoder_step(DecoderState *d, const DecoderPass *pass, int at, int rows);

/* decoder_forward - all steps of a batch. */
void decoder_forward(DecoderState *d, const DecoderPass *pass, const TargetBatch *batch, const real *start,
                     int sentences);

/* decoder_end - after the last step of a search: gives back what its steps took. */
void decoder_end(DecoderState *d);

/* What the readout hands back, used up, and what the attention adds to. */
typedef struct {
    real             *doutput;          /* (N, H)  of d->output */
    real             *dcontext;         /* (N, C) */
    real             *dembedded;        /* (N, E) */
    AttentionGradient attention;
    const real       *advantage;        /* (N)     of HARD_REINFORCE */
} DecoderGradient;

/* decoder_backward - g->attention and pass->dw are accumulated; d->dstart is the gradient of the start states. */
void decoder_backward(DecoderState *d, DecoderGradient *g, const DecoderPass *pass, const TargetBatch *batch,
                      int sentences);

#endif
