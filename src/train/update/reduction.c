/* reduction.c - the workers of one team share the sum; several teams add up in turn. */
#include "train/update/reduction.h"

#include "base/mem.h"
#include "linalg/vector.h"

#include <stdlib.h>
#include <string.h>

void reduction_init(Reduction *r, size_t size, Pool *pool, Processes *processes)
{
    *r = (Reduction){ .pool = pool, .processes = processes, .size = size,
                      .crew = processes_crew(processes, pool),
                      .team = processes_team(processes, pool) };
    r->gradient = processes_block(processes, size * (size_t)r->team.all);
    memset(reduction_gradient(r, 0), 0, size * (size_t)r->team.own * sizeof(real));
    r->square_sum = xcalloc((size_t)r->crew.all, sizeof *r->square_sum);
}

void reduction_free(Reduction *r)
{
    processes_free_block(r->processes, r->gradient, r->size * (size_t)r->team.all);
    free(r->square_sum);
}

/* That of any worker of the team. */
static real *gradient_of(const Reduction *r, int worker)
{
    return r->gradient + (size_t)worker * r->size;
}

real *reduction_gradient(const Reduction *r, int worker)
{
    return gradient_of(r, r->team.first + worker);
}

real *reduction_values(const Reduction *r)
{
    return gradient_of(r, 0);
}

/* Whether all workers share their blocks. */
static int are_one_team(const Reduction *r)
{
    return r->team.all == r->crew.all;
}

/* The places of a worker in its process's shard. */
static Interval places_of(const Reduction *r, int worker)
{
    const Interval shard = processes_shard(r->processes, r->size);
    const size_t size = shard.to - shard.from;
    const Portion portion = { worker, r->crew.own };
    return (Interval){ shard.from + portion_start(size, portion),
                       shard.from + portion_end(size, portion) };
}

/* One team divides evenly what is changed. Others keep moments, which stay where they are: each
 * worker has the same places in every update. */
SparseUpdateWalk reduction_part(const Reduction *r, const SparseUpdate *changes, int worker)
{
    if (are_one_team(r))
        return sparse_update_walk(changes, (Portion){ r->team.first + worker, r->team.all });
    const Interval places = places_of(r, worker);
    return sparse_update_walk_within(changes, places.from, places.to);
}

/* ---- the sum of one team ---- */

typedef struct { Reduction *reduction; const SparseUpdate *changes; } Task;

/* Adds the blocks of all workers to that of the first, which holds the sum; returns the sum of its
 * squares if there are several. They are larger than the caches, so each is passed over once. */
static double add_blocks(const Reduction *r, size_t at, size_t count)
{
    real *sum = reduction_values(r) + at;
    double square_sum = 0;
    for (int i = 1; i < r->team.all; i++)
        square_sum = vector_absorb(sum, gradient_of(r, i) + at, count);
    return square_sum;
}

static void sum_part(void *context, int worker)
{
    const Task *task = context;
    const Reduction *r = task->reduction;
    SparseUpdateWalk walk = reduction_part(r, task->changes, worker);
    double square_sum = 0;
    for (Range range; sparse_update_next(&walk, &range);)
        square_sum += r->team.all > 1 ? add_blocks(r, range.at, range.count)
                    : vector_square_sum(reduction_values(r) + range.at, range.count);
    r->square_sum[r->team.first + worker] = square_sum;
}

static double total(const Reduction *r)
{
    double square_sum = 0;
    for (int i = 0; i < r->crew.all; i++)
        square_sum += r->square_sum[i];
    return square_sum;
}

static double sum_as_team(Task *task)
{
    const Reduction *r = task->reduction;
    for (int i = 0; i < r->crew.all; i++)
        r->square_sum[i] = 0;
    processes_meet(r->processes);
    pool_run(r->pool, sum_part, task);
    processes_sum(r->processes, r->square_sum, r->crew.all);
    return total(r);
}

/* ---- the sum of several teams ---- */

/* The values at .. at + count - 1, and what the processes before have made of them. */
typedef struct { const Reduction *reduction; const real *before; size_t at, count; } Piece;

static void add_share(void *context, int worker)
{
    const Piece *piece = context;
    const Reduction *r = piece->reduction;
    const Portion portion = { worker, r->crew.own };
    const size_t from = portion_start(piece->count, portion);
    const size_t count = portion_end(piece->count, portion) - from;
    const size_t at = piece->at + from;
    if (piece->before) vector_add(reduction_values(r) + at, piece->before + from, count);
    add_blocks(r, at, count);
}

static void add_piece(void *context, const real *before, size_t at, size_t count)
{
    const Reduction *r = context;
    Piece piece = { r, before, at, count };
    pool_run(r->pool, add_share, &piece);
}

/* The parts of one process with as many workers, every own-th of them by each worker here. */
static void square_parts(void *context, int worker)
{
    const Task *task = context;
    const Reduction *r = task->reduction;
    for (int part = worker; part < r->crew.all; part += r->crew.own) {
        SparseUpdateWalk walk = sparse_update_walk(task->changes, (Portion){ part, r->crew.all });
        r->square_sum[part] = 0;
        for (Range range; sparse_update_next(&walk, &range);)
            r->square_sum[part] += vector_square_sum(reduction_values(r) + range.at, range.count);
    }
}

/* Makes everything zero but the process's shard. */
static void clear_foreign(void *context, int worker)
{
    const Reduction *r = context;
    const Interval shard = processes_shard(r->processes, r->size);
    const Portion portion = { worker, r->crew.own };
    const size_t after = r->size - shard.to;
    const size_t low = portion_start(shard.from, portion), high = portion_start(after, portion);
    real *values = reduction_values(r);
    memset(values + low, 0, (portion_end(shard.from, portion) - low) * sizeof *values);
    memset(values + shard.to + high, 0, (portion_end(after, portion) - high) * sizeof *values);
}

static double sum_in_turn(Task *task)
{
    Reduction *r = task->reduction;
    processes_add_up(r->processes, reduction_values(r), r->size, add_piece, r);
    if (processes_is_last(r->processes)) pool_run(r->pool, square_parts, task);
    const double square_sum = processes_last(r->processes, total(r));
    pool_run(r->pool, clear_foreign, r);
    return square_sum;
}

double reduction_sum(Reduction *r, const SparseUpdate *changes)
{
    Task task = { r, changes };
    return are_one_team(r) ? sum_as_team(&task) : sum_in_turn(&task);
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
    processes_meet(r->processes);
}
