/* mem.c - checked allocation, the measuring arena, the growing region. */
#include "base/mem.h"

#include "base/error.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGNMENT = 64, HUGE_PAGE = 2 << 20 };

static size_t product(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX - ALIGNMENT)
        die("out of memory: %zu items of %zu bytes are more than this machine can address", count,
            size);
    return bytes;
}

static void *checked(void *block, size_t bytes)
{
    if (!block)
        die("out of memory: %zu bytes (%.1f MiB) were refused", bytes, (double)bytes / (1 << 20));
    return block;
}

void *xmalloc(size_t count, size_t size)
{
    size_t bytes = product(count, size);
    return checked(malloc(bytes ? bytes : 1), bytes);
}

void *xcalloc(size_t count, size_t size)
{
    size_t bytes = product(count, size);
    return checked(calloc(bytes ? bytes : 1, 1), bytes);
}

void *xrealloc(void *old, size_t count, size_t size)
{
    size_t bytes = product(count, size);
    return checked(realloc(old, bytes ? bytes : 1), bytes);
}

char *xstrndup(const char *text, size_t length)
{
    char *copy = xmalloc(length + 1, 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

void xfree(void *block)
{
    free(block);
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
    size_t bytes = rounded(product(count, size));
    return checked(bytes >= 2 * HUGE_PAGE ? large(bytes)
                   : aligned_alloc(ALIGNMENT, bytes ? bytes : ALIGNMENT), bytes);
}

void *xaligned(size_t count, size_t size)
{
    void *block = xaligned_raw(count, size);
    return memset(block, 0, rounded(count * size));
}

void arena_reserve(Arena *arena, size_t bytes)
{
    if (bytes > arena->capacity || !arena->block) {
        xfree(arena->block);
        arena->block = xaligned_raw(bytes, 1);
        arena->capacity = rounded(bytes);
    }
    arena->used = 0;
}

void arena_reset(Arena *arena)
{
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

real *arena_reals(Arena *arena, size_t count)
{
    return arena_take(arena, count, sizeof(real));
}

int *arena_ints(Arena *arena, size_t count)
{
    return arena_take(arena, count, sizeof(int));
}

/* ---- the region ---- */

enum { PIECE = 16, FIRST_CHUNK = 4 << 10 };

typedef struct Chunk {
    struct Chunk *before;
    size_t        capacity;         /* bytes behind this */
} Chunk;

_Static_assert(sizeof(Chunk) % PIECE == 0, "the first piece is aligned like the others");

/* Each is at least twice as large as that before it, so they are few. */
static void add_chunk(Region *region, size_t need)
{
    Chunk *before = region->chunk, *chunk;
    size_t capacity = before ? 2 * before->capacity : FIRST_CHUNK;
    if (capacity < need) capacity = need;
    chunk = xmalloc(1, capacity + sizeof *chunk);
    *chunk = (Chunk){ before, capacity };
    *region = (Region){ chunk, 0 };
}

void *region_take(Region *region, size_t count, size_t size)
{
    const size_t bytes = (product(count, size) + PIECE - 1) / PIECE * PIECE;
    if (!region->chunk || bytes > region->chunk->capacity - region->used) add_chunk(region, bytes);
    void *piece = (char *)(region->chunk + 1) + region->used;
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

static void free_chunks(Chunk *chunk)
{
    for (Chunk *before; chunk; chunk = before) {
        before = chunk->before;
        xfree(chunk);
    }
}

void region_reset(Region *region)
{
    if (region->chunk) {
        free_chunks(region->chunk->before);
        region->chunk->before = NULL;
    }
    region->used = 0;
}

void region_free(Region *region)
{
    free_chunks(region->chunk);
    *region = (Region){ 0 };
}
