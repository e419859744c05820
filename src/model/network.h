/* network.h - the whole network on one batch: forward, loss, backward.
 *
 * All activations live in the caller's arena. One thread works on one batch; several threads share the weights and
 * bring their own arena and gradient block.
 */
#ifndef ATTN_MODEL_NETWORK_H
#define ATTN_MODEL_NETWORK_H

#include "base/mem.h"
#include "model/pass.h"
#include "nn/loss.h"

/* network_measure - bytes of arena that network_loss (backward 0) or network_gradient (1) takes for such a batch. */
size_t network_measure(const Architecture *net, BatchSize size, int backward);

/* Both take a pass over a batch (pass_of_batch); its memory is set by the network. The weights may point to copies
 * (model/prepacked_weights.h), which all workers share: results are the same, sooner.
 *
 * network_loss - losses summed over the real target tokens; no dropout. */
Loss network_loss(const Pass *batch, double smoothing, Arena *arena);

/* network_gradient - the same with its noise, and
 * batch->gradients += scale * d(sum of the smoothed losses)/d(weights).
 * scale is 1 / (target tokens of the whole batch) for the mean, whatever part of the batch this is.
 *
 * Where hard attention learns by HARD_REINFORCE, the advantage of what was drawn for a word is the smoothed loss of the
 * sentence from that word on, less noise->baseline for each of these words (Xu et al. 2015 take the whole sentence's;
 * earlier words don't depend on the draw, and only add noise). It is no part of the loss. */
Loss network_gradient(const Pass *batch, double smoothing, double scale, Arena *arena);

/* network_flops - floating-point operations of one training step's matrix products on such a batch: two for each
 * multiply-add, forward and both gradients, real tokens only. Elementwise work is not counted, nor is what a sparse
 * gradient of the logits multiplies. */
double network_flops(const Architecture *net, BatchSize size, int sparse);

#endif
