/* map.c - mmap, read ahead as a whole. */
#include "base/files/map.h"

#include "base/files/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The whole file will be read: one call instead of a page fault for every few pages. */
#ifdef MAP_POPULATE
#define MAP_AT_ONCE MAP_POPULATE
#else
#define MAP_AT_ONCE 0
#endif

int file_map(Mapped *m, const char *path, Err *e)
{
    struct stat status;
    *m = (Mapped){ .data = "" };
    int fd = file_open(path, O_NONBLOCK, &status, e);       /* a named pipe is not waited for */
    if (fd < 0) return -1;
    const size_t size = (size_t)status.st_size;
    int rc = S_ISREG(status.st_mode) ? 0 : err(e, "%s: is not a regular file", path);
    if (!rc && size) {
        void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_AT_ONCE, fd, 0);
        if (data == MAP_FAILED) rc = err(e, "%s: cannot be mapped: %s", path, strerror(errno));
        else *m = (Mapped){ .data = data, .size = size };
    }
    close(fd);
    return rc;
}

void file_unmap(Mapped *m)
{
    if (m->size) munmap((void *)m->data, m->size);
    *m = (Mapped){ .data = "" };
}

/* Only pages that lie wholly within these bytes: the others hold neighbouring data. */
void file_forget(const void *data, size_t size)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)data;
    const uintptr_t first = (at + page - 1) / page * page, end = (at + size) / page * page;
    if (first < end) madvise((void *)first, end - first, MADV_DONTNEED);
}
