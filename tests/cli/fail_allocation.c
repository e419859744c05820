/* fail_allocation.c - loaded before the C library (LD_PRELOAD): makes one request for memory fail,
 * or counts the requests.
 *
 *     FAIL_ALLOCATION=7 LD_PRELOAD=.../fail_allocation.so attn ...   request 7 of the process fails
 *     ALLOCATIONS=FILE  LD_PRELOAD=.../fail_allocation.so attn ...   writes their number to FILE
 *
 * The requests of attn, cJSON, zlib, ICU and the C library count. OpenBLAS's do not: it uses
 * the memory without checking that it got any (sgemm_small_kernel_nn_SKYLAKEX in 0.3.21, which
 * allocates in every small product, ends in a segmentation fault). Nor do those of Fortran's
 * library, which OpenBLAS loads, and which ends the program itself. The buffers of stdio's files do
 * not count either: without them the C library reads and writes byte by byte, and nothing is lost.
 * If there are fewer requests, nothing fails, and the file that FAIL_ALLOCATION_UNUSED names is
 * created.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* glibc's own names of the functions that this file replaces. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

static atomic_long left;        /* requests until the one that fails; 0: none will */
static atomic_long made;        /* requests since the process began */

__attribute__((constructor)) static void begin(void)
{
    const char *number = getenv("FAIL_ALLOCATION");
    atomic_store(&left, number ? atol(number) : 0);
}

static void write_made(const char *path)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dprintf(file, "%ld\n", atomic_load(&made));
    close(file);
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("FAIL_ALLOCATION_UNUSED"), *count = getenv("ALLOCATIONS");
    if (count) write_made(count);
    if (path && atomic_load(&left) > 0) close(open(path, O_WRONLY | O_CREAT, 0666));
}

static int has(const char *text, const char *part)
{
    return text && strstr(text, part);
}

static int does_not_count(const void *caller)
{
    Dl_info info;
    return dladdr(caller, &info)
           && (has(info.dli_fname, "openblas") || has(info.dli_fname, "gfortran")
               || has(info.dli_sname, "_IO_file_doallocate"));
}

static int fails(const void *caller)
{
    if (does_not_count(caller)) return 0;
    atomic_fetch_add(&made, 1);
    if (atomic_load(&left) <= 0 || atomic_fetch_sub(&left, 1) != 1) return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t bytes)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t bytes)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, bytes);
}

int posix_memalign(void **block, size_t alignment, size_t bytes)
{
    *block = fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, bytes);
    return *block ? 0 : ENOMEM;
}
