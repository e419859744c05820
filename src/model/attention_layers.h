/* attention_layers.h - self-attention layers (nn/self_attention.h), over the source or over the
 * target words so far; those of a decoder without recurrence attend to the source as well. With
 * pre-norm a last normalisation follows. Training reads whole packed sequences; a search reads one
 * step at a time and caches keys and values.
 */
#ifndef ATTN_MODEL_ATTENTION_LAYERS_H
#define ATTN_MODEL_ATTENTION_LAYERS_H

#include "base/mem.h"
#include "model/pass.h"
#include "nn/self_attention.h"

/* The number of a layer and of a head, from 1, or 0 for the mean over all. */
typedef struct { int layer, head; } HeadChoice;

typedef struct {
    const AttentionStack *stack;                        /* of 0 layers: no layout, result x */
    PassSide              side;                         /* of the encoder, or of the decoder */
    SelfAttentionSave     save[MAX_ATTENTION_LAYERS];
    real                 *y[MAX_ATTENTION_LAYERS];      /* (N, D) */
    NormSave              norm;                         /* (N, D) of the last normalisation */
    real                 *normed;                       /* (N, D) */
    real                 *kv[MAX_ATTENTION_LAYERS];     /* (M, 2D) of the memory, for its layers */
    real                 *dkv;                          /* (M, 2D) backward only */
    real                 *scratch;
    int                   rows;                         /* N */
    HeadChoice            alignment;                    /* whose weights a search keeps */
    real                 *state, *spare_state;          /* (layers, N, D) of a search, where layers
                                                         * have a recurrent unit; NULL: they have
                                                         * caches */
    /* of a search, step by step from its region */
    Region               *region;
    MultiHeadCache        cache[MAX_ATTENTION_LAYERS];  /* they share one path */
    int                  *spare;                        /* (rows) for gather */
    StepScratch           step;
    int                   source_steps;                 /* of the longest source */
    int                   steps;                        /* that the lists have room for */
} AttentionLayers;

/* attention_layers_places - of the dropouts of a layer (model/pass.h). An encoder has none of the
 * source. */
typedef struct { int weights, source_weights, part[SELF_ATTENTION_PARTS]; } LayerPlaces;
LayerPlaces attention_layers_places(PassSide side, int layer);

/* attention_layers_layout - lays out the activations for a batch of that size; a search
 * (target_steps 0) computes one step at a time. Without a backward pass all layers share them. */
void attention_layers_layout(AttentionLayers *a, Arena *arena, const Architecture *net,
                             PassSide side, BatchSize size, int backward);

/* attention_layers_output - the array that will hold the result, (N, D), for the input x. */
real *attention_layers_output(const AttentionLayers *a, real *x);

/* attention_layers_read - prepares the memory (M, C) of pass->source for layers that attend to it,
 * before forward or the first step. */
void attention_layers_read(AttentionLayers *a, const Pass *pass);

/* attention_layers_forward - x (N, D): all words of the side. */
void attention_layers_forward(AttentionLayers *a, const Pass *pass, const real *x);

/* attention_layers_backward - d (N, D): the gradient of the result becomes that of x. dmemory
 * (M, C): accumulated by layers that attend to the memory. */
void attention_layers_backward(AttentionLayers *a, const Pass *pass, real *d, const real *x,
                               real *dmemory);

/* attention_layers_weights - after attention_layers_forward over a single sentence: the weights of
 * a part (PART_SELF or PART_SOURCE), rows (words, ld), are added to `weights`. */
void attention_layers_weights(const AttentionLayers *a, const Pass *pass, int part,
                              HeadChoice choice, real *weights, int ld);

/* attention_layers_begin - before the first step of a search, which takes the keys and values of its
 * words from the region.
 * attention_layers_step - computes step t of a search, x (rows, D). alpha (rows, source_steps): the
 * weights of the source, the mean of all layers that attend to it and their heads, or of those that
 * --alignment-layer and --alignment-head choose.
 * attention_layers_gather - before step t, row i continues the hypothesis of row from[i]. */
void attention_layers_begin(AttentionLayers *a, Region *region);
void attention_layers_step(AttentionLayers *a, const Pass *pass, const real *x, int t,
                           real *alpha);
void attention_layers_gather(AttentionLayers *a, const int *from, int t, int rows);

#endif
