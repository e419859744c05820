/* loss.c - softmax and cross-entropy, row by row, in place. */
#include "nn/loss.h"

#include "linalg/vector.h"

#include <stddef.h>

/* Turns one row of logits into p and adds its loss. */
static void row_forward(Loss *loss, real *row, int y, int V, double epsilon)
{
    double right = row[y], mean = epsilon > 0 ? (double)vector_sum(row, V) / V : 0;
    double log_sum = vector_softmax(row, V);            /* log p_j = logit_j - log_sum */
    loss->plain += log_sum - right;
    loss->smoothed += (1 - epsilon) * (log_sum - right) + epsilon * (log_sum - mean);
}

void loss_forward(Loss *loss, real *logits, const int *y, int N, int V, double epsilon)
{
    for (int i = 0; i < N; i++)
        row_forward(loss, logits + (size_t)i * V, y[i], V, epsilon);
}

void loss_forward_backward(Loss *loss, real *each, real *logits, const int *y, int N, int V,
                           double epsilon, double scale)
{
    for (int i = 0; i < N; i++) {
        real *row = logits + (size_t)i * V;
        const double before = loss->smoothed;
        row_forward(loss, row, y[i], V, epsilon);
        if (each) each[i] = (real)(loss->smoothed - before);
        /* scale (p - q) */
        vector_affine(row, (real)scale, (real)(-scale * epsilon / V), (size_t)V);
        row[y[i]] -= (real)(scale * (1 - epsilon));
    }
}
