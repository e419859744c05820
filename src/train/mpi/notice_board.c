/* notice_board.c - what few bytes each process shows to all others in shared memory. An update has a
 * dozen such exchanges, of which each took MPI 0.1 ms or more (data/results/scaling.md).
 *
 * Each process has two slots, which it fills in turn. When all have met at one notice, all have
 * read the one before, so its slots are free again.
 */
#include "train/mpi/connection.h"

#include <stdatomic.h>
#include <string.h>

enum { SLOT = 1 << 16 };        /* bytes: the ids of some 600 pairs */

/* Its slots follow: (2, processes, SLOT). */
struct NoticeBoard {
    atomic_int  come;           /* of those who meet */
    atomic_uint meetings;       /* that have ended */
};
enum { HEAD = 64 };

size_t notice_board_size(const Processes *p)
{
    return HEAD + 2 * (size_t)p->count * SLOT;
}

static char *slot_of(const Processes *p, int rank, unsigned meeting)
{
    return (char *)p->board + HEAD + ((meeting % 2) * (size_t)p->count + (size_t)rank) * SLOT;
}

/* The last one to come lets all go. MPI needs to be called now and then for what it still has to
 * send. */
static void meet(const Processes *p)
{
    enum { MANY = 1 << 30, TESTS_A_CALL = 64 };
    NoticeBoard *b = p->board;
    const unsigned now = atomic_load(&b->meetings);
    if (atomic_fetch_add(&b->come, 1) == p->count - 1) {
        atomic_store(&b->come, 0);
        atomic_store(&b->meetings, now + 1);
    }
    for (int tests = 1, found; atomic_load(&b->meetings) == now; tests += tests < MANY) {
        if (tests % TESTS_A_CALL == 0)
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, p->all, &found, MPI_STATUS_IGNORE);
        connection_rest(tests);
    }
}

int notice_fits(const Processes *p, size_t size)
{
    return connection_shares_memory(p) && size <= SLOT;
}

void notice_show(const Processes *p, const void *own, size_t size)
{
    if (size) memcpy(slot_of(p, p->rank, atomic_load(&p->board->meetings)), own, size);
    meet(p);
}

const void *notice_of(const Processes *p, int rank)
{
    return slot_of(p, rank, atomic_load(&p->board->meetings) - 1);
}
