/* pool.c - generations: the caller raises `generation` to start a phase, workers lower `busy`, and the
 * last of them raises `ended`. */
#define _GNU_SOURCE
#include "base/system/pool.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/system/environment.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum { SPINS = 4000 };      /* some 20 microseconds, the length of a serial chunk between two
                               phases */

typedef struct { Pool *pool; pthread_t thread; int number; } Worker;

struct Pool {
    int             workers;
    Worker         *worker;         /* (workers - 1): all but the caller */
    PoolTask       *task;
    void           *context;
    Mem            *mem;            /* which the caller works in, or NULL */
    pid_t           process;        /* which has the threads */
    atomic_uint     generation, ended;      /* phases */
    atomic_int      busy, stopping;
    atomic_int      failed;         /* a task has died: */
    Err             failure;        /* so; of the first */
    int             spins;          /* 0 where cores are fewer than workers: spinning would keep the
                                       others out */
    pthread_mutex_t mutex;
    pthread_cond_t  started, finished;
};

/* Until the counter is no longer what was seen of it. */
static void wait_for(Pool *p, const atomic_uint *counter, unsigned seen, pthread_cond_t *changed)
{
    for (int i = 0; i < p->spins; i++) {
        if (atomic_load(counter) != seen) return;
#ifdef __x86_64__
        __builtin_ia32_pause();
#endif
    }
    pthread_mutex_lock(&p->mutex);
    while (atomic_load(counter) == seen)
        pthread_cond_wait(changed, &p->mutex);
    pthread_mutex_unlock(&p->mutex);
}

static void start(Pool *p)
{
    pthread_mutex_lock(&p->mutex);
    atomic_store(&p->busy, p->workers - 1);
    atomic_fetch_add(&p->generation, 1);
    pthread_cond_broadcast(&p->started);
    pthread_mutex_unlock(&p->mutex);
}

static void finish(Pool *p)
{
    if (atomic_fetch_sub(&p->busy, 1) > 1) return;
    pthread_mutex_lock(&p->mutex);
    atomic_fetch_add(&p->ended, 1);
    pthread_cond_signal(&p->finished);
    pthread_mutex_unlock(&p->mutex);
}

typedef struct { const Pool *pool; int worker; } Turn;

static void take_turn(void *context)
{
    const Turn *turn = context;
    turn->pool->task(turn->pool->context, turn->worker);
}

static void perform(Pool *p, int worker)
{
    Err e;
    Turn turn = { p, worker };
    if (!p->mem) take_turn(&turn);
    else if (mem_try(p->mem, take_turn, &turn, &e) && !atomic_exchange(&p->failed, 1))
        p->failure = e;
}

static void *work(void *argument)
{
    Worker *w = argument;
    Pool *p = w->pool;
    for (unsigned seen = 0;; seen++) {
        wait_for(p, &p->generation, seen, &p->started);
        if (atomic_load(&p->stopping)) return NULL;
        perform(p, w->number);
        finish(p);
    }
}

/* In a child of its process the threads are not there: none can be joined, and what they wait for
 * not destroyed. */
static void end_threads(void *pool)
{
    Pool *p = pool;
    if (!pool_is_whole(p)) return;
    atomic_store(&p->stopping, 1);
    start(p);
    for (int i = 0; i < p->workers - 1; i++)
        pthread_join(p->worker[i].thread, NULL);
    pthread_cond_destroy(&p->finished);
    pthread_cond_destroy(&p->started);
    pthread_mutex_destroy(&p->mutex);
}

/* They take no signals, which are for the caller. */
static int start_threads(Pool *p, int count)
{
    sigset_t all, before;
    int failed = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (int i = 0; i < count && !failed; i++) {
        p->worker[i] = (Worker){ .pool = p, .number = i + 1 };
        failed = pthread_create(&p->worker[i].thread, NULL, work, &p->worker[i]);
        p->workers += !failed;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

Pool *pool_new(int workers)
{
    Pool *p = xcalloc(1, sizeof *p);
    if (!workers) workers = pool_cores();
    p->workers = 1;                 /* so many as there are: all that end */
    p->worker = xcalloc((size_t)workers, sizeof *p->worker);
    p->spins = workers > 1 && workers <= pool_cores() ? SPINS : 0;
    p->process = getpid();
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->started, NULL);
    pthread_cond_init(&p->finished, NULL);
    mem_keep(p, end_threads);
    if (start_threads(p, workers - 1)) die("cannot start %d threads; try fewer", workers);
    return p;
}

void pool_free(Pool *pool)
{
    if (!pool) return;
    mem_forget(pool);
    end_threads(pool);
    xfree(pool->worker);
    xfree(pool);
}

int pool_is_whole(const Pool *pool)
{
    return pool->workers == 1 || pool->process == getpid();
}

int pool_workers(const Pool *pool)
{
    return pool->workers;
}

void pool_run(Pool *pool, PoolTask *task, void *context)
{
    pool->task = task;
    pool->context = context;
    pool->mem = mem_entered();
    const unsigned before = atomic_load(&pool->ended);
    if (pool->workers > 1) start(pool);
    perform(pool, 0);
    if (pool->workers > 1) wait_for(pool, &pool->ended, before, &pool->finished);
    if (atomic_exchange(&pool->failed, 0)) die("%s", pool->failure.text);
}

static int affine_cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (int)cores : 1;
}

int pool_cores(void)
{
    return (int)fmin(affine_cores(), ceil(control_group_limits("").cores));
}
