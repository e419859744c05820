/* quantised.h - matrices as integers of 8 bits, each row with a scale of its own: a quarter of the
 * bytes of F32.
 *
 *   w_ij ~ scale_i q_ij,   q_ij in -127 .. 127,   scale_i = max_j |w_ij| / 127
 *
 * A scale is rounded up to 16 significant bits. So each scale_i q_ij is exact in 32 bits, what is
 * quantised again gives the same integers and scales, and so do products with PRECISION_INT8
 * (linalg/precision.h) that read whole rows. |w_ij - scale_i q_ij| <= (1/2 + 2^-15) scale_i.
 */
#ifndef ATTN_MODEL_QUANTISED_H
#define ATTN_MODEL_QUANTISED_H

#include "base/real.h"

#include <stdint.h>

/* x, q: (rows, columns); scales: (rows). x is finite. */
void quantise(const real *x, int rows, int columns, int8_t *q, float *scales);
void dequantise(const int8_t *q, const real *scales, int rows, int columns, real *x);

#endif
