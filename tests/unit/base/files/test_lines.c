/* test_lines.c - lines from files, pipes, standard input and gzip data. */
#include "base/files/lines.h"

#include "base/buf.h"
#include "base/files/files.h"
#include "base/random/rng.h"
#include "scratch.h"

#include <fcntl.h>

static Lines *opened(const char *path)
{
    Err e = { "" };
    Lines *lines = lines_open(path, &e);
    if (!lines) fail_msg("%s", e.text);
    return lines;
}

static void assert_line(Lines *lines, const char *expected, size_t expected_length)
{
    Err e = { "" };
    char *line;
    size_t length;
    if (lines_next(lines, &line, &length, &e) != 1) fail_msg("no line: %s", e.text);
    assert_int_equal(length, expected_length);
    assert_memory_equal(line, expected, expected_length);
    assert_int_equal(line[length], '\0');
}

static void assert_end(Lines *lines)
{
    Err e = { "" };
    char *line;
    size_t length;
    assert_int_equal(lines_next(lines, &line, &length, &e), 0);
    assert_int_equal(lines_next(lines, &line, &length, &e), 0);
}

static int read_all(const char *path, Buf *out, Err *e)
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

static void assert_unreadable(const char *path, const char *expected)
{
    Err e = { "" };
    Buf text = { 0 };
    assert_int_equal(read_all(path, &text, &e), -1);
    assert_string_equal(e.text, expected);
    buf_free(&text);
}

/* What can't be opened at all. */
static void assert_unopenable(const char *path, const char *expected)
{
    Err e = { "" };
    assert_unreadable(path, expected);
    assert_int_equal(lines_check(path, &e), -1);
    assert_string_equal(e.text, expected);
}

TEST_IN_SCRATCH(lines_should_come_without_their_ends)
{
    static const char text[] = "one\ntwo\r\n\n\r\na\rb\nnul\0inside\r\r\nlast";
    Lines *lines = opened(scratch_write(*state, "lines", text, sizeof text - 1));
    assert_line(lines, "one", 3);
    assert_line(lines, "two", 3);
    assert_line(lines, "", 0);
    assert_line(lines, "", 0);
    assert_line(lines, "a\rb", 3);
    assert_line(lines, "nul\0inside\r", 11);
    assert_int_equal(lines_number(lines), 6);
    assert_line(lines, "last", 4);
    assert_end(lines);
    assert_int_equal(lines_number(lines), 7);
    lines_close(lines);
    lines = opened(scratch_puts(*state, "empty", ""));
    assert_end(lines);
    lines_close(lines);
    lines = opened(scratch_puts(*state, "one", "one\n"));
    assert_line(lines, "one", 3);
    assert_end(lines);
    lines_close(lines);
}

/* Lengths around the 64 KiB that one read takes, and far beyond it. */
TEST_IN_SCRATCH(lines_of_every_length_should_come_whole)
{
    static const size_t lengths[] = {
        65535, 0, 65536, 65537, 1, 131071, 131072, 5000000, 3, 65530, 200000, 7, 0, 1000000,
    };
    enum { LINES = sizeof lengths / sizeof *lengths };
    Buf text = { 0 };
    for (size_t i = 0; i < LINES; i++) {
        for (size_t k = 0; k < lengths[i]; k++)
            buf_putc(&text, (char)('a' + rng_below(i, k, 26)));
        buf_putc(&text, '\n');
    }
    Lines *lines = opened(scratch_write(*state, "long", text.text, text.length));
    const char *at = text.text;
    for (size_t i = 0; i < LINES; i++) {
        assert_line(lines, at, lengths[i]);
        at += lengths[i] + 1;
    }
    assert_end(lines);
    lines_close(lines);
    buf_free(&text);
}

static void assert_too_long(Lines *lines, const char *path, int line)
{
    Err e = { "" };
    char *text, expected[600];
    size_t length;
    snprintf(expected, sizeof expected, "%s:%d: a line of more than 16 MiB: is this a text?", path,
             line);
    for (int again = 0; again < 2; again++) {
        assert_true(lines_ready(lines));
        assert_int_equal(lines_next(lines, &text, &length, &e), -1);
        assert_string_equal(e.text, expected);
    }
}

TEST_IN_SCRATCH(longest_line_should_come_and_a_longer_one_be_refused)
{
    char *text = malloc(LINE_BYTES + 2);
    memset(text, 'x', LINE_BYTES + 2);
    for (int last = 0; last < 2; last++) {
        const char *path = scratch_write(*state, "long", text, LINE_BYTES + (size_t)last);
        Lines *lines = opened(path);
        if (last) assert_too_long(lines, path, 1);
        else assert_line(lines, text, LINE_BYTES);
        if (!last) assert_end(lines);
        lines_close(lines);
    }
    free(text);
    Lines *lines = opened("/dev/zero");
    assert_too_long(lines, "/dev/zero", 1);
    lines_close(lines);
}

TEST_IN_SCRATCH(byte_order_mark_should_be_left_out_at_the_start_only)
{
    static const struct { const char *text, *line; size_t length; } cases[] = {
        { "\xEF\xBB\xBFone\n", "one", 3 },
        { "\xEF\xBB\xBF\n", "", 0 },
        { "\xEF\xBB\xBF\xEF\xBB\xBFone", "\xEF\xBB\xBFone", 6 },
        { "\xEF\xBBone", "\xEF\xBBone", 5 },
        { "\xEF\xBB", "\xEF\xBB", 2 },
        { "\n\xEF\xBB\xBFone", "", 0 },
    };
    Lines *lines;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lines = opened(scratch_puts(*state, "marked", cases[i].text));
        assert_line(lines, cases[i].line, cases[i].length);
        assert_int_equal(lines_number(lines), 1);
        assert_int_equal(lines_had_bom(lines), i < 3);
        lines_close(lines);
    }
    lines = opened(scratch_puts(*state, "marked", "one\n\xEF\xBB\xBFtwo"));
    assert_line(lines, "one", 3);
    assert_line(lines, "\xEF\xBB\xBFtwo", 6);
    assert_false(lines_had_bom(lines));
    lines_close(lines);
    lines = opened(scratch_puts(*state, "marked", "\xEF\xBB\xBF"));
    assert_end(lines);
    lines_close(lines);
}

static void write_text(int fd, const char *text)
{
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
}

#define BYTES(literal) literal, sizeof literal - 1

TEST_IN_SCRATCH(what_is_no_text_should_be_named_with_what_makes_text_of_it)
{
    static const struct { const char *bytes; size_t length; const char *is; } cases[] = {
        { BYTES("\xFF\xFEx"),
          "is UTF-16 text, UTF-8 is needed; 'iconv -f UTF-16 -t UTF-8' converts it" },
        { BYTES("\xFF\xFE\0\0x\0\0\0"),
          "is UTF-32 text, UTF-8 is needed; 'iconv -f UTF-32 -t UTF-8' converts it" },
        { BYTES("PK\3\4\n"), "is a zip archive or a document; 'unzip -p' prints what is in an archive, "
                             "and saved as tab-separated text, a table can be read" },
        { BYTES("BZh91AY&SY\n"), "is packed by bzip2; 'bzip2 -dc' unpacks it" },
        { BYTES("one\rtwo\r"), "its lines end in carriage returns; tr '\\r' '\\n' converts them" },
        { BYTES("x\xFF\xFE\n\xFF\xFE\n"), NULL }, { BYTES("BZh9 is a word\n"), NULL },
        { BYTES("PK\n"), NULL }, { BYTES("nul\0inside\n"), NULL }, { BYTES("one\r"), NULL },
        { BYTES("one\rtwo\n"), NULL }, { BYTES("one\rtwo\r\n"), NULL },
    };
    Err e = { "" };
    Buf text = { 0 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = scratch_write(*state, "foreign", cases[i].bytes, cases[i].length);
        char expected[600];
        snprintf(expected, sizeof expected, "%s: %s", path, cases[i].is ? cases[i].is : "");
        if (cases[i].is) assert_unreadable(path, expected);
        else if (read_all(path, &text, &e)) fail_msg("%s", e.text);
    }
    buf_free(&text);
}

static void assert_peek(const char *path, const char *expected)
{
    Err e = { "" };
    const char *text;
    size_t length;
    Lines *lines = opened(path);
    assert_int_equal(lines_peek(lines, &text, &length, &e), 0);
    assert_int_equal(length, strlen(expected));
    assert_memory_equal(text, expected, length);
    assert_line(lines, "one", 3);
    lines_close(lines);
}

TEST_IN_SCRATCH(the_start_should_be_seen_before_the_first_line)
{
    assert_peek(scratch_puts(*state, "a", "one\ntwo\n"), "one\ntwo\n");
    assert_peek(scratch_puts(*state, "a", "\xEF\xBB\xBFone"), "one");
}

UNIT_TEST(slow_pipe_should_be_answered_line_by_line)
{
    int pipes[2];
    char path[64];
    assert_int_equal(pipe(pipes), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", pipes[0]);
    Lines *lines = opened(path);
    assert_false(lines_ready(lines));
    write_text(pipes[1], "one\ntwo\nthr");
    assert_true(lines_ready(lines));
    assert_line(lines, "one", 3);
    assert_true(lines_ready(lines));
    assert_line(lines, "two", 3);
    assert_false(lines_ready(lines));
    write_text(pipes[1], "ee");
    assert_false(lines_ready(lines));
    write_text(pipes[1], "\nfour");
    assert_true(lines_ready(lines));
    assert_line(lines, "three", 5);
    assert_false(lines_ready(lines));
    close(pipes[1]);
    assert_true(lines_ready(lines));
    assert_line(lines, "four", 4);
    assert_true(lines_ready(lines));
    assert_end(lines);
    lines_close(lines);
    close(pipes[0]);
}

/* Standard input may be shared with a program that made it non-blocking. */
UNIT_TEST(descriptor_that_does_not_block_should_be_waited_for)
{
    int pipes[2], kept = dup(STDIN_FILENO);
    assert_int_equal(pipe(pipes), 0);
    assert_int_equal(fcntl(pipes[0], F_SETFL, O_NONBLOCK), 0);
    assert_int_equal(dup2(pipes[0], STDIN_FILENO), STDIN_FILENO);
    if (fork() == 0) {
        usleep(20000);                          /* the parent waits meanwhile */
        write_text(pipes[1], "late\n");
        _exit(0);
    }
    close(pipes[1]);
    Lines *lines = opened("-");
    assert_string_equal(lines_name(lines), "standard input");
    assert_line(lines, "late", 4);
    assert_end(lines);
    lines_close(lines);
    assert_true(fcntl(STDIN_FILENO, F_GETFD) >= 0);
    dup2(kept, STDIN_FILENO);
    close(kept);
    close(pipes[0]);
}

/* Nobody writes to the pipe: opening it would wait for ever. */
TEST_IN_SCRATCH(what_is_no_file_should_be_one_clear_message)
{
    Scratch *s = *state;
    Err e;
    const char *pipe = scratch_path(s, "pipe");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_int_equal(lines_check(pipe, &e), 0);
    assert_int_equal(lines_check("-", &e), 0);
    char expected[600];
    snprintf(expected, sizeof expected, "%s: is a directory, not a file", s->folder);
    assert_unopenable(s->folder, expected);
    assert_unopenable("/nowhere/at/all", "/nowhere/at/all: cannot be opened: No such file or "
                      "directory");
    if (geteuid() == 0) return;
    const char *path = scratch_puts(s, "secret", "text\n");
    assert_int_equal(chmod(path, 0), 0);
    snprintf(expected, sizeof expected, "%s: cannot be opened: Permission denied", path);
    assert_unopenable(path, expected);
}

/* ---- Gzip data, and how many bytes were read ---- */

#define GZIPPED "tests/data/text/lines.txt.gz"

/* From 0 to all of its bytes, and never back. */
static void assert_taken(const char *path)
{
    Err e;
    char *line;
    size_t length;
    double taken = 0;
    Lines *lines = lines_open(path, &e);
    assert_non_null(lines);
    assert_true(lines_bytes_returned(lines) == 0);
    while (lines_next(lines, &line, &length, &e) > 0) {
        assert_true(lines_bytes_returned(lines) > taken
                    && lines_bytes_returned(lines) <= lines_bytes(path));
        taken = lines_bytes_returned(lines);
    }
    assert_true(lines_bytes_returned(lines) == lines_bytes(path));
    lines_close(lines);
}

TEST_IN_SCRATCH(what_is_taken_of_a_file_should_be_known)
{
    const char *path = scratch_puts(*state, "lines", "\xEF\xBB\xBFone\r\n\ntwo and a half");
    Err e;
    Lines *lines = lines_open(path, &e);
    assert_line(lines, "one", 3);
    assert_true(lines_bytes_returned(lines) == 8);
    lines_close(lines);
    assert_true(lines_bytes(path) == 23);
    assert_taken(path);
    assert_taken("tests/data/text/lines.txt");
    assert_taken(GZIPPED);
    assert_true(lines_bytes("/nowhere") == -1);
    assert_true(lines_bytes("/dev/null") == -1);
    assert_true(lines_bytes("/") == -1);
}

/* Takes what a descriptor leads to for standard input, and puts the former one back. */
static double bytes_of_standard_input(int fd)
{
    const int old = dup(STDIN_FILENO);
    assert_true(old >= 0 && dup2(fd, STDIN_FILENO) >= 0);
    const double bytes = lines_bytes("-");
    assert_true(dup2(old, STDIN_FILENO) >= 0);
    close(old);
    close(fd);
    return bytes;
}

TEST_IN_SCRATCH(standard_input_should_be_as_long_as_what_is_left_of_its_file)
{
    int fd = open(scratch_puts(*state, "lines", "one\ntwo\n"), O_RDONLY), ends[2];
    assert_true(lseek(fd, 4, SEEK_SET) == 4);
    assert_true(bytes_of_standard_input(fd) == 4);
    assert_int_equal(pipe(ends), 0);
    assert_true(bytes_of_standard_input(ends[0]) == -1);
    close(ends[1]);
}

/* Reading gives the plain text so many times. */
static void assert_unpacks(const char *path, size_t times)
{
    Err e = { "" };
    Buf text = { 0 };
    Content plain = read_file("tests/data/text/lines.txt");
    if (read_all(path, &text, &e)) fail_msg("%s", e.text);
    assert_int_equal(text.length, times * plain.size);
    assert_memory_equal(text.text + (times - 1) * plain.size, plain.data, plain.size);
    buf_free(&text);
    content_free(&plain);
}

/* Two members, and what gzip fills tapes with. */
TEST_IN_SCRATCH(gzip_data_should_be_known_by_its_first_bytes)
{
    char expected[600];
    Buf packed = { 0 };
    Content zipped = read_file(GZIPPED);
    for (size_t times = 1; times <= 2; times++) {
        buf_add(&packed, zipped.data, zipped.size);
        const char *path = scratch_write(*state, "lines.txt", packed.text, packed.length);
        assert_unpacks(path, times);
        assert_taken(path);
    }
    for (int i = 0; i < 1000; i++)
        buf_putc(&packed, '\0');
    assert_unpacks(scratch_write(*state, "padded.gz", packed.text, packed.length), 2);
    buf_free(&packed);
    content_free(&zipped);
    const char *path = scratch_puts(*state, "plain.gz", "one\ntwo\n");
    snprintf(expected, sizeof expected, "%s: is not gzip data, though its name ends in .gz", path);
    assert_unreadable(path, expected);
}

UNIT_TEST(gzip_data_of_a_pipe_should_be_an_error)
{
    int ends[2];
    char path[64], expected[128];
    Content zipped = read_file(GZIPPED);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], zipped.data, zipped.size), zipped.size);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    snprintf(expected, sizeof expected, "%s: is packed by gzip; 'gzip -dc' unpacks it", path);
    assert_unreadable(path, expected);
    close(ends[0]);
    content_free(&zipped);
}

TEST_IN_SCRATCH(truncated_gzip_should_be_an_error_wherever_it_ends)
{
    Err e = { "" };
    Buf text = { 0 };
    Content zipped = read_file(GZIPPED);
    for (size_t length = 0; length < zipped.size; length++) {
        const char *path = scratch_write(*state, "short.gz", zipped.data, length);
        assert_int_equal(read_all(path, &text, &e), -1);
        assert_true(strstr(e.text, "short.gz: "));
        assert_true(strstr(e.text, length < 2 ? "is not gzip data" : "truncated gzip data"));
    }
    buf_free(&text);
    content_free(&zipped);
}

TEST_IN_SCRATCH(damaged_gzip_should_be_an_error)
{
    enum { HEADER = 10 };
    Err e = { "" };
    Buf text = { 0 }, damaged = { 0 };
    Content zipped = read_file(GZIPPED);
    buf_add(&damaged, zipped.data, zipped.size);
    for (size_t i = HEADER; i < zipped.size; i++) {
        damaged.text[i] ^= 0x10;
        assert_int_equal(read_all(scratch_write(*state, "damaged.gz", damaged.text,
                                                damaged.length), &text, &e), -1);
        assert_true(strstr(e.text, "damaged.gz: "));
        assert_true(strstr(e.text, "damaged gzip data") || strstr(e.text, "truncated gzip data"));
        damaged.text[i] ^= 0x10;
    }
    buf_free(&text);
    buf_free(&damaged);
    content_free(&zipped);
}

int main(void) { return run_unit_tests(); }
