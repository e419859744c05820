/* statistics.h - the statistics of all segments as one matrix, which every corpus score is computed
 * from. */
#ifndef ATTN_METRICS_STATISTICS_H
#define ATTN_METRICS_STATISTICS_H

#include "base/system/pool.h"
#include "metrics/metric.h"

#include <stddef.h>

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

/* statistics_sum - overwrites sums[width] by the sum of the rows. */
void statistics_sum(const Statistics *s, double *sums);

#endif
