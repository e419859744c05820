/* decoder_attention.h - the decoder's attention to the source in one step (nn/attention.h). */
#ifndef ATTN_MODEL_DECODER_ATTENTION_H
#define ATTN_MODEL_DECODER_ATTENTION_H

#include "model/decoder/decoder_state.h"

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

#endif
