/* exchange.h - the messages of an update: parts of a block, in 32 bits or in bfloat16. */
#ifndef ATTN_TRAIN_MPI_EXCHANGE_H
#define ATTN_TRAIN_MPI_EXCHANGE_H

#include "train/update/processes.h"

#include <mpi.h>
#include <stdint.h>

enum {
    PIECE = 1 << 16,            /* values of one message of a sum: 256 kB */
    AHEAD = 4                   /* messages that may arrive before they are needed */
};

/* What messages come from and go to. */
typedef struct {
    int       kind;             /* EXCHANGE_... */
    real     *before[AHEAD];    /* (PIECE) what has arrived of a sum */
    uint16_t *narrow[AHEAD];    /* (PIECE) the same in bfloat16 */
    real     *shard;            /* (shard_capacity) the sum of the own shard, and what its weights
                                 * were */
    uint16_t *narrow_shard;     /* (narrow_capacity) the same sum in bfloat16 */
    uint16_t *sent;             /* (sent_capacity) a block in bfloat16 */
    size_t    shard_capacity, narrow_capacity, sent_capacity;
    MPI_Request *request;       /* (request_capacity) the messages of a sum */
    size_t    request_capacity;
} Exchange;

void exchange_init(Exchange *x);
void exchange_free(Exchange *x);

/* exchange_is_narrow - whether values are sent in bfloat16.
 * exchange_type - what MPI calls a real.
 * exchange_shard - what this process owns of a block of `size` values.
 * interval_overlap - the values of both; 0 .. 0: there are none. */
int          exchange_is_narrow(const Processes *p);
MPI_Datatype exchange_type(void);
Interval     exchange_shard(const Processes *p, int rank, size_t size);
int          interval_length(Interval part);
Interval     interval_overlap(Interval a, Interval b);

/* What a message is. */
enum { TO_NEXT = 1, TO_OWNER, ROUND };

/* exchange_send - a part of a block, or what `sent` has of it.
 * exchange_receive - so many values; in bfloat16 to the second place.
 * exchange_reserve_sent, exchange_reserve_shard - make room for a block of that size; the second
 * returns the own shard. */
void     exchange_send(const Processes *p, const real *block, Interval part, int to, int tag,
                       MPI_Request *request);
void     exchange_receive(const Processes *p, real *to, uint16_t *narrow, int length, int from,
                          int tag, MPI_Request *request);
void     exchange_reserve_sent(Processes *p, size_t size);
Interval exchange_reserve_shard(Processes *p, size_t size);

#endif
