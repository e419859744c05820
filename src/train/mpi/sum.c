/* sum.c - the sum of the gradients of all processes: each one adds its own to what came from the
 * process before. */
#include "train/mpi/connection.h"

#include "base/mem.h"
#include "linalg/vector.h"

#include <string.h>

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

static MPI_Request *new_request(Sum *s)
{
    return &s->exchange->request[s->requests++];
}

/* What comes from the process before. */
static void receive_piece(Sum *s, size_t number)
{
    const Processes *p = s->processes;
    const Interval piece = piece_of(s, number);
    const int slot = (int)(number % AHEAD);
    if (p->rank && piece.from < s->size)
        exchange_receive(p, s->exchange->before[slot], s->exchange->narrow[slot],
                         interval_length(piece), p->rank - 1, TO_NEXT, &s->arriving[slot]);
}

/* The last process returns the sum to its owners. */
static void return_piece(Sum *s, Interval piece)
{
    const Processes *p = s->processes;
    for (int owner = 0; owner < p->rank; owner++) {
        const Interval part = interval_overlap(piece, exchange_shard(p, owner, s->size));
        if (part.to) exchange_send(p, s->sum, part, owner, TO_OWNER, new_request(s));
    }
}

static void send_piece(Sum *s, Interval piece)
{
    const Processes *p = s->processes;
    if (exchange_is_narrow(p))
        vector_to_bf16(s->exchange->sent + piece.from, s->sum + piece.from,
                       piece.to - piece.from);
    if (processes_is_last(p)) return_piece(s, piece);
    else exchange_send(p, s->sum, piece, p->rank + 1, TO_NEXT, new_request(s));
}

/* The pieces of the own shard, as the last process will return them. */
static void expect_shard(Sum *s, size_t pieces)
{
    Processes *p = s->processes;
    const Interval shard = exchange_reserve_shard(p, s->size);
    for (size_t i = 0; i < pieces && !processes_is_last(p); i++) {
        const Interval part = interval_overlap(piece_of(s, i), shard);
        const size_t at = part.from - shard.from;
        if (part.to)
            exchange_receive(p, s->exchange->shard + at, s->exchange->narrow_shard + at,
                             interval_length(part), p->count - 1, TO_OWNER, new_request(s));
    }
}

static void take_shard(const Sum *s)
{
    const Processes *p = s->processes;
    const Interval shard = exchange_shard(p, p->rank, s->size);
    const size_t length = shard.to - shard.from;
    if (processes_is_last(p)) return;
    if (exchange_is_narrow(p))
        vector_from_bf16(s->sum + shard.from, s->exchange->narrow_shard, length);
    else memcpy(s->sum + shard.from, s->exchange->shard, length * sizeof *s->sum);
}

/* The values of a piece that the processes before have added up; NULL: there are none. */
static const real *sum_before(Sum *s, size_t number)
{
    const Processes *p = s->processes;
    const Interval piece = piece_of(s, number);
    const int slot = (int)(number % AHEAD);
    real *before = s->exchange->before[slot];
    if (!p->rank) return NULL;
    connection_wait(&s->arriving[slot], 1);
    if (exchange_is_narrow(p))
        vector_from_bf16(before, s->exchange->narrow[slot], piece.to - piece.from);
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
    x->request = grow(x->request, &x->request_capacity, 2 * pieces + (size_t)p->count,
                      sizeof *x->request);
    exchange_reserve_sent(p, size);
    expect_shard(&s, pieces);
    for (size_t i = 0; i < AHEAD; i++)
        receive_piece(&s, i);
    for (size_t i = 0; i < pieces; i++) {
        const Interval piece = piece_of(&s, i);
        add(context, sum_before(&s, i), piece.from, piece.to - piece.from);
        receive_piece(&s, i + AHEAD);
        send_piece(&s, piece);
    }
    connection_wait(x->request, s.requests);
    take_shard(&s);
}
