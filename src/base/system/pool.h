/* pool.h - a fixed team of threads that all run one function and meet at its end.
 *
 * The caller is worker 0. A short phase follows another within microseconds during training, so
 * waiting workers spin a little before they sleep.
 */
#ifndef ATTN_BASE_POOL_H
#define ATTN_BASE_POOL_H

typedef struct Pool Pool;

typedef void PoolTask(void *context, int worker);

Pool *pool_new(int workers);            /* 0: one a core; dies when threads can't be made */
Pool *pool_try(int workers);            /* the same; NULL when threads can't be made */
void  pool_free(Pool *pool);
int   pool_workers(const Pool *pool);

/* For tasks that die() where a die() ends less than the process (base/error.h). perform is called
 * instead of each task(context, worker), which it calls, and returns whatever becomes of it; ended,
 * in the caller's thread when all workers have returned.
 * pool_guard - from now on all runs are guarded so. */
typedef struct {
    void (*perform)(void *guarded, PoolTask *task, void *context, int worker);
    void (*ended)(void *guarded);
    void  *guarded;
} PoolGuard;
void pool_guard(Pool *pool, PoolGuard guard);

/* pool_run - calls task(context, worker) for worker 0 .. workers-1, each in its own thread; returns
 * when all are done. What the tasks wrote is visible to the caller. Not from inside a task. */
void pool_run(Pool *pool, PoolTask *task, void *context);

/* pool_cores - processors this process may use: those of its affinity, or as many as its control
 * groups' CPU time keeps busy, rounded up, if these are fewer. */
int pool_cores(void);

#endif
