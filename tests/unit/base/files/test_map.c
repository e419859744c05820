/* test_map.c - mapping a file. */
#include "base/files/map.h"

#include "scratch.h"

/* The file, mapped; it must exist. */
static Mapped mapped(const char *path)
{
    Err e = { "" };
    Mapped m;
    if (file_map(&m, path, &e)) fail_msg("%s (run from the top of the project)", e.text);
    return m;
}

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

/* No process writes to the pipe: opening it without O_NONBLOCK would wait for ever. */
static void named_pipe_should_be_refused_without_waiting(void **state)
{
    Err e;
    Mapped m;
    const char *pipe = scratch_path(*state, "pipe");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_int_equal(file_map(&m, pipe, &e), -1);
    assert_true(strstr(e.text, "pipe: is not a regular file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_scratch(mapped_file_should_be_its_bytes),
        in_scratch(empty_file_should_map_to_nothing),
        in_scratch(named_pipe_should_be_refused_without_waiting),
        in_scratch(what_cannot_be_mapped_should_be_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
