/* test_files.c - whether two names mean one file, and reading one as a whole. */
#include "base/files/files.h"

#include "scratch.h"

TEST_IN_SCRATCH(two_names_of_one_file_should_be_the_same)
{
    const char *file = scratch_puts(*state, "file", "text"), *link = scratch_path(*state, "link");
    const char *other = scratch_puts(*state, "other", "text"), *none = scratch_path(*state, "none");
    const char *roundabout = scratch_path(*state, "./none"), *dangling = scratch_path(*state, "to");
    assert_int_equal(symlink(file, link), 0);
    assert_int_equal(symlink("none", dangling), 0);
    assert_true(file_same(file, file) && file_same(file, link) && file_same(link, file));
    assert_false(file_same(file, other) || file_same(file, none) || file_same(none, file));
    assert_true(file_same(none, none) && file_same(none, roundabout) && file_same(dangling, none));
    assert_false(file_same(none, "/nowhere/none") || file_same(none, "none"));
    assert_false(file_same("/dev/null", "/dev/null"));
}

TEST_IN_SCRATCH(content_should_be_the_bytes_of_the_file_whatever_becomes_of_it)
{
    const char *path = scratch_write(*state, "bytes", "a\0b", 3);
    Content m = read_file(path), empty = read_file(scratch_puts(*state, "empty", ""));
    assert_int_equal(truncate(path, 0), 0);
    assert_int_equal(m.size, 3);
    assert_memory_equal(m.data, "a\0b", 4);
    assert_int_equal(empty.size, 0);
    assert_string_equal(empty.data, "");
    content_free(&m);
    content_free(&empty);
}

/* No process writes to the pipe: opening it without O_NONBLOCK would wait for ever. */
TEST_IN_SCRATCH(what_cannot_be_read_should_be_refused)
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
    const char *pipe = scratch_path(s, "pipe");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_int_equal(content_read(&m, pipe, &e), -1);
    assert_true(strstr(e.text, "pipe: is not a regular file"));
}

int main(void) { return run_unit_tests(); }
