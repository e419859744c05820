/* prepacked_weights.h - the copies of a network's weights that its products read faster
 * (linalg/prepacked.h). */
#ifndef ATTN_MODEL_PREPACKED_WEIGHTS_H
#define ATTN_MODEL_PREPACKED_WEIGHTS_H

#include "base/portion.h"
#include "model/parameters.h"

/* PREPACKED_TO_USE: of all weights, each made by the first product that reads it (PREPACKED_LATER),
 * for weights that no longer change. PREPACKED_TO_LEARN: of the weights that a pass reads more than
 * once, for forward and backward; all are written, by all workers, when the weights have changed.
 * ..._SPARSELY: without that for the gradient of the readout's output, where the gradient of the
 * logits is sparse (model/readout.h). */
typedef enum { PREPACKED_TO_USE, PREPACKED_TO_LEARN, PREPACKED_TO_LEARN_SPARSELY } PrepackedPurpose;

typedef struct PrepackedWeights PrepackedWeights;

/* prepacked_weights_new - the weights w point to the copies from now on; NULL where OpenBLAS
 * multiplies, which takes none. Any number of Weights with the same pointers may use them, and of
 * threads; they end before these do. */
PrepackedWeights *prepacked_weights_new(const ParameterTable *table, Weights *w,
                                        PrepackedPurpose purpose);
void              prepacked_weights_free(PrepackedWeights *p);

/* prepacked_weights_write - to learn: the worker's part of all copies. */
void prepacked_weights_write(PrepackedWeights *p, Portion portion);

/* prepacked_weights_measure - the bytes of those that prepacked_weights_new would make. */
size_t prepacked_weights_measure(const ParameterTable *table, Precision precision,
                                 PrepackedPurpose purpose);

#endif
