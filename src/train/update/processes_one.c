/* processes_one.c - the program built without MPI: one process, which must have been started as
 * one. */
#include "train/update/processes.h"

#include "base/mem.h"
#include "base/system/launcher.h"

#include <stdlib.h>

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
    (void)p;
}

int processes_count(const Processes *p)
{
    (void)p;
    return 1;
}

int processes_rank(const Processes *p)
{
    (void)p;
    return 0;
}

int processes_is_first(const Processes *p)
{
    (void)p;
    return 1;
}

int processes_is_last(const Processes *p)
{
    (void)p;
    return 1;
}

int processes_agree(Processes *p, int rc, Err *e)
{
    (void)p, (void)e;
    return rc;
}

int processes_compare(Processes *p, const char *what, const char *text, const char *advice,
                      Err *e)
{
    (void)p, (void)what, (void)text, (void)advice, (void)e;
    return 0;
}

void processes_max(Processes *p, double *values, int count)
{
    (void)p, (void)values, (void)count;
}

void processes_sum(Processes *p, double *values, int count)
{
    (void)p, (void)values, (void)count;
}

void processes_share(Processes *p, void *bytes, size_t size)
{
    (void)p, (void)bytes, (void)size;
}

const int *processes_gather(Processes *p, const int *own, size_t size, size_t *count)
{
    (void)p;
    *count = size;
    return own;
}

void processes_collect(Processes *p, char **text, size_t count)
{
    (void)p, (void)text, (void)count;
}

int processes_divide(Processes *p, int workers, Err *e)
{
    (void)p, (void)e;
    return workers;
}

void processes_gather_crew(Processes *p, const Pool *pool)
{
    (void)p, (void)pool;
}

Crew processes_crew(const Processes *p, const Pool *pool)
{
    (void)p;
    return (Crew){ 0, pool_workers(pool), pool_workers(pool) };
}

real *processes_block(Processes *p, size_t size)
{
    (void)p;
    return xaligned_raw(size, sizeof(real));
}

void processes_free_block(Processes *p, real *block, size_t size)
{
    (void)p, (void)size;
    free(block);
}

Crew processes_team(const Processes *p, const Pool *pool)
{
    return processes_crew(p, pool);
}

int processes_fills(const Processes *p)
{
    (void)p;
    return 1;
}

void processes_meet(Processes *p)
{
    (void)p;
}

Interval processes_shard(const Processes *p, size_t size)
{
    (void)p;
    return (Interval){ 0, size };
}

void processes_add_up(Processes *p, real *sum, size_t size, AddOwn *add, void *context)
{
    (void)p, (void)sum;
    add(context, NULL, 0, size);
}

double processes_last(Processes *p, double value)
{
    (void)p;
    return value;
}

void processes_exchange(Processes *p, int exchange)
{
    (void)p, (void)exchange;
}

void processes_keep_shard(Processes *p, const real *block, size_t size)
{
    (void)p, (void)block, (void)size;
}

void processes_share_shard(Processes *p, real *block, size_t size)
{
    (void)p, (void)block, (void)size;
}

void processes_gather_shards(Processes *p, real *block, size_t size)
{
    (void)p, (void)block, (void)size;
}
