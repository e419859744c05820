/* embedding_layer.h - word embeddings, x = s E[word], with dropout of whole words and of single
 * values.
 *
 * An embedding that is tied to the output layer (--tie) has the values of output weights, with the
 * variance 1/E; s = sqrt(E) restores the variance of 1 that the gates need (Vaswani et al. 2017,
 * section 3.4). Otherwise s = 1.
 *
 * The vector of a dropped word is zero, and the others are scaled by 1 / (1 - p). With one mask for
 * each sentence (Dropout.shared) a word is dropped at all its positions in the sentence (Gal and
 * Ghahramani 2016, section 4.2); otherwise each position is dropped independently (Sennrich and
 * Zhang 2019).
 */
#ifndef ATTN_MODEL_EMBEDDING_LAYER_H
#define ATTN_MODEL_EMBEDDING_LAYER_H

#include "model/pass.h"

/* embedding_layer_forward - computes x (N, E) for the words of one side. */
void embedding_layer_forward(real *x, const Pass *pass, PassSide side);

/* embedding_layer_backward - accumulates pass->gradients from dx (N, E), which it overwrites. */
void embedding_layer_backward(real *dx, const Pass *pass, PassSide side);

#endif
