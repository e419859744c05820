/* connection.h - processes that talk by MPI, in calls of MPI 3. Three files do what
 * train/update/processes.h says, each with those before it:
 *
 *     connection.c     joining, waiting, leaving; the workers of all
 *     values.c         what all agree on: numbers, bytes, texts, errors
 *     exchange.c       the sum of all gradients; the weights and moments of all owners
 *
 * Only the thread that joined calls MPI (MPI_THREAD_FUNNELED). It never waits inside of MPI, but
 * tests, and sleeps when that takes long: several processes may share a core.
 */
#ifndef ATTN_TRAIN_MPI_CONNECTION_H
#define ATTN_TRAIN_MPI_CONNECTION_H

#include "train/update/processes.h"

#include <mpi.h>
#include <stdint.h>

enum {
    HOST_TEXT = MPI_MAX_PROCESSOR_NAME + 32,
    PIECE = 1 << 16,            /* values of one message of a sum: 256 kB */
    AHEAD = 4                   /* messages that may arrive before they are needed */
};

/* What the messages of an update come from and go to. */
typedef struct {
    int       kind;             /* EXCHANGE_... */
    real     *before;           /* (AHEAD, PIECE) what has arrived of a sum */
    uint16_t *narrow;           /* (AHEAD, PIECE) the same in bfloat16 */
    real     *shard;            /* the sum of the own shard, and what its weights were */
    uint16_t *narrow_shard;     /* the same sum in bfloat16 */
    uint16_t *sent;             /* a block in bfloat16 */
    MPI_Request *request;       /* the messages of a sum */
    size_t    shard_capacity, narrow_capacity, sent_capacity, request_capacity;
} Exchange;

struct Processes {
    MPI_Comm all;
    MPI_Comm agreement;         /* of processes_agree alone, which may be called while others wait
                                 * for something else */
    int      rank, count;
    int     *first;             /* (count + 1) workers before each process */
    int     *gathered;          /* numbers of all processes */
    size_t   gathered_capacity;
    char     name[HOST_TEXT];   /* "host2 (process 3)" */
    Exchange exchange;
};

/* connection_is_alone - there is no other process.
 * connection_wait - until these requests have ended.
 * connection_wait_some - the same for one request, or at most these seconds; returns whether it has
 * ended. */
int  connection_is_alone(const Processes *p);
void connection_wait(MPI_Request *requests, int count);
int  connection_wait_some(MPI_Request *request, double seconds);

#endif
