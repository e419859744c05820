/* packed.h - copies of weights in the order of the kernels, for who multiplies by the same weights for long.
 *
 * A copy is made when a product first reads its weight, so there are none but those that are used, and the first
 * product costs little more than it would without. A copy takes as much memory as its weight, with PRECISION_BF16 half.
 * Results are the same as without copies: those that gemm has in that precision.
 */
#ifndef ATTN_NN_PACKED_H
#define ATTN_NN_PACKED_H

#include "nn/gemm.h"

/* Of the weights of one block. Any number of threads may use it at a time. */
typedef struct PackedWeights PackedWeights;

/* packed_new - of the `size` reals of `block`, which must stay as they are; NULL where OpenBLAS multiplies, which takes
 * no copies. */
PackedWeights *packed_new(const real *block, size_t size, Precision precision);
void           packed_free(PackedWeights *packed);

Precision packed_precision(const PackedWeights *packed);

/* packed_find - the panels (nn/gemm.h) of b (k,n) in that precision; NULL where b is none of these weights, or one of
 * more than there is room for, several times what a network has. */
const real *packed_find(PackedWeights *packed, Operand b, int k, int n);

#endif
