/* test_ranking.c - which sentences are shown, in which order, and how. */
#include "cmd/eval/ranking.h"
#include "few_sentences.h"

/* BLEU of the translations: 0, 42.73, 100, 0; of the others: 100, 42.73, 0, 42.73. */
static const Row rows[] = {
    { "s1", "q", "a b c e x", { "a b c e x" } },
    { "s2", "a b c d x", "a b c d x", { "a b c e x" } },
    { "s3", "a b c e x", "q", { "z", "a b c e x" } },
    { "s4", "q", "a b c d x", { "a b c e x" } },
};
enum { ROWS = sizeof rows / sizeof *rows };

static void assert_order(RankKind kind, size_t most, const size_t *expected, size_t count)
{
    Few few;
    few_init(&few, rows, ROWS);
    const BleuOptions options = bleu_defaults();
    Ranking ranking;
    ranking_init(&ranking, kind, &few.outputs, &options, most);
    assert_int_equal(ranking.count, count);
    for (size_t i = 0; i < count; i++) assert_int_equal(ranking.row[i].segment, expected[i]);
    ranking_free(&ranking);
}

static void the_worst_should_come_first_and_of_equals_the_earlier(void **state)
{
    (void)state;
    assert_order(RANK_WORST, 100, (size_t[]){ 0, 3, 1, 2 }, 4);
    assert_order(RANK_WORST, 2, (size_t[]){ 0, 3 }, 2);
}

static void differences_should_count_in_both_directions_without_equal_segments(void **state)
{
    (void)state;
    assert_order(RANK_DIFFERENCE, 100, (size_t[]){ 0, 2, 3 }, 3);
    assert_order(RANK_DIFFERENCE, 1, (size_t[]){ 0 }, 1);
}

static void scores_should_be_those_of_the_sentence_level(void **state)
{
    (void)state;
    Few few;
    /* sacreBLEU: 60.6531, corpus level 0 */
    few_init(&few, (Row[]){ { NULL, "a b", NULL, { "a b c" } } }, 1);
    const BleuOptions options = bleu_defaults();
    Ranking ranking;
    ranking_init(&ranking, RANK_WORST, &few.outputs, &options, 1);
    assert_true(ranking.row[0].bleu[0] > 60.65305 && ranking.row[0].bleu[0] < 60.65315);
    ranking_free(&ranking);
}

static void print(RankKind kind, Few *few, char *text, size_t size)
{
    const BleuOptions options = bleu_defaults();
    Ranking ranking;
    ranking_init(&ranking, kind, &few->outputs, &options, 2);
    FILE *stream = tmpfile();
    ranking_print(stream, &ranking, &few->outputs, 2);
    ranking_free(&ranking);
    read_stream(stream, text, size);
}

static void the_worst_should_be_shown_with_all_that_belongs_to_them(void **state)
{
    (void)state;
    Few few;
    char text[2048];
    few_init(&few, (Row[]){ { "s1", "a b c d x", NULL, { "a b c e x", NULL, "third" } },
                            { "s2", "", NULL, { "r" } } }, 2);
    print(RANK_WORST, &few, text, sizeof text);
    assert_string_equal(text, "segment 2, BLEU 0.00\n"
                              "  source       s2\n"
                              "  translation  \n"
                              "  reference    r\n"
                              "\n"
                              "segment 1, BLEU 42.73\n"
                              "  source       s1\n"
                              "  translation  a b c d x\n"
                              "  reference    a b c e x\n"
                              "  reference    third\n");
}

static void differences_should_be_shown_with_both_translations(void **state)
{
    (void)state;
    Few few;
    char text[2048];
    few_init(&few, rows, 1);
    few.segments.source = NULL;
    print(RANK_DIFFERENCE, &few, text, sizeof text);
    assert_string_equal(text, "segment 1, BLEU 0.00 and 100.00\n"
                              "  first        q\n"
                              "  second       a b c e x\n"
                              "  reference    a b c e x\n");
}

static void no_text_of_a_file_should_reach_the_terminal_as_a_command(void **state)
{
    (void)state;
    Few few;
    char text[2048];
    few_init(&few, (Row[]){ { "\033[2J", "a\rb", NULL, { "\xC2\x9B" "31m" } } }, 1);
    print(RANK_WORST, &few, text, sizeof text);
    assert_string_equal(text, "segment 1, BLEU 0.00\n"
                              "  source       ?[2J\n"
                              "  translation  a?b\n"
                              "  reference    ?31m\n");
}

static void assert_json(RankKind kind, Few *few, const char *expected)
{
    const BleuOptions options = bleu_defaults();
    Ranking ranking;
    ranking_init(&ranking, kind, &few->outputs, &options, 1);
    cJSON *array = ranking_to_json(&ranking, &few->outputs, 2);
    char *text = json_text(array, 0);
    assert_string_equal(text, expected);
    free(text);
    cJSON_Delete(array);
    ranking_free(&ranking);
}

static void json_should_hold_the_same(void **state)
{
    (void)state;
    Few few;
    few_init(&few, (Row[]){ { "s", "a b c d x", NULL, { "a b c e x", NULL, "third" } } }, 1);
    assert_json(RANK_WORST, &few, "[{\"segment\":1,\"source\":\"s\",\"translation\":\"a b c d x\","
                                  "\"references\":[\"a b c e x\",\"third\"],\"bleu\":42.73}]");
    few_init(&few, rows, ROWS);
    assert_json(RANK_DIFFERENCE, &few,
                "[{\"segment\":1,\"source\":\"s1\",\"translations\":[\"q\",\"a b c e x\"],"
                                       "\"references\":[\"a b c e x\"],\"bleu\":[0,100]}]");
}

int main(void)
{
    json_setup();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worst_should_come_first_and_of_equals_the_earlier),
        cmocka_unit_test(differences_should_count_in_both_directions_without_equal_segments),
        cmocka_unit_test(scores_should_be_those_of_the_sentence_level),
        cmocka_unit_test(the_worst_should_be_shown_with_all_that_belongs_to_them),
        cmocka_unit_test(differences_should_be_shown_with_both_translations),
        cmocka_unit_test(no_text_of_a_file_should_reach_the_terminal_as_a_command),
        cmocka_unit_test(json_should_hold_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
