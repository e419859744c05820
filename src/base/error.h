/* error.h - error messages that a user can act on.
 *
 * A function that can fail because of its input takes an Err, fills it and returns -1 (or NULL).
 * Only src/cmd turns that into a message and an exit status. A message is lower case without a full
 * stop, names the file and line, says what was found, and ends with what to do if something can be
 * done:
 *     data/pairs.tsv:812: no tab between source and target
 */
#ifndef ATTN_BASE_ERROR_H
#define ATTN_BASE_ERROR_H

#include <stdarg.h>

typedef struct { char text[1024]; } Err;

/* err - formats the message into e and returns -1, so that callers write `return err(e, "...")`. */
int err(Err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* message_from - from now on all messages begin with this name of the one who prints them, which is
 * borrowed: where several processes share a terminal. */
void message_from(const char *name);

/* message_print - prints "attn: KIND: ..." on stderr as one line, made printable. */
void message_print(const char *kind, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* warn - prints "attn: warning: ..." on stderr. */
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* die - prints "attn: error: ..." on stderr and exits with 1; for failures that no caller can
 * handle (memory). Where the thread works in a Mem it ends that work alone (base/mem.h). */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
