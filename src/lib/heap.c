/* heap.c - a list of blocks, each with its place in the list before it; and one of other things. */
#include "lib/heap.h"

#include "base/error.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The linker's names of the functions that are wrapped here, and of what they were. */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
int   __real_posix_memalign(void **block, size_t alignment, size_t bytes);
void  __real_free(void *block);
int   __real_open(const char *path, int flags, ...);
int   __real_close(int file);
void  __real_cJSON_Delete(cJSON *tree);
cJSON *__real_cJSON_CreateObject(void);
cJSON *__real_cJSON_ParseWithLengthOpts(const char *text, size_t length, const char **end,
                                        cJSON_bool ends);

void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
int   __wrap_posix_memalign(void **block, size_t alignment, size_t bytes);
void  __wrap_free(void *block);
int   __wrap_open(const char *path, int flags, ...);
int   __wrap_close(int file);
void  __wrap_cJSON_Delete(cJSON *tree);
cJSON *__wrap_cJSON_CreateObject(void);
cJSON *__wrap_cJSON_ParseWithLengthOpts(const char *text, size_t length, const char **end,
                                        cJSON_bool ends);

/* What lies before a block, up to its first byte. */
typedef struct Block {
    struct Block *before, *next;
    Heap         *heap;
    void         *start;            /* for free() */
    size_t        bytes;
} Block;

/* A multiple of what malloc aligns to, and of a cache line. */
enum { HEADER = 64 };
_Static_assert(sizeof(Block) <= HEADER, "a block's place in the list lies before it");

/* A tree, or an open file (NULL). */
typedef struct Thing {
    struct Thing *next;
    cJSON        *tree;
    int           file;
} Thing;

struct Heap {
    pthread_mutex_t mutex;
    Block           blocks;         /* the head of a ring */
    Thing          *things;
};

static _Thread_local Heap *entered;

Heap *heap_new(void)
{
    Heap *heap = __real_calloc(1, sizeof *heap);
    if (!heap) return NULL;
    pthread_mutex_init(&heap->mutex, NULL);
    heap->blocks.before = heap->blocks.next = &heap->blocks;
    return heap;
}

Heap *heap_enter(Heap *heap)
{
    Heap *before = entered;
    entered = heap;
    return before;
}

static void release(const Thing *thing)
{
    if (thing->tree) __real_cJSON_Delete(thing->tree);
    else __real_close(thing->file);
}

void heap_free(Heap *heap)
{
    if (!heap) return;
    for (Block *block = heap->blocks.next, *next; block != &heap->blocks; block = next) {
        next = block->next;
        __real_free(block->start);
    }
    for (Thing *thing = heap->things, *next; thing; thing = next) {
        next = thing->next;
        release(thing);
        __real_free(thing);
    }
    pthread_mutex_destroy(&heap->mutex);
    __real_free(heap);
}

/* ---- memory ---- */

/* Takes over a block with room for its header; returns its first byte. */
static void *add(void *start, size_t header, size_t bytes)
{
    char *first = (char *)start + header;
    Block *block = (Block *)(first - HEADER);
    Heap *heap = entered;
    pthread_mutex_lock(&heap->mutex);
    *block = (Block){ &heap->blocks, heap->blocks.next, heap, start, bytes };
    block->next->before = heap->blocks.next = block;
    pthread_mutex_unlock(&heap->mutex);
    return first;
}

static Block *block_of(void *first)
{
    return (Block *)((char *)first - HEADER);
}

/* bytes + header; SIZE_MAX, which no system has, where that is more. */
static size_t with(size_t header, size_t bytes)
{
    return bytes < SIZE_MAX - header ? bytes + header : SIZE_MAX;
}

void *__wrap_malloc(size_t bytes)
{
    void *start = __real_malloc(with(HEADER, bytes));
    return start ? add(start, HEADER, bytes) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) bytes = SIZE_MAX;
    void *start = __real_calloc(1, with(HEADER, bytes));
    return start ? add(start, HEADER, bytes) : NULL;
}

int __wrap_posix_memalign(void **block, size_t alignment, size_t bytes)
{
    void *start;
    const size_t header = alignment > HEADER ? alignment : HEADER;
    const int error = __real_posix_memalign(&start, header, with(header, bytes));
    if (!error) *block = add(start, header, bytes);
    return error;
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    void *block;
    return __wrap_posix_memalign(&block, alignment, bytes) ? NULL : block;
}

void __wrap_free(void *first)
{
    if (!first) return;
    Block *block = block_of(first);
    pthread_mutex_lock(&block->heap->mutex);
    block->before->next = block->next;
    block->next->before = block->before;
    pthread_mutex_unlock(&block->heap->mutex);
    __real_free(block->start);
}

void *__wrap_realloc(void *old, size_t bytes)
{
    void *block = __wrap_malloc(bytes);
    if (!block || !old) return block;
    const size_t had = block_of(old)->bytes;
    memcpy(block, old, had < bytes ? had : bytes);
    __wrap_free(old);
    return block;
}

/* ---- other things ---- */

/* Where there is no memory for its place in the list it is released: 0. */
static int keep(Thing thing)
{
    Thing *kept = __real_malloc(sizeof *kept);
    if (!kept) {
        release(&thing);
        return 0;
    }
    pthread_mutex_lock(&entered->mutex);
    *kept = thing;
    kept->next = entered->things;
    entered->things = kept;
    pthread_mutex_unlock(&entered->mutex);
    return 1;
}

static void forget(const cJSON *tree, int file)
{
    Thing **link = &entered->things, *thing;
    pthread_mutex_lock(&entered->mutex);
    while ((thing = *link) && (thing->tree != tree || thing->file != file))
        link = &thing->next;
    if (thing) *link = thing->next;
    pthread_mutex_unlock(&entered->mutex);
    __real_free(thing);
}

int __wrap_open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
    va_end(args);
    const int file = __real_open(path, flags, mode);
    if (file < 0 || keep((Thing){ .file = file })) return file;
    errno = ENOMEM;
    return -1;
}

int __wrap_close(int file)
{
    forget(NULL, file);
    return __real_close(file);
}

/* cJSON returns NULL for a text that is no JSON, and where memory is refused. */
static cJSON *keep_tree(cJSON *tree)
{
    if (tree && !keep((Thing){ .tree = tree })) die("out of memory");
    return tree;
}

cJSON *__wrap_cJSON_ParseWithLengthOpts(const char *text, size_t length, const char **end,
                                        cJSON_bool ends)
{
    return keep_tree(__real_cJSON_ParseWithLengthOpts(text, length, end, ends));
}

cJSON *__wrap_cJSON_CreateObject(void)
{
    cJSON *object = __real_cJSON_CreateObject();
    if (!object) die("out of memory");
    return keep_tree(object);
}

void __wrap_cJSON_Delete(cJSON *tree)
{
    if (!tree) return;
    forget(tree, 0);
    __real_cJSON_Delete(tree);
}
