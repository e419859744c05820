/* test_chrf.c - chrF and chrF++ against frozen scores, the rules one by one, and how a metric gets the
 * options of that which it is a variant of. */
#include "metrics/chrf.h"

#include "score_cases.h"

static double score(const ChrfOptions *options, const char *hypothesis, const char *reference)
{
    ChrfStats stats = { 0 };
    chrf_add(&stats, options, hypothesis, &reference, 1);
    return chrf_score(&stats, options, 0);
}

/* ---- Frozen scores ---- */

static int int_or(const cJSON *object, const char *key, int otherwise)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);
    return value ? value->valueint : otherwise;
}

static ChrfOptions options_of(const cJSON *one)
{
    const cJSON *given = member(one, "options");
    ChrfOptions options = chrf_defaults();
    options.char_order = int_or(given, "char_order", options.char_order);
    options.word_order = int_or(given, "word_order", options.word_order);
    options.beta = int_or(given, "beta", options.beta);
    options.whitespace = is_true(given, "whitespace");
    options.lowercase = is_true(given, "lowercase");
    return options;
}

UNIT_TEST(corpora_should_score_as_the_frozen_answers)
{
    cJSON *cases = cases_read("corpus.json");
    const cJSON *one;
    cJSON_ArrayForEach(one, cases) {
        if (strcmp(text_of(one, "metric"), "chrf")) continue;
        ChrfOptions options = options_of(one);
        assert_same_corpus(&metric_chrf, &options, one, 0);
    }
    cJSON_Delete(cases);
}

static void assert_sentences(const char *key, int word_order)
{
    ChrfOptions options = chrf_defaults();
    options.word_order = word_order;
    cJSON *cases = cases_read("sentence.json");
    const cJSON *one;
    cJSON_ArrayForEach(one, cases) {
        assert_same_sentence(&metric_chrf, &options, key, one);
    }
    cJSON_Delete(cases);
}

UNIT_TEST(sentences_should_score_as_the_frozen_answers)
{
    assert_sentences("chrf", 0);
    assert_sentences("chrf++", 2);
}

/* ---- The rules one by one ---- */

UNIT_TEST(blanks_should_count_only_when_asked)
{
    ChrfOptions options = chrf_defaults();
    assert_true(fabs(score(&options, "a b\u00a0c", "abc") - 100) < 1e-12);
    options.whitespace = 1;
    assert_true(score(&options, "a b\u00a0c", "abc") < 60);
}

UNIT_TEST(punctuation_should_be_cut_off_words_at_one_end)
{
    ChrfOptions options = chrf_defaults();
    options.word_order = 1;
    const char *same = "( hi )", *cut = "(hi )";
    ChrfStats stats = { 0 };
    chrf_add(&stats, &options, "(hi)", &cut, 1);  /* "(hi" and ")" against "(", "hi" and ")" */
    assert_int_equal(stats.of[6].match, 1);
    assert_int_equal(stats.of[6].hypothesis, 2);
    assert_int_equal(stats.of[6].reference, 3);
    stats = (ChrfStats){ 0 };
    chrf_add(&stats, &options, "(hi )", &same, 1);
    assert_int_equal(stats.of[6].match, 3);
}

UNIT_TEST(best_reference_of_each_segment_should_count)
{
    static const char *const references[] = { "xyz", "the cat", "the dog" };
    ChrfOptions options = chrf_defaults();
    ChrfStats stats = { 0 };
    chrf_add(&stats, &options, "the cat", references, 3);
    assert_true(fabs(chrf_score(&stats, &options, 0) - 100) < 1e-12);
    assert_int_equal(stats.of[0].reference, 6);
}

UNIT_TEST(orders_that_one_side_lacks_should_not_count)
{
    ChrfOptions options = chrf_defaults();
    ChrfStats stats = { 0 };
    const char *reference = "ab";
    chrf_add(&stats, &options, "abcd", &reference, 1);
    assert_int_equal(stats.of[1].hypothesis, 3);
    assert_int_equal(stats.of[2].hypothesis, 0);
    assert_int_equal(stats.of[2].reference, 0);
}

UNIT_TEST(eps_smoothing_should_count_every_order)
{
    ChrfOptions options = chrf_defaults();
    options.eps = 1;
    options.char_order = 2;
    assert_true(fabs(score(&options, "ab", "ab") - 100) < 1e-12);
    assert_true(fabs(score(&options, "a", "a") - 50) < 1e-12);  /* no pairs: an F-score near 0 */
    assert_true(score(&options, "", "") > 0 && score(&options, "", "") < 1e-12);
    assert_true(score(&options, "", "ab") == 0);        /* its recall is 0, not 1e-16 */
    Buf signature = { 0 };
    metric_chrf.signature(&options, &signature);
    assert_string_equal(signature.text, "case:mixed|eff:no|nc:2|nw:0|space:no");
    buf_free(&signature);
}

UNIT_TEST(name_should_tell_beta_and_word_order)
{
    ChrfOptions options = chrf_defaults();
    options.beta = 3;
    options.word_order = 2;
    Buf name = { 0 };
    metric_chrf.title(&options, &name);
    assert_string_equal(name.text, "chrF3++");
    buf_clear(&name);
    metric_signature(&metric_chrf, &options, 0, (Resamples){ .bootstrap = 0 }, &name);
    assert_string_equal(name.text, "nrefs:var|case:mixed|eff:yes|nc:6|nw:2|space:no|"
                                   "version:attn-" ATTN_VERSION);
    buf_free(&name);
}

/* ---- chrF++ as a variant of chrF, in a set of metrics ---- */

UNIT_TEST(options_should_be_used_by_their_metric_and_its_variants)
{
    MetricSet set;
    metric_set_init(&set);
    for (int i = 0; i < METRICS; i++) assert_false(metric_set_uses_options(&set, i));
    metric_set_add(&set, METRIC_CHRF_PLUS);
    assert_true(metric_set_has(&set, METRIC_CHRF_PLUS) && !metric_set_has(&set, METRIC_CHRF));
    assert_true(metric_set_uses_options(&set, METRIC_CHRF));
    assert_false(metric_set_uses_options(&set, METRIC_BLEU));
    metric_set_free(&set);
}

UNIT_TEST(a_variant_should_start_from_the_options_it_is_a_variant_of)
{
    Err e;
    MetricSet set;
    metric_set_init(&set);
    ((ChrfOptions *)set.options[METRIC_CHRF])->beta = 3;
    metric_set_add(&set, METRIC_CHRF_PLUS);
    assert_int_equal(metric_set_settle(&set, &(MetricUse){ 0 }, &e), 0);
    const ChrfOptions *plus = set.options[METRIC_CHRF_PLUS];
    assert_int_equal(plus->beta, 3);
    assert_int_equal(plus->word_order, 2);
    metric_set_free(&set);
}

UNIT_TEST(options_that_contradict_each_other_should_be_an_error)
{
    Err e = { "" };
    MetricSet set;
    metric_set_init(&set);
    ((ChrfOptions *)set.options[METRIC_CHRF])->word_order = 1;
    metric_set_add(&set, METRIC_CHRF_PLUS);
    assert_int_equal(metric_set_settle(&set, &(MetricUse){ 0 }, &e), -1);
    assert_non_null(strstr(e.text, "--chrf-word-order"));
    metric_set_free(&set);
}

int main(void) { return run_unit_tests(); }
