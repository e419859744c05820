/* statistics.c - segments shared among workers, and their sum. */
#include "metrics/statistics.h"

#include "base/mem.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SHARE = 256 };           /* segments that a worker takes at a time */

typedef struct {
    Statistics    *statistics;
    const Metric  *metric;
    const void    *options;
    const Scored  *scored;
    atomic_size_t  next;
} Work;

static void work(void *context, int worker)
{
    Work *w = context;
    const Scored *scored = w->scored;
    (void)worker;
    for (size_t from; (from = atomic_fetch_add(&w->next, SHARE)) < scored->count;)
        for (size_t i = from; i < scored->count && i < from + SHARE; i++)
            w->metric->stats(w->options, scored->hypothesis[i], scored->reference[i], scored->references[i],
                             w->statistics->row + i * (size_t)w->statistics->width);
}

void statistics_make(Statistics *s, const Metric *metric, const void *options, const Scored *scored, Pool *pool)
{
    *s = (Statistics){ .segments = scored->count, .width = metric->width(options) };
    s->row = xmalloc(s->segments, (size_t)s->width * sizeof *s->row);
    Work w = { .statistics = s, .metric = metric, .options = options, .scored = scored };
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
