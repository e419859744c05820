/* metric_set.c - a bit and an options struct for each row of the table of metrics. */
#include "metrics/metric_set.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void metric_set_init(MetricSet *set)
{
    set->wanted = 0;
    for (int i = 0; i < METRICS; i++) {
        set->options[i] = xcalloc(1, metrics[i]->options_size);
        metrics[i]->defaults(set->options[i]);
    }
}

void metric_set_free(MetricSet *set)
{
    for (int i = 0; i < METRICS; i++) free(set->options[i]);
    *set = (MetricSet){ 0 };
}

int metric_set_has(const MetricSet *set, int metric)
{
    return set->wanted >> metric & 1;
}

void metric_set_add(MetricSet *set, int metric)
{
    set->wanted |= 1u << metric;
}

int metric_set_uses_options(const MetricSet *set, int metric)
{
    for (int i = 0; i < METRICS; i++)
        if (metric_set_has(set, i) && (i == metric || metrics[i]->variant_of == metrics[metric]))
            return 1;
    return 0;
}

int metric_set_settle(MetricSet *set, const MetricUse *use, Err *e)
{
    for (int i = 0; i < METRICS; i++) {
        if (!metric_set_has(set, i)) continue;
        const Metric *metric = metrics[i];
        for (int k = 0; k < i; k++)
            if (metric->variant_of == metrics[k])
                memcpy(set->options[i], set->options[k], metric->options_size);
        if (metric->settle(set->options[i], use, e)) return -1;
    }
    return 0;
}
