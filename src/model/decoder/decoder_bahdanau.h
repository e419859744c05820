/* decoder_bahdanau.h - the step of the decoder types that attend with the state before it, that of
 * DecoderShape.query_layer, and then update all layers. The functions are those of a DecoderType
 * (model/decoder/decoder_type.h).
 */
#ifndef ATTN_MODEL_DECODER_BAHDANAU_H
#define ATTN_MODEL_DECODER_BAHDANAU_H

#include "model/decoder/decoder_state.h"

void bahdanau_step(DecoderState *d, const Pass *pass, int at, int rows);
void bahdanau_step_backward(DecoderState *d, const DecoderGradient *g, const Pass *pass, int at,
                            int rows);
void bahdanau_weights_backward(DecoderState *d, const DecoderGradient *g, const Pass *pass, int N);

#endif
