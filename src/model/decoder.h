/* decoder.h - writes the target, word by word, attending to the source at every step.
 *
 * The decoder type (model/decoder_type.h) says how a step is computed. Training walks over the steps of a packed batch;
 * a search computes one step at a time, of all its hypotheses.
 */
#ifndef ATTN_MODEL_DECODER_H
#define ATTN_MODEL_DECODER_H

#include "model/decoder_state.h"

/* decoder_forward - all steps of pass->target; start (L, B, Z): the first states of the layers. */
void decoder_forward(DecoderState *d, const Pass *pass, const real *start);

/* decoder_step - the next step of a search, between decoder_begin and decoder_end: pass->target has one step. */
void decoder_step(DecoderState *d, const Pass *pass);

/* decoder_backward - g->attention and pass->gradients are accumulated; d->dstart is the gradient of the start states. */
void decoder_backward(DecoderState *d, DecoderGradient *g, const Pass *pass);

#endif
