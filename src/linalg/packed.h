/* packed.h - copies of weights in the order of the kernels, for who multiplies by the same weights for long.
 *
 * A copy is made when a product first reads its weight, so there are none but those that are used, and the first
 * product costs little more than it would without. A copy takes as much memory as its weight, with PRECISION_BF16
 * half, with PRECISION_INT8 a quarter. Results are the same as without copies: those that gemm has in that precision.
 * But with PRECISION_INT8 a weight of fewer than PACKED_LEAST rows or columns stays in float: to round the other side
 * would take as long as its product.
 */
#ifndef ATTN_LINALG_PACKED_H
#define ATTN_LINALG_PACKED_H

#include "linalg/gemm.h"

enum { PACKED_LEAST = 32 };

/* A copy: its panels (linalg/gemm.h) in their precision; panels NULL: none. */
typedef struct {
    const real *panels;
    Precision   precision;
} PackedCopy;

/* Of the weights of one block. Any number of threads may use it at a time. */
typedef struct PackedWeights PackedWeights;

/* packed_new - of the `size` reals of `block`, which must stay as they are; NULL where OpenBLAS multiplies, which takes
 * no copies. */
PackedWeights *packed_new(const real *block, size_t size, Precision precision);
void           packed_free(PackedWeights *packed);

/* packed_find - the copy of b (k,n); none where b is none of these weights, or one of more than there is room for,
 * several times what a network has. */
PackedCopy packed_find(PackedWeights *packed, Operand b, int k, int n);

#endif
