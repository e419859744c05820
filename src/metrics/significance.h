/* significance.h - how far a score, or the difference of two, could be chance.
 *
 * All of it draws segments again and recomputes scores from their statistics. The segments that are drawn are those
 * that NumPy's default_rng(seed) draws for sacreBLEU 2.6 (base/pcg64.h), and sums are rounded as there, so that the
 * same text gives the same digits.
 *
 *   bootstrap    (Koehn 2004, "Statistical Significance Tests for Machine Translation ValidationLoss") as many segments as
 *                there are, drawn with replacement, give one sample of the score. The middle 95 % of the samples are
 *                the confidence interval.
 *   paired       the same draws for both systems. With d = |difference of the samples| and D = |difference of the
 *   bootstrap    scores|: p = (1 + how often d - mean(d) > D) / (1 + samples)
 *   paired       (Riezler and Maxwell 2005) each segment is swapped between the systems, or not, by a coin.
 *   randomisation    p = (1 + how often |difference of the scores| > D) / (1 + trials)
 */
#ifndef ATTN_METRICS_SIGNIFICANCE_H
#define ATTN_METRICS_SIGNIFICANCE_H

#include "base/pool.h"
#include "metrics/statistics.h"

typedef struct { double mean, half; } Interval;         /* mean ± half */

/* One system among several; the first is what the others are compared with. */
typedef struct {
    double   score;
    Interval interval;          /* only of a bootstrap */
    double   p;                 /* not of the first */
    double   p_with_equal;      /* the same where an equal difference counts as a larger one. Where it is far above p,
                                   few outcomes are possible, and a small p says nothing: of two equal translations p
                                   is the least there is, and this is 1 */
} Comparison;

/* What is drawn, and with what it is drawn. Systems have the same number of segments. */
typedef struct {
    const Metric *metric;
    const void   *options;
    int           samples;      /* of a bootstrap; or trials */
    uint64_t      seed;
    Pool         *pool;
} Resampling;

Interval confidence_interval(const Resampling *r, const Statistics *system);
void     paired_bootstrap(const Resampling *r, const Statistics *systems, int count, Comparison *out);
void     paired_randomisation(const Resampling *r, const Statistics *systems, int count, Comparison *out);

#endif
