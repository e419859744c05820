/* stray.h - files that must not outlive the process: temporary files and locks.
 *
 * A signal, or memory that is refused (error.h: die), ends a process in the middle of its work. No
 * function returns then to remove a half-written file, and a signal handler can reach only globals:
 * so the names of such files are kept in one global table.
 */
#ifndef ATTN_BASE_STRAY_H
#define ATTN_BASE_STRAY_H

enum { STRAYS_MOST = 16 };

/* stray_add - registers a name, which is borrowed until stray_forget. Call it before the file is
 * made, so that the file is registered at every moment. With STRAYS_MOST names in the table, a
 * further one is not registered. */
void stray_add(const char *path);
void stray_forget(const char *path);    /* the same pointer; NULL and unknown ones are ignored */

/* stray_remove_all - removes the files that are registered now. A signal handler may call it. */
void stray_remove_all(void);

#endif
