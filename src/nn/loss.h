/* loss.h - cross-entropy of a softmax with label smoothing (Szegedy et al. 2016, section 7).
 *
 *   loss_i = - sum_j q_ij log p_ij,  p = softmax(logits)
 *   q_ij   = (1 - epsilon) [j = y_i] + epsilon / V
 */
#ifndef ATTN_NN_LOSS_H
#define ATTN_NN_LOSS_H

#include "base/real.h"

typedef struct {
    double smoothed;        /* the sum of the rows' losses above: training minimises it */
    double plain;           /* the same with epsilon = 0, as reported; perplexity exp(plain / N) */
} Loss;

/* loss_forward_backward - adds the rows' losses to *loss, and turns the logits into their gradient.
 *
 * logits  in/out (N, V)   out: scale * (p - q)
 * each    out    (N)      the smoothed loss of each row; NULL: not wanted
 * y       in     (N)      ids of the target words
 */
void loss_forward_backward(Loss *loss, real *each, real *logits, const int *y, int N, int V,
                           double epsilon, double scale);

/* loss_forward - only the losses; the logits become probabilities. */
void loss_forward(Loss *loss, real *logits, const int *y, int N, int V, double epsilon);

#endif
