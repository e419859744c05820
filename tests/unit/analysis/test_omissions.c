/* test_omissions.c - what counts as lost, what as kept, and what is not counted at all. */
#include "analysis/omissions.h"
#include "few_sentences.h"

/* The counts of one segment with up to two references. */
static void assert_count(int kind, const char *source, const char *translation, const char *first,
                         const char *second, long lost, long all)
{
    Few few;
    Omissions omissions;
    few_init(&few, (Row[]){ { source, translation, NULL, { first, second } } }, 1);
    omissions_init(&omissions, &few.outputs);
    if (omissions.kind[kind].lost != lost || omissions.kind[kind].all != all)
        fail_msg("%ld of %ld instead of %ld of %ld: '%s' as '%s'", omissions.kind[kind].lost,
                 omissions.kind[kind].all, lost, all, source, translation);
    omissions_free(&omissions);
}

static void assert_numbers(const char *source, const char *translation, long lost, long all)
{
    assert_count(OMIT_NUMBER, source, translation, source, NULL, lost, all);
}

static void numbers_should_be_kept_however_they_are_grouped(void **state)
{
    (void)state;
    const char *const thousand[] = { "1000", "1,000", "1.000", "1 000", "1\xC2\xA0" "000",
                                     "1\xE2\x80\xAF" "000" };
    enum { FORMS = sizeof thousand / sizeof *thousand };
    for (int i = 0; i < FORMS; i++)
        for (int k = 0; k < FORMS; k++) assert_numbers(thousand[i], thousand[k], 0, 1);
    assert_numbers("1,000", "100", 1, 1);
    assert_numbers("1,000", "10000", 1, 1);
    assert_numbers("3.14", "3,14", 0, 2);
    assert_numbers("$12,345.67", "12 345,67 $", 0, 2);
}

static void neighbouring_numbers_should_be_found_apart(void **state)
{
    (void)state;
    assert_numbers("In 5 100 rooms", "100 pi\xC3\xA8" "ces, 5 fois", 0, 1);
    assert_numbers("5 rooms of 100", "5 100", 0, 2);
    assert_numbers("5 100", "5 fois", 1, 1);
}

static void numbers_should_be_what_every_reference_keeps(void **state)
{
    (void)state;
    assert_count(OMIT_NUMBER, "1,000", "mille", "1 000", "mille", 0, 0);
    assert_count(OMIT_NUMBER, "1,000", "mille", "1 000", "1000", 1, 1);
}

static void each_number_of_the_source_should_count(void **state)
{
    (void)state;
    assert_numbers("2 and 3 and 2", "2", 1, 3);
    assert_numbers("no number", "7", 0, 0);
    assert_numbers("10", "2010 101", 1, 1);
    assert_numbers("3", "trois", 1, 1);
}

static void names_should_be_what_every_reference_keeps(void **state)
{
    (void)state;
    assert_count(OMIT_NAME, "I saw Tom.", "J'ai vu Tom.", "J'ai vu Tom.", "Tom, je l'ai vu.", 0, 1);
    assert_count(OMIT_NAME, "I saw Tom.", "Je l'ai vu.", "J'ai vu Tom.", "Tom, je l'ai vu.", 1, 1);
    assert_count(OMIT_NAME, "I saw Tom.", "Je l'ai vu.", "J'ai vu Tom.", "Je l'ai vu.", 0, 0);
    assert_count(OMIT_NAME, "I saw Tom.", "J'ai vu tom et Tommy.", "J'ai vu Tom.", NULL, 1, 1);
    assert_count(OMIT_NAME, "I like London.", "J'aime.", "J'aime Londres.", NULL, 0, 0);
    assert_count(OMIT_NAME, "a plan", "b", "un plan", NULL, 0, 0);
}

static void names_should_not_be_counted_at_the_start_of_a_sentence(void **state)
{
    (void)state;
    assert_count(OMIT_NAME, "Tom sleeps.", "Il dort.", "Tom dort.", NULL, 0, 0);
    assert_count(OMIT_NAME, "Go! Tom sleeps.", "Va ! Il dort.", "Va ! Tom dort.", NULL, 0, 0);
    assert_count(OMIT_NAME, "Does Tom sleep?", "Dort-il ?", "Tom dort-il ?", NULL, 1, 1);
}

static void names_should_be_the_same_in_both_normal_forms(void **state)
{
    (void)state;
    assert_count(OMIT_NAME, "see Ren\xC3\xA9" "e", "voir Rene\xCC\x81" "e", "voir Rene\xCC\x81" "e",
                 NULL, 0, 1);
}

static void negations_should_be_counted_where_source_and_references_have_one(void **state)
{
    (void)state;
    assert_count(OMIT_NEGATION, "I don't know.", "Je ne sais pas.", "Je ne sais pas.", NULL, 0, 1);
    assert_count(OMIT_NEGATION, "I don't know.", "Je sais.", "Je ne sais pas.", NULL, 1, 1);
    assert_count(OMIT_NEGATION, "I don't know.", "Je sais.", "J'ignore.", "Je ne sais pas.", 0, 0);
    assert_count(OMIT_NEGATION, "I ignore it.", "Je sais.", "Je ne sais pas.", NULL, 0, 0);
    assert_count(OMIT_NEGATION, "Il n'a jamais dormi.", "He slept.", "He never slept.", NULL, 1, 1);
    assert_count(OMIT_NEGATION, "No, no, no!", "Si.", "Pas du tout, rien !", NULL, 1, 1);
}

static void a_reference_should_lose_nothing_against_itself(void **state)
{
    (void)state;
    static const char *const sources[] = { "In 2:30 of 1,000, Tom isn't 3rd",
                                           "No. 5 St. Mary's 100 200",
                                           "a\xCC\x81 B 7 n't" };
    static const char *const references[] = { "14 h 30, 2e sur mille, pas Tom",
                                              "Sainte-Marie n'a que 100 et 200", "" };
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            Few few;
            Omissions omissions;
            few_init(&few,
                     (Row[]){ { sources[i], references[k], NULL, { references[k], sources[i] } } },
                     1);
            omissions_init(&omissions, &few.outputs);
            for (int kind = 0; kind < OMIT_KINDS; kind++)
                assert_int_equal(omissions.kind[kind].lost, 0);
            omissions_free(&omissions);
        }
    }
}

static void a_segment_without_references_should_count_for_nothing(void **state)
{
    (void)state;
    assert_count(OMIT_NUMBER, "7", "", NULL, NULL, 0, 0);
    assert_count(OMIT_NAME, "not Tom", "", NULL, NULL, 0, 0);
    assert_count(OMIT_NEGATION, "not Tom", "", NULL, NULL, 0, 0);
    assert_count(OMIT_NAME, "not Tom", "", NULL, "pas Tom", 1, 1);
}

/* Five segments that lose a number, and nothing else. */
static void init_five(Few *few)
{
    Row rows[5];
    static const char *const numbers[] = { "1", "2", "3,000", "4", "5" };
    for (int i = 0; i < 5; i++) rows[i] = (Row){ numbers[i], "x", NULL, { numbers[i] } };
    few_init(few, rows, 5);
}

static void the_first_few_should_be_shown(void **state)
{
    (void)state;
    Few few;
    Omissions omissions;
    char text[2048];
    init_five(&few);
    omissions_init(&omissions, &few.outputs);
    FILE *stream = tmpfile();
    omissions_print(stream, &omissions, &few.outputs);
    read_stream(stream, text, sizeof text);
    omissions_free(&omissions);
    assert_string_equal(text,
        "numbers: 5 of 5 missing\n"
        "\nsegment 1, 1\n  source       1\n  translation  x\n  reference    1\n"
        "\nsegment 2, 2\n  source       2\n  translation  x\n  reference    2\n"
        "\nsegment 3, 3,000\n  source       3,000\n  translation  x\n  reference    3,000\n"
        "\n"
        "names: 0 of 0 missing\n"
        "negations: 0 of 0 missing\n");
}

static void json_should_hold_the_same(void **state)
{
    (void)state;
    Few few;
    Omissions omissions;
    few_init(&few, (Row[]){ { "7 No", "x", NULL, { "7 pas" } } }, 1);
    omissions_init(&omissions, &few.outputs);
    cJSON *object = omissions_to_json(&omissions, &few.outputs);
    omissions_free(&omissions);
    char *text = json_text(object, 0);
    assert_string_equal(text,
        "{\"numbers\":{\"missing\":1,\"of\":1,\"examples\":[{\"segment\":1,\"source\":\"7 No\","
        "\"translation\":\"x\",\"references\":[\"7 pas\"],\"missing\":\"7\"}]},"
        "\"names\":{\"missing\":0,\"of\":0,\"examples\":[]},"
        "\"negations\":{\"missing\":1,\"of\":1,\"examples\":[{\"segment\":1,\"source\":\"7 No\","
        "\"translation\":\"x\",\"references\":[\"7 pas\"],\"missing\":\"No\"}]}}");
    free(text);
    cJSON_Delete(object);
}

int main(void)
{
    json_setup();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_should_be_kept_however_they_are_grouped),
        cmocka_unit_test(neighbouring_numbers_should_be_found_apart),
        cmocka_unit_test(numbers_should_be_what_every_reference_keeps),
        cmocka_unit_test(each_number_of_the_source_should_count),
        cmocka_unit_test(names_should_be_what_every_reference_keeps),
        cmocka_unit_test(names_should_not_be_counted_at_the_start_of_a_sentence),
        cmocka_unit_test(names_should_be_the_same_in_both_normal_forms),
        cmocka_unit_test(negations_should_be_counted_where_source_and_references_have_one),
        cmocka_unit_test(a_reference_should_lose_nothing_against_itself),
        cmocka_unit_test(a_segment_without_references_should_count_for_nothing),
        cmocka_unit_test(the_first_few_should_be_shown),
        cmocka_unit_test(json_should_hold_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
