/* test_completion.c - which words a beginning may become, and how they are shown. */
#include "cmd/translate/completion.h"

#include "scratch.h"

#include <sys/stat.h>

static void assert_words(const Completion *c, const char *expected)
{
    Buf words = { 0 };
    buf_clear(&words);
    for (size_t i = 0; i < c->count; i++)
        buf_printf(&words, "%s|", c->word[i]);
    assert_string_equal(words.text, expected);
    buf_free(&words);
}

static void assert_rest(const Completion *c, const char *expected)
{
    Buf rest = { 0 };
    buf_clear(&rest);
    completion_rest(c, &rest);
    assert_string_equal(rest.text, expected);
    buf_free(&rest);
}

static void words_that_begin_so_should_be_taken_in_order(void **state)
{
    (void)state;
    const char *const words[] = { "score", "save", "beam", "scores" };
    Completion c = { .begun = "s" };
    for (int i = 0; i < 4; i++)
        completion_offer(&c, words[i], i ? "" : " ");
    assert_words(&c, "save|score |scores|");
    assert_rest(&c, "");
    completion_free(&c);
}

static void what_all_words_share_should_be_the_rest(void **state)
{
    (void)state;
    static const struct { const char *begun, *one, *other, *rest; } cases[] = {
        { "s", "score", "scores", "core" },     { "score", "score", "scores", "" },
        { "", "on", "off", "o" },               { "b", "beam", "b", "" },
        { "x", "beam", "save", "" },            { "a", "a\xC3\xA9", "a\xC3\xA8", "" },
        { "a", "a\xC3\xA9", "b", "\xC3\xA9" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Completion c = { .begun = cases[i].begun };
        completion_offer(&c, cases[i].one, "");
        completion_offer(&c, cases[i].other, "");
        assert_rest(&c, cases[i].rest);
        completion_free(&c);
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
    scratch_puts(*state, ".hidden", "");
    scratch_puts(*state, "escape\033[2J", "");
    scratch_puts(*state, "evil\u202Egvs.exe", "");
    scratch_puts(*state, "broken\xFF", "");
    assert_int_equal(mkdir(scratch_path(*state, "folder"), 0700), 0);
    scratch_puts(*state, "folder/\xC3\xA9t\xC3\xA9", "");
    assert_files(state, "", "a b.svg\nfolder/\n");
    assert_files(state, "a", "a b.svg\n");
    assert_files(state, ".", ".hidden\n");
    assert_files(state, "folder", "folder/\n");
    assert_files(state, "folder/", "\xC3\xA9t\xC3\xA9\n");
    assert_files(state, "e", "\n");
    assert_files(state, "nowhere/", "\n");
    assert_int_equal(unlink(scratch_path(*state, "folder/\xC3\xA9t\xC3\xA9")), 0);
    assert_int_equal(rmdir(scratch_path(*state, "folder")), 0);
}

static void list_should_break_at_the_page(void **state)
{
    (void)state;
    const char *const words[] = { "x/aaa", "x/bb/", "x/\xE9\x9D\x99", "x/dddddd" };
    static const struct { int columns; const char *list; } cases[] = {
        { 80, "aaa  bb/  dddddd  \xE9\x9D\x99\n" },  { 20, "aaa  bb/  dddddd  \xE9\x9D\x99\n" },
        { 19, "aaa  bb/  dddddd\n\xE9\x9D\x99\n" },  { 4, "aaa\nbb/\ndddddd\n\xE9\x9D\x99\n" },
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_that_begin_so_should_be_taken_in_order),
        cmocka_unit_test(what_all_words_share_should_be_the_rest),
        in_scratch(files_should_be_offered_by_their_paths),
        cmocka_unit_test(list_should_break_at_the_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
