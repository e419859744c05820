/* decoder.h - writes the target, word by word, looking at the source at every step:
 *
 *   c_t   = attention(d_{t-1} of the top layer, memory)
 *   d_t^1 = GRU([E y_{t-1} ; c_t], d_{t-1}^1)
 *   d_t^l = GRU(d_t^{l-1}, d_{t-1}^l)                     dropout between the layers
 *
 * decoder_step is the one place where a step is computed: training walks over a packed batch with it, translation
 * over the living hypotheses.
 */
#ifndef ATTN_MODEL_DECODER_H
#define ATTN_MODEL_DECODER_H

#include "model/batch.h"
#include "model/net.h"
#include "nn/attention.h"

/* Activations; N rows in all (target tokens in training, one step's rows in translation), at most B rows a step. */
typedef struct {
    real   *embedded;                   /* (N, E) */
    GruSave save[MAX_LAYERS];
    real   *h[MAX_LAYERS];              /* (N, H)  new states; dropped out below the top layer */
    real   *state[MAX_LAYERS];          /* (B, H)  d_{t-1} before a step, d_t after it */
    real   *query;                      /* (N, P) */
    real   *alpha;                      /* (N, S)  row distance S */
    real   *context;                    /* (N, C) */
    int     S;                          /* steps of the longest source */
    real   *scratch;
    real   *du[MAX_LAYERS];             /* (N, 3H) backward only, as what follows */
    real   *dstate;                     /* (L, B, H) */
    real   *dquery;                     /* (N, P) */
} DecoderState;

void decoder_layout(DecoderState *d, Arena *arena, const Net *net, int rows, int sentences, int source_steps,
                    int backward);

/* decoder_inputs - the words' part of layer 0 for N rows at once: embedded (dropped out) and b + W_E · E y. */
void decoder_inputs(DecoderState *d, const Net *net, const Weights *w, const int *input, const uint64_t *token, int N,
                    const Noise *noise);

/* decoder_step - rows `at` .. `at + rows - 1`, after decoder_inputs. d->state goes from d_{t-1} to d_t. */
void decoder_step(DecoderState *d, const Net *net, const Weights *w, int at, int rows, const AttentionSource *source,
                  const uint64_t *token, const Noise *noise);

/* decoder_forward - all steps of a batch; start (L, B, H). */
void decoder_forward(DecoderState *d, const Net *net, const Weights *w, const TargetBatch *batch, const real *start,
                     int sentences, const AttentionSource *source, const Noise *noise);

/* What the readout hands back. All are used up. */
typedef struct {
    real *dh;                           /* (N, H)  of the top layer's states */
    real *dcontext;                     /* (N, C) */
    real *dembedded;                    /* (N, E) */
} DecoderGradient;

/* decoder_backward - dmemory and dkeys are accumulated; d->dstate is the gradient of the start states. */
void decoder_backward(DecoderState *d, DecoderGradient *g, real *dmemory, real *dkeys, const Net *net,
                      const Weights *w, const Weights *dw, const TargetBatch *batch, int sentences,
                      const AttentionSource *source, const Noise *noise);

#endif
