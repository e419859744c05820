/* pool.h - a fixed team of threads that all run one function and meet at its end.
 *
 * The caller is worker 0. A short phase follows another within microseconds during training, so
 * waiting workers spin a little before they sleep.
 */
#ifndef ATTN_BASE_POOL_H
#define ATTN_BASE_POOL_H

typedef struct Pool Pool;

Pool *pool_new(int workers);            /* 0: one a core; dies when threads can't be made */
void  pool_free(Pool *pool);
int   pool_workers(const Pool *pool);

/* pool_run - calls task(context, worker) for worker 0 .. workers-1, each in its own thread; returns
 * when all are done. What the tasks wrote is visible to the caller. Not from inside a task. */
void pool_run(Pool *pool, void (*task)(void *context, int worker), void *context);

/* pool_cores - processors this process may use. */
int pool_cores(void);

#endif
