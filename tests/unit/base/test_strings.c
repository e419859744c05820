/* test_strings.c - what may be shown of a text, which word is near, and bars. */
#include "base/strings.h"
#include "text/unicode.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

UNIT_TEST(what_commands_a_terminal_or_hides_text_should_become_question_marks)
{
    static const struct { const char *text, *expected; } cases[] = {
        { "\033]0;title\a", "?]0;title?" },
        { "a\nb\tc\rd\x7f" "e\x1f" "f\x01", "a?b?c?d?e?f?" },
        { "\xC2\x80" "a\xC2\x9B" "b\xC2\x9F", "?a?b?" },
        { "a\u202Eb\u2066c\u200Fd\u061Ce", "a?b?c?d?e" },
        { "a\u2028b\u2029c", "a?b?c" },
        { "a\u00ADb\u200Bc\u2060d\uFEFFe\U000E0041f", "a?b?c?d?e?f" },
        { "", "" },
        { " ~\u00a0\u00c0é▁静\U0001F600", " ~\u00a0\u00c0é▁静\U0001F600" },
        { "\u200C\u200D\u2010\u2027\u202F\u0600", "\u200C\u200D\u2010\u2027\u202F\u0600" },
        { "\xC2", "\xC2" }, { "\xE2\x80", "\xE2\x80" }, { "\x9B\xFF\xC2" "a", "\x9B\xFF\xC2" "a" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char copy[100];
        strcpy(copy, cases[i].text);
        make_printable(copy);
        assert_string_equal(copy, cases[i].expected);
    }
}

UNIT_TEST(a_line_should_be_printable_up_to_its_end)
{
    char printed[100] = "";
    FILE *out = tmpfile();
    printable_line(out, "%s: \033[%d\n", "a\rb", 7);
    rewind(out);
    assert_int_equal(fread(printed, 1, sizeof printed, out), 10);
    assert_string_equal(printed, "a?b: ?[7?\n");
    fclose(out);
}

/* ---- the nearest word ---- */

UNIT_TEST(what_is_mistyped_should_find_the_nearest_word)
{
    static const char *const known[] = { "train", "translate", "eval", "beam", "time-limit",
                                         "learning-rate" };
    static const struct { const char *word, *nearest; } cases[] = {
        { "trian", "train" }, { "translte", "translate" }, { "evval", "eval" }, { "beem", "beam" },
        { "timelimit", "time-limit" }, { "BAEM", "beam" }, { "Evaluate", "eval" },
        { "LEARN", "learning-rate" }, { "tra", "train" }, { "tr", NULL },   /* abbreviations */
        { "evaluate", "eval" }, { "training", "train" }, { "evaluates", NULL },
        { "xyz", NULL }, { "", NULL }, { "beams-of-light", NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Suggestion n = { .word = cases[i].word };
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            suggestion_offer(&n, known[k]);
        if (!cases[i].nearest) assert_null(n.best);
        else assert_string_equal(n.best, cases[i].nearest);
    }
}

UNIT_TEST(the_closest_word_should_win)
{
    Suggestion n = { .word = "beat" }, heads = { .word = "heat-heads" };
    suggestion_offer(&n, "boast");
    assert_null(n.best);
    suggestion_offer(&n, "beam");
    suggestion_offer(&n, "seat");                                  /* as far: the first stays */
    assert_string_equal(n.best, "beam");
    suggestion_offer(&n, "beat");
    assert_string_equal(n.best, "beat");
    suggestion_offer(&heads, "heat-");
    suggestion_offer(&heads, "heat-head");
    assert_string_equal(heads.best, "heat-head");
}

UNIT_TEST(endless_words_should_be_left_alone)
{
    char endless[5000];
    memset(endless, 'a', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    Suggestion n = { .word = "aaa" }, long_word = { .word = endless };
    suggestion_offer(&n, endless);
    suggestion_offer(&long_word, "aaa");
    assert_null(n.best);
    assert_null(long_word.best);
}

/* ---- names, bars ---- */

UNIT_TEST(names_should_be_known_by_their_ends)
{
    assert_true(ends_with("pairs.tsv", ".tsv") && ends_with(".tsv", ".tsv") && ends_with("a", ""));
    assert_false(ends_with("pairs.TSV", ".tsv") || ends_with("sv", ".tsv") || ends_with("", "a"));
    assert_true(has_extension("a.svg", ".svg") && has_extension("a.SVG", ".svg"));
    assert_false(has_extension(".svg", ".svg") || has_extension("asvg", ".svg"));
}

UNIT_TEST(bars_should_be_drawn_to_an_eighth_of_a_column)
{
    static const struct { double fraction; int width; const char *expected; } cases[] = {
        { 0.7, 5, "███▌" }, { 1, 4, "████" }, { 0.5, 4, "██" }, { 0.99, 1, "▉" }, { 1. / 8, 1, "▏" },
        { 0.124, 1, "" }, { 0.5, 0, "" }, { -1, 3, "" }, { 7, 3, "███" }, { NAN, 3, "" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Buf out = { 0 };
        buf_clear(&out);
        const int columns = bar_draw(cases[i].fraction, cases[i].width, &out);
        assert_string_equal(out.text, cases[i].expected);
        assert_int_equal(columns, unicode_columns(cases[i].expected));
        buf_free(&out);
    }
}

int main(void) { return run_unit_tests(); }
