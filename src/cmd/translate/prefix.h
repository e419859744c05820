/* prefix.h - the text that stands beside each line of the input: what its translation must begin with, one for all lines
 * (--prefix) or a file's line for each (--prefixes).
 */
#ifndef ATTN_CMD_TRANSLATE_PREFIX_H
#define ATTN_CMD_TRANSLATE_PREFIX_H

#include "base/buf.h"
#include "base/lines.h"

#include <stddef.h>

enum { PREFIX_BYTES = 1000 };       /* no text is longer */

/* Zero: nothing is given. prefix_close releases. */
typedef struct {
    const char *text;               /* for all lines; not owned */
    Lines      *lines;              /* one for each; NULL: there is no file */
    Buf         kept;               /* the texts of this batch, each with a NUL */
} Prefix;

/* prefix_open - either argument may be NULL. prefix_check - whether a text can be given, -1 with the reason. */
int prefix_open(Prefix *given, const char *text, const char *path, Err *e);
int prefix_check(const char *text, size_t length, Err *e);

/* prefix_next - the texts of the next `count` lines of the input, valid until the next call: text[i] is NULL where there
 * is none. -1 where the file has not so many, or a line that can't be given. */
int prefix_next(Prefix *given, const char **text, size_t count, Err *e);

/* prefix_end - behind the last line of the input: -1 if the file goes on. */
int  prefix_end(Prefix *given, Err *e);
void prefix_close(Prefix *given);

#endif
