/* metric.c - the table of metrics, and the items that all signatures have. */
#include "metrics/metric.h"

#include "base/version.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/ter.h"

#include <inttypes.h>

const Metric *const metrics[METRICS] = { &metric_bleu, &metric_chrf, &metric_chrf_plus, &metric_ter };

void metric_signature(const Metric *metric, const void *options, int references, Drawn drawn, Buf *out)
{
    if (references) buf_printf(out, "nrefs:%d|", references);
    else buf_puts(out, "nrefs:var|");
    if (drawn.bootstrap) buf_printf(out, "bs:%d|", drawn.bootstrap);
    if (drawn.randomisation) buf_printf(out, "ar:%d|", drawn.randomisation);
    if (drawn.bootstrap || drawn.randomisation) buf_printf(out, "seed:%" PRIu64 "|", drawn.seed);
    metric->signature(options, out);
    buf_puts(out, "|version:attn-" ATTN_VERSION);
}
