/* gradient.h - is it the gradient? Central differences, element by element.
 *
 *   dx_i  =  (8 (f(x_i + h) - f(x_i - h)) - (f(x_i + 2h) - f(x_i - 2h))) / 12h        h = 2^-11
 *
 * Two errors remain. The formula's own is h^4/30 = 2e-15 times the fifth derivative of f. And f,
 * whose terms are of order 1, comes with some 100 roundings of 1e-16, which 3/(2h) turns into some
 * 1e-11. Together they stay far below GRADIENT_SLACK, while a wrong term is wrong in the first
 * digits.
 */
#ifndef ATTN_TESTS_GRADIENT_H
#define ATTN_TESTS_GRADIENT_H

#include "numbers.h"

#define GRADIENT_SLACK 1e-10

/* A function of arrays that are reached through `context`, computed in double. */
typedef double (*Objective)(void *context);

/* assert_gradient - dx is the gradient of f at x (count values, which are moved and put back), up
 * to the roundings of the operations behind dx itself (see assert_near). */
#define assert_gradient(dx, x, count, f, context, operations) \
    assert_central_differences(#dx, dx, x, count, f, context, operations, __FILE__, __LINE__)

void assert_central_differences(const char *what, const real *dx, real *x, size_t count,
                                Objective f, void *context, double operations, const char *file,
                                int line);

#endif
