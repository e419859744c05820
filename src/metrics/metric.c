/* metric.c - the table of metrics, those that are wanted, and the statistics of all segments. */
#include "metrics/metric.h"

#include "base/mem.h"
#include "base/version.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/ter.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

const Metric *const metrics[METRICS] = {
    [METRIC_BLEU]      = &metric_bleu,
    [METRIC_CHRF]      = &metric_chrf,
    [METRIC_CHRF_PLUS] = &metric_chrf_plus,
    [METRIC_TER]       = &metric_ter,
};

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

/* ---- those that are wanted: a bit and an options struct for each row of the table ---- */

void metric_set_init(MetricSet *set)
{
    set->wanted = 0;
    for (int i = 0; i < METRICS; i++) {
        set->options[i] = xmalloc(1, metrics[i]->options_size);
        memcpy(set->options[i], metrics[i]->defaults, metrics[i]->options_size);
    }
}

void metric_set_free(MetricSet *set)
{
    for (int i = 0; i < METRICS; i++) xfree(set->options[i]);
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
        if (metric->settle && metric->settle(set->options[i], use, e)) return -1;
    }
    return 0;
}

/* ---- statistics ---- */

enum { CHUNK = 256 };           /* segments that a worker takes at a time */

int hypotheses_references(const Hypotheses *hypotheses)
{
    for (size_t i = 1; i < hypotheses->count; i++)
        if (hypotheses->references[i] != hypotheses->references[0]) return 0;
    return hypotheses->references[0];
}

typedef struct {
    Statistics       *statistics;
    const Metric     *metric;
    const void       *options;
    const Hypotheses *hypotheses;
    atomic_size_t     next;             /* the first segment that no worker has taken */
} Work;

static void work(void *context, int worker)
{
    Work *w = context;
    const Hypotheses *h = w->hypotheses;
    (void)worker;
    for (size_t from; (from = atomic_fetch_add(&w->next, CHUNK)) < h->count;)
        for (size_t i = from; i < h->count && i < from + CHUNK; i++)
            w->metric->stats(w->options, h->hypothesis[i], h->reference[i], h->references[i],
                             w->statistics->row + i * (size_t)w->statistics->width);
}

void statistics_init(Statistics *s, const Metric *metric, const void *options,
                     const Hypotheses *hypotheses, Pool *pool)
{
    *s = (Statistics){ .segments = hypotheses->count, .width = metric->width(options) };
    s->row = xmalloc(s->segments, (size_t)s->width * sizeof *s->row);
    Work w = { .statistics = s, .metric = metric, .options = options, .hypotheses = hypotheses };
    pool_run(pool, work, &w);
}

void statistics_free(Statistics *s)
{
    xfree(s->row);
    *s = (Statistics){ 0 };
}

void statistics_sum(const Statistics *s, double *sums)
{
    memset(sums, 0, (size_t)s->width * sizeof *sums);
    for (size_t i = 0; i < s->segments; i++)
        for (int k = 0; k < s->width; k++) sums[k] += s->row[i * (size_t)s->width + (size_t)k];
}

double statistics_score(const Statistics *s, const Metric *metric, const void *options)
{
    double sums[METRIC_MAX_WIDTH];
    statistics_sum(s, sums);
    return metric->score(options, sums, 0);
}
