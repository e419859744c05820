/* replace.c - write beside, fsync, rename; locks that vanish with their process. */
#include "base/files/replace.h"

#include "base/buf.h"
#include "base/files/files.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Strays: a table that a signal handler can read at any moment ---- */

static _Atomic(const char *) strays[STRAYS_MOST];       /* borrowed; NULL: a free place */

/* Replaces the first `from` in the table by `to`: NULL by a new name, and that by NULL. */
static void stray_exchange(const char *from, const char *to)
{
    for (int i = 0; i < STRAYS_MOST; i++) {
        const char *expected = from;
        if (atomic_compare_exchange_strong(&strays[i], &expected, to)) return;
    }
}

void stray_remove_all(void)
{
    for (int i = 0; i < STRAYS_MOST; i++) {
        const char *path = atomic_load(&strays[i]);
        if (path) unlink(path);
    }
}

/* ---- The temporary file ---- */

/* Locks a temporary file, so that another process can see that it is still in use. Returns whether
 * the file is ours: if not, another process locked it just after we made it, and took it for one
 * that a killed process left. Where there are no locks, no process can do so. */
static int hold(int fd, const char *name)
{
    return (!flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK) && file_is_at(fd, name);
}

/* Removes what a killed process left; -1 where a process is still writing it (EWOULDBLOCK), or it
 * cannot be removed. What another process has removed meanwhile may be a third one's now. */
static int remove_stale(const char *name)
{
    const int flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    int fd = open(name, O_RDWR | flags);                    /* NFS locks what can be written */
    if (fd < 0 && errno == EACCES) fd = open(name, O_RDONLY | flags);
    if (fd < 0) return errno == ENOENT ? 0 : -1;
    const int is_held = flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;
    const int rc = is_held || (file_is_at(fd, name) && unlink(name)) ? -1 : 0;
    close(fd);
    if (is_held) errno = EWOULDBLOCK;
    return rc;
}

/* Not by mkstemp: its mode must be what the umask leaves of `mode`. */
static int open_temporary(Replace *r, mode_t mode)
{
    Buf name = { 0 };
    int fd;
    buf_printf(&name, "%s" TEMPORARY_ENDING, r->path);
    while ((fd = open(name.text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)) < 0
           || !hold(fd, name.text)) {
        if (fd >= 0) close(fd);
        else if (errno != EEXIST || remove_stale(name.text)) {
            buf_free(&name);
            return -1;
        }
    }
    stray_exchange(NULL, name.text);
    r->temporary = name.text;
    return fd;
}

/* ---- Replacing ---- */

/* A regular file, which may be behind links, is replaced through a temporary file, which nobody
 * else can read before it has the mode of the old one. A device or a pipe is written to directly:
 * renaming over /dev/null would be a disaster. */
int replace_open(Replace *r, const char *path, Err *e)
{
    struct stat old;
    const int exists = stat(path, &old) == 0, is_new = !exists && errno == ENOENT;
    const int regular = exists && S_ISREG(old.st_mode);
    *r = (Replace){ .path = is_new || regular ? file_behind_links(path) : xstrdup(path) };
    int fd = is_new || regular ? open_temporary(r, is_new ? 0666 : S_IRUSR | S_IWUSR)
                               : open(path, O_WRONLY | O_CLOEXEC);
    if (fd >= 0 && (!regular || !fchmod(fd, old.st_mode & 07777))
        && (r->stream = fdopen(fd, "wb")))
        return 0;
    if (errno != EWOULDBLOCK) err(e, "%s: cannot be written: %s", path, strerror(errno));
    else err(e, "%s: another process is writing this file; wait for its end, or name another one",
             path);
    replace_abort(r);
    if (fd >= 0) close(fd);
    return -1;
}

void replace_abort(Replace *r)
{
    if (r->temporary) {
        unlink(r->temporary);
        stray_exchange(r->temporary, NULL);
    }
    if (r->stream) fclose(r->stream);
    xfree(r->temporary);
    xfree(r->path);
    *r = (Replace){ 0 };
}

/* Makes the rename itself durable. A folder that cannot be opened, or a file system that cannot
 * sync one, is no error: a program can do nothing more then. */
static int sync_folder(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int failed = fd >= 0 && fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP;
    if (fd >= 0) close(fd);
    return failed;
}

/* Returns the name of the first step that failed, with the reason in errno; or NULL. Asks for no
 * memory: a program that lacks it has ended before. */
static const char *commit_steps(Replace *r)
{
    FILE *stream = r->stream;
    if (fflush(stream) != 0 || ferror(stream)) return "writing";
    if (r->temporary && fsync(fileno(stream)) != 0) return "fsync";
    r->stream = NULL;
    if (fclose(stream) != 0) return "closing";
    if (!r->temporary) return NULL;
    if (rename(r->temporary, r->path) != 0) return "renaming the temporary file";
    char *name = r->temporary;
    stray_exchange(name, NULL);
    r->temporary = NULL;
    const int failed = sync_folder(dirname(name));
    xfree(name);
    return failed ? "fsync of the folder" : NULL;
}

int replace_commit(Replace *r, Err *e)
{
    if (!ferror(r->stream)) errno = 0;  /* otherwise it is the reason why the last write failed */
    const int held = fcntl(fileno(r->stream), F_DUPFD_CLOEXEC, 0);  /* keeps the lock meanwhile */
    const char *failed = commit_steps(r);
    int rc = 0;
    if (failed)
        rc = err(e, "%s: %s failed: %s", r->path, failed, strerror(errno ? errno : EIO));
    replace_abort(r);
    if (held >= 0) close(held);
    return rc;
}

/* ---- Locks ---- */

/* As lock_take; 2: once more. The file stays open where the lock is held. */
static int try_to_take(int *fd, const char *path, Err *e)
{
    struct flock wanted = { .l_type = F_WRLCK, .l_whence = SEEK_SET };      /* the whole file */
    struct stat status;
    int rc = 0;
    *fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (*fd < 0) return err(e, "%s: cannot be written: %s", path, strerror(errno));
    if (fstat(*fd, &status) || !S_ISREG(status.st_mode) || status.st_size)  /* the user's */
        rc = err(e, "%s: is needed as a lock, but is no empty file; move it away", path);
    else if (!fcntl(*fd, F_SETLK, &wanted))
        rc = file_is_at(*fd, path) ? 0 : 2;     /* its last holder has removed it in between */
    else if (errno == EACCES || errno == EAGAIN) {
        if (!fcntl(*fd, F_GETLK, &wanted) && wanted.l_type == F_UNLCK) rc = 2;      /* just gone */
        else rc = err(e, "%s: process %ld holds this lock and writes the same file; wait for its "
                         "end, or write another file", path, (long)wanted.l_pid);
    } else {
        unlink(path);
        rc = 1;
    }
    if (rc) close(*fd);
    return rc;
}

int lock_take(Lock *lock, const char *path, Err *e)
{
    int rc, fd;
    while ((rc = try_to_take(&fd, path, e)) == 2)
        ;
    *lock = rc ? (Lock){ 0 } : (Lock){ xstrdup(path), fd };
    if (!rc) stray_exchange(NULL, lock->path);
    return rc;
}

/* Removed while it is held, so that no process can lock a file that is about to go; not another's,
 * where the folder was made anew. */
void lock_release(Lock *lock)
{
    if (!lock->path) return;
    if (file_is_at(lock->fd, lock->path)) unlink(lock->path);
    stray_exchange(lock->path, NULL);
    close(lock->fd);
    xfree(lock->path);
    *lock = (Lock){ 0 };
}
