/* files.c - files by device and inode, and as a whole. They are not mapped: who cuts a mapped file
 * short ends the program that reads it. */
#include "base/files/files.h"

#include "base/buf.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINKS_MOST = 40 };       /* as many as Linux follows */

static int cannot_open(const char *path, Err *e)
{
    return err(e, "%s: cannot be opened: %s", path, strerror(errno));
}

static int refuse_directory(const char *path, Err *e)
{
    return err(e, "%s: is a directory, not a file", path);
}

static void release(void *fd)
{
    close((int)(intptr_t)fd);
}

int file_open(const char *path, int flags, struct stat *status, Err *e)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | flags);
    if (fd < 0) return cannot_open(path, e);
    mem_keep((void *)(intptr_t)fd, release);
    if (fstat(fd, status) == 0 && !S_ISDIR(status->st_mode)) return fd;
    file_close(fd);
    return refuse_directory(path, e);
}

void file_close(int fd)
{
    mem_forget((void *)(intptr_t)fd);
    close(fd);
}

int file_open_regular(const char *path, size_t *size, Err *e)
{
    struct stat status;
    int fd = file_open(path, O_NONBLOCK, &status, e);       /* a named pipe is not waited for */
    if (fd < 0) return -1;
    *size = (size_t)status.st_size;
    if (S_ISREG(status.st_mode)) return fd;
    file_close(fd);
    return err(e, "%s: is not a regular file", path);
}

ssize_t file_read_at(int fd, size_t at, void *to, size_t size)
{
    size_t done = 0;
    while (done < size) {
        const ssize_t got = pread(fd, (char *)to + done, size - done, (off_t)(at + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        if (!got) break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

int file_check(const char *path, Err *e)
{
    struct stat status;
    if (access(path, R_OK) || stat(path, &status)) return cannot_open(path, e);
    return S_ISDIR(status.st_mode) ? refuse_directory(path, e) : 0;
}

/* The name that the link at `path` holds, as one from here; NULL where there is no link. */
static char *linked_name(const char *path)
{
    char target[PATH_MAX];
    const ssize_t length = readlink(path, target, sizeof target);
    const char *slash = strrchr(path, '/');
    Buf name = { 0 };
    if (length < 0) return NULL;
    if (slash && *target != '/') buf_add(&name, path, (size_t)(slash + 1 - path));
    buf_add(&name, target, (size_t)length);
    return name.text;
}

char *file_behind_links(const char *path)
{
    char *name = xstrdup(path), *next;
    for (int links = 0; links < LINKS_MOST && (next = linked_name(name)); links++) {
        xfree(name);
        name = next;
    }
    return name;
}

static int same_inode(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Whether two names of files that do not exist lead to the same name in one folder. */
static int would_be_same(const char *a, const char *b)
{
    struct stat x, y;
    SCOPED(xfree_at) char *a_name = file_behind_links(a), *b_name = file_behind_links(b);
    SCOPED(xfree_at) char *a_folder = xstrdup(a_name), *b_folder = xstrdup(b_name);
    return !strcmp(basename(a_name), basename(b_name)) && !stat(dirname(a_folder), &x)
           && !stat(dirname(b_folder), &y) && same_inode(&x, &y);
}

int file_same(const char *a, const char *b)
{
    struct stat x, y;
    const int a_exists = !stat(a, &x), b_exists = !stat(b, &y);
    if (!a_exists && !b_exists) return would_be_same(a, b);
    return a_exists && b_exists && S_ISREG(x.st_mode) && same_inode(&x, &y);
}

int file_is_at(int fd, const char *path)
{
    struct stat open_file, named;
    return !fstat(fd, &open_file) && !stat(path, &named) && same_inode(&open_file, &named);
}

int content_read(Content *c, const char *path, Err *e)
{
    size_t size;
    *c = (Content){ NULL, 0 };
    int fd = file_open_regular(path, &size, e);
    if (fd < 0) return -1;
    char *data = xmalloc(size + 1, 1);
    const ssize_t read = file_read_at(fd, 0, data, size);
    int rc = read < 0 ? err(e, "%s: cannot be read: %s", path, strerror(errno)) : 0;
    file_close(fd);
    *c = (Content){ data, rc ? 0 : (size_t)read };
    if (rc) content_free(c);
    else data[read] = '\0';
    return rc;
}

void content_free(Content *c)
{
    xfree(c->data);
    *c = (Content){ NULL, 0 };
}
