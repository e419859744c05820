/* shards.c - what each process owns of the weights and moments, for all. */
#include "train/mpi/connection.h"

#include "linalg/vector.h"

#include <string.h>

void processes_keep_shard(Processes *p, const real *block, size_t size)
{
    if (connection_is_alone(p) || connection_shares_memory(p) || !exchange_is_narrow(p)) return;
    const Interval shard = exchange_reserve_shard(p, size);
    memcpy(p->exchange.shard, block + shard.from, (shard.to - shard.from) * sizeof *block);
}

/* The owner rounds what has changed. */
static void round_changes(Processes *p, const real *block, size_t size)
{
    const Interval shard = exchange_shard(p, p->rank, size);
    Exchange *x = &p->exchange;
    for (size_t at = shard.from; at < shard.to; at += PIECE) {
        const size_t left = shard.to - at, count = left < PIECE ? left : PIECE;
        for (size_t i = 0; i < count; i++)
            x->before[0][i] = block[at + i] - x->shard[at - shard.from + i];
        vector_to_bf16(x->sent + at, x->before[0], count);
    }
}

/* All add the rounded changes to what there was. */
static void add_changes(Processes *p, real *block, size_t size)
{
    const Interval shard = exchange_shard(p, p->rank, size);
    Exchange *x = &p->exchange;
    memcpy(block + shard.from, x->shard, (shard.to - shard.from) * sizeof *block);
    for (size_t at = 0; at < size; at += PIECE) {
        const size_t left = size - at, count = left < PIECE ? left : PIECE;
        vector_from_bf16(x->before[0], x->sent + at, count);
        vector_add(block + at, x->before[0], count);
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
        const Interval out = exchange_shard(p, owner, size);
        const Interval in = exchange_shard(p, (owner - 1 + p->count) % p->count, size);
        exchange_receive(p, block + in.from, p->exchange.sent + in.from, interval_length(in),
                         before, ROUND, &request[0]);
        exchange_send(p, block, out, next, ROUND, &request[1]);
        connection_wait(request, 2);
    }
}

void processes_share_shard(Processes *p, real *block, size_t size)
{
    if (connection_is_alone(p)) return;
    if (connection_shares_memory(p)) {
        processes_meet(p);
        return;
    }
    if (exchange_is_narrow(p)) round_changes(p, block, size);
    pass_round(p, block, size);
    if (exchange_is_narrow(p)) add_changes(p, block, size);
}

void processes_gather_shards(Processes *p, real *block, size_t size)
{
    for (int owner = 1; !connection_shares_memory(p) && owner < processes_count(p); owner++) {
        MPI_Request request = MPI_REQUEST_NULL;
        const Interval shard = exchange_shard(p, owner, size);
        const int length = interval_length(shard);
        real *values = block + shard.from;
        if (p->rank == 0)
            MPI_Irecv(values, length, exchange_type(), owner, ROUND, p->all, &request);
        else if (p->rank == owner)
            MPI_Isend(values, length, exchange_type(), 0, ROUND, p->all, &request);
        connection_wait(&request, 1);
    }
}
