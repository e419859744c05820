/* io.c - lines from files, pipes and gzip; atomic replacement; mapping.
 *
 * Lines are read by read(2) or gzread into one buffer and handed out in place: no copy, and no waiting for more than
 * the line that was asked for, which stdio can't promise on a pipe.
 */
#include "base/io.h"

#include "base/ends_with.h"
#include "base/mem.h"
#include "base/stray.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { CHUNK = 1 << 16, LARGEST_READ = 1 << 30, TEMPORARY_NAMES = 1000 };

struct Lines {
    char  *name;
    int    fd;              /* belongs to gz when that is set */
    gzFile gz;              /* NULL: plain bytes */
    char  *buffer;          /* bytes start..end are not yet returned, start..scanned hold no line end */
    size_t capacity, start, scanned, end;
    int    cr;              /* lines end in '\r', too */
    double read;            /* bytes so far */
    long   number;
    int    marked;
    int    ended;
    int    failed;          /* then `failure` is what the next call reports */
    Err    failure;
};

static int cannot_open(const char *path, Err *e)
{
    return err(e, "%s: cannot be opened: %s", path, strerror(errno));
}

static int refuse_directory(const char *path, Err *e)
{
    return err(e, "%s: is a directory, not a file", path);
}

/* Opens for reading. A directory can be opened but not read: it is refused here, with a plain
 * message. O_NONBLOCK among the flags: a named pipe is not waited for. */
static int open_readable(const char *path, int flags, struct stat *status, Err *e)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | flags);
    if (fd < 0) return cannot_open(path, e);
    if (fstat(fd, status) == 0 && !S_ISDIR(status->st_mode)) return fd;
    close(fd);
    return refuse_directory(path, e);
}

Lines *lines_open(const char *path, Err *e)
{
    int standard = strcmp(path, "-") == 0;
    struct stat status;
    int fd = standard ? STDIN_FILENO : open_readable(path, 0, &status, e);
    if (fd < 0) return NULL;
    Lines *lines = xcalloc(1, sizeof *lines);
    lines->name = xstrdup(standard ? "standard input" : path);
    lines->fd = fd;
    if (!standard && ends_with(path, ".gz")) {
        lines->gz = gzdopen(fd, "rb");
        if (!lines->gz) die("out of memory: zlib could not start");
        gzbuffer(lines->gz, CHUNK);
    }
    return lines;
}

int lines_check(const char *path, Err *e)
{
    struct stat status;
    if (!strcmp(path, "-")) return 0;
    if (access(path, R_OK) || stat(path, &status)) return cannot_open(path, e);
    return S_ISDIR(status.st_mode) ? refuse_directory(path, e) : 0;
}

void lines_close(Lines *lines)
{
    if (!lines) return;
    if (lines->gz)
        gzclose_r(lines->gz);
    else if (lines->fd != STDIN_FILENO)
        close(lines->fd);
    free(lines->name);
    free(lines->buffer);
    free(lines);
}

static void fail(Lines *lines, const char *what)
{
    lines->failed = 1;
    err(&lines->failure, "%s: %s", lines->name, what);
}

/* Makes room for a chunk (or at the end for a NUL), after moving the rest to the front when that is less than was
 * handed out since the last move: so each byte is moved a constant number of times on average, however long the lines
 * are. */
static size_t room(Lines *lines)
{
    size_t rest = lines->end - lines->start;
    if (rest < lines->start) {
        memmove(lines->buffer, lines->buffer + lines->start, rest);
        lines->scanned -= lines->start;
        lines->start = 0;
        lines->end = rest;
    }
    lines->buffer = grow(lines->buffer, &lines->capacity, lines->end + CHUNK, 1);
    size_t free_bytes = lines->capacity - lines->end;
    return free_bytes < LARGEST_READ ? free_bytes : LARGEST_READ;
}

static void wait_readable(int fd)
{
    struct pollfd wanted = { .fd = fd, .events = POLLIN };
    poll(&wanted, 1, -1);
}

static ssize_t read_plain(Lines *lines, char *to, size_t most)
{
    for (;;) {
        ssize_t got = read(lines->fd, to, most);
        if (got >= 0) return got;
        if (errno == EAGAIN)
            wait_readable(lines->fd);
        else if (errno != EINTR) {
            fail(lines, strerror(errno));
            return -1;
        }
    }
}

static ssize_t read_gzip(Lines *lines, char *to, size_t most)
{
    int status, got = gzread(lines->gz, to, (unsigned)most);
    if (gzdirect(lines->gz)) {
        fail(lines, "is not gzip data, though its name ends in .gz");
        return -1;
    }
    if (got > 0) return got;
    gzerror(lines->gz, &status);
    switch (status) {
    case Z_OK:
    case Z_STREAM_END: return got;
    case Z_ERRNO:      fail(lines, strerror(errno)); break;
    case Z_BUF_ERROR:  fail(lines, "truncated gzip data"); break;
    default:           fail(lines, "damaged gzip data");
    }
    return -1;
}

/* Whether the next line, as far as it was looked at, is longer than a line may be. */
static int is_too_long(const Lines *lines)
{
    return lines->scanned - lines->start > LINE_BYTES;
}

/* Reads once, waiting if need be; sets ended or failed when there is no more. */
static void fill(Lines *lines)
{
    size_t most = room(lines);
    char *to = lines->buffer + lines->end;
    ssize_t got = lines->gz ? read_gzip(lines, to, most) : read_plain(lines, to, most);
    if (got > 0) {
        lines->end += (size_t)got;
        lines->read += (double)got;
    } else {
        lines->ended = 1;
    }
}

/* The first '\n', or where lines end in it '\r', in so many bytes; or NULL. */
static char *find_newline(char *at, size_t length, int cr)
{
    char *found = cr ? memchr(at, '\r', length) : NULL;
    char *before = memchr(at, '\n', found ? (size_t)(found - at) : length);
    return before ? before : found;
}

/* The end of the next line, or NULL while it isn't in the buffer. */
static char *line_end(Lines *lines)
{
    if (lines->scanned == lines->end) return NULL;
    char *found = find_newline(lines->buffer + lines->scanned, lines->end - lines->scanned, lines->cr);
    lines->scanned = found ? (size_t)(found - lines->buffer) : lines->end;
    return found;
}

/* Reads as far as it takes to find the end of the next line; NULL: the file ends, or the line is too long. */
static char *read_line_end(Lines *lines)
{
    char *end;
    while (!(end = line_end(lines)) && !lines->ended && !is_too_long(lines))
        fill(lines);
    return is_too_long(lines) ? NULL : end;
}

/* Lets lines end in '\r' where the file, or as much of it as a line may take, has one and no '\n'. */
static int take_carriage_returns(Lines *lines)
{
    if (!memchr(lines->buffer + lines->start, '\r', lines->end - lines->start)) return 0;
    lines->cr = 1;
    lines->scanned = lines->start;
    return 1;
}

/* A byte-order mark in UTF-16 of either order; no UTF-8 begins with it. */
static int is_utf16(const Lines *lines)
{
    const char *at = lines->buffer + lines->start;
    return lines->end - lines->start >= 2 && (!memcmp(at, "\xFF\xFE", 2) || !memcmp(at, "\xFE\xFF", 2));
}

static void skip_byte_order_mark(Lines *lines)
{
    static const char mark[] = { '\xEF', '\xBB', '\xBF' };
    if (lines->scanned - lines->start < sizeof mark) return;
    lines->marked = memcmp(lines->buffer + lines->start, mark, sizeof mark) == 0;
    if (lines->marked) lines->start += sizeof mark;
}

int lines_next(Lines *lines, char **line, size_t *length, Err *e)
{
    char *end = read_line_end(lines);
    if (lines->number == 0 && is_utf16(lines))
        return err(e, "%s: is UTF-16 text, UTF-8 is needed; 'iconv -f UTF-16 -t UTF-8' converts it",
                   lines->name);
    if (lines->number == 0 && !end && take_carriage_returns(lines)) end = read_line_end(lines);
    if (is_too_long(lines))
        return err(e, "%s:%ld: a line of more than %d MiB: is this a text?", lines->name, lines->number + 1,
                   LINE_BYTES >> 20);
    if (!end && lines->failed) {
        *e = lines->failure;
        return -1;
    }
    if (lines->number == 0) skip_byte_order_mark(lines);
    if (!end && lines->start == lines->end) return 0;
    *line = lines->buffer + lines->start;
    *length = (end ? (size_t)(end - lines->buffer) : lines->end) - lines->start;
    lines->start = lines->scanned = end ? lines->scanned + 1 : lines->end;
    if (*length && (*line)[*length - 1] == '\r') --*length;
    (*line)[*length] = '\0';
    lines->number++;
    return 1;
}

int lines_ready(Lines *lines)
{
    struct pollfd wanted = { .fd = lines->fd, .events = POLLIN };
    while (!line_end(lines) && !lines->ended && !is_too_long(lines)) {
        if (!lines->gz && poll(&wanted, 1, 0) <= 0) return 0;
        fill(lines);
    }
    return 1;
}

int lines_marked(const Lines *lines)
{
    return lines->marked;
}

int lines_end_in_cr(const Lines *lines)
{
    return lines->cr;
}

long lines_number(const Lines *lines)
{
    return lines->number;
}

double file_bytes(const char *path)
{
    struct stat status;
    const int standard = !strcmp(path, "-");
    const off_t behind = standard ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
    if (standard ? fstat(STDIN_FILENO, &status) : stat(path, &status)) return -1;
    const int known = S_ISREG(status.st_mode) && status.st_size >= behind;
    return known ? (double)(status.st_size - behind) : -1;
}

double lines_taken(Lines *lines)
{
    const double returned = lines->read - (double)(lines->end - lines->start);
    if (!lines->gz) return returned;
    return lines->read > 0 ? (double)gzoffset(lines->gz) * returned / lines->read : 0;
}

const char *lines_name(const Lines *lines)
{
    return lines->name;
}

/* Whether two names of files that are not there are the same name in one folder. */
static int would_be_same(const char *a, const char *b)
{
    struct stat x, y;
    char *for_base[] = { xstrdup(a), xstrdup(b) }, *for_folder[] = { xstrdup(a), xstrdup(b) };
    int same = !strcmp(basename(for_base[0]), basename(for_base[1])) && !stat(dirname(for_folder[0]), &x)
               && !stat(dirname(for_folder[1]), &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
    for (int i = 0; i < 2; i++) {
        free(for_base[i]);
        free(for_folder[i]);
    }
    return same;
}

int file_same(const char *a, const char *b)
{
    struct stat x, y;
    int is_there = !stat(a, &x), is_other_there = !stat(b, &y);
    if (!is_there && !is_other_there) return would_be_same(a, b);
    return is_there && is_other_there && S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

int file_is_at(int fd, const char *path)
{
    struct stat open_file, named;
    return !fstat(fd, &open_file) && !stat(path, &named) && open_file.st_dev == named.st_dev
           && open_file.st_ino == named.st_ino;
}

/* Who writes a temporary holds a lock on it, so that who finds it knows whether it is still wanted. Returns whether it is
 * ours: else somebody took it for a killed process's, just after it was made. Where there are no locks nobody can do so. */
static int hold(int fd, const char *name)
{
    return (!flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK) && file_is_at(fd, name);
}

/* A new file of that name, which is held; -1 with EEXIST: another name may do. */
static int make_temporary(const char *name)
{
    stray_add(name);
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 && hold(fd, name)) return fd;
    stray_forget(name);
    if (fd < 0) return -1;
    close(fd);
    errno = EEXIST;
    return -1;
}

/* Creates the temporary beside the target. Not mkstemp: the mode must be what the umask leaves of 0666. */
static int open_temporary(Replace *r)
{
    size_t size = strlen(r->path) + 48;
    char *name = xmalloc(size, 1);
    int fd = -1;
    errno = EEXIST;
    for (int n = 0; n < TEMPORARY_NAMES && fd < 0 && errno == EEXIST; n++) {
        snprintf(name, size, "%s.attn-%ld-%d.tmp", r->path, (long)getpid(), n);
        fd = make_temporary(name);
    }
    if (fd >= 0) r->temporary = name;
    else free(name);
    return fd;
}

/* Whether open_temporary may have given this name, for a file called `base`. */
static int is_temporary(const char *name, const char *base)
{
    size_t length = strlen(base);
    int end = 0;
    if (strncmp(name, base, length)) return 0;
    sscanf(name + length, ".attn-%*[0-9]-%*[0-9].tmp%n", &end);
    return end && !name[length + (size_t)end];
}

/* Removes a temporary unless somebody holds it: then it returns 1. */
static int remove_stale(int folder, const char *name)
{
    int fd = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return 0;
    int is_stale = !flock(fd, LOCK_EX | LOCK_NB), is_held = !is_stale && errno == EWOULDBLOCK;
    if (is_stale) unlinkat(folder, name, 0);
    close(fd);
    return is_held;
}

/* Removes what killed processes have left half written beside this temporary. Returns how many others are being written: of
 * two that begin at the same time at least one sees the other. */
static int clean_beside(const Replace *r)
{
    char *for_folder = xstrdup(r->path), *for_base = xstrdup(r->path), *base = basename(for_base);
    const char *slash = strrchr(r->temporary, '/'), *own = slash ? slash + 1 : r->temporary;
    int held = 0;
    DIR *folder = opendir(dirname(for_folder));
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (is_temporary(entry->d_name, base) && strcmp(entry->d_name, own))
            held += remove_stale(dirfd(folder), entry->d_name);
    if (folder) closedir(folder);
    free(for_base);
    free(for_folder);
    return held;
}

/* A regular file is replaced through a temporary, behind links as well. A device or a pipe is written to directly:
 * renaming over /dev/null would be a disaster. */
int replace_begin(Replace *r, const char *path, Err *e)
{
    struct stat old;
    int exists = stat(path, &old) == 0, regular = exists && S_ISREG(old.st_mode);
    char *resolved = regular ? realpath(path, NULL) : NULL;
    *r = (Replace){ .path = resolved ? resolved : xstrdup(path) };
    int fd = exists && !regular ? open(path, O_WRONLY | O_CLOEXEC) : open_temporary(r);
    int busy = fd >= 0 && r->temporary && clean_beside(r), ready = fd >= 0 && !busy;
    if (ready && regular) ready = fchmod(fd, old.st_mode & 07777) == 0;
    if (ready && (r->stream = fdopen(fd, "wb"))) return 0;
    if (busy) err(e, "%s: another process is writing this file; wait for its end, or name another one", path);
    else err(e, "%s: cannot be written: %s", path, strerror(errno));
    if (fd >= 0) close(fd);
    replace_abort(r);
    return -1;
}

static void forget_temporary(Replace *r)
{
    stray_forget(r->temporary);
    free(r->temporary);
    r->temporary = NULL;
}

void replace_abort(Replace *r)
{
    if (r->temporary) unlink(r->temporary);
    forget_temporary(r);
    if (r->stream) fclose(r->stream);
    free(r->path);
    *r = (Replace){ 0 };
}

/* Makes the rename itself durable. A folder that may not be read, or a file system without such a sync, is no error:
 * there is nothing more that a program can do then. */
static int sync_folder(const char *path)
{
    char *copy = xstrdup(path);
    int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int failed = fd >= 0 && fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP;
    if (fd >= 0) close(fd);
    free(copy);
    return failed ? -1 : 0;
}

/* The name of the first step that failed, for which errno says why; or NULL. */
static const char *commit_steps(Replace *r)
{
    FILE *stream = r->stream;
    if (fflush(stream) != 0 || ferror(stream)) return "writing";
    if (r->temporary && fsync(fileno(stream)) != 0) return "fsync";
    r->stream = NULL;
    if (fclose(stream) != 0) return "closing";
    if (!r->temporary) return NULL;
    if (rename(r->temporary, r->path) != 0) return "renaming the temporary file";
    forget_temporary(r);
    return sync_folder(r->path) == 0 ? NULL : "fsync of the folder";
}

int replace_commit(Replace *r, Err *e)
{
    if (!ferror(r->stream)) errno = 0;      /* else it tells why the write just before this failed */
    const int held = fcntl(fileno(r->stream), F_DUPFD_CLOEXEC, 0);      /* keeps the lock until the file is renamed */
    const char *failed = commit_steps(r);
    int status = failed ? err(e, "%s: %s failed: %s", r->path, failed, strerror(errno ? errno : EIO)) : 0;
    replace_abort(r);
    if (held >= 0) close(held);
    return status;
}

/* All will be read: one call instead of a fault for every few pages. */
#ifdef MAP_POPULATE
#define MAP_AT_ONCE MAP_POPULATE
#else
#define MAP_AT_ONCE 0
#endif

int file_map(Mapped *m, const char *path, Err *e)
{
    struct stat status;
    *m = (Mapped){ .data = "" };
    int fd = open_readable(path, O_NONBLOCK, &status, e);
    if (fd < 0) return -1;
    int result = S_ISREG(status.st_mode) ? 0 : err(e, "%s: is not a regular file", path);
    if (result == 0 && status.st_size > 0) {
        void *data = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE | MAP_AT_ONCE, fd, 0);
        if (data == MAP_FAILED) result = err(e, "%s: cannot be mapped: %s", path, strerror(errno));
        else *m = (Mapped){ .data = data, .size = (size_t)status.st_size };
    }
    close(fd);
    return result;
}

void file_unmap(Mapped *m)
{
    if (m->size) munmap((void *)m->data, m->size);
    *m = (Mapped){ .data = "" };
}

/* Whole pages only: the others hold what lies beside. */
void file_forget(const void *data, size_t size)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)data;
    const uintptr_t begin = (at + page - 1) / page * page, end = (at + size) / page * page;
    if (begin < end) madvise((void *)begin, end - begin, MADV_DONTNEED);
}
