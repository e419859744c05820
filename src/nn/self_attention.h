/* self_attention.h - a layer of self-attention with residuals and layer normalisation (Vaswani et al. 2017, section
 * 3.1), named and laid out as PyTorch's nn.TransformerEncoderLayer (norm_first=False, activation relu):
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

/* Dropout of the weights, and of what is added to the residuals (two places from `place`); token as in WeightNoise. */
typedef struct {
    WeightNoise weights;
    Dropout     residual;
    int         place;
} SelfAttentionNoise;

/* self_attention_forward - packed sequences.
 *
 * y        out (N, D)      not x itself
 * x        in  (N, D)
 * scratch      multi_head_scratch
 */
void self_attention_forward(real *y, const SelfAttentionSave *save, const real *x, const SelfAttentionWeights *w,
                            const Packed *seq, const SelfAttentionSizes *n, const SelfAttentionNoise *noise,
                            real *scratch);

/* self_attention_backward - its gradient.
 *
 * dx       out (N, D)      overwritten; may be dy itself
 * dw       in/out          accumulated
 * scratch      self_attention_scratch
 */
void self_attention_backward(real *dx, const SelfAttentionWeights *dw, const SelfAttentionSave *save, const real *dy,
                             const real *x, const SelfAttentionWeights *w, const Packed *seq,
                             const SelfAttentionSizes *n, const SelfAttentionNoise *noise, real *scratch);

/* Reals of scratch for the backward pass over so many packed rows and steps. */
size_t self_attention_scratch(const SelfAttentionSizes *n, int N, int steps);

/* self_attention_step - step t of `rows` sequences that are written word by word; y, x (rows, D), scratch (t + 1). */
void self_attention_step(real *y, const SelfAttentionSave *save, const real *x, const SelfAttentionWeights *w,
                         const MultiHeadCache *cache, int t, int rows, const SelfAttentionSizes *n, real *scratch);

#endif
