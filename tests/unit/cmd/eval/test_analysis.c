/* test_analysis.c - the wanted analyses are reported, in a fixed order, and no others. */
#include "cmd/eval/analysis.h"
#include "few_sentences.h"

static const Row rows[] = {
    { "one", "a b c d", "q", { "a b c d" } },
    { "two", "a b c d", "a b c d", { "a b c d" } },
};

/* Without digits. */
static ScoreOptions bleu_alone(void)
{
    ScoreOptions score;
    score_options_init(&score);
    metric_set_add(&score.metrics, METRIC_BLEU);
    score.width = 0;
    return score;
}

static void assert_json(AnalysisOptions options, const char *expected)
{
    Few few;
    few_init(&few, rows, 2);
    ScoreOptions score = bleu_alone();
    cJSON *object = cJSON_CreateObject();
    analysis_to_json(&options, &few.outputs, &score, object);
    for (cJSON *member = object->child; member; member = member->next) {
        assert_true(strncmp(expected, member->string, strlen(member->string)) == 0);
        expected += strlen(member->string) + 1;
    }
    assert_string_equal(expected, "");
    cJSON_Delete(object);
    score_options_free(&score);
}

static void only_what_is_wanted_should_be_reported(void **state)
{
    (void)state;
    assert_json((AnalysisOptions){ 0 }, "");
    assert_json((AnalysisOptions){ .by_length = 1 }, "by_length ");
    assert_json((AnalysisOptions){ .worst = 1 }, "worst ");
    assert_json((AnalysisOptions){ .errors = 1 }, "errors ");
    assert_json((AnalysisOptions){ .diff = 1 }, "diff ");
    assert_json((AnalysisOptions){ 1, 1, 1, 1 }, "by_length worst errors diff ");
}

static void something_should_be_wanted_where_an_option_is_set(void **state)
{
    (void)state;
    assert_false(analysis_wanted(&(AnalysisOptions){ 0 }));
    assert_true(analysis_wanted(&(AnalysisOptions){ .by_length = 1 }));
    assert_true(analysis_wanted(&(AnalysisOptions){ .worst = 1 }));
    assert_true(analysis_wanted(&(AnalysisOptions){ .errors = 1 }));
    assert_true(analysis_wanted(&(AnalysisOptions){ .diff = 1 }));
}

static void two_translations_should_be_shown_where_they_differ(void **state)
{
    (void)state;
    Few few;
    char text[2048];
    few_init(&few, rows, 2);
    ScoreOptions score = bleu_alone();
    FILE *stream = tmpfile();
    analysis_print(stream, &(AnalysisOptions){ .worst = 1, .diff = 5 }, &few.outputs, &score);
    read_stream(stream, text, sizeof text);
    score_options_free(&score);
    assert_string_equal(text,
        "\n1 sentence of the lowest BLEU:\n"
        "segment 1, BLEU 100\n"
        "  source       one\n  first        a b c d\n  second       q\n  reference    a b c d\n"
        "\n1 sentence of the largest difference in BLEU:\n"
        "segment 1, BLEU 100 and 0\n"
        "  source       one\n  first        a b c d\n  second       q\n  reference    a b c d\n");
}

int main(void)
{
    json_setup();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_is_wanted_should_be_reported),
        cmocka_unit_test(something_should_be_wanted_where_an_option_is_set),
        cmocka_unit_test(two_translations_should_be_shown_where_they_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
