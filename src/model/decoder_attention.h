/* decoder_attention.h - the decoder's attention to the source in one step (nn/attention.h). */
#ifndef ATTN_MODEL_DECODER_ATTENTION_H
#define ATTN_MODEL_DECODER_ATTENTION_H

#include "model/decoder_state.h"

/* decoder_attend - context, alpha and query of rows from `at`; state in (rows, H), row distance ld. */
void decoder_attend(DecoderState *d, const Pass *pass, const real *state, int ld, int at, int rows);

/* decoder_attend_backward - from g->dcontext; dstate (rows, H) and g->attention are accumulated. */
void decoder_attend_backward(DecoderState *d, real *dstate, int ld, const DecoderGradient *g, const Pass *pass, int at,
                             int rows);

/* decoder_attend_weights - after the last step: the gradients of the query's weights, from the states (N, H) that
 * decoder_attend was given. */
void decoder_attend_weights(const DecoderState *d, const Pass *pass, const real *state, int ld, int N);

#endif
