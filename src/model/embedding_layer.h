/* embedding_layer.h - from words to vectors, x = s E[word], with the dropout of whole words and of single values.
 *
 * Where an embedding is tied to the output layer (--tie) its values are those of output weights, of variance 1/E, and
 * s = sqrt(E) brings them back to the variance of 1 that the gates need (Vaswani et al. 2017, section 3.4); else s = 1.
 *
 * A dropped word's vector is zero, and the others are scaled by 1 / (1 - p). With one mask a sentence (Dropout.shared)
 * a word is dropped wherever it stands in the sentence (Gal and Ghahramani 2016, section 4.2); else each position by
 * itself (Sennrich and Zhang 2019).
 */
#ifndef ATTN_MODEL_EMBEDDING_LAYER_H
#define ATTN_MODEL_EMBEDDING_LAYER_H

#include "model/pass.h"

/* embedding_layer_forward - x (N, E) of the words of one side. */
void embedding_layer_forward(real *x, const Pass *pass, PassSide side);

/* embedding_layer_backward - from dx (N, E), which is used up, to pass->gradients. */
void embedding_layer_backward(real *dx, const Pass *pass, PassSide side);

#endif
