/* test_io.c - lines from every kind of source, replacing under every kind of failure, mapping. */
#include "base/io.h"
#include "base/stray.h"

#include "base/buf.h"
#include "base/rng.h"
#include "scratch.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

/* ---- Lines ---- */

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

/* Reads to the end: 0, or -1 with the message; appends the lines, each with a '\n'. */
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
    snprintf(expected, sizeof expected, "%s:%d: a line of more than 16 MiB: is this a text?", path, line);
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
            const char *path = scratch_write(*state, "long", text, LINE_BYTES + (size_t)(longer + !last));
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
    (void)state;
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
        assert_int_equal(lines_marked(lines), i < 3);
        lines_close(lines);
    }
    lines = opened(scratch_puts(*state, "marked", "one\n\xEF\xBB\xBFtwo"));
    assert_line(lines, "one", 3);
    assert_line(lines, "\xEF\xBB\xBFtwo", 6);
    assert_false(lines_marked(lines));
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

/* No '\n' in as much as one line may take, so that a longer file is not kept in memory as a whole. */
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

static void utf16_should_be_told_how_to_convert(void **state)
{
    static const char *const texts[] = { "\xFF\xFEx", "\xFE\xFF", "\xFF\xFE\n\n" };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *path = scratch_puts(*state, "wide", texts[i]);
        char expected[600];
        snprintf(expected, sizeof expected,
                 "%s: is UTF-16 text, UTF-8 is needed; 'iconv -f UTF-16 -t UTF-8' converts it", path);
        assert_unreadable(path, expected);
    }
    Lines *lines = opened(scratch_puts(*state, "inside", "x\xFF\xFE\n\xFF\xFE\n"));
    assert_line(lines, "x\xFF\xFE", 3);
    assert_line(lines, "\xFF\xFE", 2);
    assert_end(lines);
    lines_close(lines);
}

static void slow_pipe_should_be_answered_line_by_line(void **state)
{
    (void)state;
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
static void descriptor_that_does_not_block_should_be_waited_for(void **state)
{
    (void)state;
    int pipes[2], kept = dup(STDIN_FILENO);
    assert_int_equal(pipe(pipes), 0);
    assert_int_equal(fcntl(pipes[0], F_SETFL, O_NONBLOCK), 0);
    assert_int_equal(dup2(pipes[0], STDIN_FILENO), STDIN_FILENO);
    if (fork() == 0) {
        usleep(20000);
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
    assert_unopenable("/nowhere/at/all", "/nowhere/at/all: cannot be opened: No such file or directory");
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
    Mapped m;
    const char *pipe = scratch_path(s, "pipe");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_int_equal(lines_check(pipe, &e), 0);
    assert_int_equal(lines_check("-", &e), 0);
    assert_int_equal(lines_check(scratch_puts(s, "lines", "text\n"), &e), 0);
    assert_int_equal(file_map(&m, pipe, &e), -1);
    assert_true(strstr(e.text, "pipe: is not a regular file"));
}

/* ---- gzip ---- */

#define GZIPPED "tests/data/text/lines.txt.gz"

static Mapped mapped(const char *path)
{
    Err e = { "" };
    Mapped m;
    if (file_map(&m, path, &e)) fail_msg("%s (run from the top of the project)", e.text);
    return m;
}

static void gzip_should_be_read_through(void **state)
{
    (void)state;
    Err e = { "" };
    Buf text = { 0 };
    Mapped plain = mapped("tests/data/text/lines.txt");
    assert_int_equal(read_all(GZIPPED, &text, &e), 0);
    assert_int_equal(text.length, plain.size);
    assert_memory_equal(text.text, plain.data, plain.size);
    buf_free(&text);
    file_unmap(&plain);
}

/* From 0 to all of its bytes, and never back. */
static void assert_taken(const char *path)
{
    Err e;
    char *line;
    size_t length;
    double taken = 0;
    Lines *lines = lines_open(path, &e);
    assert_non_null(lines);
    assert_true(lines_taken(lines) == 0);
    while (lines_next(lines, &line, &length, &e) > 0) {
        assert_true(lines_taken(lines) > taken && lines_taken(lines) <= file_bytes(path));
        taken = lines_taken(lines);
    }
    assert_true(lines_taken(lines) == file_bytes(path));
    lines_close(lines);
}

static void what_is_taken_of_a_file_should_be_known(void **state)
{
    const char *path = scratch_puts(*state, "lines", "\xEF\xBB\xBFone\r\n\ntwo and a half");
    Err e;
    Lines *lines = lines_open(path, &e);
    assert_line(lines, "one", 3);
    assert_true(lines_taken(lines) == 8);
    lines_close(lines);
    assert_true(file_bytes(path) == 23);
    assert_taken(path);
    assert_taken("tests/data/text/lines.txt");
    assert_taken(GZIPPED);
    assert_true(file_bytes("/nowhere") == -1);
    assert_true(file_bytes("/dev/null") == -1);
    assert_true(file_bytes("/") == -1);
}

/* Takes what a descriptor leads to for standard input, and puts the former one back. */
static double bytes_of_standard_input(int fd)
{
    const int old = dup(STDIN_FILENO);
    assert_true(old >= 0 && dup2(fd, STDIN_FILENO) >= 0);
    const double bytes = file_bytes("-");
    assert_true(dup2(old, STDIN_FILENO) >= 0);
    close(old);
    close(fd);
    return bytes;
}

static void standard_input_should_be_as_long_as_what_is_left_of_its_file(void **state)
{
    int fd = open(scratch_puts(*state, "lines", "one\ntwo\n"), O_RDONLY), ends[2];
    assert_true(lseek(fd, 4, SEEK_SET) == 4);
    assert_true(bytes_of_standard_input(fd) == 4);
    assert_int_equal(pipe(ends), 0);
    assert_true(bytes_of_standard_input(ends[0]) == -1);
    close(ends[1]);
}

static void two_gzip_files_in_one_should_be_read_as_one(void **state)
{
    Err e = { "" };
    Buf text = { 0 }, twice = { 0 };
    Mapped plain = mapped("tests/data/text/lines.txt"), zipped = mapped(GZIPPED);
    buf_add(&twice, zipped.data, zipped.size);
    buf_add(&twice, zipped.data, zipped.size);
    assert_int_equal(read_all(scratch_write(*state, "twice.gz", twice.text, twice.length), &text, &e), 0);
    assert_int_equal(text.length, 2 * plain.size);
    assert_memory_equal(text.text + plain.size, plain.data, plain.size);
    buf_free(&text);
    buf_free(&twice);
    file_unmap(&plain);
    file_unmap(&zipped);
}

static void truncated_gzip_should_be_an_error_wherever_it_ends(void **state)
{
    Err e = { "" };
    Buf text = { 0 };
    Mapped zipped = mapped(GZIPPED);
    for (size_t length = 0; length < zipped.size; length++) {
        const char *path = scratch_write(*state, "short.gz", zipped.data, length);
        assert_int_equal(read_all(path, &text, &e), -1);
        assert_true(strstr(e.text, "short.gz: "));
        assert_true(strstr(e.text, length < 2 ? "is not gzip data" : "truncated gzip data"));
    }
    buf_free(&text);
    file_unmap(&zipped);
}

static void damaged_gzip_should_be_an_error(void **state)
{
    enum { HEADER = 10 };
    Err e = { "" };
    Buf text = { 0 }, damaged = { 0 };
    Mapped zipped = mapped(GZIPPED);
    buf_add(&damaged, zipped.data, zipped.size);
    for (size_t i = HEADER; i < zipped.size; i++) {
        damaged.text[i] ^= 0x10;
        assert_int_equal(read_all(scratch_write(*state, "damaged.gz", damaged.text, damaged.length), &text, &e), -1);
        assert_true(strstr(e.text, "damaged.gz: "));
        assert_true(strstr(e.text, "damaged gzip data") || strstr(e.text, "truncated gzip data"));
        damaged.text[i] ^= 0x10;
    }
    buf_free(&text);
    buf_free(&damaged);
    file_unmap(&zipped);
}

static void plain_text_called_gz_should_be_an_error(void **state)
{
    char expected[600];
    const char *path = scratch_puts(*state, "plain.gz", "one\ntwo\n");
    snprintf(expected, sizeof expected, "%s: is not gzip data, though its name ends in .gz", path);
    assert_unreadable(path, expected);
}

/* ---- Replacing ---- */

static void assert_content(const char *path, const char *expected)
{
    Mapped m = mapped(path);
    assert_int_equal(m.size, strlen(expected));
    assert_memory_equal(m.data, expected, m.size);
    file_unmap(&m);
}

static Replace begun(const char *path, const char *text)
{
    Err e = { "" };
    Replace r;
    if (replace_begin(&r, path, &e)) fail_msg("%s", e.text);
    fputs(text, r.stream);
    return r;
}

static void assert_committed(Replace *r)
{
    Err e = { "" };
    if (replace_commit(r, &e)) fail_msg("%s", e.text);
}

static void assert_not_committed(Replace *r, const char *expected)
{
    Err e = { "" };
    assert_int_equal(replace_commit(r, &e), -1);
    assert_string_equal(e.text, expected);
}

static mode_t mode_of(const char *path)
{
    struct stat status;
    assert_int_equal(lstat(path, &status), 0);
    return status.st_mode;
}

static void old_file_should_stand_until_the_commit(void **state)
{
    const char *path = scratch_puts(*state, "model", "old");
    Replace r = begun(path, "new");
    fflush(r.stream);
    assert_content(path, "old");
    assert_int_equal(scratch_files(*state), 2);
    assert_committed(&r);
    assert_content(path, "new");
    assert_int_equal(scratch_files(*state), 1);
}

static void abort_should_leave_the_old_file_and_nothing_else(void **state)
{
    const char *path = scratch_puts(*state, "model", "old");
    Replace r = begun(path, "new");
    replace_abort(&r);
    assert_content(path, "old");
    assert_int_equal(scratch_files(*state), 1);
}

static void new_file_should_get_the_permissions_of_the_umask(void **state)
{
    const char *path = scratch_path(*state, "model");
    mode_t kept = umask(027);
    Replace r = begun(path, "new");
    assert_committed(&r);
    umask(kept);
    assert_int_equal(mode_of(path) & 07777, 0640);
}

static void replaced_file_should_keep_its_permissions(void **state)
{
    const char *path = scratch_puts(*state, "model", "old");
    assert_int_equal(chmod(path, 0604), 0);
    Replace r = begun(path, "new");
    assert_committed(&r);
    assert_int_equal(mode_of(path) & 07777, 0604);
}

static void link_should_stay_a_link(void **state)
{
    const char *target = scratch_puts(*state, "target", "old"), *link = scratch_path(*state, "link");
    assert_int_equal(symlink(target, link), 0);
    Replace r = begun(link, "new");
    assert_committed(&r);
    assert_true(S_ISLNK(mode_of(link)));
    assert_content(target, "new");
}

static void what_killed_processes_left_should_be_removed_and_nothing_else(void **state)
{
    const char *const stale[] = { "model.attn-1-0.tmp", "model.attn-4194304-999.tmp" };
    const char *const other[] = { "model", "model.tmp", "model.1-0.tmp", "model.attn-1.tmp", "model.attn-1-.tmp",
                                  "model.attn-1-0.tmp2", "model.attn-x-0.tmp", "a-model.attn-1-0.tmp",
                                  "model.state.attn-1-0.tmp" };
    enum { STALE = 2, OTHER = 9 };
    for (int i = 0; i < STALE; i++)
        scratch_puts(*state, stale[i], "half");
    for (int i = 0; i < OTHER; i++)
        scratch_puts(*state, other[i], "mine");
    const char *link = scratch_path(*state, "link");
    assert_int_equal(symlink("model", link), 0);
    Replace r = begun(link, "new");
    replace_abort(&r);
    assert_int_equal(scratch_files(*state), OTHER + 1);
    for (int i = 0; i < OTHER; i++)
        assert_int_equal(access(scratch_path(*state, other[i]), F_OK), 0);
}

static void one_at_a_time_should_write_a_file(void **state)
{
    Err e;
    Replace second;
    const char *path = scratch_path(*state, "model");
    char expected[600];
    snprintf(expected, sizeof expected, "%s: another process is writing this file; wait for its end, or name another "
             "one", path);
    Replace first = begun(path, "first");
    assert_int_equal(replace_begin(&second, path, &e), -1);
    assert_string_equal(e.text, expected);
    assert_int_equal(scratch_files(*state), 1);
    assert_committed(&first);
    assert_content(path, "first");
    Replace third = begun(path, "third");
    assert_committed(&third);
    assert_content(path, "third");
}

static void strays_should_be_what_is_not_finished(void **state)
{
    const char *path = scratch_path(*state, "model");
    Replace done = begun(path, "done");
    assert_committed(&done);
    Replace prefix_up = begun(path, "given up");
    replace_abort(&prefix_up);
    stray_remove_all();
    assert_content(path, "done");
    Replace half = begun(path, "half");
    assert_int_equal(scratch_files(*state), 2);
    stray_remove_all();
    assert_int_equal(scratch_files(*state), 1);
    assert_content(path, "done");
    replace_abort(&half);
}

static void two_names_of_one_file_should_be_the_same(void **state)
{
    const char *file = scratch_puts(*state, "file", "text"), *link = scratch_path(*state, "link");
    const char *other = scratch_puts(*state, "other", "text"), *none = scratch_path(*state, "none");
    const char *roundabout = scratch_path(*state, "./none");
    assert_int_equal(symlink(file, link), 0);
    assert_true(file_same(file, file) && file_same(file, link) && file_same(link, file));
    assert_false(file_same(file, other) || file_same(file, none) || file_same(none, file));
    assert_true(file_same(none, none) && file_same(none, roundabout));
    assert_false(file_same(none, "/nowhere/none") || file_same(none, "none"));
    assert_false(file_same("/dev/null", "/dev/null"));
}

/* A short text fails when it is flushed, a long one while it is written. Through a link, for a test that fails must not
 * cost this machine its device. */
static void full_device_should_be_an_error_and_not_be_replaced(void **state)
{
    const char *link = scratch_path(*state, "full");
    char expected[600];
    assert_int_equal(symlink("/dev/full", link), 0);
    snprintf(expected, sizeof expected, "%s: writing failed: No space left on device", link);
    for (int i = 0; i < 2; i++) {
        Replace r = begun(link, "text");
        for (int k = 0; k < i * 100000; k++)
            fputs("more text", r.stream);
        assert_not_committed(&r, expected);
        assert_true(S_ISLNK(mode_of(link)));
        assert_int_equal(scratch_files(*state), 1);
    }
}

static void full_disk_should_leave_the_old_file_and_nothing_else(void **state)
{
    const char *path = scratch_puts(*state, "model", "old");
    char expected[600];
    struct rlimit kept, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &kept), 0);
    small = (struct rlimit){ .rlim_cur = 4096, .rlim_max = kept.rlim_max };
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    Replace r = begun(path, "new");
    for (int i = 0; i < 100000; i++)
        fputs("more text", r.stream);
    snprintf(expected, sizeof expected, "%s: writing failed: File too large", path);
    assert_not_committed(&r, expected);
    setrlimit(RLIMIT_FSIZE, &kept);
    assert_content(path, "old");
    assert_int_equal(scratch_files(*state), 1);
}

static void failed_rename_should_name_the_step_and_clean_up(void **state)
{
    const char *path = scratch_path(*state, "model");
    char expected[600];
    Replace r = begun(path, "new");
    assert_int_equal(mkdir(path, 0777), 0);
    snprintf(expected, sizeof expected, "%s: renaming the temporary file failed: Is a directory", path);
    assert_not_committed(&r, expected);
    assert_int_equal(scratch_files(*state), 1);
}

static void target_that_cannot_be_written_should_be_refused_at_once(void **state)
{
    Scratch *s = *state;
    Err e = { "" };
    Replace r;
    char expected[600];
    assert_int_equal(replace_begin(&r, "/nowhere/model", &e), -1);
    assert_string_equal(e.text, "/nowhere/model: cannot be written: No such file or directory");
    assert_int_equal(replace_begin(&r, s->folder, &e), -1);
    snprintf(expected, sizeof expected, "%s: cannot be written: Is a directory", s->folder);
    assert_string_equal(e.text, expected);
}

/* ---- Mapping ---- */

static void mapped_file_should_be_its_bytes(void **state)
{
    Mapped m = mapped(scratch_write(*state, "bytes", "a\0b", 3));
    assert_int_equal(m.size, 3);
    assert_memory_equal(m.data, "a\0b", 3);
    file_unmap(&m);
}

static void empty_file_should_map_to_nothing(void **state)
{
    Mapped m = mapped(scratch_puts(*state, "empty", ""));
    assert_int_equal(m.size, 0);
    assert_string_equal(m.data, "");
    file_unmap(&m);
}

static void what_cannot_be_mapped_should_be_refused(void **state)
{
    Scratch *s = *state;
    Err e = { "" };
    Mapped m;
    assert_int_equal(file_map(&m, "/nowhere", &e), -1);
    assert_string_equal(e.text, "/nowhere: cannot be opened: No such file or directory");
    assert_int_equal(file_map(&m, s->folder, &e), -1);
    assert_true(strstr(e.text, "is a directory"));
    assert_int_equal(file_map(&m, "/dev/null", &e), -1);
    assert_string_equal(e.text, "/dev/null: is not a regular file");
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
        in_scratch(utf16_should_be_told_how_to_convert),
        cmocka_unit_test(slow_pipe_should_be_answered_line_by_line),
        cmocka_unit_test(descriptor_that_does_not_block_should_be_waited_for),
        in_scratch(what_is_no_file_should_be_one_clear_message),
        in_scratch(what_can_be_read_should_be_known_without_opening_it),
        cmocka_unit_test(gzip_should_be_read_through),
        in_scratch(what_is_taken_of_a_file_should_be_known),
        in_scratch(standard_input_should_be_as_long_as_what_is_left_of_its_file),
        in_scratch(two_gzip_files_in_one_should_be_read_as_one),
        in_scratch(truncated_gzip_should_be_an_error_wherever_it_ends),
        in_scratch(damaged_gzip_should_be_an_error),
        in_scratch(plain_text_called_gz_should_be_an_error),
        in_scratch(old_file_should_stand_until_the_commit),
        in_scratch(abort_should_leave_the_old_file_and_nothing_else),
        in_scratch(new_file_should_get_the_permissions_of_the_umask),
        in_scratch(replaced_file_should_keep_its_permissions),
        in_scratch(link_should_stay_a_link),
        in_scratch(what_killed_processes_left_should_be_removed_and_nothing_else),
        in_scratch(one_at_a_time_should_write_a_file),
        in_scratch(strays_should_be_what_is_not_finished),
        in_scratch(two_names_of_one_file_should_be_the_same),
        in_scratch(full_device_should_be_an_error_and_not_be_replaced),
        in_scratch(full_disk_should_leave_the_old_file_and_nothing_else),
        in_scratch(failed_rename_should_name_the_step_and_clean_up),
        in_scratch(target_that_cannot_be_written_should_be_refused_at_once),
        in_scratch(mapped_file_should_be_its_bytes),
        in_scratch(empty_file_should_map_to_nothing),
        in_scratch(what_cannot_be_mapped_should_be_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
