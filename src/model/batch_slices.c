/* batch_slices.c - see batch_slices.h. */
#include "model/batch_slices.h"

#include "base/mem.h"

#include <stdlib.h>

void batch_slices_init(BatchSlices *s, const Sentence *sentences, int count, int most)
{
    *s = (BatchSlices){ .slice = xmalloc((size_t)count, sizeof *s->slice) };
    for (int at = 0; at < count; at += s->slice[s->count++].count)
        s->slice[s->count] = (BatchSlice){ at, batch_take(sentences + at, count - at, most) };
}

void batch_slices_free(BatchSlices *s)
{
    xfree(s->slice);
    *s = (BatchSlices){ 0 };
}

typedef struct {
    const BatchSlices *slices;
    const atomic_int  *stop;
    BatchSliceWork    *work;
    void              *context;
    atomic_int         next;        /* first slice that no worker has taken */
} Run;

static int is_stopped(const Run *run)
{
    return run->stop && atomic_load(run->stop);
}

static void take_slices(void *context, int worker)
{
    Run *run = context;
    for (int i; !is_stopped(run) && (i = atomic_fetch_add(&run->next, 1)) < run->slices->count;)
        run->work(run->context, worker, i);
}

void batch_slices_run(const BatchSlices *s, Pool *pool, const atomic_int *stop,
                      BatchSliceWork *work, void *context)
{
    Run run = { .slices = s, .stop = stop, .work = work, .context = context };
    pool_run(pool, take_slices, &run);
}
