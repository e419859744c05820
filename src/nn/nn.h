/* nn.h - the laws of this folder, and the layout of sequences that all layers share.
 *
 * Layers are plain functions on arrays of `real`: outputs, then inputs, then sizes. They allocate nothing, print
 * nothing and keep nothing between calls. Arrays are row-major, the last index runs fastest, and "ld" is the distance
 * between two rows where it may differ from the width.
 *
 * Gradients are named d + what they belong to. Parameter gradients are accumulated (+=), activation gradients are
 * overwritten (=); every exception is named where it happens.
 *
 * Dimensions:
 *   B  sentences            E  width of an embedding          Vs, Vt  vocabularies of source and target
 *   S  source steps         H  width of a GRU state           I       width of a layer's input
 *   T  target steps         C  width of an encoder state      L       layers
 *   N  real tokens          A  width of the attention
 *
 * Sequences are packed: time-major, longest first, and no padding is stored. At step t only the first rows[t]
 * sentences are still running; their rows stand together:
 *
 *     step            0        1      2
 *     sentence 0      a0       a1     a2        rows  = 3 2 1
 *     sentence 1      b0       b1               start = 0 3 5 6        packed: a0 b0 c0 a1 b1 a2
 *     sentence 2      c0
 */
#ifndef ATTN_NN_NN_H
#define ATTN_NN_NN_H

#include "base/real.h"

/* Whether a result replaces what stands there or is added to it. */
typedef enum { OVERWRITE, ACCUMULATE } Store;

/* How a matrix product A · B of depth k rounds.
 *
 * PRECISION_FLOAT: as `real` does.
 *
 * PRECISION_BF16: A and B are rounded to 8 significant bits, which is a relative error of at most u = 2^-8 each, and
 * their products are added up in 32 bits: |error| <= (2 u + u² + 2 k 2^-24) · sum |a| |b|. Subnormal numbers count as
 * zero.
 *
 * PRECISION_INT8: each row of A and each column of B is rounded to multiples -127 .. 127 of a unit of its own, a 127th
 * of its largest absolute value, and the products are added up exactly, in integers. With the units u and v, and
 * h = 1/2 + 2^-15 (for x / u is rounded twice before),
 *   |error| <= h v sum |a| + h u sum |b| + h² k u v + 2^-22 · sum (|a| + h u) (|b| + h v).
 * Units are of equal parts of no more than 1,536 values of k, and the parts are added up in float. Where no value of a
 * part is 1e-30 or more, they count as zero; where one is not finite, neither is the result. */
typedef enum { PRECISION_FLOAT, PRECISION_BF16, PRECISION_INT8 } Precision;

/* What one of several workers does of something that they make together: (0, 1) is all of it. */
typedef struct { int worker, workers; } Portion;

typedef struct {
    int        steps;       /* length of the longest sequence */
    int        total;       /* N: packed rows */
    const int *rows;        /* (steps) sequences that are still running, never increasing */
    const int *start;       /* (steps + 1) first packed row of each step; start[steps] = total */
} Packed;

#endif
