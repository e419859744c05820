/* test_ter.c - TER against frozen scores, and each rule. */
#include "metrics/ter.h"

#include "base/random/rng.h"
#include "score_cases.h"

static TerOptions options_of(const cJSON *one)
{
    const cJSON *given = member(one, "options");
    return (TerOptions){ .tercom = { .normalized = is_true(given, "normalized"),
                                     .no_punct = is_true(given, "no_punct"),
                                    .asian = is_true(given, "asian_support") },
                         .case_sensitive = is_true(given, "case_sensitive") };
}

UNIT_TEST(corpora_should_score_as_the_frozen_answers)
{
    int found = 0;
    cJSON *cases = cases_read("corpus.json");
    const cJSON *one;
    cJSON_ArrayForEach(one, cases) {
        if (strcmp(text_of(one, "metric"), "ter")) continue;
        TerOptions options = options_of(one);
        assert_same_corpus(&metric_ter, &options, one, 1);
        found++;
    }
    assert_int_equal(found, 80);
    cJSON_Delete(cases);
}

UNIT_TEST(sentences_should_score_as_the_frozen_answers)
{
    TerOptions options;
    memcpy(&options, metric_ter.defaults, sizeof options);
    cJSON *cases = cases_read("sentence.json");
    const cJSON *one;
    cJSON_ArrayForEach(one, cases) assert_same_sentence(&metric_ter, &options, "ter", one);
    cJSON_Delete(cases);
}

static Symbols symbols_of(const cJSON *numbers)
{
    Symbols words = { 0 };
    const cJSON *number;
    cJSON_ArrayForEach(number, numbers) symbols_add(&words, number->valueint);
    return words;
}

UNIT_TEST(limits_of_the_search_should_be_those_of_the_frozen_answers)
{
    cJSON *cases = cases_read("ter-limits.json");
    const cJSON *one;
    cJSON_ArrayForEach(one, cases) {
        Symbols hypothesis = symbols_of(member(one, "hyp"));
        Symbols reference = symbols_of(member(one, "ref"));
        assert_near(ter_edits(&hypothesis, &reference), member(one, "edits")->valueint, one);
        symbols_free(&hypothesis);
        symbols_free(&reference);
    }
    cJSON_Delete(cases);
}

/* ---- The rules one by one ---- */

static double score(const TerOptions *options, const char *hypothesis, const char *reference)
{
    double row[METRIC_MAX_WIDTH];
    metric_ter.stats(options, hypothesis, &reference, 1, row);
    return metric_ter.score(options, row, 0);
}

UNIT_TEST(empty_lines_should_cost_the_words_of_the_other)
{
    TerOptions options = { .case_sensitive = 0 };
    double row[METRIC_MAX_WIDTH];
    const char *empty = "";
    assert_true(score(&options, "", "a b") == 100);
    assert_true(score(&options, "a b c", "") == 100);
    assert_true(score(&options, "", "") == 0);
    metric_ter.stats(&options, "a b c", &empty, 1, row);
    assert_true(row[0] == 3 && row[1] == 0);
}

UNIT_TEST(options_should_say_which_words_there_are)
{
    TerOptions options = { .case_sensitive = 1 };
    assert_true(score(&options, "A b", "a b") == 50);
    options = (TerOptions){ .tercom = { .normalized = 1 } };
    assert_true(score(&options, "It's &quot;so&quot;, 1,5.", "it 's \" so \" , 1,5 .") == 0);
    options.tercom.no_punct = 1;
    assert_true(score(&options, "it's \"so\" (now)!", "it 's so now") == 0);
    options = (TerOptions){ .tercom = { .normalized = 1, .asian = 1 } };
    assert_true(score(&options, "我们。㐀a", "我 们 。 㐀 a") == 0);
    options = (TerOptions){ .tercom = { .no_punct = 1, .asian = 1 } };
    assert_true(score(&options, "我们。「a」", "我们a") == 0);
    options.tercom.asian = 0;
    assert_true(score(&options, "我们。「a」", "我们a") == 100);
}

/* Answers of sacreBLEU 2.6: the second pass over a reference splits what the first puts a blank
 * behind. */
UNIT_TEST(normalised_references_should_be_cut_twice)
{
    static const struct { const char *hypothesis, *reference; int asian; double score; } cases[] = {
        { "Nima 's, gegründet von Dr. T.", "Der Verein Nima's, gegründet von Dr. T.", 0,
          200 / 11.0 },
        { "the dog's.", "the dog's.", 0, 50 },
        { "a ..5 b", "a ..5 b", 0, 40 },
        { "l's中", "l's中", 1, 200 / 3.0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        TerOptions options = { .tercom = { .normalized = 1, .asian = cases[i].asian } };
        assert_float_equal(score(&options, cases[i].hypothesis, cases[i].reference), cases[i].score,
                           1e-12);
    }
    /* between the passes blanks of every kind become ' ' */
    TerOptions normalized = { .tercom = { .normalized = 1 } };
    assert_true(score(&normalized, "the dog's bone", "the dog's\xC2\xA0 bone") == 0);
}

/* A block of a long line stands elsewhere, 60 words away: farther than shifts reach. One of 40
 * words away is moved. */
UNIT_TEST(long_lines_should_keep_to_the_limits_of_shifts)
{
    enum { WORDS = 100 };
    for (int away = 40; away <= 60; away += 20) {
        int32_t reference[WORDS], hypothesis[WORDS];
        for (int i = 0; i < WORDS; i++) reference[i] = hypothesis[i] = i + 1;
        memmove(hypothesis + 10, hypothesis + 13, (size_t)away * sizeof *hypothesis);
        memcpy(hypothesis + 10 + away, reference + 10, 3 * sizeof *hypothesis);
        Symbols ours = { .at = hypothesis, .count = WORDS };
        Symbols theirs = { .at = reference, .count = WORDS };
        assert_int_equal(ter_edits(&ours, &theirs), away == 40 ? 1 : 6);
    }
}

int main(void) { return run_unit_tests(); }
