/* lock.h - one process at a time: a lock on a file that has no other use.
 *
 * The kernel keeps the lock (fcntl, which works on NFS too), so it ends with its process, however
 * that ends. The empty file that a killed process leaves is no lock; the next process takes it
 * over. The file is a stray (base/files/stray.h). Within one process the lock excludes nothing.
 */
#ifndef ATTN_BASE_LOCK_H
#define ATTN_BASE_LOCK_H

#include "base/error.h"

typedef struct {
    char *path;     /* owned; NULL: not held */
    int   fd;
} Lock;

/* lock_take - makes the file and locks it. Returns 0: held; 1: this file system has no locks, and
 * no file is left; -1 with a message: another process holds it (named if known), the file is not
 * empty and so not ours, or it cannot be made. */
int lock_take(Lock *lock, const char *path, Err *e);

/* lock_release - removes the file. A lock that is not held is left alone. */
void lock_release(Lock *lock);

#endif
