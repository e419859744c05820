/* test_editor.c - the lines of a conversation are kept, however it ends, and conversations lose none
 * of each other's. */
#include "cmd/translate/editor.h"

#include "scratch.h"

#include <histedit.h>
#include <sys/stat.h>

/* ---- The history ---- */

/* The history of a state folder in the test's own; its path. */
static const char *use_scratch(Scratch *scratch)
{
    assert_int_equal(setenv("XDG_STATE_HOME", scratch_path(scratch, ""), 1), 0);
    return scratch_path(scratch, "attn/history");
}

/* Nothing else may have been left there. */
static int remove_history(void **state)
{
    assert_int_equal(unlink(scratch_path(*state, "attn/history")), 0);
    assert_int_equal(rmdir(scratch_path(*state, "attn")), 0);
    return scratch_teardown(state);
}

/* Appends the lines of the file, the latest first. */
static void read_lines(const char *path, Buf *out)
{
    HistEvent event;
    History *lines = history_init();
    history(lines, &event, H_SETSIZE, 10000);
    history(lines, &event, H_LOAD, path);
    for (int rc = history(lines, &event, H_FIRST); rc >= 0; rc = history(lines, &event, H_NEXT))
        buf_printf(out, "%s\n", event.str);
    history_end(lines);
}

static void assert_kept(const char *path, const char *expected)
{
    Buf lines = { 0 };
    read_lines(path, &lines);
    assert_string_equal(lines.text, expected);
    buf_free(&lines);
}

static void a_line_should_be_kept_as_soon_as_it_is_entered(void **state)
{
    struct stat status;
    const char *path = use_scratch(*state);
    Editor *editor = editor_new("", NULL);
    editor_add(editor, "Thank you.");
    assert_kept(path, "Thank you.\n");
    editor_add(editor, ":prefix \xC3\xA9t\xC3\xA9 \\ \t");
    editor_add(editor, ":prefix \xC3\xA9t\xC3\xA9 \\ \t");
    assert_kept(path, ":prefix \xC3\xA9t\xC3\xA9 \\ \t\nThank you.\n");
    editor_free(editor);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
}

static void conversations_should_keep_the_lines_of_each_other(void **state)
{
    const char *path = use_scratch(*state);
    Editor *one = editor_new("", NULL), *other = editor_new("", NULL);
    editor_add(one, "a");
    editor_add(other, "b");
    editor_add(one, "c");
    editor_free(other);
    editor_add(one, "d");
    editor_free(one);
    assert_kept(path, "d\nc\nb\na\n");
}

static void the_older_half_of_a_long_file_should_go(void **state)
{
    struct stat status;
    char line[16];
    const char *path = use_scratch(*state);
    Editor *other = editor_new("", NULL);
    for (int i = 0; i < 2001; i++) {
        snprintf(line, sizeof line, "%04d", i);
        editor_add(other, line);
    }
    Editor *editor = editor_new("", NULL);
    editor_add(other, "last");
    Buf lines = { 0 };
    read_lines(path, &lines);
    assert_int_equal(lines.length, 1001 * 5);
    assert_memory_equal(lines.text, "last\n2000\n", 10);
    assert_string_equal(lines.text + 1000 * 5, "1001\n");
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    editor_free(other);
    editor_free(editor);
    buf_free(&lines);
}

static void what_is_no_history_should_be_left_alone(void **state)
{
    struct stat status;
    const char *path = use_scratch(*state);
    assert_int_equal(mkdir(scratch_path(*state, "attn"), 0700), 0);
    scratch_puts(*state, "attn/history", "Dear diary\n");
    for (int is_pipe = 0; is_pipe < 2; is_pipe++) {
        Editor *editor = editor_new("", NULL);
        editor_add(editor, "a");
        editor_free(editor);
        assert_int_equal(stat(path, &status), 0);
        if (is_pipe) break;
        assert_int_equal(status.st_size, strlen("Dear diary\n"));
        assert_int_equal(unlink(path), 0);
        assert_int_equal(mkfifo(path, 0644), 0);
    }
    assert_true(S_ISFIFO(status.st_mode) && (status.st_mode & 0777) == 0644);
}

#define with_history(test) cmocka_unit_test_setup_teardown(test, scratch_setup, remove_history)
int main(void)
{
    const struct CMUnitTest tests[] = {
        with_history(a_line_should_be_kept_as_soon_as_it_is_entered),
        with_history(conversations_should_keep_the_lines_of_each_other),
        with_history(the_older_half_of_a_long_file_should_go),
        with_history(what_is_no_history_should_be_left_alone),
    };
    setenv("TERM", "dumb", 1);          /* of others terminfo loses some bytes */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
