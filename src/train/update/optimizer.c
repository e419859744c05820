/* optimizer.c - see optimizer.h. */
#include "train/update/optimizer.h"

#include <string.h>

void optimizer_init(Optimizer *o, real *weights, size_t size, Processes *processes,
                    const AdamOptions *adam)
{
    *o = (Optimizer){ .weights = weights, .size = size, .processes = processes,
                      .shard = processes_shard(processes, size), .adam = *adam };
    o->first = processes_block(processes, size);
    o->second = processes_block(processes, size);
    optimizer_reset(o);
}

void optimizer_reset(Optimizer *o)
{
    const size_t bytes = (o->shard.to - o->shard.from) * sizeof(real);
    memset(o->first + o->shard.from, 0, bytes);
    memset(o->second + o->shard.from, 0, bytes);
}

void optimizer_free(Optimizer *o)
{
    processes_free_block(o->processes, o->first, o->size);
    processes_free_block(o->processes, o->second, o->size);
}

typedef struct {
    Optimizer           *optimizer;
    const Reduction     *gradient;
    const SparseUpdate  *changes;
    const OptimizerStep *step;
} Task;

/* In pieces whose gradient is still in the first cache when it becomes zero. */
static void step_range(const Task *task, Range range)
{
    enum { PIECE = 4096 };
    const Optimizer *o = task->optimizer;
    AdamOptions adam = o->adam;
    adam.rate = task->step->rate;
    if (!range.decays) adam.decay = 0;
    const size_t end = range.at + range.count;
    for (size_t at = range.at; at < end; at += PIECE) {
        const size_t count = end - at < PIECE ? end - at : PIECE;
        real *gradient = reduction_values(task->gradient) + at;
        adam_step(o->weights + at, o->first + at, o->second + at, gradient, task->step->scale,
                  &adam, task->step->t, count);
        memset(gradient, 0, count * sizeof *gradient);
    }
}

static void step_part(void *context, int worker)
{
    const Task *task = context;
    SparseUpdateWalk walk = reduction_part(task->gradient, task->changes, worker);
    for (Range range; sparse_update_next(&walk, &range);)
        step_range(task, range);
}

void optimizer_step(Optimizer *o, const Reduction *gradient, const SparseUpdate *changes,
                    const OptimizerStep *step)
{
    Task task = { o, gradient, changes, step };
    pool_run(gradient->pool, step_part, &task);
}
