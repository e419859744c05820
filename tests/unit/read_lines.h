/* read_lines.h - reading lines, for the tests of base/files/lines.h. */
#ifndef ATTN_TESTS_READ_LINES_H
#define ATTN_TESTS_READ_LINES_H

#include "base/buf.h"
#include "base/files/lines.h"

/* opened - the lines of a file that must open. */
Lines *opened(const char *path);

/* assert_line - the next line is these bytes, with a NUL behind them. assert_end - there is no line
 * left, however often it is asked for. */
void assert_line(Lines *lines, const char *expected, size_t expected_length);
void assert_end(Lines *lines);

/* read_all - replaces `out` by all lines, each with a '\n'. 0, or -1 with the message. */
int read_all(const char *path, Buf *out, Err *e);

/* assert_unreadable - read_all fails with this message. */
void assert_unreadable(const char *path, const char *expected);

#endif
