/* test_ensemble.c - several networks that search together, against the probabilities of each
 * alone; and which models may. */
#include "search_case.h"
#include "toy.h"
#include "translate/ensemble.h"

#include <math.h>

static void an_ensemble_should_choose_by_the_mean_of_its_probabilities(void **state)
{
    (void)state;
    Case c = case_new(9, 1), other = case_new(9, 2);
    for (size_t i = 0; i < other.table->size; i++)
        *(real *)(other.scorer.w.source_embedding + i) *= (real)-1.25;
    give_prefix(&c, 1);
    const Scorer both[] = { c.scorer, other.scorer };
    c.options.alternatives = 1;
    SearchResult r = search_with(&c, both, 2, c.source, SOURCES);
    for (int i = 0; i < SOURCES; i++) {
        const Hypothesis *h = hypothesis_at(&r, i, 0);
        double one = 0, two = 0;
        for (int t = 0; t <= i; t++) {
            const double first = log_probability(&c, &c.source[i], h->ids, t + 1);
            const double second = log_probability(&other, &c.source[i], h->ids, t + 1);
            const double expected = log((exp(first - one) + exp(second - two)) / 2);
            assert_near(&(real){ (real)h->log_probabilities[t] }, &expected, 1, operations);
            one = first;
            two = second;
        }
    }
    result_free(&r);
    case_free(&c);
    case_free(&other);
}

static void twins_should_translate_as_one_of_them(void **state)
{
    (void)state;
    Case c = case_new(9, 2);
    c.options.beam = c.options.nbest = 3;
    const Scorer twins[] = { c.scorer, c.scorer };
    SearchResult alone = search(&c, c.source, SOURCES);
    SearchResult together = search_with(&c, twins, 2, c.source, SOURCES);
    for (int i = 0; i < SOURCES; i++)
        for (int k = 0; k < together.counts[i]; k++)
            assert_same_hypothesis(hypothesis_at(&together, i, k), hypothesis_at(&alone, i, k),
                                   c.source[i].source_length);
    result_free(&together);
    result_free(&alone);
    case_free(&c);
}

static void a_scorer_whose_logits_are_no_numbers_should_be_reported(void **state)
{
    (void)state;
    for (int at = 0; at < 2; at++) {
        Case c = case_new(9, 1), broken = case_new(9, 1);
        ((real *)broken.scorer.w.output_bias)[5] = (real)NAN;
        const Scorer scorers[] = { at ? c.scorer : broken.scorer, at ? broken.scorer : c.scorer };
        SearchResult r = search_with(&c, scorers, 2, c.source, SOURCES);
        for (int i = 0; i < SOURCES; i++)
            assert_true(r.counts[i] == 1 && isnan(hypothesis_at(&r, i, 0)->log_probability));
        result_free(&r);
        case_free(&c);
        case_free(&broken);
    }
}

static void models_should_translate_together_only_if_they_name_words_alike(void **state)
{
    static const char *const names[] = { "one", "two" };
    Toy *chars = toy_new(*state, TOKENS_CHAR, 1), *again = toy_new(*state, TOKENS_CHAR, 1);
    Toy *words = toy_new(*state, TOKENS_WORD, 1), *bpe = toy_new(*state, TOKENS_BPE, 1);
    Err e;
    assert_int_equal(ensemble_check((Model[]){ chars->model, again->model }, names, 2, &e), 0);
    assert_int_equal(ensemble_check((Model[]){ bpe->model, bpe->model }, names, 2, &e), 0);
    assert_int_equal(ensemble_check((Model[]){ chars->model, words->model }, names, 2, &e), -1);
    assert_non_null(strstr(e.text, "one and two can't translate together: their source "
                                   "vocabularies differ: --tokens is char in one, word in the other; "));
    Model mixed = again->model;
    mixed.target = again->model.source;
    assert_int_equal(ensemble_check((Model[]){ chars->model, mixed }, names, 2, &e), -1);
    assert_non_null(strstr(e.text, "target vocabularies differ: one of them has other --merges"));
    const char *const records[] = { "{\"corpus_hash\":\"1\",\"training_pairs\":8}",
                                    "{\"corpus_hash\":\"2\",\"training_pairs\":8}",
                                    "{\"corpus_hash\":\"1\",\"training_pairs\":9}" };
    for (int other = 0; other < 3; other++) {
        Model one = again->model;
        one.training = cJSON_Parse(records[0]);
        mixed.training = cJSON_Parse(records[other]);
        mixed.text.vocabulary = one.text.vocabulary + other;
        assert_int_equal(ensemble_check((Model[]){ one, mixed }, names, 2, &e), -1);
        assert_non_null(strstr(e.text, other ? ": they have learned from different pairs; "
                                             : ": one of them has other --merges"));
        mixed.text.min_frequency = 3;
        assert_int_equal(ensemble_check((Model[]){ one, mixed }, names, 2, &e), -1);
        assert_non_null(strstr(e.text, other ? ": they have learned from different pairs; "
                                             : ": --min-frequency is 1 in one, 3 in the other; "));
        mixed.text.min_frequency = one.text.min_frequency;
        cJSON_Delete(one.training);
        cJSON_Delete(mixed.training);
    }
    toy_free(chars);
    toy_free(again);
    toy_free(words);
    toy_free(bpe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_ensemble_should_choose_by_the_mean_of_its_probabilities),
        cmocka_unit_test(twins_should_translate_as_one_of_them),
        cmocka_unit_test(a_scorer_whose_logits_are_no_numbers_should_be_reported),
        in_scratch(models_should_translate_together_only_if_they_name_words_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
