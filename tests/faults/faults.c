/* faults.c - calls that replace those of the C library. */
#define _GNU_SOURCE
#include "faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct { int count, first, last; const char *name; mode_t mode; } faults;

void faults_between(int first, int last)
{
    faults.count = 0;
    faults.first = first;
    faults.last = last;
    faults.name = NULL;
}

int faults_count(void)
{
    return faults.count;
}

const char *faults_name(void)
{
    return faults.name;
}

mode_t faults_mode(void)
{
    return faults.mode;
}

static __attribute__((constructor)) void read_environment(void)
{
    const char *wanted = getenv("ATTN_FAULTS");
    int first, last;
    int numbers = wanted ? sscanf(wanted, "%d-%d", &first, &last) : 0;
    if (numbers > 0) faults_between(first, numbers > 1 ? last : first);
}

static void log_fault(const char *name)
{
    const char *path = getenv("ATTN_FAULTS_LOG");
    int fd = path ? openat(AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
    if (fd < 0) return;
    dprintf(fd, "%s\n", name);
    close(fd);
}

/* Whether this call fails; if it does, errno is set to `error`. */
static int fails(const char *name, int error)
{
    int n = ++faults.count;
    if (!faults.first || n < faults.first || n > faults.last) return 0;
    faults.name = name;
    log_fault(name);
    errno = error;
    return 1;
}

/* Whether the descriptor is open for writing. The standard streams count as not. */
static int is_written(int fd)
{
    int flags = fd > STDERR_FILENO ? fcntl(fd, F_GETFL) : -1;
    return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

/* real(open)(path, flags) is the open that this file hides. */
#define real(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

int open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
    va_end(args);
    if ((flags & O_ACCMODE) != O_RDONLY && fails("open", EACCES)) return -1;
    return real(open)(path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
    return *mode != 'r' && fails("fopen", EACCES) ? NULL : real(fopen)(path, mode);
}

FILE *fdopen(int fd, const char *mode)
{
    return is_written(fd) && fails("fdopen", ENOMEM) ? NULL : real(fdopen)(fd, mode);
}

int fchmod(int fd, mode_t mode)
{
    struct stat before;
    if (!fstat(fd, &before)) faults.mode = before.st_mode & 07777;
    return fails("fchmod", EPERM) ? -1 : real(fchmod)(fd, mode);
}

/* Reading from a stream that can't be read sets its error flag, which a failed write leaves too. */
size_t fwrite(const void *data, size_t size, size_t count, FILE *stream)
{
    if (!is_written(fileno(stream)) || !fails("fwrite", ENOSPC))
        return real(fwrite)(data, size, count, stream);
    fgetc(stream);
    errno = ENOSPC;
    return 0;
}

int fflush(FILE *stream)
{
    if (stream && is_written(fileno(stream)) && fails("fflush", ENOSPC)) return EOF;
    return real(fflush)(stream);
}

int fsync(int fd)
{
    (void)fd;
    return fails("fsync", EIO) ? -1 : 0;
}

int fclose(FILE *stream)
{
    int failed = is_written(fileno(stream)) && fails("fclose", EIO);
    int status = real(fclose)(stream);
    if (!failed) return status;
    errno = EIO;
    return EOF;
}

int rename(const char *from, const char *to)
{
    if (fails("rename", EACCES)) return -1;
    unlink(to);         /* ext4 flushes a file that replaces another one, which takes time */
    return real(rename)(from, to);
}
