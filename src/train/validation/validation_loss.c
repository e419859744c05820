/* validation_loss.c - sentences of equal length together; sums in the order of the batches. */
#include "train/validation/validation_loss.h"

#include "base/mem.h"
#include "model/batch.h"

#include <stdlib.h>

Sentence sentence_view(const Pairs *pairs, int i, int number)
{
    const size_t s = pairs->source_at[i], t = pairs->target_at[i];
    return (Sentence){ .source = pairs->source + s,
                       .source_length = (int)(pairs->source_at[i + 1] - s),
                       .target = pairs->target + t,
                       .target_length = (int)(pairs->target_at[i + 1] - t),
                       .number = number };
}

/* All pairs, longest first, cut into batches. */
typedef struct {
    Sentence   *sentences;
    BatchSlices batches;
} Plan;

static void plan_init(Plan *plan, const Pairs *pairs, int size)
{
    const int count = (int)pairs->count;
    plan->sentences = xmalloc(pairs->count, sizeof *plan->sentences);
    for (int i = 0; i < count; i++)
        plan->sentences[i] = sentence_view(pairs, i, i);
    batch_sort(plan->sentences, count);
    batch_slices_init(&plan->batches, plan->sentences, count, size);
}

static void plan_free(Plan *plan)
{
    batch_slices_free(&plan->batches);
    free(plan->sentences);
}

static size_t bytes_of(const Architecture *net, BatchSize size)
{
    return batch_measure(size) + network_measure(net, size, 0);
}

size_t validation_loss_measure(const Architecture *net, const Pairs *pairs, int size)
{
    Plan plan;
    size_t most = 0;
    plan_init(&plan, pairs, size);
    for (int i = 0; i < plan.batches.count; i++) {
        const BatchSlice *slice = &plan.batches.slice[i];
        const size_t bytes = bytes_of(net, batch_size(plan.sentences + slice->first, slice->count));
        if (bytes > most) most = bytes;
    }
    plan_free(&plan);
    return most;
}

typedef struct {
    const Architecture *net;
    const Weights      *w;
    int                 bos;
    Crew                crew;
    Plan                plan;
    double             *loss;       /* (batches) */
    Arena              *arena;      /* (workers) */
} Task;

/* Each process has as many of all batches, which are sorted, as it has workers. */
static int is_own(const Crew *crew, int number)
{
    const int worker = number % crew->all;
    return worker >= crew->first && worker < crew->first + crew->own;
}

static void add_loss(void *context, int worker, int number)
{
    Task *task = context;
    if (!is_own(&task->crew, number)) return;
    Arena *arena = &task->arena[worker];
    const BatchSlice *slice = &task->plan.batches.slice[number];
    const Sentence *sentences = task->plan.sentences + slice->first;
    Batch batch;
    arena_reserve(arena, bytes_of(task->net, batch_size(sentences, slice->count)));
    batch_build(&batch, arena, sentences, slice->count, task->bos);
    const Pass pass = pass_of_batch(task->net, task->w, &batch);
    task->loss[number] = network_loss(&pass, 0, arena).plain;
}

ValidationLoss validation_loss_run(const Architecture *net, const Weights *w, const Pairs *pairs,
                                   int size, int bos, Pool *pool, const atomic_int *stop,
                                   Processes *processes)
{
    const int workers = pool_workers(pool);
    ValidationLoss sum = { .tokens = pairs->count ? (long)pairs->target_at[pairs->count] : 0 };
    Task task = { .net = net, .w = w, .bos = bos,
                  .crew = processes_crew(processes, pool) };
    plan_init(&task.plan, pairs, size);
    task.loss = xcalloc((size_t)task.plan.batches.count, sizeof *task.loss);
    task.arena = xcalloc((size_t)workers, sizeof *task.arena);
    batch_slices_run(&task.plan.batches, pool, stop, add_loss, &task);
    processes_sum(processes, task.loss, task.plan.batches.count);
    for (int i = 0; i < task.plan.batches.count; i++)
        sum.loss += task.loss[i];
    for (long i = 0; i < sum.tokens; i++)
        sum.unknown += pairs->target[i] == ID_UNK;
    if (sum.tokens) sum.loss /= (double)sum.tokens;
    for (int i = 0; i < workers; i++)
        arena_free(&task.arena[i]);
    free(task.arena);
    free(task.loss);
    plan_free(&task.plan);
    return sum;
}
