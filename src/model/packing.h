/* packing.h - copies of the weights that every step reads, in the order of the kernels (linalg/matrix.h). */
#ifndef ATTN_MODEL_PACKING_H
#define ATTN_MODEL_PACKING_H

#include "base/mem.h"
#include "model/net.h"

/* weights_packed - w with panels of the recurrent weights, and of the decoder's input weights where a step reads them.
 * They lie in the arena, and hold as long as w stays the same. While the arena measures, nothing is read. */
Weights weights_packed(const Weights *w, const Net *net, Arena *arena);

/* weights_packed_to_learn - those, the output layer's, and those of the gradients as well, without the output layer's
 * where its gradient is sparse (model/readout.h). Workers that share them write a part each; they may be read when all
 * have done so. */
Weights weights_packed_to_learn(const Weights *w, const Net *net, int sparse, Arena *arena, Portion portion);

#endif
