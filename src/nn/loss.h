/* loss.h - cross-entropy of a softmax with label smoothing (Szegedy et al. 2016, section 7), and
 * R-Drop (Liang et al. 2021, "R-Drop: Regularized Dropout for Neural Networks").
 *
 *   loss_i = - sum_j q_ij log p_ij,  p = softmax(logits)
 *   q_ij   = (1 - epsilon) [j = y_i] + epsilon / V
 *
 * With R-Drop each word is predicted twice, under two masks of dropout, by rows i and i + 1, and
 * the loss of both grows by how much they differ (equations (2) to (4) there, halved: the mean of
 * the two passes, not their sum):
 *
 *   loss_i = ... + alpha / 4 (KL(p_i || p_i+1) + KL(p_i+1 || p_i))
 */
#ifndef ATTN_NN_LOSS_H
#define ATTN_NN_LOSS_H

#include "base/real.h"

/* What training minimises: scale * the sum of the rows' losses. */
typedef struct {
    double smoothing;       /* epsilon */
    double r_drop;          /* alpha; 0: rows are predictions of their own, else rows 2k and 2k + 1
                             * are two of one word */
    double scale;
} Criterion;

typedef struct {
    double smoothed;        /* the sum of the rows' losses above: training minimises it */
    double plain;           /* the cross-entropy alone, with epsilon = 0, as reported; perplexity
                             * exp(plain / N) */
} Loss;

/* loss_forward_backward - adds the rows' losses to *loss, and turns the logits into the gradient of
 * the criterion.
 *
 * logits  in/out (N, V)   N even with R-Drop
 * each    out    (N)      the loss of each row; NULL: not wanted
 * y       in     (N)      ids of the target words
 * ratio   out    (V)      scratch for R-Drop, else NULL
 */
void loss_forward_backward(Loss *loss, real *each, real *logits, real *ratio, const int *y, int N,
                           int V, const Criterion *criterion);

/* loss_forward - only the losses, without R-Drop; the logits become probabilities. */
void loss_forward(Loss *loss, real *logits, const int *y, int N, int V, double epsilon);

/* sparsify - a vector as a few of its values, right on average (Wangni et al. 2018, "Gradient
 * Sparsification for Communication-Efficient Distributed Optimization").
 *
 * Values of at least `least` pass as they are. A smaller x passes as least or -least with
 * probability |x| / least, else as 0: its mean is x, and its variance |x| (least - |x|). One random
 * number decides for all (systematic sampling, Madow 1949): one passes every time the sum of the
 * small values has grown by `least`. So they are not independent, as they are with Wangni et al.
 *
 * It returns how many values pass: at most n, and at most the sum of |x| / least + 1. NaN
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
