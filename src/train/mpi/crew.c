/* crew.c - the workers of all processes. */
#define _GNU_SOURCE
#include "train/mpi/connection.h"

#include "base/mem.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* The processes of this machine that may use the same cores. */
static int sharers(const Processes *p, const cpu_set_t *own)
{
    MPI_Comm machine;
    MPI_Request request;
    int count, same = 0;
    MPI_Comm_split_type(p->all, MPI_COMM_TYPE_SHARED, p->rank, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &count);
    cpu_set_t *sets = xcalloc((size_t)count, sizeof *sets);
    MPI_Iallgather(own, sizeof *own, MPI_BYTE, sets, sizeof *own, MPI_BYTE, machine, &request);
    connection_wait(&request, 1);
    for (int i = 0; i < count; i++)
        same += CPU_EQUAL(&sets[i], own) != 0;
    free(sets);
    MPI_Comm_free(&machine);
    return same;
}

static int own_cores(const Processes *p)
{
    cpu_set_t set;
    memset(&set, 0, sizeof set);
    sched_getaffinity(0, sizeof set, &set);
    const int cores = pool_cores() / sharers(p, &set);
    return cores ? cores : 1;
}

int processes_divide(Processes *p, int workers, Err *e)
{
    if (connection_is_alone(p)) return workers;
    if (!workers) return own_cores(p);
    if (workers < p->count)
        return err(e, "--threads %d are workers of all %d processes, of which each needs one",
                   workers, p->count);
    return workers * (p->rank + 1) / p->count - workers * p->rank / p->count;
}

void processes_gather_crew(Processes *p, const Pool *pool)
{
    const int own = pool_workers(pool);
    MPI_Request request;
    if (connection_is_alone(p)) return;
    MPI_Iallgather(&own, 1, MPI_INT, p->first + 1, 1, MPI_INT, p->all, &request);
    connection_wait(&request, 1);
    for (int i = 0; i < p->count; i++)
        p->first[i + 1] += p->first[i];
    connection_share_memory(p);
}

Crew processes_crew(const Processes *p, const Pool *pool)
{
    const int own = pool_workers(pool);
    if (connection_is_alone(p)) return (Crew){ 0, own, own };
    return (Crew){ p->first[p->rank], own, p->first[p->count] };
}
