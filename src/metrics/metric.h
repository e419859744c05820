/* metric.h - what all scores have in common: statistics of segments that add up, and a score
 * computed from their sum; which metrics are wanted.
 *
 *     stats:  a segment             -> a row of `width` numbers
 *     sum over the segments, in any order: the rows are whole numbers (TER's reference lengths may
 *             be means of several)
 *     score:  the sum               -> 0..100, where TER may exceed 100
 *
 * So the text is read once, and corpus scores, bootstrap samples and permutations are computed from
 * one matrix (Statistics, metrics/significance.h). A new metric is a file with its
 * `const Metric`, a name in the enum below and a row in metric.c. The numbers are those of
 * sacreBLEU 2.6.
 */
#ifndef ATTN_METRICS_METRIC_H
#define ATTN_METRICS_METRIC_H

#include "base/buf.h"
#include "base/field.h"
#include "base/system/pool.h"

#include <stddef.h>
#include <stdint.h>

/* The metrics, in the order in which scores are printed. */
enum { METRIC_BLEU, METRIC_CHRF, METRIC_CHRF_PLUS, METRIC_TER, METRICS };

enum { METRIC_MAX_WIDTH = 48 };

/* How the scores are used; the same for all metrics. */
typedef struct {
    int sentence_level;         /* scores of single segments */
    int randomised;             /* systems are compared by approximate randomisation */
} MetricUse;

typedef struct Metric Metric;
struct Metric {
    const char   *name;             /* a word of --metrics */
    const Metric *variant_of;       /* an earlier metric of the table, whose options this one starts
                                       from; NULL: it has options of its own */
    const Field  *fields;           /* its own options on the command line */
    size_t        options_size;     /* of the struct that all `options` below point to */
    const void   *defaults;         /* such a struct */

    /* Completes the options for this use. Returns 0, or -1 with a message where options contradict
     * each other or the use. NULL: there is nothing to do. */
    int (*settle)(void *options, const MetricUse *use, Err *e);

    int (*width)(const void *options);          /* at most METRIC_MAX_WIDTH */

    /* Overwrites row[width] by the statistics of one segment, which has a reference at least. Lines
     * are NUL-terminated valid UTF-8. */
    void (*stats)(const void *options, const char *hypothesis, const char *const *references,
                  int count, double *row);

    /* single: ratios and smoothed counts are rounded to float. NumPy 1.x rounds so, because its
     * sums of bootstrap samples are floats, and NumPy 2 rounds what is computed from them too: attn
     * agrees with 1.x to the last digit. */
    double (*score)(const void *options, const double *sums, int single);

    /* Each appends: "BLEU", "chrF2++"; "case:mixed|eff:no|..."; the details that follow the score.
     * verbose may be NULL. */
    void (*title)(const void *options, Buf *out);
    void (*signature)(const void *options, Buf *out);
    void (*verbose)(const void *options, const double *sums, Buf *out);
};

extern const Metric *const metrics[METRICS];    /* indexed by METRIC_... */

/* How many bootstrap samples or randomisation trials a result is computed from (0: none of that
 * kind), and the seed they are drawn with. */
typedef struct {
    int      bootstrap, randomisation;
    uint64_t seed;
} Resamples;

/* metric_signature - appends everything that a score depends on, so that two scores with the same
 * signature can be compared:
 *     nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:attn-0.1.0
 * references: how many each segment has; 0: their number varies from segment to segment. */
void metric_signature(const Metric *metric, const void *options, int references,
                      Resamples resamples, Buf *out);

/* ---- the metrics that are wanted, and the options of each ---- */

typedef struct {
    unsigned wanted;                /* bit METRIC_...: this metric is wanted */
    void    *options[METRICS];      /* of each metric, wanted or not; owned */
} MetricSet;

/* metric_set_init - no metric is wanted, and options have their defaults. metric_set_free
 * releases. */
void metric_set_init(MetricSet *set);
void metric_set_free(MetricSet *set);

/* metric_set_has - whether METRIC_... is wanted. metric_set_add - makes it wanted. */
int  metric_set_has(const MetricSet *set, int metric);
void metric_set_add(MetricSet *set, int metric);

/* metric_set_uses_options - whether the options of this metric change a score that is wanted: its
 * own, or that of a variant. */
int metric_set_uses_options(const MetricSet *set, int metric);

/* metric_set_settle - completes the options of the wanted metrics for this use; a variant gets
 * those of the metric it is a variant of. Returns 0, or -1 with a message. */
int metric_set_settle(MetricSet *set, const MetricUse *use, Err *e);

/* ---- the statistics of all segments, from which every corpus score is computed ---- */

/* The output of one system with its references. Nothing is owned. */
typedef struct {
    const char *const        *hypothesis;   /* (count) */
    const char *const *const *reference;    /* (count) lists */
    const int                *references;   /* (count) the length of each list, at least 1 */
    size_t                    count;
} Hypotheses;

/* hypotheses_references - how many references each segment has; 0: their number varies. */
int hypotheses_references(const Hypotheses *hypotheses);

typedef struct {
    double *row;                /* (segments, width) owned */
    size_t  segments;
    int     width;
} Statistics;

/* statistics_init - computes the row of each segment; the result is the same for any number of
 * workers. statistics_free releases. */
void statistics_init(Statistics *s, const Metric *metric, const void *options,
                     const Hypotheses *hypotheses, Pool *pool);
void statistics_free(Statistics *s);

/* statistics_sum - overwrites sums[width] by the sum of the rows. statistics_score - the score of
 * it. */
void   statistics_sum(const Statistics *s, double *sums);
double statistics_score(const Statistics *s, const Metric *metric, const void *options);

#endif
