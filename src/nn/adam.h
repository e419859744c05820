/* adam.h - Adam (Kingma and Ba 2015, algorithm 1), with PyTorch's epsilon (added to the corrected
 * root).
 *
 *   m = beta1 m + (1 - beta1) g;   v = beta2 v + (1 - beta2) g²
 *   w -= rate · (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + eps) + rate · decay · w
 *
 * with the weight decay of Loshchilov and Hutter (2019, algorithm 2: it is no part of the
 * gradient), scaled as PyTorch's.
 */
#ifndef ATTN_NN_ADAM_H
#define ATTN_NN_ADAM_H

#include "base/real.h"

#include <stddef.h>

typedef struct { double rate, beta1, beta2, epsilon, decay; } AdamOptions;

/* adam_step - update number t (from 1) of n weights; the gradients g are multiplied by `scale`
 * (clipping) first. */
void adam_step(real *w, real *m, real *v, const real *g, double scale, const AdamOptions *options,
               long t, size_t n);

/* clip_scale - the factor that brings a gradient of this norm down to at most `limit` (Pascanu et
 * al. 2013, algorithm 1); a limit of 0 never clips. */
double clip_scale(double norm, double limit);

#endif
