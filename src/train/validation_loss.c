/* validation_loss.c - sentences of equal length together, any worker any batch, sums in the order of the batches. */
#include "train/validation_loss.h"

#include "base/mem.h"

#include <stdlib.h>

typedef struct { int first, count; double loss; } Slice;

typedef struct {
    const Architecture        *net;
    const Weights    *w;
    Sentence         *sentences;    /* longest first */
    Slice            *slice;
    int               slices, begin, workers;
    const atomic_int *stop;         /* or NULL */
} Task;

static size_t bytes_of(const Architecture *net, BatchSize size)
{
    return batch_measure(size) + network_measure(net, size, 0);
}

static double batch_loss(const Task *task, const Slice *slice, Arena *arena)
{
    const Sentence *sentences = task->sentences + slice->first;
    BatchSize size = batch_size(sentences, slice->count);
    Batch batch;
    arena_reserve(arena, bytes_of(task->net, size));
    batch_build(&batch, arena, sentences, slice->count, task->begin);
    const Pass pass = pass_of_batch(task->net, task->w, &batch);
    return network_loss(&pass, 0, arena).plain;
}

static int is_stopped(const Task *task)
{
    return task->stop && atomic_load(task->stop);
}

static void work(void *context, int worker)
{
    const Task *task = context;
    Arena arena = { 0 };
    for (int i = worker; i < task->slices && !is_stopped(task); i += task->workers)
        task->slice[i].loss = batch_loss(task, &task->slice[i], &arena);
    arena_free(&arena);
}

Sentence sentence_view(const Pairs *pairs, int i, int number)
{
    const size_t s = pairs->source_at[i], t = pairs->target_at[i];
    return (Sentence){ .source = pairs->source + s, .source_length = (int)(pairs->source_at[i + 1] - s),
                       .target = pairs->target + t, .target_length = (int)(pairs->target_at[i + 1] - t),
                       .number = number };
}

static void cut(Task *task, int count, int size)
{
    for (int at = 0; at < count; at += task->slice[task->slices++].count)
        task->slice[task->slices] = (Slice){ at, batch_take(task->sentences + at, count - at, size), 0 };
}

/* The batches of all pairs: task->sentences, longest first, and task->slice; for forget. */
static void plan(Task *task, const Pairs *pairs, int size)
{
    const int count = (int)pairs->count;
    task->sentences = xmalloc(pairs->count, sizeof *task->sentences);
    task->slice = xmalloc(pairs->count, sizeof *task->slice);
    for (int i = 0; i < count; i++)
        task->sentences[i] = sentence_view(pairs, i, i);
    batch_sort(task->sentences, count);
    cut(task, count, size);
}

static void forget(Task *task)
{
    free(task->slice);
    free(task->sentences);
}

size_t validation_loss_measure(const Architecture *net, const Pairs *pairs, int size)
{
    Task task = { .net = net };
    size_t most = 0;
    plan(&task, pairs, size);
    for (int i = 0; i < task.slices; i++) {
        size_t bytes = bytes_of(net, batch_size(task.sentences + task.slice[i].first, task.slice[i].count));
        if (bytes > most) most = bytes;
    }
    forget(&task);
    return most;
}

ValidationLoss validation_loss_run(const Architecture *net, const Weights *w, const Pairs *pairs, int size, int begin, Pool *pool,
                          const atomic_int *stop)
{
    Task task = { .net = net, .w = w, .begin = begin, .workers = pool_workers(pool), .stop = stop };
    ValidationLoss sum = { .tokens = pairs->count ? (long)pairs->target_at[pairs->count] : 0 };
    plan(&task, pairs, size);
    pool_run(pool, work, &task);
    for (int i = 0; i < task.slices; i++)
        sum.loss += task.slice[i].loss;
    if (sum.tokens) sum.loss /= (double)sum.tokens;
    forget(&task);
    return sum;
}
