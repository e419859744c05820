/* multi_head.h - scaled dot-product attention in several heads (Vaswani et al. 2017, section 3.2):
 *
 *   a_st = softmax over t of (q_s · k_t / sqrt(d))    in each head, on its d = D / heads values
 *   z_s  = sum over t of a_st v_t
 *
 * Of a sequence to itself, t runs over the sentence's own positions; with a causal mask over those
 * up to s. Of a decoder to the source (section 3.2.3) t runs over the positions of the sentence
 * that is translated. Masked positions weigh 0. Weights are dropped out after the softmax; a row
 * that loses all of them has z = 0.
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
                             * steps have float */
} MultiHead;

/* Dropout of the weights. token (N) names the packed rows, below 2^36; NULL: none. */
typedef struct {
    Dropout         dropout;
    int             place;
    const uint64_t *token;
} WeightNoise;

/* Keys and values of another sequence: M positions, sentence after sentence. */
typedef struct {
    const real *kv;                 /* (M, 2D) */
    const int  *first, *length;     /* of each sequence of queries: its positions */
} MultiHeadSource;

/* What all sentences of one pass share; seq: of the queries. */
typedef struct {
    MultiHead              n;
    const PackedSequence  *seq;
    const MultiHeadSource *source;      /* NULL: each sequence attends to itself */
    const WeightNoise     *noise;
    real                  *scratch;     /* multi_head_scratch */
} MultiHeadPass;

/* multi_head_scratch - reals that both passes need for at most so many steps of queries and, where
 * they are those of another sequence, of keys. */
size_t multi_head_scratch(MultiHead n, int queries, int keys);

/* multi_head_forward - packed rows; z out (N, D). q in (N, 3D): queries, keys and values side by
 * side; or with a source (N, D): queries.
 * multi_head_backward - its gradient: dq out, as q, overwritten; dz in (N, D). With a source dkv
 * out (M, 2D) is overwritten for the positions of all sequences, which have none in common. */
void multi_head_forward(const MultiHeadPass *pass, real *z, const real *q);
void multi_head_backward(const MultiHeadPass *pass, real *dq, real *dkv, const real *dz,
                         const real *q);

/* The weights for those who look: weights (rows, ld) += share * a of one head, or of ALL_HEADS. */
enum { ALL_HEADS = -1 };
typedef struct {
    real *weights;
    int   ld, head;
    real  share;
} WeightView;

/* multi_head_weights - shows the weights of a batch of one sentence, before dropout; q as in
 * forward. */
void multi_head_weights(const MultiHeadPass *pass, const WeightView *view, const real *q);

/* What a step needs for so many keys. A query reads each key and value once, where it lies. */
typedef struct {
    real        *weights;   /* (heads, keys) */
    const real **row;       /* (keys) */
} StepScratch;

/* multi_head_source_step - one query of each row, without noise. z out (rows, D), q in (rows, D);
 * view NULL: nobody looks; scratch for the longest source. */
void multi_head_source_step(real *z, const real *q, const MultiHeadSource *source, int rows,
                            MultiHead n, const WeightView *view, StepScratch scratch);

/* Keys and values of the steps so far, for sequences that are written word by word and branch.
 * Those of a step are written once; `path` says in which row each word of a sequence was. To
 * reorder the sequences, the caller gathers the paths; the keys and values stay where they are.
 * The caller provides room for each step. */
typedef struct {
    real **kv;              /* (steps) of each step: (rows, 2D) */
    int  **path;            /* (steps) the row that each sequence had in that step: (rows) */
} MultiHeadCache;

/* multi_head_step - step t of the causal attention of `rows` sequences: adds their keys and values
 * to the cache, and path[t][i]. z out (rows, D), qkv in (rows, 3D), scratch for t + 1 keys. */
void multi_head_step(real *z, const real *qkv, const MultiHeadCache *cache, int t, int rows,
                     MultiHead n, StepScratch scratch);

#endif
