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
void  pool_free(Pool *pool);
int   pool_workers(const Pool *pool);

/* pool_run - calls task(context, worker) for worker 0 .. workers-1, each in its own thread; returns
 * when all are done. What the tasks wrote is visible to the caller. Not from inside a task. Where
 * the caller works in a Mem, so do the tasks; if one dies, the caller does when all have ended. */
void pool_run(Pool *pool, PoolTask *task, void *context);

/* pool_is_whole - whether its threads are in this process: not in a child of that which made them,
 * where such a pool can only be freed. */
int pool_is_whole(const Pool *pool);

/* pool_cores - processors this process may use: those of its affinity, or as many as its control
 * groups' CPU time keeps busy, rounded up, if these are fewer. */
int pool_cores(void);

#endif
