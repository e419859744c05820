/* test_single_quotes.c - quotes in single marks, and apostrophes. */
#include "text/markup/single_quotes.h"

#include "scratch.h"

static void assert_double(const char *line, const char *expected)
{
    char *text = strdup(line);
    single_quotes_double(text);
    assert_string_equal(text, expected);
    free(text);
}

static void assert_same(const char *line)
{
    assert_double(line, line);
}

static void quotes_around_words_should_be_double(void **state)
{
    (void)state;
    assert_double("He said 'hello' to me.", "He said \"hello\" to me.");
    assert_double("'I'm late,' he said.", "\"I'm late,\" he said.");
    assert_double("\u2018I\u2019m late,\u2019 he said.", "\u201CI\u2019m late,\u201D he said.");
    assert_double("See 'foo_bar()' here", "See \"foo_bar()\" here");
    assert_double("He: 'Who?' ('Me.')", "He: \"Who?\" (\"Me.\")");
    assert_double("'Yes.' 'No!' 'Well\u2026'", "\"Yes.\" \"No!\" \"Well\u2026\"");
    assert_double("'Is' it 'so'", "\"Is\" it \"so\"");
    assert_double("the 'boss' and the 'cats' came", "the \"boss\" and the \"cats\" came");
    assert_double("'The boys' dog is here,' he said", "\"The boys' dog is here,\" he said");
    assert_double("'the boys' dog' is", "\"the boys' dog\" is");
    assert_double("x\u2014'\u00E9t\u00E9' 5'", "x\u2014\"\u00E9t\u00E9\" 5'");
}

static void apostrophes_should_stay(void **state)
{
    (void)state;
    assert_same("I don't, l'homme aujourd'hui o'clock");
    assert_same("the students' books, the boys' dogs");
    assert_same("the '90s and '95' too");
    assert_same("rock 'n' roll");
    assert_same("'Tis here for the kids' toys");
    assert_same("give 'em the players' names");
    assert_same("'a\u2019 \u2018a'");
    assert_same("Call my_func('x') first, a['k'] and `echo 'hi'` too");
    assert_same("' a ' b '' 'c");
    assert_same("\u2019tis \u2018here");
    assert_same("6' tall, 5'10");
    assert_same("'one 'two");
    assert_same("");
    assert_same("'");
    assert_same("'a");
}

static void a_line_with_double_quotes_should_stay(void **state)
{
    (void)state;
    assert_same("\"He said 'hello',\" she said.");
    assert_same("\u201CHe said \u2018hello\u2019,\u201D she said.");
    assert_same("\u00AB Il dit 'non' \u00BB");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotes_around_words_should_be_double),
        cmocka_unit_test(apostrophes_should_stay),
        cmocka_unit_test(a_line_with_double_quotes_should_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
