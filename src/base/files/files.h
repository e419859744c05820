/* files.h - opening a file and reading from it, what is behind links, and whether two names mean one
 * file. */
#ifndef ATTN_BASE_FILES_H
#define ATTN_BASE_FILES_H

#include "base/error.h"

#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

/* file_open - opens a file for reading with further flags of open(2); fills *status. Returns the
 * descriptor, for file_close, or -1 with a message. A directory can be opened but not read, so it is
 * refused. */
int  file_open(const char *path, int flags, struct stat *status, Err *e);
void file_close(int fd);

/* file_open_regular - as file_open; *size is that of the file. What is no regular file is refused.
 * file_read_at - reads so many bytes of an open file from the byte `at` on; returns how many there
 * were before its end, or -1 with the reason in errno. */
int     file_open_regular(const char *path, size_t *size, Err *e);
ssize_t file_read_at(int fd, size_t at, void *to, size_t size);

/* file_check - 0 if file_open would succeed now, else -1 with its message. Opens nothing, so that
 * it never waits for the writer of a named pipe. */
int file_check(const char *path, Err *e);

/* file_behind_links - the name to which the path leads, behind symbolic links, which may lead to
 * nothing yet; the path itself where it is no link. A name that is still a link is one of a circle.
 * For xfree. */
char *file_behind_links(const char *path);

/* file_same - whether both names mean one file, which may exist or not. A device or a pipe is never
 * the same: it can be written and read at once. */
int file_same(const char *a, const char *b);

/* file_is_at - whether the path (still) names the open file. */
int file_is_at(int fd, const char *path);

/* The bytes of a file in memory. */
typedef struct {
    char  *data;        /* owned; ends in NUL */
    size_t size;        /* without it */
} Content;

/* content_read - 0, or -1 with a message for a file that cannot be read or is not regular.
 * content_free - releases it; NULL is allowed. */
int  content_read(Content *c, const char *path, Err *e);
void content_free(Content *c);

#endif
