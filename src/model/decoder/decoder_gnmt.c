/* decoder_gnmt.c - Wu et al. (2016), "Google's Neural Machine Translation System", section 3 and
 * figure 1: the first layer's state attends, so that the layers above need not be done first, and
 * all of them read what it found.
 *
 *   1. c_t   = attention(d_{t-1}^1, memory)
 *   2. d_t^1 = cell([E y_{t-1} ; c_t], d_{t-1}^1)
 *   3. d_t^l = cell([d_t^{l-1} ; c_t], d_{t-1}^l)        the layers above
 */
#include "model/decoder/decoder_bahdanau.h"

static DecoderShape shape(const Sizes *n)
{
    return (DecoderShape){ .fed = n->C, .context_above = 1, .query_layer = 0 };
}

const DecoderType decoder_gnmt = {
    .shape = shape, .step = bahdanau_step, .step_backward = bahdanau_step_backward,
    .weights_backward = bahdanau_weights_backward,
};
