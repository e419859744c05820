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
    real    *words;                     /* (N, E)     the words (model/embedding_layer.c) */
    NormSave embedding_norm;
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
    real    *context;                   /* (N, C)     or its products, below */
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
 * layers that attend to it. The region is that of a search, which keeps there what its steps add;
 * NULL: all steps are computed at once. */
void decoder_begin(DecoderState *d, const Pass *pass, const real *start, Region *region);

/* decoder_gather - row i continues from the states of row from[i]; a row may be taken more than
 * once. */
void decoder_gather(DecoderState *d, const int *from, int rows);

/* decoder_forward - computes all steps of pass->target. start (L, B, Z): the first states of the
 * layers. */
void decoder_forward(DecoderState *d, const Pass *pass, const real *start);

/* decoder_step - computes the next step of a search, after decoder_begin;
 * pass->target has one step. */
void decoder_step(DecoderState *d, const Pass *pass);

/* decoder_backward - accumulates g->attention and pass->gradients; d->dstart becomes the gradient
 * of the first states. */
void decoder_backward(DecoderState *d, DecoderGradient *g, const Pass *pass);

/* ---- what the steps of the decoder types are built from, for rows `at` .. `at + rows - 1` ----
 *
 *   d_t^1 = cell(W_E E y_{t-1} + W_F f_t, d_{t-1}^1)      f_t (F): what the decoder type feeds
 *   d_t^l = cell(W d_t^{l-1} [+ W_C c_t], d_{t-1}^l)      c_t: if the decoder type says so; dropout
 *                                                         between the layers; with --residual,
 *                                                         d_t^{l-1} is added to the output of layer
 *                                                         l (not to its state)
 */

/* decoder_attend - computes context, alpha and query of the rows from `at`. state (rows, H) is read
 * with row distance ld. */
void decoder_attend(DecoderState *d, const Pass *pass, const real *state, int ld, int at, int rows);

/* decoder_attend_backward - reads g->dcontext and accumulates dstate (rows, H), g->dembedded (for
 * scores that read the previous word) and g->attention. */
void decoder_attend_backward(DecoderState *d, real *dstate, int ld, const DecoderGradient *g,
                             const Pass *pass, int at, int rows);

/* decoder_attend_weights - after the last step, computes the gradients of the query's weights from
 * the states (N, H) that were passed to decoder_attend. */
void decoder_attend_weights(const DecoderState *d, const Pass *pass, const real *state, int ld,
                            int N);

/* decoder_layers_feed - adds W_F x, x (rows, F), to the gates of layer 0, before
 * decoder_layers_step.
 * decoder_layers_feed_backward - overwrites or accumulates dx (rows, F), after
 * decoder_layers_backward.
 * decoder_layers_feed_weights - after the last step, accumulates the gradient of W_F from
 * x (N, F). */
void decoder_layers_feed(DecoderState *d, const Pass *pass, const real *x, int at, int rows);
void decoder_layers_feed_backward(DecoderState *d, Store store, real *dx, const Pass *pass, int at,
                                  int rows);
void decoder_layers_feed_weights(DecoderState *d, const Pass *pass, const real *x, int N);

/* A decoder type's function that runs between the new state of layer 0, which it may change, and
 * the readers of this state; and its backward pass. NULL: none. */
typedef void DecoderHook(DecoderState *d, const Pass *pass, int at, int rows);
typedef void DecoderBackwardHook(DecoderState *d, const DecoderGradient *g, const Pass *pass,
                                 int at, int rows);

/* decoder_layers_step - computes all layers; the recurrent states before the step become those
 * after it. */
void decoder_layers_step(DecoderState *d, const Pass *pass, DecoderHook *within, int at, int rows);

/* decoder_layers_backward - dtop (rows, H): the gradient of the top layer's output. The gradients
 * of the recurrent states after the step become those before it, and the gates of all layers become
 * their gradients. */
void decoder_layers_backward(DecoderState *d, const real *dtop, const DecoderGradient *g,
                             const Pass *pass, DecoderBackwardHook *within, int at, int rows);

/* ---- the products with the context in a search, for positions rather than rows ----
 *
 *   c = sum over s of alpha_s m_s,   so   W c = sum over s of alpha_s (W m_s)
 *
 * W m_s is computed once for each position of the source. Where several rows of each step share a
 * sentence, as in beam search, that is less than a product for each of them. Only the rounding of
 * the sums differs.
 */

/* context_projection_width - the values that a position takes; 0: this network has no such
 * products, or they round their factors. */
int context_projection_width(const Architecture *net, const Weights *w);

/* context_projection_forward - values (M, width) of the memory (M, C), for AttentionSource.values;
 * then d->context (rows, width) holds the products. */
void context_projection_forward(real *values, const Architecture *net, const Weights *w,
                                const real *memory, int M);

/* context_is_projected - whether d->context holds products in this pass. */
int context_is_projected(const Pass *pass);

/* context_to_gates - gates (rows,G) = b + W c of the decoder's type, from rows of d->context.
 * context_to_readout - hidden (rows,E) += W_o c. */
void context_to_gates(real *gates, const DecoderState *d, const Pass *pass, const real *bias,
                      int rows);
void context_to_readout(real *hidden, const DecoderState *d, const Pass *pass, int rows);

#endif
