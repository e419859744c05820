/* mem.h - three kinds of memory: checked malloc for what lives long, an arena for what one batch
 * needs and can be measured, a region for the many small things of one line.
 *
 * The arena is laid out twice by the same code: once with no memory behind it, to measure, then for
 * real. So the plan and the use can't differ.
 *
 *     Arena a = { 0 };                 measures: every pointer it returns is NULL
 *     layout(&a, ...);
 *     arena_reserve(&a, a.used);       now it has a block, and is empty again
 *     layout(&a, ...);
 *
 * Where memory is refused, die() ends the program, which needs to give nothing back. A library may
 * not do that: there all work is done in a Mem, which knows what the work has taken.
 */
#ifndef ATTN_BASE_MEM_H
#define ATTN_BASE_MEM_H

#include "base/error.h"
#include "base/real.h"

#include <stddef.h>
#include <string.h>

/* Never return NULL: they die() when memory is short. The caller frees, by xfree. */
void *xmalloc(size_t count, size_t size);             /* count * size bytes, overflow checked, not
                                                         cleared */
void *xcalloc(size_t count, size_t size);             /* the same, zeroed */
void *xrealloc(void *old, size_t count, size_t size);
char *xstrdup(const char *text);
char *xstrndup(const char *text, size_t length);
void  xfree(void *block);                              /* of any of these; NULL: nothing */

/* SCOPED - declares variables that `release` frees where their block ends, however it is left:
 * SCOPED(buf_free) Buf text = { 0 }; xfree_at is for blocks. Where work dies, its Mem frees them. */
#define SCOPED(release) __attribute__((cleanup(release)))
static inline void xfree_at(void *variable)
{
    void *block;
    memcpy(&block, variable, sizeof block);
    xfree(block);
}

/* grow - makes room for at least `need` elements in an array that grows by half; *capacity is in
 * elements. */
void *grow(void *array, size_t *capacity, size_t need, size_t size);

/* xaligned - a block at a 64-byte boundary (a cache line, one AVX-512 register), zeroed; for xfree
 * alone. */
void *xaligned(size_t count, size_t size);
void *xaligned_raw(size_t count, size_t size);        /* the same, not cleared */

typedef struct {
    char  *block;       /* NULL while measuring */
    size_t capacity;    /* bytes of the block */
    size_t used;        /* bytes given out, or measured */
} Arena;

/* arena_reserve - gives the arena a block of at least `bytes` (keeps a larger one) and empties it.
 * It is not cleared: a part that is never used takes address space only. */
void arena_reserve(Arena *arena, size_t bytes);
void arena_free(Arena *arena);

/* Not cleared; aligned to 64 bytes; NULL while measuring. To take more than the reserved
 * block is a programmer's error. */
void *arena_take(Arena *arena, size_t count, size_t size);

static inline real *arena_reals(Arena *arena, size_t count)
{
    return arena_take(arena, count, sizeof(real));
}

static inline int *arena_ints(Arena *arena, size_t count)
{
    return arena_take(arena, count, sizeof(int));
}

/* A region gives out pieces that all end together, and grows as they need it: { 0 } is an empty
 * one. Nothing that it gave moves or is freed alone. */
typedef struct {
    struct Slab *slab;      /* the newest and largest, which has those before it; or NULL */
    size_t       used;      /* bytes of it given out */
} Region;

/* Not cleared; aligned to 16 bytes; never NULL. */
void *region_take(Region *region, size_t count, size_t size);
char *region_strndup(Region *region, const char *text, size_t length);

/* region_reset - ends all pieces, and keeps the largest slab for those to come: a region that is
 * reset after each line soon asks for no more memory. */
void region_reset(Region *region);
void region_free(Region *region);

/* A Mem holds all that some work takes from the system and has not given back: memory, open files,
 * threads. The program has none: there the blocks above are plain ones of malloc, and a failure is
 * the end of the process. In the library each object has one, with all that belongs to it. */
typedef struct Mem Mem;

Mem *mem_new(void);             /* NULL: memory is refused */
void mem_free(Mem *mem);        /* with all that it holds; or NULL */

/* mem_try - calls work(context) in the Mem: what it takes is the Mem's, and what it frees must have
 * been. Where the work dies, -1 and the message of die(): what it was about to change may be half
 * done, and the Mem is to be freed. Any number of threads may work in a Mem; work inside other
 * work ends alone. */
int mem_try(Mem *mem, void (*work)(void *context), void *context, Err *e);

/* mem_entered - the Mem that this thread works in, or NULL.
 * mem_fail - the end of that work, with this message; returns where there is none. */
Mem *mem_entered(void);
void mem_fail(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/* mem_keep - lets the Mem, if any, hold a thing that is no block of memory: mem_free releases it,
 * before all blocks, the latest first. Where there is no memory for that it is released at once, by
 * a die(). mem_forget - the caller releases it, or has. */
void mem_keep(void *thing, void (*release)(void *thing));
void mem_forget(const void *thing);

#endif
