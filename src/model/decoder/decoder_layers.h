/* decoder_layers.h - the recurrent layers of the decoder, for one step of rows
 * `at` .. `at + rows - 1`.
 *
 *   d_t^1 = cell(W_E E y_{t-1} + W_F f_t, d_{t-1}^1)      f_t (F): what the decoder type feeds
 *   d_t^l = cell(W d_t^{l-1} [+ W_C c_t], d_{t-1}^l)      c_t: if the decoder type says so; dropout
 *                                                         between the layers; with --residual,
 *                                                         d_t^{l-1} is added to the output of layer
 *                                                         l (not to its state)
 */
#ifndef ATTN_MODEL_DECODER_LAYERS_H
#define ATTN_MODEL_DECODER_LAYERS_H

#include "model/decoder/decoder_state.h"

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
