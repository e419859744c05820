/* test_ensemble.c - several networks that search together, against the probabilities of each alone. */
#include "search_case.h"

#include <math.h>

static void an_ensemble_should_choose_by_the_mean_of_its_probabilities(void **state)
{
    (void)state;
    Case c = case_new(9, 1), other = case_new(9, 2);
    for (size_t i = 0; i < other.table->size; i++)
        *(real *)(other.member.w.source_embedding + i) *= (real)-1.25;
    give(&c, 1);
    const Scorer both[] = { c.member, other.member };
    Arena arena = { 0 };
    Hypothesis found[SOURCES];
    int how_many[SOURCES];
    c.rules.alternatives = 1;
    search_run(found, how_many, both, 2, c.source, SOURCES, &c.rules, &arena);
    for (int i = 0; i < SOURCES; i++) {
        double one = 0, two = 0;
        for (int t = 0; t <= i; t++) {
            const double first = log_probability(&c, &c.source[i], found[i].ids, t + 1);
            const double second = log_probability(&other, &c.source[i], found[i].ids, t + 1);
            const double expected = log((exp(first - one) + exp(second - two)) / 2);
            assert_near(&(real){ (real)found[i].log_probabilities[t] }, &expected, 1, operations);
            one = first;
            two = second;
        }
        hypothesis_free(&found[i]);
    }
    arena_free(&arena);
    case_free(&c);
    case_free(&other);
}

static void twins_should_translate_as_one_of_them(void **state)
{
    (void)state;
    Case c = case_new(9, 2);
    c.rules.beam = c.rules.nbest = 3;
    const Scorer twins[] = { c.member, c.member };
    TranslatedLine alone = search(&c, c.source, SOURCES);
    Hypothesis found[SOURCES * 3];
    int how_many[SOURCES];
    Arena arena = { 0 };
    search_run(found, how_many, twins, 2, c.source, SOURCES, &c.rules, &arena);
    for (int i = 0; i < SOURCES; i++)
        for (int k = 0; k < how_many[i]; k++) {
            assert_same_found(&found[i * 3 + k], found_at(&alone, i, k), c.source[i].source_length);
            hypothesis_free(&found[i * 3 + k]);
        }
    arena_free(&arena);
    format_free(&alone);
    case_free(&c);
}

static void a_member_whose_logits_are_no_numbers_should_be_told(void **state)
{
    (void)state;
    for (int at = 0; at < 2; at++) {
        Case c = case_new(9, 1), broken = case_new(9, 1);
        ((real *)broken.member.w.output_bias)[5] = (real)NAN;
        const Scorer members[] = { at ? c.member : broken.member, at ? broken.member : c.member };
        Hypothesis found[SOURCES];
        int how_many[SOURCES];
        Arena arena = { 0 };
        search_run(found, how_many, members, 2, c.source, SOURCES, &c.rules, &arena);
        for (int i = 0; i < SOURCES; i++) {
            assert_true(how_many[i] == 1 && isnan(found[i].log_probability));
            hypothesis_free(&found[i]);
        }
        arena_free(&arena);
        case_free(&c);
        case_free(&broken);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_ensemble_should_choose_by_the_mean_of_its_probabilities),
        cmocka_unit_test(twins_should_translate_as_one_of_them),
        cmocka_unit_test(a_member_whose_logits_are_no_numbers_should_be_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
