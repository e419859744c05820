/* test_lines.c - lines from files, pipes and standard input. */
#include "base/files/lines.h"

#include "base/buf.h"
#include "base/random/rng.h"
#include "read_lines.h"
#include "scratch.h"

#include <fcntl.h>

/* What can't be opened at all. */
static void assert_unopenable(const char *path, const char *expected)
{
    Err e = { "" };
    assert_unreadable(path, expected);
    assert_int_equal(lines_check(path, &e), -1);
    assert_string_equal(e.text, expected);
}

static void lines_should_come_without_their_ends(void **state)
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
}

static void empty_file_should_have_no_line(void **state)
{
    Lines *lines = opened(scratch_puts(*state, "empty", ""));
    assert_end(lines);
    lines_close(lines);
}

static void end_of_the_last_line_should_not_start_another(void **state)
{
    Lines *lines = opened(scratch_puts(*state, "one", "one\n"));
    assert_line(lines, "one", 3);
    assert_end(lines);
    lines_close(lines);
}

/* Lengths around the 64 KiB that one read takes, and far beyond it. */
static void lines_of_every_length_should_come_whole(void **state)
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

static void longest_line_should_come_and_a_longer_one_be_refused(void **state)
{
    char *text = malloc(LINE_BYTES + 2);
    memset(text, 'x', LINE_BYTES + 2);
    for (int longer = 0; longer < 2; longer++)
        for (int last = 0; last < 2; last++) {
            text[LINE_BYTES + longer] = '\n';
            const char *path = scratch_write(*state, "long", text,
                                             LINE_BYTES + (size_t)(longer + !last));
            Lines *lines = opened(path);
            if (longer) assert_too_long(lines, path, 1);
            else assert_line(lines, text, LINE_BYTES);
            if (!longer) assert_end(lines);
            lines_close(lines);
            text[LINE_BYTES + longer] = 'x';
        }
    free(text);
}

static void what_has_no_end_should_be_refused(void **state)
{
    Lines *lines = opened("/dev/zero");
    assert_too_long(lines, "/dev/zero", 1);
    lines_close(lines);
}

static void byte_order_mark_should_be_left_out_at_the_start_only(void **state)
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

static void lines_should_end_in_carriage_returns_where_nothing_else_ends_one(void **state)
{
    Lines *lines = opened(scratch_puts(*state, "cr", "\xEF\xBB\xBFone\r\rthree\r"));
    assert_line(lines, "one", 3);
    assert_true(lines_end_in_cr(lines));
    assert_line(lines, "", 0);
    assert_line(lines, "three", 5);
    assert_int_equal(lines_number(lines), 3);
    assert_end(lines);
    lines_close(lines);
    lines = opened(scratch_puts(*state, "lf", "one\rtwo\n\rthree\r"));
    assert_line(lines, "one\rtwo", 7);
    assert_false(lines_end_in_cr(lines));
    assert_line(lines, "\rthree", 6);
    assert_end(lines);
    lines_close(lines);
}

/* No '\n' in as much as one line may take, so that a longer file is not kept in memory as a
 * whole. */
static void carriage_returns_should_end_the_lines_of_long_files(void **state)
{
    enum { HALF = LINE_BYTES / 2, SIZE = LINE_BYTES + (1 << 20) };
    char *text = malloc(SIZE);
    memset(text, 'x', SIZE);
    text[HALF] = '\r';
    text[SIZE - 1] = '\n';
    Lines *lines = opened(scratch_write(*state, "long", text, SIZE));
    assert_line(lines, text, HALF);
    assert_line(lines, text + HALF + 1, SIZE - HALF - 2);
    assert_end(lines);
    lines_close(lines);
    const char *path = scratch_write(*state, "longer", text + HALF, SIZE - HALF);
    lines = opened(path);
    assert_line(lines, text + HALF, SIZE - HALF - 1);
    assert_end(lines);
    lines_close(lines);
    text[HALF] = 'x';
    path = scratch_write(*state, "longest", text, SIZE);
    lines = opened(path);
    assert_too_long(lines, path, 1);
    lines_close(lines);
    free(text);
}

#define BYTES(literal) literal, sizeof literal - 1

static void what_is_no_text_should_be_named_with_what_makes_text_of_it(void **state)
{
    static const char utf16[] = "is UTF-16 text, UTF-8 is needed; 'iconv -f UTF-16 -t UTF-8' converts it",
        little[] = "is UTF-16 text, UTF-8 is needed; 'iconv -f UTF-16LE -t UTF-8' converts it",
        big[] = "is UTF-16 text, UTF-8 is needed; 'iconv -f UTF-16BE -t UTF-8' converts it",
        utf32[] = "is UTF-32 text, UTF-8 is needed; 'iconv -f UTF-32 -t UTF-8' converts it";
    char tar[300] = "corpus.tsv";
    memcpy(tar + 257, "ustar", 5);
    const struct { const char *bytes; size_t length; const char *is; } cases[] = {
        { BYTES("\xFF\xFEx"), utf16 }, { BYTES("\xFE\xFF"), utf16 }, { BYTES("\xFF\xFE\n\n"), utf16 },
        { BYTES("\xFF\xFE\0\0x\0\0\0"), utf32 }, { BYTES("\0\0\xFE\xFF\0\0\0x"), utf32 },
        { BYTES("g\0o\0\n\0"), little }, { BYTES("\0g\0o\0\n"), big },
        { BYTES("\x16\x04\n\0\n\0\x17\x04"), little }, { BYTES("\x04\x16\0\n\0\n\x04\x17"), big },
        { BYTES("\x0A\x4E\0\x4E\n\0\x0A\x4E\n\0"), little },      /* U+4E0A, U+4E00 */
        { BYTES("g\0\0\0\n\0\0\0"),
          "is UTF-32 text, UTF-8 is needed; 'iconv -f UTF-32LE -t UTF-8' converts it" },
        { BYTES("\0\0\0g\0\0\0\n"),
          "is UTF-32 text, UTF-8 is needed; 'iconv -f UTF-32BE -t UTF-8' converts it" },
        { BYTES("PK\3\4\n"), "is a zip archive or a document; 'unzip -p' prints what is in an archive, "
                             "and saved as tab-separated text, a table can be read" },
        { BYTES("BZh91AY&SY\n"), "is packed by bzip2; 'bzip2 -dc' unpacks it" },
        { BYTES("\xFD" "7zXZ\0\n"), "is packed by xz; 'xz -dc' unpacks it" },
        { BYTES("\x28\xB5\x2F\xFD\n"), "is packed by zstd; 'zstd -dc' unpacks it" },
        { tar, sizeof tar, "is a tar archive; 'tar -xO -f' prints what is in it" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = scratch_write(*state, "foreign", cases[i].bytes, cases[i].length);
        char expected[600];
        snprintf(expected, sizeof expected, "%s: %s", path, cases[i].is);
        assert_unreadable(path, expected);
    }
}

static void what_only_looks_foreign_should_be_read(void **state)
{
    static const struct { const char *bytes; size_t length; } cases[] = {
        { BYTES("x\xFF\xFE\n\xFF\xFE\n") }, { BYTES("BZh9 is a word\n") }, { BYTES("PK\n") },
        { BYTES("nul\0inside\n") }, { BYTES("ab\0\n") }, { BYTES("ab\n\0c\n\0") },
    };
    Err e = { "" };
    Buf text = { 0 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = scratch_write(*state, "text", cases[i].bytes, cases[i].length);
        if (read_all(path, &text, &e)) fail_msg("%s", e.text);
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

static void the_start_should_be_seen_before_the_first_line(void **state)
{
    assert_peek(scratch_puts(*state, "a", "one\ntwo\n"), "one\ntwo\n");
    assert_peek(scratch_puts(*state, "a", "\xEF\xBB\xBFone"), "one");
    assert_peek(scratch_puts(*state, "a", "one\rtwo\r"), "one\rtwo\r");
}

static void slow_pipe_should_be_answered_line_by_line(void **state)
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

/* Whether the process waits for something; where nothing tells, it is taken for asleep. */
static int is_asleep(pid_t process)
{
    char path[32], line[256] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *stat = fopen(path, "r");
    if (!stat) return 1;
    const char *end = fgets(line, sizeof line, stat) ? strrchr(line, ')') : NULL;
    fclose(stat);
    return end && end[1] && end[2] == 'S';
}

/* Standard input may be shared with a program that made it non-blocking. */
static void descriptor_that_does_not_block_should_be_waited_for(void **state)
{
    int pipes[2], kept = dup(STDIN_FILENO);
    assert_int_equal(pipe(pipes), 0);
    assert_int_equal(fcntl(pipes[0], F_SETFL, O_NONBLOCK), 0);
    assert_int_equal(dup2(pipes[0], STDIN_FILENO), STDIN_FILENO);
    if (fork() == 0) {
        while (!is_asleep(getppid())) ;
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

static void what_is_no_file_should_be_one_clear_message(void **state)
{
    Scratch *s = *state;
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

/* Nobody writes to the pipe: opening it would wait for ever. */
static void what_can_be_read_should_be_known_without_opening_it(void **state)
{
    Scratch *s = *state;
    Err e;
    const char *pipe = scratch_path(s, "pipe");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_int_equal(lines_check(pipe, &e), 0);
    assert_int_equal(lines_check("-", &e), 0);
    assert_int_equal(lines_check(scratch_puts(s, "lines", "text\n"), &e), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_scratch(lines_should_come_without_their_ends),
        in_scratch(empty_file_should_have_no_line),
        in_scratch(end_of_the_last_line_should_not_start_another),
        in_scratch(lines_of_every_length_should_come_whole),
        in_scratch(longest_line_should_come_and_a_longer_one_be_refused),
        cmocka_unit_test(what_has_no_end_should_be_refused),
        in_scratch(byte_order_mark_should_be_left_out_at_the_start_only),
        in_scratch(lines_should_end_in_carriage_returns_where_nothing_else_ends_one),
        in_scratch(carriage_returns_should_end_the_lines_of_long_files),
        in_scratch(what_is_no_text_should_be_named_with_what_makes_text_of_it),
        in_scratch(what_only_looks_foreign_should_be_read),
        in_scratch(the_start_should_be_seen_before_the_first_line),
        cmocka_unit_test(slow_pipe_should_be_answered_line_by_line),
        cmocka_unit_test(descriptor_that_does_not_block_should_be_waited_for),
        in_scratch(what_is_no_file_should_be_one_clear_message),
        in_scratch(what_can_be_read_should_be_known_without_opening_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
