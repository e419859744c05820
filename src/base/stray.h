/* stray.h - files that must not outlive the process: temporaries, and locks.
 *
 * A process ends in the middle of its work when a signal ends it, or when memory is refused
 * (error.h: die). Nobody returns then to remove what is half written, and a signal handler can reach
 * nothing but globals: so the names of such files stand in one table.
 */
#ifndef ATTN_BASE_STRAY_H
#define ATTN_BASE_STRAY_H

enum { STRAYS_MOST = 16 };

/* stray_add - the name is borrowed until stray_forget; before the file is made, so that no moment is
 * without it. Of more than STRAYS_MOST the last are not remembered. */
void stray_add(const char *path);
void stray_forget(const char *path);    /* the same pointer; what was never added is left alone */

/* stray_remove_all - removes the files that are remembered now. A signal handler may call it. */
void stray_remove_all(void);

#endif
