/* attention.h - what all attentions share: the softmax over the real positions, and the weighted sum.
 *
 *   alpha_s = exp(e_s) / sum over s' of exp(e_s')        s, s' run over the sentence's own words: that is the mask
 *   c       = sum over s of alpha_s m_s
 *
 * The memory holds the encoder states of all sentences of a batch, sentence after sentence: positions
 * first[i] .. first[i] + length[i] - 1 belong to the sentence that row i translates. Several rows may share one
 * sentence (beam search). length[i] >= 1.
 */
#ifndef ATTN_NN_ATTENTION_H
#define ATTN_NN_ATTENTION_H

#include "nn/score.h"

typedef struct {
    const real *memory;       /* (M, C) encoder states */
    const real *keys;         /* (M, P) prepared keys */
    const int  *first;        /* (rows) */
    const int  *length;       /* (rows) */
} AttentionSource;

/* attention_forward - contexts of one step.
 *
 * context  out (rows, C)
 * alpha    out (rows, ld)   the first length[i] of row i are written
 * query    in  (rows, P)    prepared
 */
void attention_forward(real *context, real *alpha, int ld, const real *query, const AttentionSource *source,
                       const Score *score, real *const *w, int rows, ScoreSizes n);

/* attention_backward - the gradient of that step.
 *
 * dquery   out (rows, P)    overwritten
 * dmemory  in/out (M, C)    accumulated: every step reads the same memory
 * dkeys    in/out (M, P)    accumulated
 * dw       in/out           accumulated
 * dcontext in  (rows, C)
 * de       scratch (ld)
 */
void attention_backward(real *dquery, real *dmemory, real *dkeys, real *const *dw, const real *dcontext,
                        const real *alpha, int ld, const real *query, const AttentionSource *source,
                        const Score *score, real *const *w, int rows, ScoreSizes n, real *de);

#endif
