/* reduction.c - each worker sums an equal part of what changed. */
#include "train/reduction.h"

#include "base/mem.h"
#include "linalg/vector.h"

#include <stdlib.h>
#include <string.h>

typedef struct { Reduction *reduction; const SparseUpdate *changes; } Task;

void reduction_init(Reduction *r, int workers)
{
    r->workers = workers;
    r->gradient = xcalloc((size_t)workers, sizeof *r->gradient);
    r->square_sum = xcalloc((size_t)workers, sizeof *r->square_sum);
}

void reduction_free(Reduction *r)
{
    free(r->gradient);
    free(r->square_sum);
}

static SparseUpdateWalk walk_of(const Task *task, int worker)
{
    return sparse_update_walk(task->changes, (Portion){ worker, task->reduction->workers });
}

static double sum_range(const Reduction *r, Range range)
{
    real *sum = r->gradient[0] + range.at;
    for (int i = 1; i < r->workers; i++) {
        real *other = r->gradient[i] + range.at;
        vector_add(sum, other, range.count);
        memset(other, 0, range.count * sizeof *other);
    }
    return vector_square_sum(sum, range.count);
}

static void sum(void *context, int worker)
{
    const Task *task = context;
    double square_sum = 0;
    Range range;
    for (SparseUpdateWalk walk = walk_of(task, worker); sparse_update_next(&walk, &range);)
        square_sum += sum_range(task->reduction, range);
    task->reduction->square_sum[worker] = square_sum;
}

double reduction_sum(Reduction *r, const SparseUpdate *changes, Pool *pool)
{
    Task task = { r, changes };
    double square_sum = 0;
    pool_run(pool, sum, &task);
    for (int i = 0; i < r->workers; i++)
        square_sum += r->square_sum[i];
    return square_sum;
}

static void discard(void *context, int worker)
{
    const Task *task = context;
    Range range;
    for (SparseUpdateWalk walk = walk_of(task, worker); sparse_update_next(&walk, &range);)
        memset(task->reduction->gradient[0] + range.at, 0, range.count * sizeof(real));
}

void reduction_discard(Reduction *r, const SparseUpdate *changes, Pool *pool)
{
    Task task = { r, changes };
    pool_run(pool, discard, &task);
}
