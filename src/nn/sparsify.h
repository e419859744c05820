/* sparsify.h - a vector as a few of its values, right on average (Wangni et al. 2018, "Gradient
 * Sparsification for Communication-Efficient Distributed Optimization").
 *
 * Values of at least `least` pass as they are. A smaller x passes as least or -least with
 * probability |x| / least, else as 0: its mean is x, and its variance |x| (least - |x|). One random
 * number decides for all (systematic sampling, Madow 1949): one passes every time the sum of the
 * small values has grown by `least`. So they are not independent, as they are with Wangni et al.
 */
#ifndef ATTN_NN_SPARSIFY_H
#define ATTN_NN_SPARSIFY_H

#include "base/real.h"

/* sparsify - returns how many values pass: at most n, and at most the sum of |x| / least + 1. NaN
 * passes.
 *
 * column  out (n) which they are, in rising order; the rest is not written
 * value   out (n) what they are replaced by
 * x       in  (n)
 * least   above 0
 * start   in (0, 1], the random number
 */
int sparsify(int *column, real *value, const real *x, int n, double least, double start);

#endif
