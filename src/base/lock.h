/* lock.h - one process at a time: a lock on a file that is there for nothing else.
 *
 * The kernel keeps it (fcntl, which NFS knows too), so that it ends with its process, however that
 * ends; the empty file that a killed process leaves is no lock, and the next one takes it over. It
 * is a stray (base/stray.h). Within one process it excludes nobody.
 */
#ifndef ATTN_BASE_LOCK_H
#define ATTN_BASE_LOCK_H

#include "base/error.h"

typedef struct {
    char *path;     /* owned; NULL: not held */
    int   fd;
} Lock;

/* lock_take - makes the file. 0: held; 1: this file system has no locks, and no file is left; -1
 * with a message that names the process that holds it, or says that the file is none of ours (it is
 * not empty) or cannot be made. */
int lock_take(Lock *lock, const char *path, Err *e);

/* lock_release - removes the file. What is not held is left alone. */
void lock_release(Lock *lock);

#endif
