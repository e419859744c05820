/* processes_mpi.c - processes that talk by MPI, in calls of MPI 3. Only the thread that joined
 * calls it (MPI_THREAD_FUNNELED).
 *
 * A process never waits inside of MPI, but tests, and sleeps when that takes long: several may
 * share a core.
 */
#define _GNU_SOURCE
#include "train/processes.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/launcher.h"
#include "base/mem.h"
#include "base/stray.h"
#include "linalg/vector.h"

#include <math.h>
#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef REAL_DOUBLE
#define REAL_TYPE MPI_DOUBLE
#else
#define REAL_TYPE MPI_FLOAT
#endif

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)
#if defined OPEN_MPI
#define LIBRARY "Open MPI " TEXT(OMPI_MAJOR_VERSION) "." TEXT(OMPI_MINOR_VERSION) "." \
                TEXT(OMPI_RELEASE_VERSION)
#elif defined MPICH_VERSION
#define LIBRARY "MPICH " MPICH_VERSION
#else
#define LIBRARY "MPI " TEXT(MPI_VERSION) "." TEXT(MPI_SUBVERSION)
#endif

/* Seconds that a process whose work has failed waits for the others. */
static const double patience = 3;
/* Seconds that the others may take to start: some launchers don't notice those that never do. */
static const unsigned starting = 30;

enum {
    PIECE = 1 << 16,            /* values of one message of a sum: 256 kB */
    AHEAD = 4,                  /* messages that may arrive before they are needed */
    HOST_TEXT = MPI_MAX_PROCESSOR_NAME + 32
};

struct Processes {
    MPI_Comm all;
    MPI_Comm agreement;         /* of processes_agree alone, which may be called while others wait
                                 * for something else */
    int      rank, count;
    int     *first;             /* (count + 1) workers before each process */
    int      exchange;          /* EXCHANGE_... */
    real    *before[AHEAD];     /* (PIECE) what has arrived of a sum */
    uint16_t *narrow[AHEAD];    /* (PIECE) the same in bfloat16 */
    real    *shard;             /* (shard_capacity) the sum of the own shard, and what its weights
                                 * were */
    uint16_t *narrow_shard;     /* (narrow_capacity) the same sum in bfloat16 */
    uint16_t *sent;             /* (sent_capacity) a block in bfloat16 */
    size_t   shard_capacity, narrow_capacity, sent_capacity;
    int     *gathered;          /* (gathered_capacity) numbers of all processes */
    size_t   gathered_capacity;
    MPI_Request *request;       /* (request_capacity) the messages of a sum */
    size_t   request_capacity;
    char     name[HOST_TEXT];   /* "host2 (process 3)" */
};

/* ---- waiting ---- */

/* Gives way to others that need the core, later for longer. */
static void rest(int tests)
{
    enum { EAGER_TESTS = 200, YIELDS = 20000 };
    static const struct timespec nap = { .tv_nsec = 100000 };
    if (tests > YIELDS) nanosleep(&nap, NULL);
    else if (tests > EAGER_TESTS) sched_yield();
}

/* Waits until the request has ended, or at most these seconds; returns whether it has. */
static int wait_some(MPI_Request *request, double seconds)
{
    enum { MANY = 1 << 30, TESTS_A_LOOK = 64 };
    const double end = clock_seconds() + seconds;
    int ended = 0;
    for (int tests = 0; !ended; tests += tests < MANY) {
        MPI_Test(request, &ended, MPI_STATUS_IGNORE);
        if (!ended && tests % TESTS_A_LOOK == 0 && clock_seconds() > end) return 0;
        if (!ended) rest(tests);
    }
    return 1;
}

static void wait_for(MPI_Request *requests, int count)
{
    for (int i = 0; i < count; i++)
        wait_some(&requests[i], INFINITY);
}

/* ---- joining ---- */

const char *processes_library(void)
{
    return LIBRARY;
}

static void set_name(Processes *p)
{
    char host[MPI_MAX_PROCESSOR_NAME];
    int length;
    MPI_Get_processor_name(host, &length);
    snprintf(p->name, sizeof p->name, "%s (process %d)", host, p->rank);
}

static Processes *new_processes(void)
{
    Processes *p = xcalloc(1, sizeof *p);
    MPI_Comm_dup(MPI_COMM_WORLD, &p->all);
    MPI_Comm_dup(MPI_COMM_WORLD, &p->agreement);
    MPI_Comm_rank(p->all, &p->rank);
    MPI_Comm_size(p->all, &p->count);
    p->first = xcalloc((size_t)p->count + 1, sizeof *p->first);
    for (int i = 0; i < AHEAD; i++) {
        p->before[i] = xaligned(PIECE, sizeof(real));
        p->narrow[i] = xaligned(PIECE, sizeof(uint16_t));
    }
    set_name(p);
    return p;
}

static int check_count(const Processes *p, Err *e)
{
    const int started = launcher_processes();
    if (p->count >= started) return 0;
    return err(e, "%d of this program were started together, but MPI connects only %d: this is "
                  "%s, and the launcher must be its own (srun --mpi=list shows what srun has)",
               started, p->count, processes_library());
}

static void give_up(int number)
{
    static const char text[] = "attn: error: the other processes of this training do not start\n";
    (void)number;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(1);
}

/* Nothing can be tested or interrupted here but by a signal. */
static void start_mpi(void)
{
    int given;
    signal(SIGALRM, give_up);
    alarm(starting);
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given);
    alarm(0);
    signal(SIGALRM, SIG_DFL);
}

int processes_join(Processes **p, Err *e)
{
    *p = NULL;
    if (!launcher_processes()) return 0;
    start_mpi();
    *p = new_processes();
    if (check_count(*p, e)) return -1;
    if ((*p)->rank) message_from((*p)->name);
    return 0;
}

void processes_leave(Processes *p)
{
    MPI_Request request;
    if (!p) return;
    MPI_Ibarrier(p->all, &request);
    wait_for(&request, 1);
    MPI_Comm_free(&p->all);
    MPI_Comm_free(&p->agreement);
    for (int i = 0; i < AHEAD; i++) {
        free(p->before[i]);
        free(p->narrow[i]);
    }
    free(p->first);
    free(p->shard);
    free(p->narrow_shard);
    free(p->sent);
    free(p->gathered);
    free(p->request);
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

int processes_is_first(const Processes *p)
{
    return processes_rank(p) == 0;
}

int processes_is_last(const Processes *p)
{
    return processes_rank(p) == processes_count(p) - 1;
}

static int is_alone(const Processes *p)
{
    return processes_count(p) == 1;
}

/* ---- what all agree on ---- */

_Noreturn static void end_all(const Processes *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message_print("error", format, args);
    va_end(args);
    stray_remove_all();
    MPI_Abort(p->all, 1);
    abort();
}

/* The text of process `from` becomes that of all. */
static void share_text(const Processes *p, int from, Err *e)
{
    MPI_Request request;
    if (p->rank == from && from) {
        const Err own = *e;
        snprintf(e->text, sizeof e->text, "%s: %.*s", p->name,
                 (int)(sizeof e->text - sizeof p->name - 2), own.text);
    }
    MPI_Ibcast(e->text, sizeof e->text, MPI_CHAR, from, p->agreement, &request);
    wait_for(&request, 1);
}

int processes_agree(Processes *p, int rc, Err *e)
{
    if (is_alone(p)) return rc;
    int *failed = xcalloc((size_t)p->count, sizeof *failed), own = rc != 0, from = 0;
    MPI_Request request;
    MPI_Iallgather(&own, 1, MPI_INT, failed, 1, MPI_INT, p->agreement, &request);
    if (!wait_some(&request, own ? patience : INFINITY)) end_all(p, "%s", e->text);
    while (from < p->count && !failed[from])
        from++;
    free(failed);
    if (from == p->count) return 0;
    share_text(p, from, e);
    return -1;
}

int processes_compare(Processes *p, const char *what, const char *text, const char *advice,
                      Err *e)
{
    if (is_alone(p)) return 0;
    size_t length = strlen(text) + 1;
    processes_share(p, &length, sizeof length);
    char *first = xcalloc(length, 1);
    memcpy(first, text, strlen(text) < length ? strlen(text) : length - 1);
    processes_share(p, first, length);
    const int differs = strcmp(first, text) != 0;
    if (differs)
        err(e, "%s is another here than in process 0: %.200s and not %.200s; %s", what, text,
            first, advice);
    free(first);
    return processes_agree(p, differs, e);
}

static void reduce(Processes *p, double *values, int count, MPI_Op operation)
{
    MPI_Request request;
    if (is_alone(p)) return;
    MPI_Iallreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, operation, p->all, &request);
    wait_for(&request, 1);
}

void processes_max(Processes *p, double *values, int count)
{
    reduce(p, values, count, MPI_MAX);
}

void processes_sum(Processes *p, double *values, int count)
{
    reduce(p, values, count, MPI_SUM);
}

void processes_share(Processes *p, void *bytes, size_t size)
{
    MPI_Request request;
    if (is_alone(p)) return;
    MPI_Ibcast(bytes, (int)size, MPI_BYTE, 0, p->all, &request);
    wait_for(&request, 1);
}

/* Receives the numbers of all, as many as their counts say. */
static void gather_numbers(Processes *p, const int *own, const int *count)
{
    MPI_Request request;
    int *at = xcalloc((size_t)p->count + 1, sizeof *at);
    for (int i = 0; i < p->count; i++)
        at[i + 1] = at[i] + count[i];
    p->gathered = grow(p->gathered, &p->gathered_capacity, (size_t)at[p->count],
                       sizeof *p->gathered);
    MPI_Iallgatherv(own, count[p->rank], MPI_INT, p->gathered, count, at, MPI_INT, p->all,
                    &request);
    wait_for(&request, 1);
    free(at);
}

const int *processes_gather(Processes *p, const int *own, size_t size, size_t *count)
{
    *count = size;
    if (is_alone(p)) return own;
    const int length = (int)size;
    int *lengths = xcalloc((size_t)p->count, sizeof *lengths);
    MPI_Request request;
    MPI_Iallgather(&length, 1, MPI_INT, lengths, 1, MPI_INT, p->all, &request);
    wait_for(&request, 1);
    gather_numbers(p, own, lengths);
    for (int i = 0; i < p->count; i++)
        count[i] = (size_t)lengths[i];
    free(lengths);
    return p->gathered;
}

/* ---- texts ---- */

/* The texts that this process has set, each with its '\0'. */
static void join_own(const Processes *p, char **text, size_t count, Buf *out)
{
    buf_clear(out);
    for (size_t i = (size_t)p->rank; i < count; i += (size_t)p->count)
        buf_add(out, text[i], strlen(text[i]) + 1);
}

static void split(const Processes *p, int from, const char *joined, char **text, size_t count)
{
    for (size_t i = (size_t)from; i < count; i += (size_t)p->count) {
        text[i] = xstrdup(joined);
        joined += strlen(joined) + 1;
    }
}

static void receive_texts(Processes *p, int from, char **text, size_t count)
{
    MPI_Request request;
    int length;
    MPI_Irecv(&length, 1, MPI_INT, from, 0, p->all, &request);
    wait_for(&request, 1);
    char *joined = xmalloc((size_t)length + 1, 1);
    MPI_Irecv(joined, length, MPI_CHAR, from, 0, p->all, &request);
    wait_for(&request, 1);
    split(p, from, joined, text, count);
    free(joined);
}

static void send_texts(Processes *p, char **text, size_t count)
{
    MPI_Request request[2];
    Buf joined = { 0 };
    join_own(p, text, count, &joined);
    const int length = (int)joined.length;
    MPI_Isend(&length, 1, MPI_INT, 0, 0, p->all, &request[0]);
    MPI_Isend(joined.text, length, MPI_CHAR, 0, 0, p->all, &request[1]);
    wait_for(request, 2);
    buf_free(&joined);
}

void processes_collect(Processes *p, char **text, size_t count)
{
    if (is_alone(p)) return;
    if (p->rank) send_texts(p, text, count);
    else for (int from = 1; from < p->count; from++) receive_texts(p, from, text, count);
}

/* ---- workers ---- */

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
    wait_for(&request, 1);
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
    if (is_alone(p)) return workers;
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
    if (is_alone(p)) return;
    MPI_Iallgather(&own, 1, MPI_INT, p->first + 1, 1, MPI_INT, p->all, &request);
    wait_for(&request, 1);
    for (int i = 0; i < p->count; i++)
        p->first[i + 1] += p->first[i];
}

Crew processes_crew(const Processes *p, const Pool *pool)
{
    const int own = pool_workers(pool);
    if (is_alone(p)) return (Crew){ 0, own, own };
    return (Crew){ p->first[p->rank], own, p->first[p->count] };
}

/* ---- shards ---- */

static Interval shard_of(const Processes *p, int rank, size_t size)
{
    const size_t all = (size_t)p->first[p->count], from = size * (size_t)p->first[rank];
    return (Interval){ from / all, size * (size_t)p->first[rank + 1] / all };
}

Interval processes_shard(const Processes *p, size_t size)
{
    return is_alone(p) ? (Interval){ 0, size } : shard_of(p, p->rank, size);
}

static Interval overlap(Interval a, Interval b)
{
    const Interval both = { a.from > b.from ? a.from : b.from, a.to < b.to ? a.to : b.to };
    return both.from < both.to ? both : (Interval){ 0, 0 };
}

/* ---- messages of an exchange ---- */

enum { TO_NEXT = 1, TO_OWNER, ROUND };

void processes_exchange(Processes *p, int exchange)
{
    if (p) p->exchange = exchange;
}

static int is_narrow(const Processes *p)
{
    return p->exchange == EXCHANGE_BF16;
}

static int length_of(Interval part)
{
    return (int)(part.to - part.from);
}

/* Sends values of a block, or what `sent` has of them. */
static void send_part(const Processes *p, const real *block, Interval part, int to, int tag,
                      MPI_Request *request)
{
    if (is_narrow(p))
        MPI_Isend(p->sent + part.from, length_of(part), MPI_UINT16_T, to, tag, p->all, request);
    else MPI_Isend(block + part.from, length_of(part), REAL_TYPE, to, tag, p->all, request);
}

/* Receives so many values; in bfloat16 to the second place. */
static void receive_part(const Processes *p, real *to, uint16_t *narrow, int length, int from,
                         int tag, MPI_Request *request)
{
    if (is_narrow(p)) MPI_Irecv(narrow, length, MPI_UINT16_T, from, tag, p->all, request);
    else MPI_Irecv(to, length, REAL_TYPE, from, tag, p->all, request);
}

static void reserve_sent(Processes *p, size_t size)
{
    if (is_narrow(p)) p->sent = grow(p->sent, &p->sent_capacity, size, sizeof *p->sent);
}

static Interval reserve_shard(Processes *p, size_t size)
{
    const Interval shard = shard_of(p, p->rank, size);
    const size_t length = shard.to - shard.from;
    p->shard = grow(p->shard, &p->shard_capacity, length, sizeof *p->shard);
    if (is_narrow(p))
        p->narrow_shard = grow(p->narrow_shard, &p->narrow_capacity, length,
                               sizeof *p->narrow_shard);
    return shard;
}

/* ---- the sum ---- */

typedef struct {
    Processes  *processes;
    real       *sum;
    size_t      size;
    MPI_Request arriving[AHEAD];
    int         requests;       /* in processes->request */
} Sum;

static Interval piece_of(const Sum *s, size_t number)
{
    const size_t from = number * PIECE, to = from + PIECE;
    return (Interval){ from, to < s->size ? to : s->size };
}

static MPI_Request *new_request(Sum *s)
{
    return &s->processes->request[s->requests++];
}

/* What comes from the process before. */
static void receive_piece(Sum *s, size_t number)
{
    const Processes *p = s->processes;
    const Interval piece = piece_of(s, number);
    const int slot = (int)(number % AHEAD);
    if (p->rank && piece.from < s->size)
        receive_part(p, p->before[slot], p->narrow[slot], length_of(piece), p->rank - 1, TO_NEXT,
                     &s->arriving[slot]);
}

/* The last process returns the sum to its owners. */
static void return_piece(Sum *s, Interval piece)
{
    const Processes *p = s->processes;
    for (int owner = 0; owner < p->rank; owner++) {
        const Interval part = overlap(piece, shard_of(p, owner, s->size));
        if (part.to) send_part(p, s->sum, part, owner, TO_OWNER, new_request(s));
    }
}

static void send_piece(Sum *s, Interval piece)
{
    const Processes *p = s->processes;
    if (is_narrow(p))
        vector_to_bf16(p->sent + piece.from, s->sum + piece.from, piece.to - piece.from);
    if (processes_is_last(p)) return_piece(s, piece);
    else send_part(p, s->sum, piece, p->rank + 1, TO_NEXT, new_request(s));
}

/* The pieces of the own shard, as the last process will return them. */
static void expect_shard(Sum *s, size_t pieces)
{
    Processes *p = s->processes;
    const Interval shard = reserve_shard(p, s->size);
    for (size_t i = 0; i < pieces && !processes_is_last(p); i++) {
        const Interval part = overlap(piece_of(s, i), shard);
        const size_t at = part.from - shard.from;
        if (part.to)
            receive_part(p, p->shard + at, p->narrow_shard + at, length_of(part), p->count - 1,
                         TO_OWNER, new_request(s));
    }
}

static void take_shard(const Sum *s)
{
    const Processes *p = s->processes;
    const Interval shard = shard_of(p, p->rank, s->size);
    const size_t length = shard.to - shard.from;
    if (processes_is_last(p)) return;
    if (is_narrow(p)) vector_from_bf16(s->sum + shard.from, p->narrow_shard, length);
    else memcpy(s->sum + shard.from, p->shard, length * sizeof *s->sum);
}

/* The values of a piece that the processes before have added up; NULL: there are none. */
static const real *sum_before(Sum *s, size_t number)
{
    const Processes *p = s->processes;
    const Interval piece = piece_of(s, number);
    const int slot = (int)(number % AHEAD);
    if (!p->rank) return NULL;
    wait_for(&s->arriving[slot], 1);
    if (is_narrow(p)) vector_from_bf16(p->before[slot], p->narrow[slot], piece.to - piece.from);
    return p->before[slot];
}

void processes_add_up(Processes *p, real *sum, size_t size, AddOwn *add, void *context)
{
    if (is_alone(p)) {
        add(context, NULL, 0, size);
        return;
    }
    Sum s = { .processes = p, .sum = sum, .size = size };
    const size_t pieces = (size + PIECE - 1) / PIECE;
    p->request = grow(p->request, &p->request_capacity, 2 * pieces + (size_t)p->count,
                      sizeof *p->request);
    reserve_sent(p, size);
    expect_shard(&s, pieces);
    for (size_t i = 0; i < AHEAD; i++)
        receive_piece(&s, i);
    for (size_t i = 0; i < pieces; i++) {
        const Interval piece = piece_of(&s, i);
        add(context, sum_before(&s, i), piece.from, piece.to - piece.from);
        receive_piece(&s, i + AHEAD);
        send_piece(&s, piece);
    }
    wait_for(p->request, s.requests);
    take_shard(&s);
}

double processes_last(Processes *p, double value)
{
    MPI_Request request;
    if (is_alone(p)) return value;
    MPI_Ibcast(&value, 1, MPI_DOUBLE, p->count - 1, p->all, &request);
    wait_for(&request, 1);
    return value;
}

/* ---- the shards of all ---- */

void processes_keep_shard(Processes *p, const real *block, size_t size)
{
    if (is_alone(p) || !is_narrow(p)) return;
    const Interval shard = reserve_shard(p, size);
    memcpy(p->shard, block + shard.from, (shard.to - shard.from) * sizeof *block);
}

/* The owner rounds what has changed. */
static void round_changes(Processes *p, const real *block, size_t size)
{
    const Interval shard = shard_of(p, p->rank, size);
    for (size_t at = shard.from; at < shard.to; at += PIECE) {
        const size_t left = shard.to - at, count = left < PIECE ? left : PIECE;
        for (size_t i = 0; i < count; i++)
            p->before[0][i] = block[at + i] - p->shard[at - shard.from + i];
        vector_to_bf16(p->sent + at, p->before[0], count);
    }
}

/* All add the rounded changes to what there was. */
static void add_changes(Processes *p, real *block, size_t size)
{
    const Interval shard = shard_of(p, p->rank, size);
    memcpy(block + shard.from, p->shard, (shard.to - shard.from) * sizeof *block);
    for (size_t at = 0; at < size; at += PIECE) {
        const size_t left = size - at, count = left < PIECE ? left : PIECE;
        vector_from_bf16(p->before[0], p->sent + at, count);
        vector_add(block + at, p->before[0], count);
    }
}

/* In a ring: each process passes on what it got last, so that between two machines every value
 * goes once, however many processes they have. */
static void pass_round(const Processes *p, real *block, size_t size)
{
    const int before = (p->rank - 1 + p->count) % p->count, next = (p->rank + 1) % p->count;
    for (int i = 0; i < p->count - 1; i++) {
        MPI_Request request[2];
        const int owner = (p->rank - i + p->count) % p->count;
        const Interval out = shard_of(p, owner, size);
        const Interval in = shard_of(p, (owner - 1 + p->count) % p->count, size);
        receive_part(p, block + in.from, p->sent + in.from, length_of(in), before, ROUND,
                     &request[0]);
        send_part(p, block, out, next, ROUND, &request[1]);
        wait_for(request, 2);
    }
}

void processes_share_shard(Processes *p, real *block, size_t size)
{
    if (is_alone(p)) return;
    if (is_narrow(p)) round_changes(p, block, size);
    pass_round(p, block, size);
    if (is_narrow(p)) add_changes(p, block, size);
}

void processes_gather_shards(Processes *p, real *block, size_t size)
{
    for (int owner = 1; owner < processes_count(p); owner++) {
        MPI_Request request = MPI_REQUEST_NULL;
        const Interval shard = shard_of(p, owner, size);
        real *values = block + shard.from;
        if (p->rank == 0)
            MPI_Irecv(values, length_of(shard), REAL_TYPE, owner, ROUND, p->all, &request);
        else if (p->rank == owner)
            MPI_Isend(values, length_of(shard), REAL_TYPE, 0, ROUND, p->all, &request);
        wait_for(&request, 1);
    }
}
