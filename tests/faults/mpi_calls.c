/* mpi_calls.c - a process of a training that is killed at an exact place.
 *
 *     ATTN_KILLED="1 MPI_Isend 9" mpirun -n 2 build/release-mpich/tests/attn-faults train ...
 *
 * kills process 1 when it calls MPI_Isend for the ninth time, before anything is sent. By MPI's
 * profiling interface: these functions stand in for those of the library, which are PMPI_Isend and
 * so on.
 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls;           /* of the function that kills */

/* -1: it is not yet known. */
static int own_rank(void)
{
    int rank = -1, is_known;
    PMPI_Initialized(&is_known);
    if (is_known) PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

static void count(const char *name)
{
    const char *wanted = getenv("ATTN_KILLED");
    char killer[32];
    int victim, number;
    if (!wanted || sscanf(wanted, "%d %31s %d", &victim, killer, &number) != 3) return;
    if (own_rank() == victim && !strcmp(name, killer) && ++calls == number) raise(SIGKILL);
}

int MPI_Isend(const void *buf, int size, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    count("MPI_Isend");
    return PMPI_Isend(buf, size, type, to, tag, comm, request);
}

int MPI_Irecv(void *buf, int size, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    count("MPI_Irecv");
    return PMPI_Irecv(buf, size, type, from, tag, comm, request);
}

int MPI_Ibcast(void *buf, int size, MPI_Datatype type, int root, MPI_Comm comm,
               MPI_Request *request)
{
    count("MPI_Ibcast");
    return PMPI_Ibcast(buf, size, type, root, comm, request);
}

int MPI_Iallreduce(const void *own, void *all, int size, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request *request)
{
    count("MPI_Iallreduce");
    return PMPI_Iallreduce(own, all, size, type, op, comm, request);
}

int MPI_Iallgather(const void *own, int size, MPI_Datatype type, void *all, int each,
                   MPI_Datatype each_type, MPI_Comm comm, MPI_Request *request)
{
    count("MPI_Iallgather");
    return PMPI_Iallgather(own, size, type, all, each, each_type, comm, request);
}

int MPI_Iallgatherv(const void *own, int size, MPI_Datatype type, void *all, const int sizes[],
                    const int at[], MPI_Datatype each_type, MPI_Comm comm, MPI_Request *request)
{
    count("MPI_Iallgatherv");
    return PMPI_Iallgatherv(own, size, type, all, sizes, at, each_type, comm, request);
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    count("MPI_Ibarrier");
    return PMPI_Ibarrier(comm, request);
}
