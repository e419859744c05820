/* dropout.h - inverted dropout (Srivastava et al. 2014): kept values are scaled by 1 / (1 - p),
 * others become 0.
 *
 * The mask is never stored. It is a function of the key, the place and the token, so applying the
 * same call to the gradient is the backward pass, and a sentence gets the same mask in whatever
 * batch slice it is computed.
 */
#ifndef ATTN_NN_DROPOUT_H
#define ATTN_NN_DROPOUT_H

#include "base/real.h"

#include <stdint.h>

enum { DROPOUT_PLACES = 256 };

typedef struct {
    double   p;             /* share of values dropped; 0: nothing is done */
    uint64_t key;           /* rng_key of this step */
    int      shared;        /* tokens that differ only in so many of their low bits have one mask,
                             * so that all steps of a sentence can (Gal and Ghahramani 2016,
                             * "variational" dropout); 0: each token has its own */
} Dropout;

/* dropout_apply - masks and scales x (rows, width) in place.
 * place    below DROPOUT_PLACES: which of the network's dropouts this is
 * token    (rows) below 2^42: which token of the batch a row belongs to
 * width    at most 65536 */
void dropout_apply(real *x, const Dropout *dropout, int place, const uint64_t *token, int rows,
                   int width);

/* dropout_factor - what the first value of that token's mask is multiplied by, 0 or 1 / (1 - p):
 * for what is dropped as a whole. p 0: 1. */
real dropout_factor(const Dropout *dropout, int place, uint64_t token);

#endif
