/* decoder.h - predicts the target word by word, attending to the source at every step.
 *
 * The decoder type (model/decoder/decoder_type.h) defines a step. Training computes all steps of a packed
 * batch; a search computes one step at a time, for all its hypotheses.
 */
#ifndef ATTN_MODEL_DECODER_H
#define ATTN_MODEL_DECODER_H

#include "model/decoder/decoder_state.h"

/* decoder_forward - computes all steps of pass->target. start (L, B, Z): the first states of the
 * layers. */
void decoder_forward(DecoderState *d, const Pass *pass, const real *start);

/* decoder_step - computes the next step of a search, between decoder_begin and decoder_end;
 * pass->target has one step. */
void decoder_step(DecoderState *d, const Pass *pass);

/* decoder_backward - accumulates g->attention and pass->gradients; d->dstart becomes the gradient
 * of the first states. */
void decoder_backward(DecoderState *d, DecoderGradient *g, const Pass *pass);

#endif
