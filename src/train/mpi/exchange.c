/* exchange.c - the sum of the gradients of all processes, and what each owns of the weights and
 * moments, for all: parts of a block go as messages, in 32 bits or in bfloat16. */
#include "train/mpi/connection.h"

#include "base/mem.h"
#include "linalg/vector.h"

#include <stdlib.h>
#include <string.h>

const char *const exchange_names[] = { "float", "bf16", NULL };

/* What a message is. */
enum { TO_NEXT = 1, TO_OWNER, ROUND };

static int is_narrow(const Processes *p)
{
    return p->exchange.kind == EXCHANGE_BF16;
}

/* What MPI calls a real. */
static MPI_Datatype real_type(void)
{
    return sizeof(real) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;
}

/* ---- parts of a block ---- */

/* What a process owns of a block of `size` values. */
static Interval shard_of(const Processes *p, int rank, size_t size)
{
    const size_t all = (size_t)p->first[p->count], from = size * (size_t)p->first[rank];
    return (Interval){ from / all, size * (size_t)p->first[rank + 1] / all };
}

Interval processes_shard(const Processes *p, size_t size)
{
    return connection_is_alone(p) ? (Interval){ 0, size } : shard_of(p, p->rank, size);
}

static int length_of(Interval part)
{
    return (int)(part.to - part.from);
}

/* The values of both; 0 .. 0: there are none. */
static Interval overlap(Interval a, Interval b)
{
    const Interval both = { a.from > b.from ? a.from : b.from, a.to < b.to ? a.to : b.to };
    return both.from < both.to ? both : (Interval){ 0, 0 };
}

/* ---- messages ---- */

/* Sends a part of a block, or what `sent` has of it. */
static void send_part(const Processes *p, const real *block, Interval part, int to, int tag,
                      MPI_Request *request)
{
    const uint16_t *sent = p->exchange.sent;
    const int length = length_of(part);
    if (is_narrow(p)) MPI_Isend(sent + part.from, length, MPI_UINT16_T, to, tag, p->all, request);
    else MPI_Isend(block + part.from, length, real_type(), to, tag, p->all, request);
}

/* Receives so many values; in bfloat16 to the second place. */
static void receive_part(const Processes *p, real *to, uint16_t *narrow, int length, int from,
                         int tag, MPI_Request *request)
{
    if (is_narrow(p)) MPI_Irecv(narrow, length, MPI_UINT16_T, from, tag, p->all, request);
    else MPI_Irecv(to, length, real_type(), from, tag, p->all, request);
}

/* Makes room for the own shard of a block of that size, and returns it. */
static Interval reserve_shard(Processes *p, size_t size)
{
    Exchange *x = &p->exchange;
    const Interval shard = shard_of(p, p->rank, size);
    const size_t length = shard.to - shard.from;
    x->shard = grow(x->shard, &x->shard_capacity, length, sizeof *x->shard);
    if (is_narrow(p))
        x->narrow_shard = grow(x->narrow_shard, &x->narrow_capacity, length,
                               sizeof *x->narrow_shard);
    return shard;
}

/* ---- the sum: each process adds its own to what came from the process before ---- */

typedef struct {
    Processes  *processes;
    Exchange   *exchange;       /* its own */
    real       *sum;
    size_t      size;
    MPI_Request arriving[AHEAD];
    int         requests;       /* in exchange->request */
} Sum;

static Interval piece_of(const Sum *s, size_t number)
{
    const size_t from = number * PIECE, to = from + PIECE;
    return (Interval){ from, to < s->size ? to : s->size };
}

/* What comes from the process before. */
static void receive_piece(Sum *s, size_t number)
{
    const Processes *p = s->processes;
    const Interval piece = piece_of(s, number);
    const int slot = (int)(number % AHEAD);
    if (p->rank && piece.from < s->size)
        receive_part(p, s->exchange->before + slot * PIECE, s->exchange->narrow + slot * PIECE,
                     length_of(piece), p->rank - 1, TO_NEXT, &s->arriving[slot]);
}

/* To the next process; the last one returns the sum to its owners. */
static void send_piece(Sum *s, Interval piece)
{
    const Processes *p = s->processes;
    Exchange *x = s->exchange;
    if (is_narrow(p))
        vector_to_bf16(x->sent + piece.from, s->sum + piece.from, piece.to - piece.from);
    if (!processes_is_last(p))
        send_part(p, s->sum, piece, p->rank + 1, TO_NEXT, &x->request[s->requests++]);
    for (int owner = 0; owner < p->rank && processes_is_last(p); owner++) {
        const Interval part = overlap(piece, shard_of(p, owner, s->size));
        if (part.to) send_part(p, s->sum, part, owner, TO_OWNER, &x->request[s->requests++]);
    }
}

/* The pieces of the own shard, as the last process will return them. */
static void expect_shard(Sum *s, Interval shard, size_t pieces)
{
    const Processes *p = s->processes;
    Exchange *x = s->exchange;
    for (size_t i = 0; i < pieces; i++) {
        const Interval part = overlap(piece_of(s, i), shard);
        const size_t at = part.from - shard.from;
        if (part.to)
            receive_part(p, x->shard + at, x->narrow_shard + at, length_of(part), p->count - 1,
                         TO_OWNER, &x->request[s->requests++]);
    }
}

/* The values of a piece that the processes before have added up; NULL: there are none. */
static const real *sum_before(Sum *s, size_t number)
{
    const Processes *p = s->processes;
    const Interval piece = piece_of(s, number);
    const int slot = (int)(number % AHEAD);
    real *before = s->exchange->before + slot * PIECE;
    if (!p->rank) return NULL;
    connection_wait(&s->arriving[slot], 1);
    if (is_narrow(p))
        vector_from_bf16(before, s->exchange->narrow + slot * PIECE, piece.to - piece.from);
    return before;
}

void processes_add_up(Processes *p, real *sum, size_t size, AddOwn *add, void *context)
{
    if (connection_is_alone(p)) {
        add(context, NULL, 0, size);
        return;
    }
    Exchange *x = &p->exchange;
    Sum s = { .processes = p, .exchange = x, .sum = sum, .size = size };
    const size_t pieces = (size + PIECE - 1) / PIECE;
    const Interval shard = reserve_shard(p, size);
    const int is_last = processes_is_last(p);
    x->request = grow(x->request, &x->request_capacity, 2 * pieces + (size_t)p->count,
                      sizeof *x->request);
    if (is_narrow(p)) x->sent = grow(x->sent, &x->sent_capacity, size, sizeof *x->sent);
    if (!is_last) expect_shard(&s, shard, pieces);
    for (size_t i = 0; i < AHEAD; i++)
        receive_piece(&s, i);
    for (size_t i = 0; i < pieces; i++) {
        const Interval piece = piece_of(&s, i);
        add(context, sum_before(&s, i), piece.from, piece.to - piece.from);
        receive_piece(&s, i + AHEAD);
        send_piece(&s, piece);
    }
    connection_wait(x->request, s.requests);
    if (!is_last && is_narrow(p))
        vector_from_bf16(sum + shard.from, x->narrow_shard, shard.to - shard.from);
    else if (!is_last) memcpy(sum + shard.from, x->shard, (shard.to - shard.from) * sizeof *sum);
}

/* ---- shards: what their owners have, for all ---- */

void processes_keep_shard(Processes *p, const real *block, size_t size)
{
    if (connection_is_alone(p) || !is_narrow(p)) return;
    const Interval shard = reserve_shard(p, size);
    memcpy(p->exchange.shard, block + shard.from, (shard.to - shard.from) * sizeof *block);
}

/* The owner rounds what has changed. */
static void round_changes(Processes *p, const real *block, size_t size)
{
    const Interval shard = shard_of(p, p->rank, size);
    Exchange *x = &p->exchange;
    for (size_t at = shard.from; at < shard.to; at += PIECE) {
        const size_t left = shard.to - at, count = left < PIECE ? left : PIECE;
        for (size_t i = 0; i < count; i++)
            x->before[i] = block[at + i] - x->shard[at - shard.from + i];
        vector_to_bf16(x->sent + at, x->before, count);
    }
}

/* All add the rounded changes to what there was. */
static void add_changes(Processes *p, real *block, size_t size)
{
    const Interval shard = shard_of(p, p->rank, size);
    Exchange *x = &p->exchange;
    memcpy(block + shard.from, x->shard, (shard.to - shard.from) * sizeof *block);
    for (size_t at = 0; at < size; at += PIECE) {
        const size_t left = size - at, count = left < PIECE ? left : PIECE;
        vector_from_bf16(x->before, x->sent + at, count);
        vector_add(block + at, x->before, count);
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
        const Interval out = shard_of(p, owner, size);
        const Interval in = shard_of(p, (owner - 1 + p->count) % p->count, size);
        receive_part(p, block + in.from, p->exchange.sent + in.from, length_of(in), before, ROUND,
                     &request[0]);
        send_part(p, block, out, next, ROUND, &request[1]);
        connection_wait(request, 2);
    }
}

void processes_share_shard(Processes *p, real *block, size_t size)
{
    if (connection_is_alone(p)) return;
    if (is_narrow(p)) round_changes(p, block, size);
    pass_round(p, block, size);
    if (is_narrow(p)) add_changes(p, block, size);
}

void processes_gather_shards(Processes *p, real *block, size_t size)
{
    for (int owner = 1; owner < processes_count(p); owner++) {
        MPI_Request request = MPI_REQUEST_NULL;
        const Interval shard = shard_of(p, owner, size);
        const int length = length_of(shard);
        real *values = block + shard.from;
        if (p->rank == 0)
            MPI_Irecv(values, length, real_type(), owner, ROUND, p->all, &request);
        else if (p->rank == owner)
            MPI_Isend(values, length, real_type(), 0, ROUND, p->all, &request);
        connection_wait(&request, 1);
    }
}
