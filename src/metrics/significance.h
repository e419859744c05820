/* significance.h - confidence intervals of scores, and tests of the difference between two systems.
 *
 * Both resample segments and recompute scores from their statistics. They draw the segments that
 * NumPy's default_rng(seed) draws for sacreBLEU 2.6 (base/random/rng.h) and round sums as
 * sacreBLEU does, so that the same text gives the same digits.
 *
 *   bootstrap (Koehn 2004, "Statistical Significance Tests for Machine Translation Evaluation")
 *       A sample of the score is that of N segments drawn with replacement from all N. The middle
 *       95 % of the samples are the confidence interval.
 *   paired bootstrap
 *       Both systems have the same draws. With d = |difference of the samples| and
 *       D = |difference of the scores|: p = (1 + how often d - mean(d) > D) / (1 + samples)
 *   paired approximate randomisation (Riezler and Maxwell 2005)
 *       In each trial a coin decides for every segment whether the systems swap their outputs:
 *       p = (1 + how often |difference of the scores| > D) / (1 + trials)
 */
#ifndef ATTN_METRICS_SIGNIFICANCE_H
#define ATTN_METRICS_SIGNIFICANCE_H

#include "base/system/pool.h"
#include "metrics/metric.h"

typedef struct { double mean, half; } Interval;         /* mean ± half */

/* The result of one system; the first is the baseline, which the others are compared with. */
typedef struct {
    double   score;
    Interval interval;          /* set by a bootstrap only */
    double   p;                 /* not set for the baseline */
    double   p_with_equal;      /* p with >= D for > D. Where it is far above p, few outcomes are
                                   possible, and a small p has no meaning: for two equal
                                   translations p has its smallest value, and p_with_equal is 1 */
} Comparison;

/* How to resample, and the metric to recompute. All systems have the same number of segments. */
typedef struct {
    const Metric *metric;
    const void   *options;
    int           samples;      /* of a bootstrap; trials of a randomisation */
    uint64_t      seed;
    Pool         *pool;
} Resampling;

/* confidence_interval - by bootstrap; of one system. The paired tests set out[count], of the
 * baseline and the other systems. Results are the same for any number of workers. */
Interval confidence_interval(const Resampling *r, const Statistics *system);
void     paired_bootstrap(const Resampling *r, const Statistics *systems, int count,
                          Comparison *out);
void     paired_randomisation(const Resampling *r, const Statistics *systems, int count,
                              Comparison *out);

#endif
