/* optimizer.c - see optimizer.h. */
#include "train/optimizer.h"

#include "base/mem.h"
#include "nn/adam.h"

#include <stdlib.h>
#include <string.h>

void optimizer_init(Optimizer *o, real *weights, size_t size, double weight_decay)
{
    *o = (Optimizer){ .weights = weights, .size = size, .weight_decay = weight_decay };
    o->first = xaligned(size, sizeof(real));
    o->second = xaligned(size, sizeof(real));
}

void optimizer_reset(Optimizer *o)
{
    memset(o->first, 0, o->size * sizeof(real));
    memset(o->second, 0, o->size * sizeof(real));
}

void optimizer_free(Optimizer *o)
{
    free(o->first);
    free(o->second);
}

typedef struct {
    Optimizer           *optimizer;
    real                *gradient;
    const SparseUpdate  *changes;
    const OptimizerStep *step;
    int                  workers;
} Task;

static void step_range(const Task *task, Range range)
{
    const Optimizer *o = task->optimizer;
    const AdamOptions adam = { .rate = task->step->rate, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8,
                               .decay = range.decays ? o->weight_decay : 0 };
    real *gradient = task->gradient + range.at;
    adam_step(o->weights + range.at, o->first + range.at, o->second + range.at, gradient, task->step->scale, &adam,
              task->step->t, range.count);
    memset(gradient, 0, range.count * sizeof *gradient);
}

static void step_share(void *context, int worker)
{
    const Task *task = context;
    SparseUpdateWalk walk = sparse_update_walk(task->changes, (Portion){ worker, task->workers });
    for (Range range; sparse_update_next(&walk, &range);)
        step_range(task, range);
}

void optimizer_step(Optimizer *o, real *gradient, const SparseUpdate *changes, const OptimizerStep *step,
                    Pool *pool)
{
    Task task = { o, gradient, changes, step, pool_workers(pool) };
    pool_run(pool, step_share, &task);
}
