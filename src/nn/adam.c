/* adam.c - bias corrections once, then one pass over the values. */
#include "nn/adam.h"

#include "linalg/vector.h"

#include <math.h>

/* With s = sqrt(1 - beta2^t):
 *   rate m' / (sqrt(v)/s + eps)  =  (rate s / (1 - beta1^t)) m / (sqrt(v) + eps s) */
void adam_step(real *w, real *m, real *v, const real *g, double scale, const AdamOptions *options,
               long t, size_t n)
{
    const double s = sqrt(1 - pow(options->beta2, (double)t));
    const double step = options->rate * s / (1 - pow(options->beta1, (double)t));
    const VectorAdam by = {
        .scale = (real)scale, .step = (real)step,
        .beta1 = (real)options->beta1, .beta2 = (real)options->beta2,
        .eps = (real)(options->epsilon * s), .keep = (real)(1 - options->rate * options->decay),
    };
    vector_adam(w, m, v, g, by, n);
}

double clip_scale(double norm, double limit)
{
    return limit > 0 && norm > limit ? limit / norm : 1;
}
