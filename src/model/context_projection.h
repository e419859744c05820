/* context_projection.h - the products with the context in a search, for positions rather than rows.
 *
 *   c = sum over s of alpha_s m_s,   so   W c = sum over s of alpha_s (W m_s)
 *
 * W m_s is computed once for each position of the source. Where several rows of each step share a
 * sentence, as in beam search, that is less than a product for each of them. Only the rounding of
 * the sums differs.
 */
#ifndef ATTN_MODEL_CONTEXT_PROJECTION_H
#define ATTN_MODEL_CONTEXT_PROJECTION_H

#include "model/decoder/decoder_state.h"

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

#endif
