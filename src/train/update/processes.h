/* processes.h - one training by several processes, on one machine or on many.
 *
 * Every process has workers of its own (base/system/pool.h). All workers are numbered through,
 * process after process, and each batch is divided over all of them. One process a machine is
 * enough: more of them send each other what the workers of one share. Nothing but this header knows
 * how processes talk: the folder mpi/ does it with MPI (make MPI=1), processes_one.c is the program
 * without.
 *
 * All functions on a Processes are collective: every process calls the same ones in the same order,
 * and they return when the others have come as far as is needed. NULL is a process by itself, for
 * which they return at once.
 *
 * A process that ends in the middle ends all: its launcher ends the others, and no function here
 * outlives it.
 */
#ifndef ATTN_TRAIN_PROCESSES_H
#define ATTN_TRAIN_PROCESSES_H

#include "base/error.h"
#include "base/real.h"
#include "base/system/pool.h"

#include <stddef.h>

typedef struct Processes Processes;

/* processes_library - "Open MPI v4.1.4"; NULL: built without MPI.
 * processes_join - joins the processes that were started together with this one; *p is NULL where
 * no launcher started it. -1: they cannot work together. From here on the messages of all but the
 * first process begin with its host.
 * processes_leave - at the end, by all; returns when all have come. */
const char *processes_library(void);
int         processes_join(Processes **p, Err *e);
void        processes_leave(Processes *p);

/* These are not collective: how many processes there are, and the number of this one, from 0. The
 * first process alone prints and writes files. */
int processes_count(const Processes *p);
int processes_rank(const Processes *p);

static inline int processes_is_first(const Processes *p)
{
    return processes_rank(p) == 0;
}

static inline int processes_is_last(const Processes *p)
{
    return processes_rank(p) == processes_count(p) - 1;
}

/* ---- what all agree on ---- */

/* processes_agree - 0 if all were given 0; else -1, with the message of the first process whose rc
 * is not 0, and with its host. If the others do not come within seconds, because they wait
 * elsewhere for this one, the message is printed and all processes end.
 * processes_compare - -1 with a message if this text, which describes `what`, is not the same in
 * all processes; `advice` says what to do then. */
int processes_agree(Processes *p, int rc, Err *e);
int processes_compare(Processes *p, const char *what, const char *text, const char *advice,
                      Err *e);

/* processes_max, processes_sum - in place, value by value. A sum of numbers of which all but one
 * are 0 is exact.
 * processes_share - the bytes of the first process become those of all.
 * processes_gather - the numbers of all processes, one process after the other, and how many each
 * has in count (processes). They are valid until the next call.
 * processes_collect - text (count): process i mod N has set the texts i; all get those of the
 * others. The caller frees them. */
void processes_max(Processes *p, double *values, int count);
void processes_sum(Processes *p, double *values, int count);
void processes_share(Processes *p, void *bytes, size_t size);
const int *processes_gather(Processes *p, const int *own, size_t size, size_t *count);
void processes_collect(Processes *p, char **text, size_t count);

/* ---- workers ---- */

/* The workers of a process: first, first + 1, ..., first + own - 1 among `all`. */
typedef struct { int first, own, all; } Crew;

/* processes_divide - how many of `workers` this process should have; 0: a worker for each core that
 * it may use, shared with the other processes of its machine. -1 with a message if there are fewer
 * workers than processes.
 * processes_gather_crew - all have made their pools, and exchange numbers of this kind.
 * processes_crew - after that; not collective. */
int  processes_divide(Processes *p, int workers, Err *e);
void processes_gather_crew(Processes *p, const Pool *pool, int exchange);
Crew processes_crew(const Processes *p, const Pool *pool);

/* ---- the exchange of an update ----
 *
 * Floating-point sums depend on their order, and a sum in the order of the workers is that of one
 * process with as many workers, byte for byte. So partial sums go from process to process: each one
 * adds its workers' values to what came from the process before, and the last one has the sum. It
 * goes in pieces, so that all work at the same time, and each process sends and receives every
 * value once, however many workers it has. The sums of the last process then return to their
 * owners: each process owns the same part of all blocks, its shard. An all-to-all exchange of
 * shards would need every worker's values as messages of their own for the same bytes.
 *
 * EXCHANGE_BF16 halves what is sent: partial sums, and the changes of the weights, are rounded to
 * bfloat16 (linalg/vector.h). All processes round alike, so their weights stay the same; but the
 * bytes then depend on how the workers are divided.
 */
enum { EXCHANGE_FLOAT, EXCHANGE_BF16 };
extern const char *const exchange_names[];      /* NULL-terminated, in this order */

/* Adds the values of this process, from `at` on, to those of the processes before it (NULL: there
 * are none) and leaves the sums where they are read from. */
typedef void AddOwn(void *context, const real *before, size_t at, size_t count);

/* processes_shard - the values from .. to - 1 that this process owns of each block of `size`
 * values; for one process all of them. Not collective. */
typedef struct { size_t from, to; } Interval;
Interval processes_shard(const Processes *p, size_t size);

/* processes_add_up - calls `add` piece by piece; what it leaves in `sum` (size) goes on to the next
 * process. Afterwards the last process has the whole sum, and each one that of its shard; the rest
 * of its block is without meaning.
 * processes_keep_shard, processes_share_shard - before and after each owner changes its shard of
 * the weights, so that all have what it has.
 * processes_gather_shards - each owner's shard becomes that of the first process. */
void processes_add_up(Processes *p, real *sum, size_t size, AddOwn *add, void *context);
void processes_keep_shard(Processes *p, const real *block, size_t size);
void processes_share_shard(Processes *p, real *block, size_t size);
void processes_gather_shards(Processes *p, real *block, size_t size);

#endif
