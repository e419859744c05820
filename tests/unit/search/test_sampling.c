/* test_sampling.c - words drawn by their probability: how often, reproducibly, and from the best
 * ones alone. */
#include "search_case.h"

#include <math.h>

static Case case_of_chance(int samples)
{
    Case c = case_new(9, 1);
    c.scorer.w.output_bias[ID_EOS] = 1;
    c.options.sample = 1;
    c.options.sampling = (Sampling){ .temperature = 1, .top_p = 1 };
    c.options.beam = c.options.nbest = samples;
    c.options.seed = 7;
    return c;
}

/* 40,000 draws of the first word: the share of each is its probability; within five standard
 * deviations. */
static void words_should_be_drawn_as_often_as_they_are_probable(void **state)
{
    (void)state;
    enum { DRAWS = 4000, RUNS = 10, WORDS = 9 };
    Case c = case_of_chance(DRAWS);
    double times[WORDS] = { 0 }, allowed = 0, p[WORDS];
    for (int run = 0; run < RUNS; run++) {
        c.first = (uint64_t)run;
        SearchResult a = search(&c, c.source, 1);
        assert_int_equal(a.counts[0], DRAWS);
        for (int k = 0; k < DRAWS; k++)
            times[hypothesis_at(&a, 0, k)->ids[0]]++;
        result_free(&a);
    }
    for (int id = 0; id < WORDS; id++) {
        p[id] = exp(log_probability(&c, &c.source[0], &id, 1));
        if (id != ID_PAD && id != ID_BOS) allowed += p[id];
    }
    for (int id = 0; id < WORDS; id++) {
        const double share = id == ID_PAD || id == ID_BOS ? 0 : p[id] / allowed, n = DRAWS * RUNS;
        assert_true(fabs(times[id] - n * share) <= 5 * sqrt(n * share * (1 - share)));
    }
    case_free(&c);
}

static void what_is_drawn_should_not_depend_on_the_batch(void **state)
{
    (void)state;
    Case c = case_of_chance(3);
    for (int i = 0; i < SOURCES; i++)
        c.source[i].number = i;
    SearchResult together = search(&c, c.source, SOURCES);
    for (int i = 0; i < SOURCES; i++) {
        Sentence alone = c.source[i];
        c.first = (uint64_t)i;
        alone.number = 0;
        SearchResult a = search(&c, &alone, 1);
        for (int k = 0; k < 3; k++) {
            const Hypothesis *f = hypothesis_at(&a, 0, k);
            const double expected = log_probability(&c, &alone, f->ids, f->length);
            assert_true(same_ids(f, hypothesis_at(&together, i, k)));
            assert_near(&(real){ (real)f->log_probability }, &expected, 1, operations);
        }
        c.first = 0;
        result_free(&a);
    }
    c.options.seed = 8;
    SearchResult others = search(&c, c.source, SOURCES);
    int same = 0;
    for (int i = 0; i < SOURCES; i++)
        same += same_ids(hypothesis_at(&others, i, 0), hypothesis_at(&together, i, 0));
    assert_true(same < SOURCES);
    result_free(&others);
    result_free(&together);
    case_free(&c);
}

static void drawing_from_the_best_word_alone_should_be_greedy_search(void **state)
{
    (void)state;
    const Sampling surest[] = { { 1, 1, 1 }, { 1, 0, 1e-6 }, { 0.01, 0, 1 } };
    Case c = case_new(9, 2);
    SearchResult greedy = search(&c, c.source, SOURCES);
    c.options.sample = 1;
    for (size_t s = 0; s < sizeof surest / sizeof *surest; s++) {
        c.options.sampling = surest[s];
        SearchResult drawn = search(&c, c.source, SOURCES);
        for (int i = 0; i < SOURCES; i++)
            assert_same_hypothesis(hypothesis_at(&drawn, i, 0), hypothesis_at(&greedy, i, 0),
                                   c.source[i].source_length);
        result_free(&drawn);
    }
    result_free(&greedy);
    case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_should_be_drawn_as_often_as_they_are_probable),
        cmocka_unit_test(what_is_drawn_should_not_depend_on_the_batch),
        cmocka_unit_test(drawing_from_the_best_word_alone_should_be_greedy_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
