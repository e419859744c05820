/* network.h - the whole network on one batch: forward, loss, backward.
 *
 * All activations are in the caller's arena. One thread processes one batch; several threads share
 * the weights, and each has its own arena and gradient block.
 */
#ifndef ATTN_MODEL_NETWORK_H
#define ATTN_MODEL_NETWORK_H

#include "base/mem.h"
#include "model/attention_layers.h"
#include "nn/loss.h"

/* network_measure - the bytes of an arena for a batch of that size (batch_build) and what
 * network_loss (backward 0) or network_gradient (1) takes for it. */
size_t network_measure(const Architecture *net, BatchSize size, int backward);

/* Both functions take a pass over a batch (pass_of_batch) and set its memory. The weights may point
 * to prepacked copies (model/prepacked_weights.h) that all workers share: the results are the same,
 * only faster.
 *
 * network_loss - returns the losses summed over the real target tokens, without dropout. */
Loss network_loss(const Pass *batch, double smoothing, Arena *arena);

/* network_gradient - the same with the pass's noise, and
 * batch->gradients += criterion->scale * d(sum of the smoothed losses)/d(weights).
 * For the mean, the scale is 1 / (target tokens of the whole batch), also for a part of the batch.
 * With R-Drop (nn/loss.h) the batch has each sentence twice, one after the other.
 *
 * If hard attention learns by HARD_REINFORCE, the advantage of the positions sampled for a word is
 * the smoothed loss of the sentence from that word on, minus noise->baseline for each of these
 * words (Xu et al. 2015 use the loss of the whole sentence; earlier words don't depend on the
 * sample and only add noise), times 0.1, their lambda_r. It is not part of the loss. Sentences
 * whose choice the noise drops are attended to by all weights. */
Loss network_gradient(const Pass *batch, const Criterion *criterion, Arena *arena);

/* network_flops - the floating-point operations of the matrix products of one training step on a
 * batch of that size: two for each multiply-add with a weight of more than one row, forward and both
 * gradients, real tokens only. Elementwise operations are not counted, nor are the products of
 * queries, keys and values with each other, and of a sparse gradient of the logits. */
double network_flops(const ParameterTable *table, BatchSize size, int sparse);

/* ---- what the heads of the self-attention layers look at in one sentence pair: the pictures of
 * Vaswani et al. (2017), figures 3 to 5 ---- */

/* CROSS: the target's words look at the source. SOURCE, TARGET: a side looks at itself. */
typedef enum { MAP_CROSS, MAP_SOURCE, MAP_TARGET } MapKind;
extern const char *const map_names[];       /* NULL-terminated, in this order */

typedef struct {
    MapKind    of;
    HeadChoice heads;
} MapChoice;

/* attention_map_is_usual - whether the choice is the attention that every translation has. */
int attention_map_is_usual(MapChoice choice);

/* attention_map_check - whether the network has such heads; -1 with a message. The usual choice is
 * always right. */
int attention_map_check(const NetworkOptions *options, MapChoice choice, Err *e);

/* attention_map - the weights, (T, S), (S, S) or (T, T), for free(). Row t of a target's is the
 * search for word t, and column t the word that it reads: <bos>, then the words before. bos: the id
 * of <bos>; pair: both sides. */
real *attention_map(const Architecture *net, const Weights *w, const Sentence *pair, int bos,
                    MapChoice choice);

#endif
