/* processes_one.c - the program built without MPI: one process, which must have been started as
 * one. */
#include "train/update/processes.h"

#include "base/system/environment.h"

/* Nothing here needs to know the other processes. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

const char *const exchange_names[] = { "float", "bf16", NULL };

const char *processes_library(void)
{
    return NULL;
}

int processes_join(Processes **p, Err *e)
{
    const int count = launcher_processes();
    *p = NULL;
    if (count <= 1) return 0;
    return err(e, "%d of this program were started together, which was built without MPI, and all "
                  "would write the same model; build it with 'make MPI=1', or start it once",
               count);
}

void processes_leave(Processes *p)
{
}

int processes_count(const Processes *p)
{
    return 1;
}

int processes_rank(const Processes *p)
{
    return 0;
}

int processes_agree(Processes *p, int rc, Err *e)
{
    return rc;
}

int processes_compare(Processes *p, const char *what, const char *text, const char *advice,
                      Err *e)
{
    return 0;
}

void processes_max(Processes *p, double *values, int count)
{
}

void processes_sum(Processes *p, double *values, int count)
{
}

void processes_share(Processes *p, void *bytes, size_t size)
{
}

const int *processes_gather(Processes *p, const int *own, size_t size, size_t *count)
{
    *count = size;
    return own;
}

void processes_collect(Processes *p, char **text, size_t count)
{
}

int processes_divide(Processes *p, int workers, Err *e)
{
    return workers;
}

void processes_gather_crew(Processes *p, const Pool *pool, int exchange)
{
}

Crew processes_crew(const Processes *p, const Pool *pool)
{
    return (Crew){ 0, pool_workers(pool), pool_workers(pool) };
}

Interval processes_shard(const Processes *p, size_t size)
{
    return (Interval){ 0, size };
}

void processes_add_up(Processes *p, real *sum, size_t size, AddOwn *add, void *context)
{
    add(context, NULL, 0, size);
}

void processes_keep_shard(Processes *p, const real *block, size_t size)
{
}

void processes_share_shard(Processes *p, real *block, size_t size)
{
}

void processes_gather_shards(Processes *p, real *block, size_t size)
{
}
