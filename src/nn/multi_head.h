/* multi_head.h - scaled dot-product attention of a sequence to itself, in several heads (Vaswani et
 * al. 2017, section 3.2):
 *
 *   a_st = softmax over t of (q_s · k_t / sqrt(d))    in each head, on its d = D / heads values
 *   z_s  = sum over t of a_st v_t
 *
 * t runs over the sentence's own positions; with a causal mask over those up to s. Masked positions
 * weigh 0. Weights are dropped out after the softmax; a row that loses all of them has z = 0.
 *
 * No weights are kept: the backward pass computes them again, a block of queries at a time, so that
 * memory grows with the length of the longest sentence and not with its square.
 */
#ifndef ATTN_NN_MULTI_HEAD_H
#define ATTN_NN_MULTI_HEAD_H

#include "base/real.h"
#include "linalg/precision.h"
#include "nn/dropout.h"
#include "nn/nn.h"

#include <stddef.h>

enum { MAX_HEADS = 64 };

typedef struct {
    int D;                  /* width of queries, keys, values and of the result */
    int heads;              /* divides D; at most MAX_HEADS */
    int causal;             /* position s sees 0 .. s alone */
    Precision precision;    /* of the products of queries, keys and values with each other;
                             * multi_head_step has float */
} MultiHead;

/* Dropout of the weights. token (N) names the packed rows, below 2^36; NULL: none. */
typedef struct {
    Dropout         dropout;
    int             place;
    const uint64_t *token;
} WeightNoise;

/* multi_head_scratch - reals that both passes need for sequences of at most so many steps. */
size_t multi_head_scratch(MultiHead n, int steps);

/* multi_head_forward - packed rows; z out (N, D), qkv in (N, 3D): queries, keys and values side by
 * side. */
void multi_head_forward(real *z, const real *qkv, const PackedSequence *seq, MultiHead n,
                        const WeightNoise *noise, real *scratch);

/* multi_head_backward - its gradient: dqkv out (N, 3D), overwritten; dz in (N, D). */
void multi_head_backward(real *dqkv, const real *dz, const real *qkv, const PackedSequence *seq,
                         MultiHead n, const WeightNoise *noise, real *scratch);

/* Keys and values of the steps so far, for sequences that are written word by word and branch.
 * Those of a step are written once; `path` says in which row each word of a sequence was. To
 * reorder the sequences, the caller gathers the paths; the keys and values stay where they are. */
typedef struct {
    real *kv;               /* (steps, rows, 2D) */
    int  *path;             /* (steps, rows)  the row of each sequence in step s */
    int   rows;             /* the most there is room for; the caller provides room for the steps */
} MultiHeadCache;

/* multi_head_step - step t of the causal attention of `rows` sequences: adds their keys and values
 * to the cache, and path[t][i]. z out (rows, D), qkv in (rows, 3D), scratch (t + 1). */
void multi_head_step(real *z, const real *qkv, const MultiHeadCache *cache, int t, int rows,
                     MultiHead n, real *scratch);

#endif
