/* statistics.c - the rows, computed by several workers, and their sum. */
#include "metrics/statistics.h"

#include "base/mem.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

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
    free(s->row);
    *s = (Statistics){ 0 };
}

void statistics_sum(const Statistics *s, double *sums)
{
    memset(sums, 0, (size_t)s->width * sizeof *sums);
    for (size_t i = 0; i < s->segments; i++)
        for (int k = 0; k < s->width; k++) sums[k] += s->row[i * (size_t)s->width + (size_t)k];
}
