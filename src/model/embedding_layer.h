/* embedding_layer.h - word embeddings, x = s E[word] + P(t), with dropout of whole words (of E) and
 * of single values (of x).
 *
 * An embedding that is tied to the output layer (--tie) has the values of output weights, with the
 * variance 1/E; s = sqrt(E) restores the variance of 1 that the gates need (Vaswani et al. 2017,
 * section 3.4). Both embeddings of a network whose decoder has no recurrence are like that.
 * Otherwise s = 1.
 *
 * A side that self-attention reads before any recurrent layer has positions: learned vectors, the
 * last one for all words from there on, or sinusoids (section 3.5), which need no longest sentence:
 *
 *   P(t, 2i) = sin(t / 10000^(2i / E))       P(t, 2i + 1) = cos(t / 10000^(2i / E))
 *
 * Other sides have none, P = 0.
 *
 * The vector of a dropped word is zero, and the others are scaled by 1 / (1 - p). With one mask for
 * each sentence (Dropout.shared) a word is dropped at all its positions in the sentence (Gal and
 * Ghahramani 2016, section 4.2); otherwise each position is dropped independently (Sennrich and
 * Zhang 2019).
 */
#ifndef ATTN_MODEL_EMBEDDING_LAYER_H
#define ATTN_MODEL_EMBEDDING_LAYER_H

#include "model/pass.h"

/* embedding_layer_forward - computes x (N, E) for the words of one side, the first of which are at
 * position `first`. */
void embedding_layer_forward(real *x, const Pass *pass, PassSide side, int first);

/* embedding_layer_backward - accumulates pass->gradients from dx (N, E), which it overwrites. */
void embedding_layer_backward(real *dx, const Pass *pass, PassSide side);

#endif
