/* metric_set.h - the metrics that are wanted, and the options of each metric. */
#ifndef ATTN_METRICS_METRIC_SET_H
#define ATTN_METRICS_METRIC_SET_H

#include "metrics/metric.h"

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

#endif
