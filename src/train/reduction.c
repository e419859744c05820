/* reduction.c - each worker sums an equal part of the changed values. */
#include "train/reduction.h"

#include "base/mem.h"
#include "linalg/vector.h"

#include <stdlib.h>
#include <string.h>

void reduction_init(Reduction *r, size_t size, Pool *pool)
{
    const int workers = pool_workers(pool);
    *r = (Reduction){ .pool = pool, .workers = workers };
    r->gradient = xcalloc((size_t)workers, sizeof *r->gradient);
    r->square_sum = xcalloc((size_t)workers, sizeof *r->square_sum);
    for (int i = 0; i < workers; i++)
        r->gradient[i] = xaligned(size, sizeof(real));
}

void reduction_free(Reduction *r)
{
    for (int i = 0; i < r->workers; i++)
        free(r->gradient[i]);
    free(r->gradient);
    free(r->square_sum);
}

real *reduction_gradient(const Reduction *r, int worker)
{
    return r->gradient[worker];
}

SparseUpdateWalk reduction_part(const Reduction *r, const SparseUpdate *changes, int worker)
{
    return sparse_update_walk(changes, (Portion){ worker, r->workers });
}

real *reduction_values(const Reduction *r)
{
    return r->gradient[0];
}

typedef struct { Reduction *reduction; const SparseUpdate *changes; } Task;

static double sum_range(const Reduction *r, Range range)
{
    real *sum = reduction_values(r) + range.at;
    for (int i = 1; i < r->workers; i++) {
        real *other = r->gradient[i] + range.at;
        vector_add(sum, other, range.count);
        memset(other, 0, range.count * sizeof *other);
    }
    return vector_square_sum(sum, range.count);
}

static void sum_part(void *context, int worker)
{
    const Task *task = context;
    SparseUpdateWalk walk = reduction_part(task->reduction, task->changes, worker);
    double square_sum = 0;
    for (Range range; sparse_update_next(&walk, &range);)
        square_sum += sum_range(task->reduction, range);
    task->reduction->square_sum[worker] = square_sum;
}

double reduction_sum(Reduction *r, const SparseUpdate *changes)
{
    Task task = { r, changes };
    double square_sum = 0;
    pool_run(r->pool, sum_part, &task);
    for (int i = 0; i < r->workers; i++)
        square_sum += r->square_sum[i];
    return square_sum;
}

static void discard_part(void *context, int worker)
{
    const Task *task = context;
    SparseUpdateWalk walk = reduction_part(task->reduction, task->changes, worker);
    for (Range range; sparse_update_next(&walk, &range);)
        memset(reduction_values(task->reduction) + range.at, 0, range.count * sizeof(real));
}

void reduction_discard(Reduction *r, const SparseUpdate *changes)
{
    Task task = { r, changes };
    pool_run(r->pool, discard_part, &task);
}
