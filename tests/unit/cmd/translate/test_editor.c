/* test_editor.c - the lines of a conversation are kept, however it ends, and conversations lose none
 * of each other's; which words a beginning may become, and how they are shown. */
#include "cmd/translate/editor.h"

#include "scratch.h"

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

static void assert_lines(Editor *editor, const char *expected)
{
    Buf lines = { 0 };
    editor_history(editor, &lines);
    assert_string_equal(lines.text, expected);
    buf_free(&lines);
}

/* A conversation that enters a line and then has these. */
static void assert_kept(const char *line, const char *expected)
{
    Editor *editor = editor_new("", NULL);
    if (line) editor_add(editor, line);
    assert_lines(editor, expected);
    editor_free(editor);
}

static void a_line_should_be_kept_as_soon_as_it_is_entered(void **state)
{
    struct stat status;
    const char *path = use_scratch(*state);
    Editor *editor = editor_new("", NULL);
    editor_add(editor, "Thank you.");
    assert_kept(NULL, "Thank you.\n");
    editor_add(editor, ":prefix \xC3\xA9t\xC3\xA9 \\ \t");
    editor_add(editor, ":prefix \xC3\xA9t\xC3\xA9 \\ \t");
    assert_kept(NULL, ":prefix \xC3\xA9t\xC3\xA9 \\ \t\nThank you.\n");
    editor_free(editor);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
}

static void conversations_should_keep_the_lines_of_each_other(void **state)
{
    use_scratch(*state);
    Editor *one = editor_new("", NULL), *other = editor_new("", NULL);
    editor_add(one, "a");
    editor_add(other, "b");
    editor_add(one, "c");
    editor_free(other);
    editor_add(one, "d");
    editor_free(one);
    assert_kept(NULL, "d\nc\nb\na\n");
}

static void the_older_half_of_a_long_file_should_go(void **state)
{
    struct stat before, after;
    char line[16];
    const char *path = use_scratch(*state);
    Editor *other = editor_new("", NULL);
    for (int i = 0; i < 2001; i++) {
        snprintf(line, sizeof line, "%04d", i);
        editor_add(other, line);
    }
    assert_int_equal(stat(path, &before), 0);
    Editor *editor = editor_new("", NULL);
    Buf lines = { 0 };
    editor_history(editor, &lines);
    assert_int_equal(lines.length, 1000 * 5);
    assert_string_equal(lines.text + 999 * 5, "1001\n");
    assert_int_equal(stat(path, &after), 0);
    assert_true(after.st_size < before.st_size * 51 / 100);
    assert_int_equal(after.st_mode & 0777, 0600);
    editor_add(other, "last");
    editor_free(other);
    editor_free(editor);
    buf_free(&lines);
    editor = editor_new("", NULL);
    editor_history(editor, &lines);
    assert_memory_equal(lines.text, "last\n2000\n", 10);
    editor_free(editor);
    buf_free(&lines);
}

static void what_is_no_history_should_be_left_alone(void **state)
{
    struct stat status;
    const char *path = use_scratch(*state);
    assert_int_equal(mkdir(scratch_path(*state, "attn"), 0700), 0);
    scratch_puts(*state, "attn/history", "Dear diary\n");
    assert_kept("a", "a\n");
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_size, strlen("Dear diary\n"));

    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0644), 0);
    assert_kept("a", "a\n");
    assert_int_equal(stat(path, &status), 0);
    assert_true(S_ISFIFO(status.st_mode) && (status.st_mode & 0777) == 0644);
}

/* ---- Completion ---- */

static void what_all_words_share_should_be_the_rest(void **state)
{
    static const struct { const char *begun, *one, *other, *rest; } cases[] = {
        { "s", "score", "scores", "core" },     { "score", "scores", "score", "" },
        { "", "on", "off", "o" },               { "b", "beam", "b", "" },
        { "x", "beam", "save", "" },            { "a", "a\xC3\xA9", "a\xC3\xA8", "" },
        { "a", "a\xC3\xA9", "b", "\xC3\xA9" },  { "s", "save ", "beam", "ave " },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Buf rest = { 0 };
        Completion c = { .begun = cases[i].begun };
        completion_offer(&c, cases[i].one, "");
        completion_offer(&c, cases[i].other, "");
        buf_clear(&rest);
        completion_rest(&c, &rest);
        assert_string_equal(rest.text, cases[i].rest);
        completion_free(&c);
        buf_free(&rest);
    }
}

/* The words of files below the folder of `state`, each without its path. */
static void assert_files(void **state, const char *begun, const char *expected)
{
    Buf path = { 0 }, list = { 0 };
    buf_printf(&path, "%s%s", scratch_path(*state, ""), begun);
    Completion c = { .begun = path.text };
    completion_offer_files(&c);
    completion_list(&c, 1, &list);
    assert_string_equal(list.text, expected);
    buf_free(&list);
    buf_free(&path);
    completion_free(&c);
}

static void files_should_be_offered_by_their_paths(void **state)
{
    scratch_puts(*state, "a b.svg", "");
    scratch_puts(*state, "a*", "");
    scratch_puts(*state, ".hidden", "");
    scratch_puts(*state, "escape\033[2J", "");
    scratch_puts(*state, "evil\u202Egvs.exe", "");
    scratch_puts(*state, "broken\xFF", "");
    assert_int_equal(mkdir(scratch_path(*state, "folder"), 0700), 0);
    scratch_puts(*state, "folder/\xC3\xA9t\xC3\xA9", "");
    assert_files(state, "", "a b.svg\na*\nfolder/\n");
    assert_files(state, "a", "a b.svg\na*\n");
    assert_files(state, "a*", "a*\n");
    assert_files(state, ".h", ".hidden\n");
    assert_files(state, "folder", "folder/\n");
    assert_files(state, "folder/", "\xC3\xA9t\xC3\xA9\n");
    assert_files(state, "e", "\n");
    assert_files(state, "nowhere/", "\n");
    assert_int_equal(unlink(scratch_path(*state, "folder/\xC3\xA9t\xC3\xA9")), 0);
    assert_int_equal(rmdir(scratch_path(*state, "folder")), 0);
}

static void list_should_break_at_the_page(void **state)
{
    const char *const words[] = { "x/aaa", "x/bb/", "x/dddddd", "x/\xE9\x9D\x99" };
    static const struct { int columns; const char *list; } cases[] = {
        { 20, "aaa  bb/  dddddd  \xE9\x9D\x99\n" },  { 19, "aaa  bb/  dddddd\n\xE9\x9D\x99\n" },
        { 4, "aaa\nbb/\ndddddd\n\xE9\x9D\x99\n" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Buf list = { 0 };
        Completion c = { .begun = "x" };
        for (int w = 0; w < 4; w++)
            completion_offer(&c, words[w], "");
        completion_list(&c, cases[i].columns, &list);
        assert_string_equal(list.text, cases[i].list);
        completion_free(&c);
        buf_free(&list);
    }
}

#define with_history(test) cmocka_unit_test_setup_teardown(test, scratch_setup, remove_history)
int main(void)
{
    const struct CMUnitTest tests[] = {
        with_history(a_line_should_be_kept_as_soon_as_it_is_entered),
        with_history(conversations_should_keep_the_lines_of_each_other),
        with_history(the_older_half_of_a_long_file_should_go),
        with_history(what_is_no_history_should_be_left_alone),
        cmocka_unit_test(what_all_words_share_should_be_the_rest),
        in_scratch(files_should_be_offered_by_their_paths),
        cmocka_unit_test(list_should_break_at_the_page),
    };
    setenv("TERM", "dumb", 1);          /* of others terminfo loses some bytes */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
