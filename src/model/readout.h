/* readout.h - from decoder states to words.
 *
 *   deep     o = tanh(W_o [d_t ; c_t ; E y_{t-1}] + b_o),   logits = V o + b      dropout on o
 *            with layer normalisation o = tanh(LN(W_o [..] + b_o))
 *   simple   logits = V d_t + b
 *
 * (the deep output of Pascanu et al. 2014 as in Bahdanau et al. 2015, appendix A.2.2, with tanh for maxout)
 */
#ifndef ATTN_MODEL_READOUT_H
#define ATTN_MODEL_READOUT_H

#include "base/mem.h"
#include "model/decoder_state.h"
#include "nn/loss.h"

typedef struct {
    real *hidden;           /* (N, E) deep: o before dropout */
    NormSave norm;          /* (N, E) deep, layer_norm */
    real *output;           /* (N, O) what V reads; simple: the decoder's own output */
    real *word;             /* (N, E) deep, search only: the word's part of W_o [..] */
    real *logits;           /* (chunk, Vt) */
    real *doutput;          /* (N, O) backward only */
    real *cost;             /* (N)    backward, where HARD_REINFORCE learns from it: the smoothed loss of each word */
    int  *column;           /* (Vt)   backward: those of a row of logits that pass a gradient on, */
    real *dlogit;           /* (Vt)   and what they pass */
    int   chunk;            /* rows of logits at a time: the whole (N, Vt) would fit neither cache nor memory */
} ReadoutState;

void readout_layout(ReadoutState *r, Arena *arena, const Architecture *net, int rows, int backward);

/* readout_forward - r->output of all rows of pass->target from the decoder's activations. */
void readout_forward(ReadoutState *r, const Pass *pass, const DecoderState *d);

/* readout_logits - r->logits (rows, Vt) of rows `at` .. `at + rows - 1`, at most r->chunk; returns them. */
real *readout_logits(ReadoutState *r, const Pass *pass, int at, int rows);

/* readout_loss - the losses of all rows, chunk by chunk; no gradient. */
Loss readout_loss(ReadoutState *r, const Pass *pass, double smoothing);

/* readout_loss_backward - the losses and, with the loss scaled by `scale`, the gradients of V, b and r->output.
 *
 * Two thirds of the products with V are these gradients', and nearly all of them are with words that have next to no
 * probability. With a noise->threshold G only few logits of a row pass a gradient on (nn/sparsify.h), for all |p - q| of
 * a row sum up to 2 at most 2 / G + 1, and each is right on average. What that adds is little beside the chance that is
 * there: were the right word drawn from p, the gradient of a logit, p_j or p_j - 1, would have the variance
 * p_j (1 - p_j); sampling adds at most G |p_j - q_j|, which is G (p_j + smoothing / V) for all words but the right one.
 */
Loss readout_loss_backward(ReadoutState *r, const Pass *pass, double smoothing, double scale);

/* readout_backward - g is overwritten (with zeros where the readout reads nothing). */
void readout_backward(ReadoutState *r, DecoderGradient *g, const Pass *pass, const DecoderState *d);

#endif
