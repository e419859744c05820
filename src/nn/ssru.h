/* ssru.h - the simpler simple recurrent unit (Kim et al. 2019, "From Research to Production and Back:
 * Ludicrously Fast Neural Machine Translation"; Marian's `ssru`): what a decoder layer has read of
 * the words so far, in one vector.
 *
 *   f_t = sigmoid(W_f x_t + b_f)
 *   c_t = f_t * c_{t-1} + (1 - f_t) * W x_t       c_{-1} = 0
 *   y_t = max(0, c_t)
 *
 * The products do not depend on the steps before, so that they are one product for all steps.
 */
#ifndef ATTN_NN_SSRU_H
#define ATTN_NN_SSRU_H

#include "linalg/linear.h"
#include "nn/nn.h"

typedef struct {            /* weights, or their gradients */
    Linear weight;          /* (2D, D) ssru.weight: W, then W_f */
    real  *bias;            /* (D)     ssru.bias: b_f */
} SsruWeights;

typedef struct {            /* written by forward, read by backward */
    real *gates;            /* (N, 2D) W x, then f; backward: their gradients */
    real *c;                /* (N, D) */
} SsruSave;

/* ssru_forward - packed sequences: y out (N, D), x in (N, D).
 * ssru_backward - its gradient: dx out (N, D), = or +=, may be dy if overwritten; dy in (N, D);
 * dc: scratch (sequences, D). */
void ssru_forward(const SsruWeights *w, const SsruSave *save, real *y, const real *x,
                  const PackedSequence *seq);
void ssru_backward(const SsruWeights *w, const SsruWeights *dw, const SsruSave *save, Store store,
                   real *dx, const real *dy, const real *x, const PackedSequence *seq, real *dc);

/* ssru_step - one step of `rows` sequences: y, x (rows, D); c in/out (rows, D); gates: scratch
 * (rows, 2D). */
void ssru_step(const SsruWeights *w, real *y, real *c, real *gates, const real *x, int rows);

#endif
