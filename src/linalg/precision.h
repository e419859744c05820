/* precision.h - how a matrix product A · B of depth k rounds.
 *
 * PRECISION_FLOAT: as `real` does.
 *
 * PRECISION_BF16: A and B are rounded to 8 significant bits, which is a relative error of at most u
 * = 2^-8 each, and their products are added up in 32 bits: |error| <= (2 u + u² + 2 k 2^-24)
 * |a| |b|. Subnormal numbers count as zero.
 *
 * PRECISION_INT8: each row of A and each column of B is rounded to multiples -127 .. 127 of a unit
 * of its own, a 127th of its largest absolute value, and the products are added up exactly, in
 * integers. With the units u and v, and h = 1/2 + 2^-15 (for x / u is rounded twice before),
 *   |error| <= h v sum |a| + h u sum |b| + h² k u v + 2^-22 · sum (|a| + h u) (|b| + h v).
 * Units are of equal parts of no more than 1,536 values of k, and the parts are added up in float.
 * Where no value of a part is 1e-30 or more, they count as zero; where one is not finite, neither
 * is the result. Where it is finite, it is the same on every CPU, to the last bit.
 */
#ifndef ATTN_LINALG_PRECISION_H
#define ATTN_LINALG_PRECISION_H

typedef enum { PRECISION_FLOAT, PRECISION_BF16, PRECISION_INT8 } Precision;
enum { PRECISIONS = PRECISION_INT8 + 1 };

/* Their names in this order, NULL ends them: of all, and of those that training may use. */
extern const char *const precision_names[], *const learning_precision_names[];

/* precision_works - whether the kernels that were chosen have products of that precision.
 * precision_is_fast - whether they are no slower than float: where no instruction multiplies
 * numbers of that size, they are float's, of rounded factors. */
int precision_works(Precision precision);
int precision_is_fast(Precision precision);

#endif
