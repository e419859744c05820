/* read_lines.c - lines one by one, and all at once. */
#include "read_lines.h"

#include "scratch.h"

Lines *opened(const char *path)
{
    Err e = { "" };
    Lines *lines = lines_open(path, &e);
    if (!lines) fail_msg("%s", e.text);
    return lines;
}

void assert_line(Lines *lines, const char *expected, size_t expected_length)
{
    Err e = { "" };
    char *line;
    size_t length;
    if (lines_next(lines, &line, &length, &e) != 1) fail_msg("no line: %s", e.text);
    assert_int_equal(length, expected_length);
    assert_memory_equal(line, expected, expected_length);
    assert_int_equal(line[length], '\0');
}

void assert_end(Lines *lines)
{
    Err e = { "" };
    char *line;
    size_t length;
    assert_int_equal(lines_next(lines, &line, &length, &e), 0);
    assert_int_equal(lines_next(lines, &line, &length, &e), 0);
}

int read_all(const char *path, Buf *out, Err *e)
{
    char *line;
    size_t length;
    int status;
    Lines *lines = lines_open(path, e);
    if (!lines) return -1;
    buf_clear(out);
    while ((status = lines_next(lines, &line, &length, e)) == 1) {
        buf_add(out, line, length);
        buf_putc(out, '\n');
    }
    lines_close(lines);
    return status;
}

void assert_unreadable(const char *path, const char *expected)
{
    Err e = { "" };
    Buf text = { 0 };
    assert_int_equal(read_all(path, &text, &e), -1);
    assert_string_equal(e.text, expected);
    buf_free(&text);
}
