/* shared_memory.c - memory that all processes share, if they run on one machine.
 *
 * It is a file without a name (memfd_create(2)): the first process makes it, and the others open it
 * by the number it has there, in /proc. A window of MPI (MPI_Win_allocate_shared) would lie in
 * /dev/shm, of which containers have 64 MB, and begin where no huge page does.
 */
#define _GNU_SOURCE
#include "train/mpi/connection.h"

#include "base/mem.h"

#include <fcntl.h>
#include <linux/mman.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HUGE_PAGE = 2 << 20 };

/* What finds the file, and tells it from that of another program: containers of one machine can
 * have processes of the same number. */
typedef struct {
    pid_t process;
    int   number;               /* -1: there is none */
    dev_t device;
    ino_t inode;
} MemoryFile;

/* ---- one block ---- */

static size_t rounded(size_t bytes)
{
    return (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

static size_t bytes_of(size_t size)
{
    return rounded(size * sizeof(real));
}

static MemoryFile new_file(size_t bytes)
{
    struct stat s = { 0 };
    int number = memfd_create("attn", MFD_CLOEXEC);
    if (number >= 0 && (ftruncate(number, (off_t)bytes) || fstat(number, &s))) {
        close(number);
        number = -1;
    }
    return (MemoryFile){ getpid(), number, s.st_dev, s.st_ino };
}

static int open_file(const MemoryFile *file)
{
    char path[64];
    struct stat s;
    if (file->number < 0) return -1;
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)file->process, file->number);
    const int here = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY);
    if (here < 0 || (!fstat(here, &s) && s.st_dev == file->device && s.st_ino == file->inode))
        return here;
    close(here);
    return -1;
}

/* At the beginning of a huge page. NULL: refused. */
static char *map_file(int file, size_t bytes)
{
    char *room = mmap(NULL, bytes + HUGE_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) return NULL;
    const size_t before = HUGE_PAGE - (size_t)room % HUGE_PAGE;
    munmap(room, before);
    munmap(room + before + bytes, HUGE_PAGE - before);
    char *block = mmap(room + before, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
                       0);
    return block == MAP_FAILED ? NULL : block;
}

/* Each process takes a part of the memory before it is written, so that no write can fail, and
 * touches it first, so that it is near the cores of its workers. */
static char *map_part(const Processes *p, int file, size_t bytes)
{
    const Interval own = exchange_shard(p, p->rank, bytes);
    const size_t length = own.to - own.from;
    if (posix_fallocate(file, (off_t)own.from, (off_t)length)) return NULL;
    char *block = map_file(file, bytes);
    if (block) memset(block + own.from, 0, length);
    return block;
}

static char *open_and_map(const Processes *p, const MemoryFile *file, size_t bytes)
{
    const int here = open_file(file);
    char *block = here < 0 ? NULL : map_part(p, here, bytes);
    if (here >= 0) close(here);
    return block;
}

static void meet(Processes *p)
{
    MPI_Request request;
    MPI_Ibarrier(p->all, &request);
    connection_wait(&request, 1);
}

/* Only a wish, as in base/mem.c: the first process makes huge pages of what all have touched, and
 * the others map them. */
static void ask_for_huge_pages(Processes *p, char *block, size_t bytes)
{
#ifdef MADV_COLLAPSE
    if (block && !p->rank) (void)madvise(block, bytes, MADV_COLLAPSE);
    meet(p);
    if (block && p->rank) (void)madvise(block, bytes, MADV_COLLAPSE);
#else
    (void)p, (void)block, (void)bytes;
#endif
}

/* The same memory in all processes; NULL where it is refused. */
static char *share(Processes *p, size_t bytes)
{
    MemoryFile file = { .number = -1 };
    if (!p->rank) file = new_file(bytes);
    processes_share(p, &file, sizeof file);
    char *block = open_and_map(p, &file, bytes);
    meet(p);
    if (!p->rank && file.number >= 0) close(file.number);
    ask_for_huge_pages(p, block, bytes);
    return block;
}

/* ---- all blocks ---- */

static int are_on_one_machine(const Processes *p)
{
    MPI_Comm machine;
    int count;
    MPI_Comm_split_type(p->all, MPI_COMM_TYPE_SHARED, p->rank, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &count);
    MPI_Comm_free(&machine);
    return count == p->count;
}

void connection_share_memory(Processes *p)
{
    if (!are_on_one_machine(p)) return;
    const size_t bytes = rounded(notice_board_size(p));
    char *board = share(p, bytes);
    double refused = !board;
    processes_max(p, &refused, 1);
    if (!refused) p->board = (NoticeBoard *)board;
    else if (board) munmap(board, bytes);
}

void connection_part_memory(Processes *p)
{
    if (p->board) munmap(p->board, rounded(notice_board_size(p)));
}

int connection_shares_memory(const Processes *p)
{
    return p && p->board;
}

real *processes_block(Processes *p, size_t size)
{
    const size_t bytes = bytes_of(size);
    if (!connection_shares_memory(p)) return xaligned_raw(size, sizeof(real));
    void *block = share(p, bytes);
    if (!block)
        die("out of memory: %zu bytes (%.1f MiB) were refused", bytes, (double)bytes / (1 << 20));
    return block;
}

void processes_free_block(Processes *p, real *block, size_t size)
{
    if (connection_shares_memory(p)) munmap(block, bytes_of(size));
    else free(block);
}

Crew processes_team(const Processes *p, const Pool *pool)
{
    const int own = pool_workers(pool);
    return connection_shares_memory(p) ? processes_crew(p, pool) : (Crew){ 0, own, own };
}

int processes_fills(const Processes *p)
{
    return processes_is_first(p) || !connection_shares_memory(p);
}

void processes_meet(Processes *p)
{
    if (connection_shares_memory(p)) notice_show(p, NULL, 0);
}
