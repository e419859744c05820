/* weight_average.c - see weight_average.h. */
#include "train/update/weight_average.h"

#include "linalg/vector.h"
#include "train/update/sparse_update.h"

#include <math.h>
#include <string.h>

void weight_average_init(WeightAverage *a, const real *weights, size_t size, double beta,
                         Processes *processes)
{
    *a = (WeightAverage){ .weights = weights, .size = size, .beta = beta,
                          .processes = processes };
    if (beta <= 0) return;
    a->values = processes_block(processes, size);
    if (processes_fills(processes)) memcpy(a->values, weights, size * sizeof(real));
}

void weight_average_free(WeightAverage *a)
{
    if (a->values) processes_free_block(a->processes, a->values, a->size);
}

typedef struct { WeightAverage *average; real share; Crew team; } Task;

static void approach(void *context, int worker)
{
    const Task *task = context;
    const WeightAverage *a = task->average;
    const Portion portion = { task->team.first + worker, task->team.all };
    const size_t from = portion_start(a->size, portion), to = portion_end(a->size, portion);
    vector_approach(a->values + from, task->share, a->weights + from, to - from);
}

void weight_average_sample(WeightAverage *a, long update, Pool *pool)
{
    enum { LONGEST = 32 };
    if (!a->values) return;
    const long every = lround(fmax(1, fmin(LONGEST, 0.1 / (1 - a->beta)))), since = update - 1;
    if (since % every) return;
    const double n = (double)(since / every);
    const double b = fmin(pow(a->beta, (double)every), (1 + n) / (10 + n));
    Task task = { a, (real)(1 - b), processes_team(a->processes, pool) };
    pool_run(pool, approach, &task);
    processes_meet(a->processes);
}
