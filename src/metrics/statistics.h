/* statistics.h - the statistics of all segments as one matrix, of which every corpus score is made. */
#ifndef ATTN_METRICS_STATISTICS_H
#define ATTN_METRICS_STATISTICS_H

#include "base/pool.h"
#include "metrics/metric.h"

#include <stddef.h>

/* Translations with their references. Nothing is owned. */
typedef struct {
    const char *const        *hypothesis;   /* (count) */
    const char *const *const *reference;    /* (count) lists */
    const int                *references;   /* (count) length of each list, at least 1 */
    size_t                    count;
} Scored;

typedef struct {
    double *row;                /* (segments, width) owned */
    size_t  segments;
    int     width;
} Statistics;

/* statistics_make - the same for any number of workers. statistics_free releases. */
void statistics_make(Statistics *s, const Metric *metric, const void *options, const Scored *scored, Pool *pool);
void statistics_free(Statistics *s);

/* statistics_sum - overwrites sums[width]. */
void statistics_sum(const Statistics *s, double *sums);

#endif
