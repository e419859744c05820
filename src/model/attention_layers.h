/* attention_layers.h - a stack of self-attention layers (nn/self_attention.h), over the source or over the words written
 * so far. Training sees whole packed sequences; a search sees one step at a time, and remembers keys and values.
 */
#ifndef ATTN_MODEL_ATTENTION_LAYERS_H
#define ATTN_MODEL_ATTENTION_LAYERS_H

#include "base/mem.h"
#include "model/architecture.h"
#include "nn/self_attention.h"

typedef struct {
    const AttentionStack *stack;                        /* sizes; of 0 layers: nothing is laid out, x is the result */
    int                   side;                         /* 0: of the encoder, 1: of the decoder; names the dropouts */
    SelfAttentionSave     save[MAX_ATTENTION_LAYERS];
    real                 *y[MAX_ATTENTION_LAYERS];      /* (N, D) */
    real                 *scratch;
    int                   rows;                         /* N */
    /* of a search: owned, and grown step by step */
    MultiHeadCache        cache[MAX_ATTENTION_LAYERS];  /* they share one path */
    int                  *path, *spare;                 /* (steps, rows); (rows) room to gather a step of it */
    real                 *weights;                      /* (steps) */
    size_t                steps;                        /* there is place for */
} AttentionLayers;

/* attention_layers_layout - for N rows, of sequences of at most so many steps. */
void attention_layers_layout(AttentionLayers *a, Arena *arena, const AttentionStack *stack, int side, size_t N,
                             int steps, int backward);

/* attention_layers_output - where the result will stand, (N, D), if x is the input. */
real *attention_layers_output(const AttentionLayers *a, real *x);

/* attention_layers_forward - x (N, D); token names the dropout masks, NULL: none. */
void attention_layers_forward(AttentionLayers *a, const SelfAttentionWeights *w, const real *x, const PackedSequence *seq,
                              const uint64_t *token, const Noise *noise);

/* attention_layers_backward - d (N, D): the gradient of the result becomes that of x. */
void attention_layers_backward(AttentionLayers *a, real *d, const SelfAttentionWeights *dw,
                               const SelfAttentionWeights *w, const real *x, const PackedSequence *seq, const uint64_t *token,
                               const Noise *noise);

/* attention_layers_step - step t of a search; attention_layers_gather: row i goes on as row from[i] before step t;
 * attention_layers_forget: after the last step, the memory of all is given back. */
void attention_layers_step(AttentionLayers *a, const SelfAttentionWeights *w, const real *x, int t, int rows);
void attention_layers_gather(AttentionLayers *a, const int *from, int t, int rows);
void attention_layers_forget(AttentionLayers *a);

#endif
