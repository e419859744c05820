/* evaluation.c - batches in any order, sums in the order of the batches. */
#include "train/evaluation.h"

#include "base/mem.h"
#include "train/batches.h"

#include <stdlib.h>

typedef struct {
    const Net     *net;
    const Weights *w;
    const Pairs   *pairs;
    size_t         size;
    int            begin, workers;
    double        *loss;        /* (batches) */
    size_t         batches;
} Task;

static double batch_loss(const Task *task, size_t number, Sentence *sentences, Arena *arena)
{
    const size_t first = number * task->size, left = task->pairs->count - first;
    const int count = (int)(left < task->size ? left : task->size);
    for (int i = 0; i < count; i++)
        sentences[i] = sentence_view(task->pairs, (int)first + i, i);
    batch_sort(sentences, count);
    BatchSize size = batch_size(sentences, count);
    Batch batch;
    arena_reserve(arena, batch_measure(size) + network_measure(task->net, size, 0));
    batch_build(&batch, arena, sentences, count, task->begin);
    return network_loss(task->net, task->w, &batch, 0, arena).plain;
}

static void work(void *context, int worker)
{
    const Task *task = context;
    Arena arena = { 0 };
    Sentence *sentences = xcalloc(task->size, sizeof *sentences);
    for (size_t i = (size_t)worker; i < task->batches; i += (size_t)task->workers)
        task->loss[i] = batch_loss(task, i, sentences, &arena);
    free(sentences);
    arena_free(&arena);
}

Evaluation evaluation_run(const Net *net, const Weights *w, const Pairs *pairs, int size, int begin, Pool *pool)
{
    Task task = { .net = net, .w = w, .pairs = pairs, .size = (size_t)size, .begin = begin,
                  .workers = pool_workers(pool), .batches = (pairs->count + (size_t)size - 1) / (size_t)size };
    task.loss = xcalloc(task.batches, sizeof *task.loss);
    pool_run(pool, work, &task);
    double sum = 0;
    for (size_t i = 0; i < task.batches; i++)
        sum += task.loss[i];
    free(task.loss);
    long tokens = pairs->count ? (long)pairs->target_at[pairs->count] : 0;
    return (Evaluation){ .loss = tokens ? sum / (double)tokens : 0, .tokens = tokens };
}
