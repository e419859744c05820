/* test_history.c - the lines of a conversation are kept, however it ends, and conversations
 * lose none of each other's. */
#include "cmd/translate/history.h"

#include "scratch.h"

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

/* The lines of a history, latest first, each with a '|' behind it. */
static void assert_lines(const LineHistory *typed, const char *expected)
{
    char text[256] = "";
    HistEvent event;
    for (int rc = history(typed->lines, &event, H_FIRST); rc >= 0; rc = history(typed->lines,
                                                                                &event, H_NEXT)) {
        strcat(text, event.str);
        strcat(text, "|");
    }
    assert_string_equal(text, expected);
}

/* The lines that a conversation begun now has. */
static void assert_kept(const char *expected)
{
    LineHistory typed;
    line_history_open(&typed);
    assert_lines(&typed, expected);
    line_history_close(&typed);
}

static void a_line_should_be_kept_as_soon_as_it_is_entered(void **state)
{
    LineHistory typed;
    const char *path = use_scratch(*state);
    line_history_open(&typed);
    line_history_add(&typed, "Thank you.");
    assert_kept("Thank you.|");
    line_history_add(&typed, ":prefix \xC3\xA9t\xC3\xA9 \\ \t");
    line_history_add(&typed, ":prefix \xC3\xA9t\xC3\xA9 \\ \t");
    assert_lines(&typed, ":prefix \xC3\xA9t\xC3\xA9 \\ \t|Thank you.|");
    assert_kept(":prefix \xC3\xA9t\xC3\xA9 \\ \t|Thank you.|");
    line_history_close(&typed);
    assert_int_equal(access(path, F_OK), 0);
}

static void conversations_should_keep_the_lines_of_each_other(void **state)
{
    LineHistory one, other;
    use_scratch(*state);
    line_history_open(&one);
    line_history_open(&other);
    line_history_add(&one, "a");
    line_history_add(&other, "b");
    line_history_add(&other, "c");
    line_history_add(&one, "d");
    line_history_close(&other);
    line_history_add(&one, "e");
    line_history_close(&one);
    assert_kept("e|d|c|b|a|");
}

static void the_file_should_be_private(void **state)
{
    LineHistory typed;
    struct stat status;
    const char *path = use_scratch(*state);
    for (int time = 0; time < 2; time++) {
        line_history_open(&typed);
        line_history_add(&typed, time ? "b" : "a");
        line_history_close(&typed);
        assert_int_equal(stat(path, &status), 0);
        assert_int_equal(status.st_mode & 0777, 0600);
        assert_int_equal(chmod(path, 0644), 0);
    }
}

static void count_lines(LineHistory *typed, int *count, char *oldest, size_t size)
{
    HistEvent event;
    line_history_open(typed);
    assert_true(history(typed->lines, &event, H_GETSIZE) >= 0);
    *count = event.num;
    assert_true(history(typed->lines, &event, H_LAST) >= 0);
    snprintf(oldest, size, "%s", event.str);
    line_history_close(typed);
}

static long size_of(const char *path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return (long)status.st_size;
}

/* Another conversation adds lines while this one shortens the file of both. */
static void the_older_half_of_a_long_file_should_go(void **state)
{
    LineHistory typed, other;
    char line[16], oldest[16];
    int count;
    const char *path = use_scratch(*state);
    line_history_open(&other);
    for (int i = 0; i < 2001; i++) {
        snprintf(line, sizeof line, "%04d", i);
        line_history_add(&other, line);
    }
    const long before = size_of(path);
    count_lines(&typed, &count, oldest, sizeof oldest);
    assert_int_equal(count, 1000);
    assert_string_equal(oldest, "1001");
    assert_true(size_of(path) < before * 51 / 100);
    line_history_add(&other, "last");
    line_history_close(&other);
    line_history_open(&typed);
    HistEvent event;
    assert_true(history(typed.lines, &event, H_FIRST) >= 0);
    assert_string_equal(event.str, "last");
    line_history_close(&typed);
}

static void what_is_no_history_should_be_left_alone(void **state)
{
    LineHistory typed;
    const char *path = use_scratch(*state);
    assert_int_equal(mkdir(scratch_path(*state, "attn"), 0700), 0);
    scratch_puts(*state, "attn/history", "Dear diary\n");
    line_history_open(&typed);
    line_history_add(&typed, "a");
    assert_lines(&typed, "a|");
    line_history_close(&typed);
    assert_int_equal(size_of(path), strlen("Dear diary\n"));

    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0644), 0);
    line_history_open(&typed);
    line_history_add(&typed, "a");
    assert_lines(&typed, "a|");
    line_history_close(&typed);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_true(S_ISFIFO(status.st_mode) && (status.st_mode & 0777) == 0644);
}

#define with_history(test) cmocka_unit_test_setup_teardown(test, scratch_setup, remove_history)
int main(void)
{
    const struct CMUnitTest tests[] = {
        with_history(a_line_should_be_kept_as_soon_as_it_is_entered),
        with_history(conversations_should_keep_the_lines_of_each_other),
        with_history(the_file_should_be_private),
        with_history(the_older_half_of_a_long_file_should_go),
        with_history(what_is_no_history_should_be_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
