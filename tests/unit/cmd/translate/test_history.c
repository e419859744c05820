/* test_history.c - the lines of conversations outlive whoever typed them, however that ends, and lose nothing of others. */
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
static void assert_lines(const Past *past, const char *expected)
{
    char text[256] = "";
    HistEvent event;
    for (int rc = history(past->lines, &event, H_FIRST); rc >= 0; rc = history(past->lines, &event, H_NEXT)) {
        strcat(text, event.str);
        strcat(text, "|");
    }
    assert_string_equal(text, expected);
}

/* Those that somebody who comes now has. */
static void assert_kept(const char *expected)
{
    Past past;
    past_begin(&past);
    assert_lines(&past, expected);
    past_end(&past);
}

static void a_line_should_be_kept_as_soon_as_it_is_entered(void **state)
{
    Past past;
    const char *path = use_scratch(*state);
    past_begin(&past);
    past_add(&past, "Thank you.");
    assert_kept("Thank you.|");
    past_add(&past, ":prefix \xC3\xA9t\xC3\xA9 \\ \t");
    past_add(&past, ":prefix \xC3\xA9t\xC3\xA9 \\ \t");
    assert_lines(&past, ":prefix \xC3\xA9t\xC3\xA9 \\ \t|Thank you.|");
    assert_kept(":prefix \xC3\xA9t\xC3\xA9 \\ \t|Thank you.|");
    past_end(&past);
    assert_int_equal(access(path, F_OK), 0);
}

static void conversations_should_keep_the_lines_of_each_other(void **state)
{
    Past one, other;
    use_scratch(*state);
    past_begin(&one);
    past_begin(&other);
    past_add(&one, "a");
    past_add(&other, "b");
    past_add(&other, "c");
    past_add(&one, "d");
    past_end(&other);
    past_add(&one, "e");
    past_end(&one);
    assert_kept("e|d|c|b|a|");
}

static void the_file_should_be_private(void **state)
{
    Past past;
    struct stat status;
    const char *path = use_scratch(*state);
    for (int time = 0; time < 2; time++) {
        past_begin(&past);
        past_add(&past, time ? "b" : "a");
        past_end(&past);
        assert_int_equal(stat(path, &status), 0);
        assert_int_equal(status.st_mode & 0777, 0600);
        assert_int_equal(chmod(path, 0644), 0);
    }
}

static void count_lines(Past *past, int *count, char *oldest, size_t size)
{
    HistEvent event;
    past_begin(past);
    assert_true(history(past->lines, &event, H_GETSIZE) >= 0);
    *count = event.num;
    assert_true(history(past->lines, &event, H_LAST) >= 0);
    snprintf(oldest, size, "%s", event.str);
    past_end(past);
}

static long size_of(const char *path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return (long)status.st_size;
}

/* Another conversation goes on while this one shortens the file that both know. */
static void the_older_half_of_a_long_file_should_go(void **state)
{
    Past past, other;
    char line[16], oldest[16];
    int count;
    const char *path = use_scratch(*state);
    past_begin(&other);
    for (int i = 0; i < 2001; i++) {
        snprintf(line, sizeof line, "%04d", i);
        past_add(&other, line);
    }
    const long before = size_of(path);
    count_lines(&past, &count, oldest, sizeof oldest);
    assert_int_equal(count, 1000);
    assert_string_equal(oldest, "1001");
    assert_true(size_of(path) < before * 51 / 100);
    past_add(&other, "last");
    past_end(&other);
    past_begin(&past);
    HistEvent event;
    assert_true(history(past.lines, &event, H_FIRST) >= 0);
    assert_string_equal(event.str, "last");
    past_end(&past);
}

static void what_is_no_history_should_be_left_alone(void **state)
{
    Past past;
    const char *path = use_scratch(*state);
    assert_int_equal(mkdir(scratch_path(*state, "attn"), 0700), 0);
    scratch_puts(*state, "attn/history", "Dear diary\n");
    past_begin(&past);
    past_add(&past, "a");
    assert_lines(&past, "a|");
    past_end(&past);
    assert_int_equal(size_of(path), strlen("Dear diary\n"));

    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0644), 0);
    past_begin(&past);
    past_add(&past, "a");
    assert_lines(&past, "a|");
    past_end(&past);
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
