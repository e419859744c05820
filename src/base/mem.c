/* mem.c - checked allocation, the measuring arena, the growing region, and who holds what.
 *
 * In a Mem each block has a header with its place in the Mem's ring, so that a failure at any depth
 * gives back what only functions far below knew of.
 */
#include "base/mem.h"

#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGNMENT = 64, HUGE_PAGE = 2 << 20 };

/* ---- what a Mem holds ---- */

/* What lies before a block of memory, up to its first byte. */
typedef struct Block {
    struct Block *before, *next;
    Mem          *mem;
    void         *start;            /* for free() */
} Block;

enum { MALLOC_ALIGNMENT = 16 };
_Static_assert(sizeof(Block) % MALLOC_ALIGNMENT == 0 && sizeof(Block) <= ALIGNMENT,
               "a block behind its header is aligned as without");

typedef struct Thing {
    struct Thing *before;
    void         *thing;
    void        (*release)(void *thing);
} Thing;

struct Mem {
    pthread_mutex_t mutex;
    Block           blocks;         /* the head of a ring */
    Thing          *things;         /* the latest, which has those before it */
};

/* Work in a Mem. */
typedef struct {
    Mem    *mem;
    Err    *error;
    jmp_buf end;
} Work;

static _Thread_local Work *current;     /* of this thread; NULL: it works in no Mem */

Mem *mem_entered(void)
{
    return current ? current->mem : NULL;
}

void mem_fail(const char *format, va_list args)
{
    if (!current) return;
    vsnprintf(current->error->text, sizeof current->error->text, format, args);
    longjmp(current->end, 1);
}

int mem_try(Mem *mem, void (*work)(void *context), void *context, Err *e)
{
    Work mine = { .mem = mem, .error = e }, *const outer = current;
    if (setjmp(mine.end)) {
        current = outer;
        return -1;
    }
    current = &mine;
    work(context);
    current = outer;
    return 0;
}

Mem *mem_new(void)
{
    Mem *mem = calloc(1, sizeof *mem);
    if (!mem) return NULL;
    pthread_mutex_init(&mem->mutex, NULL);
    mem->blocks.before = mem->blocks.next = &mem->blocks;
    return mem;
}

void mem_free(Mem *mem)
{
    if (!mem) return;
    for (Thing *thing = mem->things, *before; thing; thing = before) {
        before = thing->before;
        thing->release(thing->thing);
        free(thing);
    }
    for (Block *block = mem->blocks.next, *next; block != &mem->blocks; block = next) {
        next = block->next;
        free(block->start);
    }
    pthread_mutex_destroy(&mem->mutex);
    free(mem);
}

void mem_keep(void *thing, void (*release)(void *thing))
{
    Mem *mem = mem_entered();
    if (!mem) return;
    Thing *kept = malloc(sizeof *kept);
    if (!kept) {
        release(thing);
        die("out of memory");
    }
    pthread_mutex_lock(&mem->mutex);
    *kept = (Thing){ mem->things, thing, release };
    mem->things = kept;
    pthread_mutex_unlock(&mem->mutex);
}

void mem_forget(const void *thing)
{
    Mem *mem = mem_entered();
    if (!mem) return;
    pthread_mutex_lock(&mem->mutex);
    Thing **link = &mem->things, *found;
    while ((found = *link) && found->thing != thing)
        link = &found->before;
    if (found) *link = found->before;
    pthread_mutex_unlock(&mem->mutex);
    free(found);
}

/* Links a block that begins `header` bytes behind start; returns its first byte. */
static void *link_block(Mem *mem, void *start, size_t header)
{
    char *first = (char *)start + header;
    Block *block = (Block *)first - 1;
    pthread_mutex_lock(&mem->mutex);
    *block = (Block){ &mem->blocks, mem->blocks.next, mem, start };
    block->next->before = mem->blocks.next = block;
    pthread_mutex_unlock(&mem->mutex);
    return first;
}

/* Takes a block out of the ring; returns what was asked of malloc. */
static void *unlink_block(Mem *mem, void *first)
{
    Block *block = (Block *)first - 1;
    assert(block->mem == mem);
    pthread_mutex_lock(&mem->mutex);
    block->before->next = block->next;
    block->next->before = block->before;
    pthread_mutex_unlock(&mem->mutex);
    return block->start;
}

/* ---- blocks ---- */

static size_t product(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX - 2 * ALIGNMENT)
        die("out of memory: %zu items of %zu bytes are more than this machine can address", count,
            size);
    return bytes;
}

/* A new block, with room for its header in a Mem; NULL: it was refused. */
static void *checked(void *start, size_t header, size_t bytes)
{
    Mem *mem = mem_entered();
    if (!start)
        die("out of memory: %zu bytes (%.1f MiB) were refused", bytes, (double)bytes / (1 << 20));
    return mem ? link_block(mem, start, header) : start;
}

static size_t header_bytes(size_t alignment)
{
    return !mem_entered() ? 0 : alignment > sizeof(Block) ? alignment : sizeof(Block);
}

void *xmalloc(size_t count, size_t size)
{
    const size_t bytes = product(count, size), header = header_bytes(MALLOC_ALIGNMENT);
    return checked(malloc(header + bytes ? header + bytes : 1), header, bytes);
}

void *xcalloc(size_t count, size_t size)
{
    const size_t bytes = product(count, size), header = header_bytes(MALLOC_ALIGNMENT);
    return checked(calloc(header + bytes ? header + bytes : 1, 1), header, bytes);
}

void *xrealloc(void *old, size_t count, size_t size)
{
    const size_t bytes = product(count, size), header = header_bytes(MALLOC_ALIGNMENT);
    void *start = old && header ? unlink_block(mem_entered(), old) : old;
    void *grown = realloc(start, header + bytes ? header + bytes : 1);
    if (!grown && start && header) link_block(mem_entered(), start, header);
    return checked(grown, header, bytes);
}

void xfree(void *block)
{
    Mem *mem = mem_entered();
    free(block && mem ? unlink_block(mem, block) : block);
}

char *xstrndup(const char *text, size_t length)
{
    char *copy = xmalloc(length + 1, 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *xstrdup(const char *text)
{
    return xstrndup(text, strlen(text));
}

void *grow(void *array, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity) return array;
    size_t next = *capacity + *capacity / 2 + 16;
    *capacity = next > need ? next : need;
    return xrealloc(array, *capacity, size);
}

static size_t rounded(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Asks for huge pages where the system leaves the choice to programs (Linux, "madvise"): a model of
 * 33 MB has 8,000 small ones, each with a fault, and the columns of a large matrix are a page apart
 * from row to row. Only a wish. */
static void *large(size_t bytes)
{
    void *block;
    /* Not aligned_alloc, which wants a multiple of the page. */
    if (posix_memalign(&block, HUGE_PAGE, bytes)) return NULL;
#ifdef MADV_HUGEPAGE
    (void)madvise(block, bytes, MADV_HUGEPAGE);
#endif
    return block;
}

void *xaligned_raw(size_t count, size_t size)
{
    const size_t header = header_bytes(ALIGNMENT), bytes = header + rounded(product(count, size));
    return checked(bytes >= 2 * HUGE_PAGE ? large(bytes)
                   : aligned_alloc(ALIGNMENT, bytes ? bytes : ALIGNMENT), header, bytes);
}

void *xaligned(size_t count, size_t size)
{
    void *block = xaligned_raw(count, size);
    return memset(block, 0, rounded(count * size));
}

/* ---- the arena ---- */

void arena_reserve(Arena *arena, size_t bytes)
{
    if (bytes > arena->capacity || !arena->block) {
        xfree(arena->block);
        arena->block = xaligned_raw(bytes, 1);
        arena->capacity = rounded(bytes);
    }
    arena->used = 0;
}

void arena_free(Arena *arena)
{
    xfree(arena->block);
    *arena = (Arena){ 0 };
}

void *arena_take(Arena *arena, size_t count, size_t size)
{
    size_t at = arena->used;
    arena->used += rounded(product(count, size));
    if (!arena->block) return NULL;
    assert(arena->used <= arena->capacity);
    return arena->block + at;
}

/* ---- the region ---- */

enum { PIECE = MALLOC_ALIGNMENT, FIRST_SLAB = 4 << 10 };

typedef struct Slab {
    struct Slab *before;
    size_t        capacity;         /* bytes behind this */
} Slab;

_Static_assert(sizeof(Slab) % PIECE == 0, "the first piece is aligned like the others");

/* Each is at least twice as large as that before it, so they are few. */
static void add_slab(Region *region, size_t need)
{
    Slab *before = region->slab, *slab;
    size_t capacity = before ? 2 * before->capacity : FIRST_SLAB;
    if (capacity < need) capacity = need;
    slab = xmalloc(1, capacity + sizeof *slab);
    *slab = (Slab){ before, capacity };
    *region = (Region){ slab, 0 };
}

void *region_take(Region *region, size_t count, size_t size)
{
    const size_t bytes = (product(count, size) + PIECE - 1) / PIECE * PIECE;
    if (!region->slab || bytes > region->slab->capacity - region->used) add_slab(region, bytes);
    void *piece = (char *)(region->slab + 1) + region->used;
    region->used += bytes;
    return piece;
}

char *region_strndup(Region *region, const char *text, size_t length)
{
    char *copy = region_take(region, length + 1, 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

static void free_slabs(Slab *slab)
{
    for (Slab *before; slab; slab = before) {
        before = slab->before;
        xfree(slab);
    }
}

void region_reset(Region *region)
{
    if (region->slab) {
        free_slabs(region->slab->before);
        region->slab->before = NULL;
    }
    region->used = 0;
}

void region_free(Region *region)
{
    free_slabs(region->slab);
    *region = (Region){ 0 };
}
