/* io.h - reading lines from anywhere, and replacing a file so that it is never half written.
 *
 * Sole user of zlib.
 */
#ifndef ATTN_BASE_IO_H
#define ATTN_BASE_IO_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A source of lines: a file, a file that ends in .gz, or "-" for stdin. A byte-order mark at its very start is left
 * out: it says how the file is written, and is no part of the text.
 *
 * Lines end in '\n'. Where none stands in a whole file, nor in the first LINE_BYTES of a longer one,
 * they end in '\r', as on a Mac before 2001, or in what '\n' comes later. Else a '\r' inside a line is a
 * character like any other. */
typedef struct Lines Lines;

/* No line is longer: what has no end (a device, a binary, a gzip bomb) fails instead of filling the memory. */
enum { LINE_BYTES = 16 << 20 };

/* lines_open - NULL with a message for what can't be read (missing, a directory, no permission). */
Lines *lines_open(const char *path, Err *e);

/* lines_check - 0, or -1 with the message of lines_open where that can't open it now; nothing is
 * opened, nor waited for. */
int lines_check(const char *path, Err *e);

/* lines_next - the next line without its '\n' (and without a '\r' before it); *line stays valid
 * until the next call and is followed by a NUL that is not counted. 1: a line, 0: the end, -1: a
 * read error, damaged gzip data, a file that begins as UTF-16 does, or a line of more than
 * LINE_BYTES. Bytes are not checked otherwise: NUL bytes and invalid UTF-8 are the caller's. A last
 * line without '\n' counts. Returns as soon as a whole line has arrived, so that a slow pipe is
 * answered line by line. */
int lines_next(Lines *lines, char **line, size_t *length, Err *e);

/* lines_ready - whether lines_next would answer now without waiting (a whole line is buffered or readable, or the
 * end was reached). Lets a pipeline batch what is there without keeping a slow writer waiting. */
int lines_ready(Lines *lines);

int         lines_marked(const Lines *lines);   /* whether a byte-order mark stood before the first line returned */
int         lines_end_in_cr(const Lines *lines);    /* known from the first line on */
long        lines_number(const Lines *lines);   /* of the line last returned, from 1 */
const char *lines_name(const Lines *lines);     /* for messages: the path, or "standard input" */
void        lines_close(Lines *lines);          /* NULL is allowed */

/* How far a file is read. file_bytes - how many bytes lines_open(path) would read, of a .gz as it
 * is packed; -1 where nobody knows: a pipe, a device, a file that isn't there. lines_taken - of how
 * many of these the lines were returned; of a .gz in proportion to what is unpacked. */
double file_bytes(const char *path);
double lines_taken(Lines *lines);

/* Replacing a file: what is written goes to a temporary file beside it, and replace_commit checks every write,
 * fsyncs, renames and fsyncs the folder. Until then the old file is untouched; replace_abort removes the temporary.
 * So does the end of the process, where somebody calls stray_remove_all (base/stray.h); what a process that was killed
 * has left is removed by the next replace_begin of that path, which fails where another process is at it.
 *
 *     Replace r;
 *     if (replace_begin(&r, path, e)) return -1;
 *     fwrite(..., r.stream);                        errors are found by replace_commit
 *     return replace_commit(&r, e);                 0, or -1 with the step that failed; the temporary is gone
 */
typedef struct {
    FILE *stream;
    char *path;         /* owned */
    char *temporary;    /* owned; in the same folder */
} Replace;

int  replace_begin(Replace *r, const char *path, Err *e);
int  replace_commit(Replace *r, Err *e);
void replace_abort(Replace *r);

/* file_same - whether both names are those of one file, be it there already or yet to be made. Devices and pipes are none:
 * they can be written and read at once. */
int file_same(const char *a, const char *b);

/* file_is_at - whether the path names (still) the open file. */
int file_is_at(int fd, const char *path);

/* A file mapped read-only. An empty file maps to data = "" and size = 0. */
typedef struct {
    const char *data;
    size_t      size;
} Mapped;

int  file_map(Mapped *m, const char *path, Err *e);
void file_unmap(Mapped *m);

/* file_forget - these bytes of a mapped file need not stay in memory: who reads them again waits for the file. */
void file_forget(const void *data, size_t size);

#endif
