/* loss.c - softmax and cross-entropy, row by row, in place. */
#include "nn/loss.h"

#include "base/real.h"
#include "linalg/vector.h"

#include <math.h>
#include <string.h>

/* What becomes of one row of logits. */
typedef struct {
    double loss;        /* smoothed */
    double log_sum;     /* log p_j = logit_j - log_sum */
} Row;

/* Turns the row into p and adds its loss. */
static Row row_forward(Loss *loss, real *row, int y, int V, double epsilon)
{
    double right = row[y], mean = epsilon > 0 ? (double)vector_sum(row, V) / V : 0;
    double log_sum = vector_softmax(row, V);
    const Row r = { (1 - epsilon) * (log_sum - right) + epsilon * (log_sum - mean), log_sum };
    loss->plain += log_sum - right;
    loss->smoothed += r.loss;
    return r;
}

void loss_forward(Loss *loss, real *logits, const int *y, int N, int V, double epsilon)
{
    for (int i = 0; i < N; i++)
        row_forward(loss, logits + (size_t)i * V, y[i], V, epsilon);
}

/* The logits become scale (p - q). */
static void row_backward(Loss *loss, real *each, real *row, int y, int V, const Criterion *c)
{
    *each = (real)row_forward(loss, row, y, V, c->smoothing).loss;
    vector_affine(row, (real)c->scale, (real)(-c->scale * c->smoothing / V), (size_t)V);
    row[y] -= (real)(c->scale * (1 - c->smoothing));
}

/* The two rows of one word. With s_j = log p_j - log p'_j the logits of p become
 *
 *   scale (p_j - q_j + alpha / 2 (p_j (s_j - KL(p || p')) + p_j - p'_j))
 *
 * and those of p' the same with p and p' exchanged. */
static void pair_backward(Loss *loss, real *each, real *rows, real *ratio, int y, int V,
                          const Criterion *c)
{
    real *p = rows, *other = rows + V;
    memcpy(ratio, p, (size_t)V * sizeof *ratio);
    vector_axpy(ratio, -1, other, (size_t)V);
    const Row own = row_forward(loss, p, y, V, c->smoothing);
    const Row others = row_forward(loss, other, y, V, c->smoothing);
    const double shift = own.log_sum - others.log_sum, half = c->r_drop / 2;
    const double kl = (double)vector_dot(p, ratio, (size_t)V) - shift;
    const double kl_other = shift - (double)vector_dot(other, ratio, (size_t)V);
    const double divergence = half * (kl + kl_other);
    loss->smoothed += divergence;
    each[0] = (real)(own.loss + divergence / 2);
    each[1] = (real)(others.loss + divergence / 2);

    const VectorRDrop by = { .own = { (real)(c->scale * (1 + half * (1 - shift - kl))),
                                      (real)(c->scale * (1 + half * (1 + shift - kl_other))) },
                             .half = (real)(c->scale * half),
                             .uniform = (real)(c->scale * c->smoothing / V) };
    vector_r_drop(p, other, ratio, by, V);
    p[y] -= (real)(c->scale * (1 - c->smoothing));
    other[y] -= (real)(c->scale * (1 - c->smoothing));
}

void loss_forward_backward(Loss *loss, real *each, real *logits, real *ratio, const int *y, int N,
                           int V, const Criterion *criterion)
{
    const int rows = criterion->r_drop > 0 ? 2 : 1;
    for (int i = 0; i < N; i += rows) {
        real *first = logits + (size_t)i * V, unwanted[2], *losses = each ? each + i : unwanted;
        if (rows == 2) pair_backward(loss, losses, first, ratio, y[i], V, criterion);
        else row_backward(loss, losses, first, y[i], V, criterion);
    }
}

/* ---- few values of a gradient ---- */

enum { BLOCK = 64 };

/* A block's sum shows whether any of its values passes. */
int sparsify(int *column, real *value, const real *x, int n, double least, double start)
{
    int count = 0;
    double left = start * least;            /* what the sum of the small values lacks */
    for (int at = 0; at < n; at += BLOCK) {
        const int end = at + min_int(BLOCK, n - at);
        const double sum = (double)vector_absolute_sum(x + at, end - at);
        if (sum < left) {
            left -= sum;
            continue;
        }
        for (int j = at; j < end; j++) {
            const double size = fabs((double)x[j]);
            const int small = size < least;
            if (small && (left -= size) > 0) continue;
            if (small) left += least;
            column[count] = j;
            value[count++] = small ? (real)copysign(least, (double)x[j]) : x[j];
        }
    }
    return count;
}
