/* prefix.h - the required beginning of each translation: one for all lines (--prefix), or line n
 * of a file for line n of the input (--prefixes).
 */
#ifndef ATTN_CMD_TRANSLATE_PREFIX_H
#define ATTN_CMD_TRANSLATE_PREFIX_H

#include "base/buf.h"
#include "base/files/lines.h"

#include <stddef.h>

enum { PREFIX_BYTES = 1000 };       /* of one prefix, at most */

/* All zero: no prefix. prefix_close releases. */
typedef struct {
    const char *text;               /* for all lines; not owned */
    Lines      *lines;              /* one a line of the input; NULL: no file */
    Buf         texts;              /* of this batch, each with a NUL */
} Prefix;

/* prefix_open - either argument may be NULL. prefix_check - -1 where the text cannot be a
 * prefix. */
int prefix_open(Prefix *prefix, const char *text, const char *path, Err *e);
int prefix_check(const char *text, size_t length, Err *e);

/* prefix_next - the prefixes of the next `count` lines of the input, valid until the next call;
 * text[i] is NULL without one. -1 where the file has fewer lines, or a line that cannot be a
 * prefix. */
int prefix_next(Prefix *prefix, const char **text, size_t count, Err *e);

/* prefix_end - after the last line of the input: -1 if the file has more lines. */
int  prefix_end(Prefix *prefix, Err *e);
void prefix_close(Prefix *prefix);

#endif
