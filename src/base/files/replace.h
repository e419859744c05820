/* replace.h - replacing a file so that it is never half written, locks, and what must not
 * outlive the process.
 *
 * What is written goes to a temporary file beside it, whose name ends in TEMPORARY_ENDING.
 * replace_commit checks every write, calls fsync, renames and calls fsync for the folder. Until then
 * the old file is untouched; replace_abort removes the temporary file, and so does stray_remove_all.
 * What a killed process has left is removed by the next replace_open of that path. replace_open
 * fails while another process is replacing the path. A link stays: what it leads to is replaced, or
 * made.
 *
 *     Replace r;
 *     if (replace_open(&r, path, e)) return -1;
 *     fwrite(..., r.stream);               errors are found by replace_commit
 *     return replace_commit(&r, e);        0, or -1 with the step that failed; no temporary is left
 */
#ifndef ATTN_BASE_REPLACE_H
#define ATTN_BASE_REPLACE_H

#include "base/error.h"

#include <stdio.h>

#define TEMPORARY_ENDING ".attn.tmp"

typedef struct {
    FILE *stream;
    char *path, *temporary;     /* owned */
} Replace;

int  replace_open(Replace *r, const char *path, Err *e);
int  replace_commit(Replace *r, Err *e);
void replace_abort(Replace *r);

/* ---- one process at a time: a lock on a file that has no other use ----
 *
 * The kernel keeps the lock (fcntl, which works on NFS too), so it ends with its process, however
 * that ends. The empty file that a killed process leaves is no lock; the next process takes it
 * over. The file is a stray. Within one process the lock excludes nothing. */

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

/* ---- strays: temporary files and locks, which must not outlive the process ----
 *
 * A signal, or memory that is refused (error.h: die), ends a process in the middle of its work. No
 * function returns then to remove a half-written file, and a signal handler can reach only globals:
 * so the names of such files are kept in one global table of STRAYS_MOST; one more is not in it. */

enum { STRAYS_MOST = 16 };

/* stray_remove_all - removes the files that are registered now. A signal handler may call it. */
void stray_remove_all(void);

#endif
