/* lock.c - a lock that vanishes with its process. */
#include "base/files/lock.h"

#include "base/files/files.h"
#include "base/files/stray.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
