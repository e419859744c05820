/* self_attention.h - a layer of self-attention with residuals and layer normalisation (Vaswani et
 * al. 2017, section 3.1), named and laid out as PyTorch's nn.TransformerEncoderLayer
 * (norm_first=False, activation relu):
 *
 *   [q ; k ; v] = W_in x + b_in
 *   z   = heads(q, k, v)                                       nn/multi_head.h
 *   m   = norm_1(x + dropout(W_out z + b_out))
 *   y   = norm_2(m + dropout(W_2 relu(W_1 m + b_1) + b_2))     F = 0: there is no such part, y = m
 */
#ifndef ATTN_NN_SELF_ATTENTION_H
#define ATTN_NN_SELF_ATTENTION_H

#include "linalg/linear.h"
#include "nn/layer_norm.h"
#include "nn/multi_head.h"

typedef struct {
    MultiHead attention;
    int       F;                            /* width of the feed-forward part; 0: none */
} SelfAttentionSizes;

typedef struct {                            /* weights, or their gradients */
    Linear      in;                         /* (3D, D) self_attn.in_proj_weight */
    real       *in_bias;                    /* (3D)    self_attn.in_proj_bias */
    Linear      out;                        /* (D, D)  self_attn.out_proj */
    real       *out_bias;                   /* (D) */
    NormWeights norm1;                      /* (D) */
    Linear      linear1;                    /* (F, D) */
    real       *bias1;                      /* (F) */
    Linear      linear2;                    /* (D, F) */
    real       *bias2;                      /* (D) */
    NormWeights norm2;                      /* (D) */
} SelfAttentionWeights;

typedef struct {                            /* written by forward, read by backward */
    real    *qkv;                           /* (N, 3D) */
    real    *z;                             /* (N, D) */
    NormSave norm1, norm2;
    real    *m;                             /* (N, D)  as what follows only if F */
    real    *hidden;                        /* (N, F) */
} SelfAttentionSave;

/* Dropout of the weights, and of what is added to the residuals (two places from `place`); token as
 * in WeightNoise. */
typedef struct {
    WeightNoise weights;
    Dropout     residual;
    int         place;
} SelfAttentionNoise;

/* One layer in one pass. */
typedef struct {
    const SelfAttentionSizes   *n;
    const SelfAttentionWeights *w, *dw;     /* dw: backward only, accumulated */
    const SelfAttentionSave    *save;
    SelfAttentionNoise          noise;
    real                       *scratch;    /* forward: multi_head_scratch; step: (t + 1);
                                             * backward: self_attention_scratch */
} SelfAttentionLayer;

/* self_attention_forward - packed sequences: y out (N, D), not x itself; x in (N, D). */
void self_attention_forward(const SelfAttentionLayer *l, real *y, const real *x,
                            const PackedSequence *seq);

/* self_attention_backward - its gradient: dx out (N, D), overwritten; may be dy itself. */
void self_attention_backward(const SelfAttentionLayer *l, real *dx, const real *dy, const real *x,
                             const PackedSequence *seq);

/* Reals of scratch for the backward pass over so many packed rows and steps. */
size_t self_attention_scratch(const SelfAttentionSizes *n, int N, int steps);

/* self_attention_step - step t of `rows` sequences that are written word by word, without noise; y,
 * x (rows, D). */
void self_attention_step(const SelfAttentionLayer *l, real *y, const real *x,
                         const MultiHeadCache *cache, int t, int rows);

#endif
