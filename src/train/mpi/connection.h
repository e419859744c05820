/* connection.h - processes that talk by MPI, in calls of MPI 3: what the files of this folder
 * share. Each of them does some of train/update/processes.h:
 *
 *     connection.c     joining, leaving, waiting
 *     agreement.c      what all agree on, and how errors end all
 *     values.c         numbers, bytes and texts of all
 *     crew.c           workers
 *     shared_memory.c  blocks that all share who are on one machine
 *     notice_board.c   few bytes of each, for those
 *     exchange.c       the messages of an update, and which values each process owns
 *     sum.c            the sum of all gradients
 *     shards.c         the weights and moments of all owners
 *
 * Only the thread that joined calls MPI (MPI_THREAD_FUNNELED). It never waits inside of MPI, but
 * tests, and sleeps when that takes long: several processes may share a core.
 */
#ifndef ATTN_TRAIN_MPI_CONNECTION_H
#define ATTN_TRAIN_MPI_CONNECTION_H

#include "train/mpi/exchange.h"
#include "train/mpi/notice_board.h"
#include "train/update/processes.h"

#include <mpi.h>

enum { HOST_TEXT = MPI_MAX_PROCESSOR_NAME + 32 };

struct Processes {
    MPI_Comm all;
    MPI_Comm agreement;         /* of processes_agree alone, which may be called while others wait
                                 * for something else */
    int      rank, count;
    int     *first;             /* (count + 1) workers before each process */
    int     *gathered;          /* (gathered_capacity) numbers of all processes */
    size_t   gathered_capacity;
    NoticeBoard *board;         /* of processes that share memory; NULL: they do not */
    char     name[HOST_TEXT];   /* "host2 (process 3)" */
    Exchange exchange;
};

/* connection_is_alone - there is no other process.
 * connection_wait - until these requests have ended. connection_wait_some - the same for one
 * request, or at most these seconds; returns whether it has ended. connection_rest - after so many
 * tests of what they wait for: gives way to others that need the core, later for longer. */
int  connection_is_alone(const Processes *p);
void connection_wait(MPI_Request *requests, int count);
int  connection_wait_some(MPI_Request *request, double seconds);
void connection_rest(int tests);

/* connection_share_memory - tries whether all can share memory; from then on blocks are shared if
 * so. connection_shares_memory - whether they are. connection_part_memory - at the end. */
void connection_share_memory(Processes *p);
void connection_part_memory(Processes *p);
int  connection_shares_memory(const Processes *p);

#endif
