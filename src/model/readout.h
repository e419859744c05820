/* readout.h - the output layer: from decoder states to logits of words.
 *
 *   deep     o = tanh(W_o [d_t ; c_t ; E y_{t-1}] + b_o),   logits = V o + b      dropout on o
 *            with layer normalisation o = tanh(LN(W_o [..] + b_o))
 *   simple   logits = V d_t + b
 *
 * (the deep output of Pascanu et al. 2014 as in Bahdanau et al. 2015, appendix A.2.2, with tanh
 * instead of maxout)
 */
#ifndef ATTN_MODEL_READOUT_H
#define ATTN_MODEL_READOUT_H

#include "base/mem.h"
#include "model/decoder/decoder.h"
#include "nn/loss.h"

typedef struct {
    real *hidden;           /* (N, E) deep: o before dropout */
    NormSave norm;          /* (N, E) deep, layer_norm */
    real *output;           /* (N, O) input of V; simple: the decoder's output */
    real *word;             /* (N, E) deep, search only: the word's part of W_o [..] */
    real *logits;           /* (chunk, Vt) */
    real *doutput;          /* (N, O) backward only */
    real *cost;             /* (N)    backward, HARD_REINFORCE only: smoothed loss of each word */
    int  *column;           /* (Vt)   backward: logits of a row that pass a gradient on */
    real *dlogit;           /* (Vt)   backward: their gradients */
    int   chunk;            /* rows of logits at a time: (N, Vt) would not fit in memory or cache;
                             * all N, or an even number, because R-Drop's rows come in pairs */
} ReadoutState;

void readout_layout(ReadoutState *r, Arena *arena, const Architecture *net, int rows, int backward);

/* readout_forward - computes r->output of all rows of pass->target from the decoder's
 * activations. */
void readout_forward(ReadoutState *r, const Pass *pass, const DecoderState *d);

/* readout_logits - computes and returns r->logits (rows, Vt) of rows `at` .. `at + rows - 1`, at
 * most r->chunk rows. */
real *readout_logits(ReadoutState *r, const Pass *pass, int at, int rows);

/* readout_loss - returns the losses of all rows, computed chunk by chunk, without gradients. */
Loss readout_loss(ReadoutState *r, const Pass *pass, double smoothing);

/* readout_loss_backward - returns the losses and computes the criterion's gradients of V, b and
 * r->output.
 *
 * Two thirds of the products with V compute these gradients, and nearly all of them are for words
 * with almost no probability. With a noise->threshold G only few logits of a row pass a gradient on
 * (nn/loss.h): at most 2 / G + 1, because all |p - q| of a row sum to at most 2. Each gradient
 * is right on average. The added variance is small compared with that of the data: if the right
 * word were sampled from p, the gradient of a logit, p_j or p_j - 1, would have the variance
 * p_j (1 - p_j). Sampling adds at most G |p_j - q_j|, which is G (p_j + smoothing / V) for all
 * words except the right one.
 */
Loss readout_loss_backward(ReadoutState *r, const Pass *pass, const Criterion *criterion);

/* readout_backward - overwrites g, with zeros for what the readout does not read. */
void readout_backward(ReadoutState *r, DecoderGradient *g, const Pass *pass, const DecoderState *d);

#endif
