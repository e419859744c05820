/* connection.c - see connection.h. */
#define _GNU_SOURCE
#include "train/mpi/connection.h"

#include "base/mem.h"
#include "base/system/environment.h"

#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Seconds that the others may take to start: some launchers don't notice those that never do. */
static const unsigned starting = 300;

/* ---- waiting ---- */

/* After so many tests gives way to others that need the core, later for longer. */
int connection_wait_some(MPI_Request *request, double seconds)
{
    enum { MANY = 1 << 30, TESTS_A_LOOK = 64, EAGER_TESTS = 200, YIELDS = 20000 };
    static const struct timespec nap = { .tv_nsec = 100000 };
    const double end = clock_seconds() + seconds;
    int ended = 0;
    for (int tests = 0; !ended; tests += tests < MANY) {
        MPI_Test(request, &ended, MPI_STATUS_IGNORE);
        if (!ended && tests % TESTS_A_LOOK == 0 && clock_seconds() > end) return 0;
        if (!ended && tests > YIELDS) nanosleep(&nap, NULL);
        else if (!ended && tests > EAGER_TESTS) sched_yield();
    }
    return 1;
}

void connection_wait(MPI_Request *requests, int count)
{
    for (int i = 0; i < count; i++)
        connection_wait_some(&requests[i], INFINITY);
}

/* ---- joining ---- */

const char *processes_library(void)
{
    static char name[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(name, &length);
    name[strcspn(name, ",\n")] = '\0';
    return name;
}

static Processes *new_processes(void)
{
    char host[MPI_MAX_PROCESSOR_NAME];
    int length;
    Processes *p = xcalloc(1, sizeof *p);
    MPI_Comm_dup(MPI_COMM_WORLD, &p->all);
    MPI_Comm_dup(MPI_COMM_WORLD, &p->agreement);
    MPI_Comm_rank(p->all, &p->rank);
    MPI_Comm_size(p->all, &p->count);
    p->first = xcalloc((size_t)p->count + 1, sizeof *p->first);
    p->exchange.before = xaligned(AHEAD * PIECE, sizeof(real));
    p->exchange.narrow = xaligned(AHEAD * PIECE, sizeof(uint16_t));
    MPI_Get_processor_name(host, &length);
    snprintf(p->name, sizeof p->name, "%s (process %d)", host, p->rank);
    return p;
}

static void give_up(int number)
{
    static const char text[] = "attn: error: the other processes of this training do not start\n";
    (void)number;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(1);
}

int processes_join(Processes **p, Err *e)
{
    const int started = launcher_processes();
    int given;
    *p = NULL;
    if (!started) return 0;
    /* Nothing can be tested or interrupted here but by a signal. */
    signal(SIGALRM, give_up);
    alarm(starting);
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given);
    alarm(0);
    signal(SIGALRM, SIG_DFL);
    *p = new_processes();
    if ((*p)->count < started)
        return err(e, "%d of this program were started together, but MPI connects only %d: this is "
                      "%s, and the launcher must be its own (srun --mpi=list shows what srun has)",
                   started, (*p)->count, processes_library());
    if ((*p)->rank) message_from((*p)->name);
    return 0;
}

void processes_leave(Processes *p)
{
    MPI_Request request;
    if (!p) return;
    MPI_Ibarrier(p->all, &request);
    connection_wait(&request, 1);
    MPI_Comm_free(&p->all);
    MPI_Comm_free(&p->agreement);
    free(p->exchange.before);
    free(p->exchange.narrow);
    free(p->exchange.shard);
    free(p->exchange.narrow_shard);
    free(p->exchange.sent);
    free(p->exchange.request);
    free(p->first);
    free(p->gathered);
    free(p);
    MPI_Finalize();
}

int processes_count(const Processes *p)
{
    return p ? p->count : 1;
}

int processes_rank(const Processes *p)
{
    return p ? p->rank : 0;
}

int connection_is_alone(const Processes *p)
{
    return processes_count(p) == 1;
}

/* ---- the workers of all ---- */

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

int processes_divide(Processes *p, int workers, Err *e)
{
    if (connection_is_alone(p)) return workers;
    if (!workers) {
        cpu_set_t set;
        memset(&set, 0, sizeof set);
        sched_getaffinity(0, sizeof set, &set);
        const int cores = pool_cores() / sharers(p, &set);
        return cores ? cores : 1;
    }
    if (workers < p->count)
        return err(e, "--threads %d are workers of all %d processes, of which each needs one",
                   workers, p->count);
    return workers * (p->rank + 1) / p->count - workers * p->rank / p->count;
}

void processes_gather_crew(Processes *p, const Pool *pool, int exchange)
{
    const int own = pool_workers(pool);
    MPI_Request request;
    if (connection_is_alone(p)) return;
    p->exchange.kind = exchange;
    MPI_Iallgather(&own, 1, MPI_INT, p->first + 1, 1, MPI_INT, p->all, &request);
    connection_wait(&request, 1);
    for (int i = 0; i < p->count; i++)
        p->first[i + 1] += p->first[i];
}

Crew processes_crew(const Processes *p, const Pool *pool)
{
    const int own = pool_workers(pool);
    if (connection_is_alone(p)) return (Crew){ 0, own, own };
    return (Crew){ p->first[p->rank], own, p->first[p->count] };
}
