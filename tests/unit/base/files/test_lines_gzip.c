/* test_lines_gzip.c - lines from gzip files, whole and damaged; and how many bytes were read. */
#include "base/files/lines.h"

#include "base/buf.h"
#include "base/files/files.h"
#include "read_lines.h"
#include "scratch.h"

#include <fcntl.h>

#define GZIPPED "tests/data/text/lines.txt.gz"

/* The bytes of the file; it must exist. */
static Content content_of(const char *path)
{
    Err e = { "" };
    Content m;
    if (content_read(&m, path, &e)) fail_msg("%s (run from the top of the project)", e.text);
    return m;
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
    assert_true(lines_bytes_returned(lines) == 0);
    while (lines_next(lines, &line, &length, &e) > 0) {
        assert_true(lines_bytes_returned(lines) > taken
                    && lines_bytes_returned(lines) <= lines_bytes(path));
        taken = lines_bytes_returned(lines);
    }
    assert_true(lines_bytes_returned(lines) == lines_bytes(path));
    lines_close(lines);
}

static void what_is_taken_of_a_file_should_be_known(void **state)
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

static void standard_input_should_be_as_long_as_what_is_left_of_its_file(void **state)
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
    Content plain = content_of("tests/data/text/lines.txt");
    if (read_all(path, &text, &e)) fail_msg("%s", e.text);
    assert_int_equal(text.length, times * plain.size);
    assert_memory_equal(text.text + (times - 1) * plain.size, plain.data, plain.size);
    buf_free(&text);
    content_free(&plain);
}

static void gzip_should_be_known_by_its_first_bytes(void **state)
{
    Content zipped = content_of(GZIPPED);
    const char *path = scratch_write(*state, "lines.txt", zipped.data, zipped.size);
    assert_unpacks(path, 1);
    assert_taken(path);
    content_free(&zipped);
}

static void two_gzip_files_in_one_should_be_read_as_one(void **state)
{
    Buf twice = { 0 };
    Content zipped = content_of(GZIPPED);
    buf_add(&twice, zipped.data, zipped.size);
    buf_add(&twice, zipped.data, zipped.size);
    assert_unpacks(scratch_write(*state, "twice.gz", twice.text, twice.length), 2);
    buf_free(&twice);
    content_free(&zipped);
}

/* A pipe that gives the two bytes one by one, and the rest in pieces. */
static void gzip_should_be_read_from_a_pipe(void **state)
{
    int ends[2];
    char path[64];
    Content zipped = content_of(GZIPPED);
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    if (fork() == 0) {
        for (size_t i = 0, piece = 1; i < zipped.size; i += piece) {
            if (i == 2) piece = zipped.size / 3;
            if (i + piece > zipped.size) piece = zipped.size - i;
            if (write(ends[1], zipped.data + i, piece) < 0) _exit(1);
            usleep(1000);
        }
        _exit(0);
    }
    close(ends[1]);
    assert_unpacks(path, 1);
    close(ends[0]);
    content_free(&zipped);
}

/* As gzip does, which fills tapes with zeros. */
static void what_stands_behind_gzip_data_should_be_left_out(void **state)
{
    Buf padded = { 0 };
    Content zipped = content_of(GZIPPED);
    buf_add(&padded, zipped.data, zipped.size);
    for (int i = 0; i < 1000; i++)
        buf_putc(&padded, '\0');
    assert_unpacks(scratch_write(*state, "padded.gz", padded.text, padded.length), 1);
    buf_free(&padded);
    content_free(&zipped);
}

static void truncated_gzip_should_be_an_error_wherever_it_ends(void **state)
{
    Err e = { "" };
    Buf text = { 0 };
    Content zipped = content_of(GZIPPED);
    for (size_t length = 0; length < zipped.size; length++) {
        const char *path = scratch_write(*state, "short.gz", zipped.data, length);
        assert_int_equal(read_all(path, &text, &e), -1);
        assert_true(strstr(e.text, "short.gz: "));
        assert_true(strstr(e.text, length < 2 ? "is not gzip data" : "truncated gzip data"));
    }
    buf_free(&text);
    content_free(&zipped);
}

static void damaged_gzip_should_be_an_error(void **state)
{
    enum { HEADER = 10 };
    Err e = { "" };
    Buf text = { 0 }, damaged = { 0 };
    Content zipped = content_of(GZIPPED);
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

static void plain_text_called_gz_should_be_an_error(void **state)
{
    char expected[600];
    const char *path = scratch_puts(*state, "plain.gz", "one\ntwo\n");
    snprintf(expected, sizeof expected, "%s: is not gzip data, though its name ends in .gz", path);
    assert_unreadable(path, expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gzip_should_be_read_from_a_pipe),
        in_scratch(gzip_should_be_known_by_its_first_bytes),
        in_scratch(what_stands_behind_gzip_data_should_be_left_out),
        in_scratch(what_is_taken_of_a_file_should_be_known),
        in_scratch(standard_input_should_be_as_long_as_what_is_left_of_its_file),
        in_scratch(two_gzip_files_in_one_should_be_read_as_one),
        in_scratch(truncated_gzip_should_be_an_error_wherever_it_ends),
        in_scratch(damaged_gzip_should_be_an_error),
        in_scratch(plain_text_called_gz_should_be_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
