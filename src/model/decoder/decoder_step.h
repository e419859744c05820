/* decoder_step.h - what the steps of the decoder types are built from: the attention, and the
 * recurrent layers, both for rows `at` .. `at + rows - 1`.
 *
 *   d_t^1 = cell(W_E E y_{t-1} + W_F f_t, d_{t-1}^1)      f_t (F): what the decoder type feeds
 *   d_t^l = cell(W d_t^{l-1} [+ W_C c_t], d_{t-1}^l)      c_t: if the decoder type says so; dropout
 *                                                         between the layers; with --residual,
 *                                                         d_t^{l-1} is added to the output of layer
 *                                                         l (not to its state)
 */
#ifndef ATTN_MODEL_DECODER_STEP_H
#define ATTN_MODEL_DECODER_STEP_H

#include "model/decoder/decoder.h"

/* ---- the attention (nn/attention.h) ---- */

/* decoder_attend - computes context, alpha and query of the rows from `at`. state (rows, H) is read
 * with row distance ld. */
void decoder_attend(DecoderState *d, const Pass *pass, const real *state, int ld, int at, int rows);

/* decoder_attend_backward - reads g->dcontext and accumulates dstate (rows, H), g->dembedded (for
 * scores that read the previous word) and g->attention. */
void decoder_attend_backward(DecoderState *d, real *dstate, int ld, const DecoderGradient *g,
                             const Pass *pass, int at, int rows);

/* decoder_attend_weights - after the last step, computes the gradients of the query's weights from
 * the states (N, H) that were passed to decoder_attend. */
void decoder_attend_weights(const DecoderState *d, const Pass *pass, const real *state, int ld,
                            int N);

/* ---- the products with the context in a search, for positions rather than rows ----
 *
 *   c = sum over s of alpha_s m_s,   so   W c = sum over s of alpha_s (W m_s)
 *
 * W m_s is computed once for each position of the source. Where several rows of each step share a
 * sentence, as in beam search, that is less than a product for each of them. Only the rounding of
 * the sums differs.
 */

/* context_projection_width - the values that a position takes; 0: this network has no such
 * products, or they round their factors. */
int context_projection_width(const Architecture *net, const Weights *w);

/* context_projection_forward - values (M, width) of the memory (M, C), for AttentionSource.values;
 * then d->context (rows, width) holds the products. */
void context_projection_forward(real *values, const Architecture *net, const Weights *w,
                                const real *memory, int M);

/* context_is_projected - whether d->context holds products in this pass. */
int context_is_projected(const Pass *pass);

/* context_to_gates - gates (rows,G) = b + W c of the decoder's type, from rows of d->context.
 * context_to_readout - hidden (rows,E) += W_o c. */
void context_to_gates(real *gates, const DecoderState *d, const Pass *pass, const real *bias,
                      int rows);
void context_to_readout(real *hidden, const DecoderState *d, const Pass *pass, int rows);

/* ---- the recurrent layers ---- */

/* decoder_layers_feed - adds W_F x, x (rows, F), to the gates of layer 0, before
 * decoder_layers_step.
 * decoder_layers_feed_backward - overwrites or accumulates dx (rows, F), after
 * decoder_layers_backward.
 * decoder_layers_feed_weights - after the last step, accumulates the gradient of W_F from
 * x (N, F). */
void decoder_layers_feed(DecoderState *d, const Pass *pass, const real *x, int at, int rows);
void decoder_layers_feed_backward(DecoderState *d, Store store, real *dx, const Pass *pass, int at,
                                  int rows);
void decoder_layers_feed_weights(DecoderState *d, const Pass *pass, const real *x, int N);

/* A decoder type's function that runs between the new state of layer 0, which it may change, and
 * the readers of this state; and its backward pass. NULL: none. */
typedef void DecoderHook(DecoderState *d, const Pass *pass, int at, int rows);
typedef void DecoderBackwardHook(DecoderState *d, const DecoderGradient *g, const Pass *pass,
                                 int at, int rows);

/* decoder_layers_step - computes all layers; the recurrent states before the step become those
 * after it. */
void decoder_layers_step(DecoderState *d, const Pass *pass, DecoderHook *within, int at, int rows);

/* decoder_layers_backward - dtop (rows, H): the gradient of the top layer's output. The gradients
 * of the recurrent states after the step become those before it, and the gates of all layers become
 * their gradients. */
void decoder_layers_backward(DecoderState *d, const real *dtop, const DecoderGradient *g,
                             const Pass *pass, DecoderBackwardHook *within, int at, int rows);

/* decoder_layers_weights_backward - after the last step, accumulates the gradients of all weights
 * of the layers except those of layer 0's input. It may overwrite the states before the steps
 * (save->previous). */
void decoder_layers_weights_backward(DecoderState *d, const Pass *pass, int N);

#endif
