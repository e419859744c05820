/* exchange.c - see exchange.h. */
#include "train/mpi/connection.h"

#include "base/mem.h"

#include <stdlib.h>

void exchange_init(Exchange *x)
{
    for (int i = 0; i < AHEAD; i++) {
        x->before[i] = xaligned(PIECE, sizeof(real));
        x->narrow[i] = xaligned(PIECE, sizeof(uint16_t));
    }
}

void exchange_free(Exchange *x)
{
    for (int i = 0; i < AHEAD; i++) {
        free(x->before[i]);
        free(x->narrow[i]);
    }
    free(x->shard);
    free(x->narrow_shard);
    free(x->sent);
    free(x->request);
}

void processes_exchange(Processes *p, int exchange)
{
    if (p) p->exchange.kind = exchange;
}

int exchange_is_narrow(const Processes *p)
{
    return p->exchange.kind == EXCHANGE_BF16;
}

MPI_Datatype exchange_type(void)
{
    return sizeof(real) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;
}

/* ---- parts of a block ---- */

Interval exchange_shard(const Processes *p, int rank, size_t size)
{
    const size_t all = (size_t)p->first[p->count], from = size * (size_t)p->first[rank];
    return (Interval){ from / all, size * (size_t)p->first[rank + 1] / all };
}

Interval processes_shard(const Processes *p, size_t size)
{
    return connection_is_alone(p) ? (Interval){ 0, size } : exchange_shard(p, p->rank, size);
}

int interval_length(Interval part)
{
    return (int)(part.to - part.from);
}

Interval interval_overlap(Interval a, Interval b)
{
    const Interval both = { a.from > b.from ? a.from : b.from, a.to < b.to ? a.to : b.to };
    return both.from < both.to ? both : (Interval){ 0, 0 };
}

/* ---- messages ---- */

void exchange_send(const Processes *p, const real *block, Interval part, int to, int tag,
                   MPI_Request *request)
{
    const uint16_t *sent = p->exchange.sent;
    const int length = interval_length(part);
    if (exchange_is_narrow(p))
        MPI_Isend(sent + part.from, length, MPI_UINT16_T, to, tag, p->all, request);
    else MPI_Isend(block + part.from, length, exchange_type(), to, tag, p->all, request);
}

void exchange_receive(const Processes *p, real *to, uint16_t *narrow, int length, int from,
                      int tag, MPI_Request *request)
{
    if (exchange_is_narrow(p)) MPI_Irecv(narrow, length, MPI_UINT16_T, from, tag, p->all, request);
    else MPI_Irecv(to, length, exchange_type(), from, tag, p->all, request);
}

void exchange_reserve_sent(Processes *p, size_t size)
{
    Exchange *x = &p->exchange;
    if (exchange_is_narrow(p)) x->sent = grow(x->sent, &x->sent_capacity, size, sizeof *x->sent);
}

Interval exchange_reserve_shard(Processes *p, size_t size)
{
    Exchange *x = &p->exchange;
    const Interval shard = exchange_shard(p, p->rank, size);
    const size_t length = shard.to - shard.from;
    x->shard = grow(x->shard, &x->shard_capacity, length, sizeof *x->shard);
    if (exchange_is_narrow(p))
        x->narrow_shard = grow(x->narrow_shard, &x->narrow_capacity, length,
                               sizeof *x->narrow_shard);
    return shard;
}
