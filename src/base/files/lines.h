/* lines.h - lines of text from a file or standard input ("-"). A file that begins as gzip data is
 * unpacked, whatever its name; what ends in .gz and is none is an error.
 *
 * A byte-order mark (BOM) at the start of the input is left out: it is no part of the text. Lines end
 * in '\n' or "\r\n".
 *
 * Sole user of zlib.
 */
#ifndef ATTN_BASE_LINES_H
#define ATTN_BASE_LINES_H

#include "base/error.h"

#include <stddef.h>

typedef struct Lines Lines;

/* The longest line. An endless input (a device, a binary file, a gzip bomb) fails instead of
 * filling the memory. */
enum { LINE_BYTES = 16 << 20 };

/* lines_open - NULL with a message if the file is missing, a directory or not readable. */
Lines *lines_open(const char *path, Err *e);

/* lines_check - 0, or -1 with the message that lines_open would give now. Opens nothing and never
 * waits. */
int lines_check(const char *path, Err *e);

/* lines_peek - before the first line: the text at the start, all of it or PEEK_BYTES, but without a
 * byte-order mark; waits for it. *text is valid until the next call, and has no NUL behind it. 0,
 * or -1 for what is no text; other errors are left to lines_next. */
enum { PEEK_BYTES = 1 << 18 };
int lines_peek(Lines *lines, const char **text, size_t *length, Err *e);

/* lines_next - the next line without its '\n', and without a '\r' before that. *line is valid until
 * the next call and is followed by a NUL that *length does not count. A last line without '\n'
 * counts. Returns as soon as a whole line has arrived, so that a slow pipe is answered line by
 * line.
 *
 * Returns 1: a line; 0: the end; -1: a read error, damaged gzip data, what is no UTF-8 text by its
 * first bytes (packed, a document, in UTF-16), whose lines end in '\r' alone, or a line of more than
 * LINE_BYTES. Bytes are not checked otherwise: a line may hold NUL bytes and invalid UTF-8. */
int lines_next(Lines *lines, char **line, size_t *length, Err *e);

/* lines_ready - whether lines_next would return now without waiting: a whole line is buffered or
 * readable, or the end was reached. With it a reader can batch what has arrived without making a
 * slow writer wait. */
int lines_ready(Lines *lines);

int         lines_had_bom(const Lines *lines);      /* known from the first line on */
long        lines_number(const Lines *lines);       /* of the line last returned, from 1 */
const char *lines_name(const Lines *lines);         /* the path, or "standard input" */
void        lines_close(Lines *lines);              /* NULL is allowed */

/* Progress in bytes. lines_bytes - how many bytes lines_open(path) would read, of gzip data the
 * packed ones; -1 if unknown: a pipe, a device, a missing file. lines_bytes_returned - how many
 * of these the lines returned so far took; for .gz in proportion to the unpacked bytes. */
double lines_bytes(const char *path);
double lines_bytes_returned(Lines *lines);

#endif
