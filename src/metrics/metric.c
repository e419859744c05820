/* metric.c - the table of metrics, and the items that all signatures have. */
#include "metrics/metric.h"

#include "base/version.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/ter.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

const Metric *const metrics[METRICS] = {
    [METRIC_BLEU]      = &metric_bleu,
    [METRIC_CHRF]      = &metric_chrf,
    [METRIC_CHRF_PLUS] = &metric_chrf_plus,
    [METRIC_TER]       = &metric_ter,
};

int metric_find(const char *name, size_t length)
{
    for (int i = 0; i < METRICS; i++)
        if (strlen(metrics[i]->name) == length && !strncasecmp(metrics[i]->name, name, length))
            return i;
    return -1;
}

void metric_signature(const Metric *metric, const void *options, int references,
                      Resamples resamples, Buf *out)
{
    if (references) buf_printf(out, "nrefs:%d|", references);
    else buf_puts(out, "nrefs:var|");
    if (resamples.bootstrap) buf_printf(out, "bs:%d|", resamples.bootstrap);
    if (resamples.randomisation) buf_printf(out, "ar:%d|", resamples.randomisation);
    if (resamples.bootstrap || resamples.randomisation)
        buf_printf(out, "seed:%" PRIu64 "|", resamples.seed);
    metric->signature(options, out);
    buf_puts(out, "|version:attn-" ATTN_VERSION);
}
