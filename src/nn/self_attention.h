/* self_attention.h - a layer of self-attention with residuals and layer normalisation (Vaswani et
 * al. 2017, section 3.1), named and laid out as PyTorch's nn.TransformerEncoderLayer or, if it
 * also attends to the source, nn.TransformerDecoderLayer. Its parts, each from the result of the
 * one before, the first from the layer's x:
 *
 *   self         [q ; k ; v] = W_in u + b_in       W_out heads(q, k, v) + b_out     nn/multi_head.h
 *             or a recurrent unit in place of the heads                           nn/ssru.h
 *   source       q = W_q u + b_q, [k ; v] = [W_k ; W_v] m + [b_k ; b_v]             M = 0: left out
 *                                                  W_out heads(q, k, v) + b_out
 *   feed-forward W_2 f(W_1 u + b_1) + b_2                                           F = 0: left out
 *
 *   after each part (post-norm)     y = norm(x + dropout(part(x)))
 *   before each part (pre-norm)     y = x + dropout(part(norm(x)))        Xiong et al. 2020, "On
 *                                                                         Layer Normalization"
 *
 * f(x) is max(0, x) (relu), x sigmoid(x) (swish; Ramachandran, Zoph and Le 2017), or x P(x) with P
 * of the standard normal distribution (gelu; Hendrycks and Gimpel 2016), exact or with one of the
 * two approximations of their section 2: x sigmoid(1.702 x), as Marian has it, and
 * x (1 + tanh(sqrt(2/pi) (x + 0.044715 x³))) / 2.
 *
 * m (M positions of width M): the memory. Its keys and values are the same for all steps and rows:
 * self_attention_read computes them once.
 */
#ifndef ATTN_NN_SELF_ATTENTION_H
#define ATTN_NN_SELF_ATTENTION_H

#include "linalg/linear.h"
#include "nn/layer_norm.h"
#include "nn/multi_head.h"
#include "nn/ssru.h"

/* f. */
enum { ACTIVATION_RELU, ACTIVATION_SWISH, ACTIVATION_GELU, ACTIVATION_GELU_SIGMOID,
       ACTIVATION_GELU_TANH };

/* What is in the place of the heads. */
enum { RECURRENCE_NONE, RECURRENCE_SSRU };

typedef struct {
    MultiHead attention;
    int       F;                            /* width of the feed-forward part; 0: none */
    int       M;                            /* width of the memory; 0: no part attends to it */
    int       pre;                          /* pre-norm; 0: post-norm */
    int       activation;                   /* ACTIVATION_... */
    int       recurrence;                   /* RECURRENCE_... */
    real      epsilon;                      /* of the normalisations */
} SelfAttentionSizes;

typedef struct {                            /* weights, or their gradients */
    Linear      in;                         /* (3D, D) self_attn.in_proj_weight */
    real       *in_bias;                    /* (3D)    self_attn.in_proj_bias */
    Linear      out;                        /* (D, D)  self_attn.out_proj */
    real       *out_bias;                   /* (D) */
    SsruWeights ssru;                       /* in their place */
    NormWeights norm1;                      /* (D) */
    struct {                                /* multihead_attn; the same names */
        Linear      query, key, value;      /* (D, D) (D, M) (D, M) */
        real       *in_bias;                /* (3D) */
        Linear      out;                    /* (D, D) */
        real       *out_bias;               /* (D) */
        NormWeights norm;                   /* (D)     norm2 */
    } source;
    Linear      linear1;                    /* (F, D) */
    real       *bias1;                      /* (F) */
    Linear      linear2;                    /* (D, F) */
    real       *bias2;                      /* (D) */
    NormWeights norm2;                      /* (D)     norm3 where there is the source's */
} SelfAttentionWeights;

enum { PART_SELF, PART_SOURCE, PART_FEED_FORWARD, SELF_ATTENTION_PARTS };

typedef struct {                            /* written by forward, read by backward */
    real    *qkv;                           /* (N, 3D) */
    real    *z;                             /* (N, D) */
    real    *source_q, *source_z;           /* (N, D)  only if M */
    SsruSave ssru;
    real    *hidden;                        /* (N, F) */
    real    *inner;                         /* (N, F)  W_1 u + b_1, for the backward pass of other
                                             * functions than relu */
    struct {
        NormSave norm;
        real    *normed;                    /* (N, D)  pre-norm: norm(x) */
        real    *y;                         /* (N, D)  the part's result; not of the last part */
    } part[SELF_ATTENTION_PARTS];
} SelfAttentionSave;

/* Dropout of the weights, and of what is added to the residuals; token as in WeightNoise. */
typedef struct {
    WeightNoise weights, source_weights;
    Dropout     residual;
    int         place[SELF_ATTENTION_PARTS];
} SelfAttentionNoise;

/* One layer in one pass. */
typedef struct {
    const SelfAttentionSizes   *n;
    const SelfAttentionWeights *w, *dw;     /* dw: backward only, accumulated */
    const SelfAttentionSave    *save;
    SelfAttentionNoise          noise;
    real                       *scratch;    /* backward: self_attention_scratch; else
                                             * multi_head_scratch */
    MultiHeadSource             source;     /* if M: kv of self_attention_read */
    real                       *dkv;        /* (M, 2D) backward: gradient of the source's kv */
    real                       *state;      /* step: (rows, D) of the recurrent unit */
    const WeightView           *view;       /* step: who looks at the source's weights, or NULL */
    StepScratch                 step;       /* step: in place of `scratch` */
} SelfAttentionLayer;

/* self_attention_read - keys and values of the memory: kv out (rows, 2D), memory in (rows, M). */
void self_attention_read(const SelfAttentionLayer *l, real *kv, const real *memory, int rows);

/* self_attention_forward - packed sequences: y out (N, D), not x itself; x in (N, D). */
void self_attention_forward(const SelfAttentionLayer *l, real *y, const real *x,
                            const PackedSequence *seq);

/* self_attention_backward - its gradient: dx out (N, D), overwritten; may be dy itself. l->dkv is
 * overwritten. */
void self_attention_backward(const SelfAttentionLayer *l, real *dx, const real *dy, const real *x,
                             const PackedSequence *seq);

/* self_attention_read_backward - dmemory (rows, M) and the weights' gradients accumulated, from
 * l->dkv. */
void self_attention_read_backward(const SelfAttentionLayer *l, real *dmemory, const real *memory,
                                  int rows);

/* Reals of scratch for the backward pass over so many packed rows and steps, and steps of the
 * source. */
size_t self_attention_scratch(const SelfAttentionSizes *n, int N, int steps, int source_steps);

/* self_attention_weights - after self_attention_forward over a single sentence: shows the weights
 * of a part, PART_SELF or PART_SOURCE. */
void self_attention_weights(const SelfAttentionLayer *l, int part, const PackedSequence *seq,
                            const WeightView *view);

/* self_attention_step - step t of `rows` sequences that are written word by word, without noise; y,
 * x (rows, D). cache: of the heads; a recurrent unit has l->state in its place. */
void self_attention_step(const SelfAttentionLayer *l, real *y, const real *x,
                         const MultiHeadCache *cache, int t, int rows);

#endif
