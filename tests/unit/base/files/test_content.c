/* test_content.c - reading a file as a whole. */
#include "base/files/files.h"

#include "scratch.h"

/* The bytes of the file; it must exist. */
static Content content_of(const char *path)
{
    Err e = { "" };
    Content m;
    if (content_read(&m, path, &e)) fail_msg("%s (run from the top of the project)", e.text);
    return m;
}

static void content_should_be_the_bytes_of_the_file(void **state)
{
    Content m = content_of(scratch_write(*state, "bytes", "a\0b", 3));
    assert_int_equal(m.size, 3);
    assert_memory_equal(m.data, "a\0b", 3);
    content_free(&m);
}

/* Whoever cuts a file short must not end the program that has read it. */
static void content_should_stay_when_the_file_is_cut_short(void **state)
{
    const char *path = scratch_puts(*state, "log", "{}\n{}\n");
    Content m = content_of(path);
    assert_int_equal(truncate(path, 0), 0);
    assert_string_equal(m.data, "{}\n{}\n");
    content_free(&m);
}

static void content_of_an_empty_file_should_be_an_empty_text(void **state)
{
    Content m = content_of(scratch_puts(*state, "empty", ""));
    assert_int_equal(m.size, 0);
    assert_string_equal(m.data, "");
    content_free(&m);
}

static void what_cannot_be_read_should_be_refused(void **state)
{
    Scratch *s = *state;
    Err e = { "" };
    Content m;
    assert_int_equal(content_read(&m, "/nowhere", &e), -1);
    assert_string_equal(e.text, "/nowhere: cannot be opened: No such file or directory");
    assert_int_equal(content_read(&m, s->folder, &e), -1);
    assert_true(strstr(e.text, "is a directory"));
    assert_int_equal(content_read(&m, "/dev/null", &e), -1);
    assert_string_equal(e.text, "/dev/null: is not a regular file");
}

/* No process writes to the pipe: opening it without O_NONBLOCK would wait for ever. */
static void named_pipe_should_be_refused_without_waiting(void **state)
{
    Err e;
    Content m;
    const char *pipe = scratch_path(*state, "pipe");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_int_equal(content_read(&m, pipe, &e), -1);
    assert_true(strstr(e.text, "pipe: is not a regular file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_scratch(content_should_be_the_bytes_of_the_file),
        in_scratch(content_should_stay_when_the_file_is_cut_short),
        in_scratch(content_of_an_empty_file_should_be_an_empty_text),
        in_scratch(named_pipe_should_be_refused_without_waiting),
        in_scratch(what_cannot_be_read_should_be_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
