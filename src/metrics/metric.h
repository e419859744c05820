/* metric.h - what all scores have in common: statistics of segments that add up, and a number made from their sum.
 *
 *     stats:  a segment             -> a row of `width` numbers
 *     sum over the segments, in any order: the rows are whole numbers (TER's reference lengths may be means of some)
 *     score:  the sum               -> 0..100, where TER may exceed 100
 *
 * So the text is read once, and corpus scores, bootstrap samples and permutations come from one matrix
 * (metrics/statistics.h, metrics/significance.h). A new metric is a file with its `const Metric`, and a row in
 * metric.c. The numbers are those of sacreBLEU 2.6.
 */
#ifndef ATTN_METRICS_METRIC_H
#define ATTN_METRICS_METRIC_H

#include "base/buf.h"
#include "base/field.h"

#include <stddef.h>
#include <stdint.h>

enum { METRICS = 4, METRIC_MAX_WIDTH = 48 };

/* What all metrics are asked for at once. */
typedef struct {
    int sentence_level;         /* scores of single segments */
    int randomised;             /* compared by approximate randomisation */
} Use;

typedef struct Metric Metric;
struct Metric {
    const char  *name;                          /* a word of --metrics */
    const Metric *like;                         /* whose options it has, but for what settle sets; before it in the
                                                   table; NULL: its own */
    const Field *fields;                        /* its own options on the command line */
    size_t       options_size;                  /* of the struct that all `options` below point to */
    void (*defaults)(void *options);

    /* Passes on how the scores are used. 0, or -1 with a message for options that don't go together. */
    int (*settle)(void *options, const Use *use, Err *e);

    int (*width)(const void *options);          /* at most METRIC_MAX_WIDTH */

    /* Overwrites row[width] by the statistics of one segment. Lines are NUL-terminated valid UTF-8; a reference that
     * is NULL is missing; at least one is not. */
    void (*stats)(const void *options, const char *hypothesis, const char *const *references, int count, double *row);

    /* single: ratios and smoothed counts are rounded to float. NumPy 1.x does so with the float sums of bootstrap
     * samples, and NumPy 2 with what is made from them too: attn agrees with 1.x there to the last digit. */
    double (*score)(const void *options, const double *sums, int single);

    void (*title)(const void *options, Buf *out);                           /* "BLEU", "chrF2++" */
    void (*signature)(const void *options, Buf *out);                       /* "case:mixed|eff:no|..." */
    void (*verbose)(const void *options, const double *sums, Buf *out);     /* what follows the score; may be NULL */
};

extern const Metric *const metrics[METRICS];    /* in the order in which scores are printed */

/* What was drawn for a score; 0 samples or trials: nothing of that kind. */
typedef struct {
    int      bootstrap, randomisation;
    uint64_t seed;
} Drawn;

/* metric_signature - appends all that a score depends on, so that two scores with the same signature can be compared:
 *     nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:attn-0.1.0
 * references 0: their number varies from segment to segment. */
void metric_signature(const Metric *metric, const void *options, int references, Drawn drawn, Buf *out);

#endif
