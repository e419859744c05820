/* replace.c - write beside, fsync, rename; removing what killed processes left; locks that vanish
 * with their process. */
#include "base/files/replace.h"

#include "base/files/files.h"
#include "base/mem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Strays: a table that a signal handler can read at any moment ---- */

static _Atomic(const char *) strays[STRAYS_MOST];       /* NULL: a free place */

/* Replaces the first `from` in the table by `to`. */
static void exchange(const char *from, const char *to)
{
    for (int i = 0; i < STRAYS_MOST; i++) {
        const char *expected = from;
        if (atomic_compare_exchange_strong(&strays[i], &expected, to)) return;
    }
}

void stray_add(const char *path)
{
    exchange(NULL, path);
}

void stray_forget(const char *path)
{
    if (path) exchange(path, NULL);
}

void stray_remove_all(void)
{
    for (int i = 0; i < STRAYS_MOST; i++) {
        const char *path = atomic_load(&strays[i]);
        if (path) unlink(path);
    }
}

enum { TEMPORARY_NAMES = 1000 };

/* ---- The temporary file ---- */

/* Locks a temporary file, so that another process can see that it is still in use. Returns whether
 * the file is ours: if not, another process locked it just after we made it, and took it for one
 * that a killed process left. Where there are no locks, no process can do so. */
static int hold(int fd, const char *name)
{
    return (!flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK) && file_is_at(fd, name);
}

/* Makes a new file of that name and locks it; -1 with EEXIST: another name may do. */
static int make_temporary(const char *name, mode_t mode)
{
    stray_add(name);
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd >= 0 && hold(fd, name)) return fd;
    stray_forget(name);
    if (fd < 0) return -1;
    close(fd);
    errno = EEXIST;
    return -1;
}

/* Creates the temporary file. Not by mkstemp: its mode must be what the umask leaves of `mode`. */
static int open_temporary(Replace *r, mode_t mode)
{
    size_t size = strlen(r->path) + 48;
    char *name = xmalloc(size, 1);
    int fd = -1;
    errno = EEXIST;
    for (int n = 0; n < TEMPORARY_NAMES && fd < 0 && errno == EEXIST; n++) {
        snprintf(name, size, "%s.attn-%ld-%d.tmp", r->path, (long)getpid(), n);
        fd = make_temporary(name, mode);
    }
    if (fd >= 0) r->temporary = name;
    else xfree(name);
    return fd;
}

static void forget_temporary(Replace *r)
{
    stray_forget(r->temporary);
    xfree(r->temporary);
    r->temporary = NULL;
}

/* ---- What killed processes left ---- */

/* Whether open_temporary may have given this name, for a file called `base`. */
static int is_temporary(const char *name, const char *base)
{
    size_t length = strlen(base);
    int end = 0;
    if (strncmp(name, base, length)) return 0;
    sscanf(name + length, ".attn-%*[0-9]-%*[0-9].tmp%n", &end);
    return end && !name[length + (size_t)end];
}

/* Removes a temporary file unless a process holds its lock; returns whether one does. */
static int remove_stale(int folder, const char *name)
{
    int fd = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return 0;
    int is_stale = !flock(fd, LOCK_EX | LOCK_NB), is_held = !is_stale && errno == EWOULDBLOCK;
    if (is_stale) unlinkat(folder, name, 0);
    close(fd);
    return is_held;
}

/* Removes the other temporary files of this path that killed processes left. Returns how many are
 * in use: of two processes that begin at the same time at least one sees the other; -1: there is
 * too little memory to look. A folder that may not be read is taken to have none. */
static int clean_beside(const Replace *r)
{
    char *for_base = xstrdup(r->path), *base = basename(for_base);
    const char *slash = strrchr(r->temporary, '/'), *own = slash ? slash + 1 : r->temporary;
    int held = 0;
    DIR *folder = opendir(r->folder);
    if (!folder && errno == ENOMEM) held = -1;
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (is_temporary(entry->d_name, base) && strcmp(entry->d_name, own))
            held += remove_stale(dirfd(folder), entry->d_name);
    if (folder) closedir(folder);
    xfree(for_base);
    return held;
}

/* ---- Replacing ---- */

static int refuse_open(const char *path, int busy, Err *e)
{
    if (!busy) return err(e, "%s: cannot be written: %s", path, strerror(errno));
    return err(e, "%s: another process is writing this file; wait for its end, or name another one",
               path);
}

static char *folder_of(const char *path)
{
    char *copy = xstrdup(path), *folder = xstrdup(dirname(copy));
    xfree(copy);
    return folder;
}

/* A regular file, which may be behind links, is replaced through a temporary file, which nobody
 * else can read before it has the mode of the old one. A device or a pipe is written to directly:
 * renaming over /dev/null would be a disaster. */
int replace_open(Replace *r, const char *path, Err *e)
{
    struct stat old;
    const int exists = stat(path, &old) == 0, is_new = !exists && errno == ENOENT;
    const int regular = exists && S_ISREG(old.st_mode);
    *r = (Replace){ .path = is_new || regular ? file_behind_links(path) : xstrdup(path) };
    r->folder = folder_of(r->path);
    int fd = is_new || regular ? open_temporary(r, is_new ? 0666 : S_IRUSR | S_IWUSR)
                               : open(path, O_WRONLY | O_CLOEXEC);
    const int held = fd >= 0 && r->temporary ? clean_beside(r) : 0;
    int ready = fd >= 0 && !held;
    if (ready && regular) ready = fchmod(fd, old.st_mode & 07777) == 0;
    if (ready && (r->stream = fdopen(fd, "wb"))) return 0;
    refuse_open(path, held > 0, e);
    if (fd >= 0) close(fd);
    replace_abort(r);
    return -1;
}

void replace_abort(Replace *r)
{
    if (r->temporary) unlink(r->temporary);
    forget_temporary(r);
    if (r->stream) fclose(r->stream);
    xfree(r->folder);
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
    return failed ? -1 : 0;
}

/* Returns the name of the first step that failed, with the reason in errno; or NULL. */
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
    return sync_folder(r->folder) == 0 ? NULL : "fsync of the folder";
}

/* Asks for no memory: a program that lacks it has ended before. */
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

/* The whole file, for writing. */
static struct flock whole_file(void)
{
    return (struct flock){ .l_type = F_WRLCK, .l_whence = SEEK_SET };
}

static int refuse_held(int fd, const char *path, Err *e)
{
    char holder_name[48] = "another process";
    struct flock holder = whole_file();
    if (!fcntl(fd, F_GETLK, &holder) && holder.l_type != F_UNLCK && holder.l_pid > 0)
        snprintf(holder_name, sizeof holder_name, "process %ld", (long)holder.l_pid);
    return err(e, "%s: %s holds this lock and writes the same file; wait for its end, or write "
                  "another file", path, holder_name);
}

/* Removing must never meet a file of the user's. */
static int check_ours(int fd, const char *path, Err *e)
{
    struct stat status;
    if (!fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_size == 0) return 0;
    return err(e, "%s: is needed as a lock, but is no empty file; move it away", path);
}

/* As lock_take; 2: once more. The file stays open where the lock is held. */
static int try_to_take(int *fd, const char *path, Err *e)
{
    struct flock wanted = whole_file();
    *fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (*fd < 0) return err(e, "%s: cannot be written: %s", path, strerror(errno));
    int rc = check_ours(*fd, path, e);
    if (!rc && fcntl(*fd, F_SETLK, &wanted)) {
        rc = errno == EACCES || errno == EAGAIN ? refuse_held(*fd, path, e) : 1;
        if (rc > 0) unlink(path);
    }
    if (!rc && !file_is_at(*fd, path)) rc = 2;  /* its last holder has removed it in between */
    if (rc) close(*fd);
    return rc;
}

int lock_take(Lock *lock, const char *path, Err *e)
{
    int rc, fd;
    while ((rc = try_to_take(&fd, path, e)) == 2)
        ;
    *lock = rc ? (Lock){ 0 } : (Lock){ xstrdup(path), fd };
    if (!rc) stray_add(lock->path);
    return rc;
}

/* Removed while it is held, so that no process can lock a file that is about to go; not another's,
 * where the folder was made anew. */
void lock_release(Lock *lock)
{
    if (!lock->path) return;
    if (file_is_at(lock->fd, lock->path)) unlink(lock->path);
    stray_forget(lock->path);
    close(lock->fd);
    xfree(lock->path);
    *lock = (Lock){ 0 };
}
