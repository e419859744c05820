/* test_repetitions.c - what is a stammer, and what was to be repeated. */
#include "cmd/eval/repetitions.h"
#include "few_sentences.h"

/* what: the words that are repeated, or NULL. */
static void assert_repeated(const char *source, const char *translation, const char *first,
                            const char *second, const char *what)
{
    Few few;
    Repetitions repetitions;
    few_init(&few, (Row[]){ { source, translation, NULL, { first, second } } }, 1);
    repetitions_init(&repetitions, &few.outputs);
    assert_int_equal(repetitions.all, 1);
    assert_int_equal(repetitions.count, what != NULL);
    if (what) assert_string_equal(repetitions.words[0], what);
    else assert_null(repetitions.words[0]);
    repetitions_free(&repetitions);
}

static void three_times_in_a_row_should_be_a_repetition(void **state)
{
    (void)state;
    assert_repeated("a", "je suis je suis", "b", NULL, NULL);
    assert_repeated("a", "je suis je suis je", "b", NULL, NULL);
    assert_repeated("a", "je suis je suis je suis", "b", NULL, "je suis");
    assert_repeated("a", "Oui, je suis, Je suis... je SUIS l\xC3\xA0.", "b", NULL, "je suis");
    assert_repeated("a", "je suis je dors je suis je dors je suis je dors", "b", NULL,
                    "je suis je dors");
    assert_repeated("a", "je suis ou je suis et je suis", "b", NULL, NULL);
    assert_repeated("a", "", "b", NULL, NULL);
    assert_repeated("a", "7 \xE0\xA4\x95\xE0\xA4\xBF, 7 \xE0\xA4\x95\xE0\xA4\xBF; 7 \xE0\xA4\x95\xE0\xA4\xBF.", "b", NULL,
                    "7 \xE0\xA4\x95\xE0\xA4\xBF");
}

static void single_words_should_count_as_pairs_of_them(void **state)
{
    (void)state;
    assert_repeated("a", "non non non non non", "b", NULL, NULL);
    assert_repeated("a", "non non non non non non", "b", NULL, "non non");
}

static void sixteen_words_should_be_the_most(void **state)
{
    (void)state;
    const char *sixteen = "a b c d e f g h i j k l m n o p",
        *seventeen = "a b c d e f g h i j k l m n o p q";
    char text[128];
    snprintf(text, sizeof text, "%s %s %s", sixteen, sixteen, sixteen);
    assert_repeated("a", text, "b", NULL, sixteen);
    snprintf(text, sizeof text, "%s %s %s", seventeen, seventeen, seventeen);
    assert_repeated("a", text, "b", NULL, NULL);
}

static void what_source_or_reference_repeat_may_be_repeated(void **state)
{
    (void)state;
    const char *three = "bla bla, bla bla, bla bla", *four = "na na, na na, na na, na na";
    assert_repeated(three, "ha ha, ha ha, ha ha", "b", NULL, NULL);
    assert_repeated("a", three, "b", three, NULL);
    assert_repeated("a", three, three, "b", NULL);
    assert_repeated(three, four, three, NULL, "na na");
    assert_repeated(four, four, "b", NULL, NULL);
}

static void the_first_few_should_be_shown(void **state)
{
    (void)state;
    const Row row = { "a", "x y x y x y", NULL, { "b" } };
    Few few;
    Repetitions repetitions;
    char text[1024];
    FILE *stream = tmpfile();
    few_init(&few, (Row[]){ row, row, row, row }, 4);
    repetitions_init(&repetitions, &few.outputs);
    repetitions_print(stream, &repetitions, &few.outputs);
    read_stream(stream, text, sizeof text);
    repetitions_free(&repetitions);
    assert_string_equal(text,
        "repeats: 4 of 4 segments\n"
        "\nsegment 1, x y\n  source       a\n  translation  x y x y x y\n  reference    b\n"
        "\nsegment 2, x y\n  source       a\n  translation  x y x y x y\n  reference    b\n"
        "\nsegment 3, x y\n  source       a\n  translation  x y x y x y\n  reference    b\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_times_in_a_row_should_be_a_repetition),
        cmocka_unit_test(single_words_should_count_as_pairs_of_them),
        cmocka_unit_test(sixteen_words_should_be_the_most),
        cmocka_unit_test(what_source_or_reference_repeat_may_be_repeated),
        cmocka_unit_test(the_first_few_should_be_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
