/* pool.c - generations: the caller raises `generation` to start a phase, workers lower `busy` to
 * end it. */
#define _GNU_SOURCE
#include "base/system/pool.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/system/control_group.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
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
    PoolGuard       guard;          /* zero: none */
    atomic_uint     generation;
    atomic_int      busy, stopping;
    int             spins;          /* 0 where cores are fewer than workers: spinning would keep the
                                       others out */
    pthread_mutex_t mutex;
    pthread_cond_t  started, finished;
};

static void relax(void)
{
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
}

static void wait_for_start(Pool *p, unsigned seen)
{
    for (int i = 0; i < p->spins; i++) {
        if (atomic_load(&p->generation) != seen) return;
        relax();
    }
    pthread_mutex_lock(&p->mutex);
    while (atomic_load(&p->generation) == seen)
        pthread_cond_wait(&p->started, &p->mutex);
    pthread_mutex_unlock(&p->mutex);
}

static void wait_for_finish(Pool *p)
{
    for (int i = 0; i < p->spins; i++) {
        if (!atomic_load(&p->busy)) return;
        relax();
    }
    pthread_mutex_lock(&p->mutex);
    while (atomic_load(&p->busy))
        pthread_cond_wait(&p->finished, &p->mutex);
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
    pthread_cond_signal(&p->finished);
    pthread_mutex_unlock(&p->mutex);
}

static void perform(Pool *p, PoolTask *task, void *context, int worker)
{
    if (p->guard.perform) p->guard.perform(p->guard.guarded, task, context, worker);
    else task(context, worker);
}

static void *work(void *argument)
{
    Worker *w = argument;
    Pool *p = w->pool;
    for (unsigned seen = 0;; seen++) {
        wait_for_start(p, seen);
        if (atomic_load(&p->stopping)) return NULL;
        perform(p, p->task, p->context, w->number);
        finish(p);
    }
}

Pool *pool_try(int workers)
{
    Pool *p = xcalloc(1, sizeof *p);
    if (!workers) workers = pool_cores();
    p->workers = 1;                 /* so many as there are: all that pool_free ends */
    p->worker = xcalloc((size_t)workers, sizeof *p->worker);
    p->spins = workers > 1 && workers <= pool_cores() ? SPINS : 0;
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->started, NULL);
    pthread_cond_init(&p->finished, NULL);
    for (int i = 0; i < workers - 1; i++, p->workers++) {
        p->worker[i] = (Worker){ .pool = p, .number = i + 1 };
        if (!pthread_create(&p->worker[i].thread, NULL, work, &p->worker[i])) continue;
        pool_free(p);
        return NULL;
    }
    return p;
}

Pool *pool_new(int workers)
{
    Pool *p = pool_try(workers);
    if (!p) die("cannot start %d threads; try fewer with --threads",
                workers ? workers : pool_cores());
    return p;
}

void pool_free(Pool *pool)
{
    if (!pool) return;
    atomic_store(&pool->stopping, 1);
    start(pool);
    for (int i = 0; i < pool->workers - 1; i++)
        pthread_join(pool->worker[i].thread, NULL);
    pthread_cond_destroy(&pool->finished);
    pthread_cond_destroy(&pool->started);
    pthread_mutex_destroy(&pool->mutex);
    xfree(pool->worker);
    xfree(pool);
}

int pool_workers(const Pool *pool)
{
    return pool->workers;
}

void pool_guard(Pool *pool, PoolGuard guard)
{
    pool->guard = guard;
}

void pool_run(Pool *pool, PoolTask *task, void *context)
{
    if (pool->workers > 1) {
        pool->task = task;
        pool->context = context;
        start(pool);
    }
    perform(pool, task, context, 0);
    if (pool->workers > 1) wait_for_finish(pool);
    if (pool->guard.ended) pool->guard.ended(pool->guard.guarded);
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
