/* test_search_overflow.c - states and logits that are no numbers, of some sentences of a batch or of all.
 */
#include "search_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The sources whose first word is that of source 0 overflow, and no others. */
static void spoil_first_word(Case *c)
{
    const int E = c->scorer.net.n.E, word = c->source[0].source[0];
    for (int j = 0; j < E; j++)
        ((real *)c->scorer.w.source_embedding)[word * E + j] = (real)NAN;
}

static int has_word(const Sentence *source, int word)
{
    for (int i = 0; i < source->source_length; i++)
        if (source->source[i] == word) return 1;
    return 0;
}

static void assert_void(const SearchResult *a, int source)
{
    const Hypothesis *h = hypothesis_at(a, source, 0);
    assert_int_equal(a->counts[source], 1);
    assert_true(isnan(h->log_probability) && isnan(h->score));
}

/* The other sentences of the batch are translated as before. */
static void assert_first_word_void(Case *c)
{
    const int word = c->source[0].source[0];
    int voids = 0;
    SearchResult sound = search(c, c->source, SOURCES);
    spoil_first_word(c);
    SearchResult a = search(c, c->source, SOURCES);
    for (int i = 0; i < SOURCES; i++) {
        if (has_word(&c->source[i], word)) {
            assert_void(&a, i);
            voids++;
            continue;
        }
        assert_int_equal(a.counts[i], sound.counts[i]);
        for (int k = 0; k < a.counts[i]; k++)
            assert_true(same_ids(hypothesis_at(&a, i, k), hypothesis_at(&sound, i, k)));
    }
    assert_in_range(voids, 1, SOURCES - 1);
    result_free(&sound);
    result_free(&a);
}

static void what_is_no_number_should_be_reported_for_the_sentences_that_have_it(void **state)
{
    (void)state;
    static const SearchOptions cases[] = {
        { .beam = 1, .nbest = 1, .probabilities = 1 },
        { .beam = 1, .nbest = 1 },
        { .beam = 4, .nbest = 3, .probabilities = 1 },
        { .beam = 2, .nbest = 1, .alternatives = 3, .probabilities = 1 },
        { .beam = 3, .nbest = 3, .sample = 1, .sampling = { 1, 0, 1 }, .probabilities = 1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Case c = case_new(12, 1);
        c.options.beam = cases[i].beam;
        c.options.nbest = cases[i].nbest;
        c.options.probabilities = cases[i].probabilities;
        c.options.alternatives = cases[i].alternatives;
        c.options.sample = cases[i].sample;
        c.options.sampling = cases[i].sampling;
        assert_first_word_void(&c);
        case_free(&c);
    }
}

static void what_is_no_number_should_be_reported_for_a_prefix(void **state)
{
    (void)state;
    Case c = case_new(12, 1);
    give_prefix(&c, 1);
    assert_first_word_void(&c);
    case_free(&c);
}

/* Only one word leads to it, and all words are kept: what the others lead to no longer counts. */
static void a_row_that_is_no_number_should_be_reported_instead_of_all_others(void **state)
{
    (void)state;
    enum { WORDS = ID_SPECIALS + 3 };
    for (int word = ID_SPECIALS; word < WORDS; word++) {
        Case c = case_new(WORDS, 1);
        c.options.beam = c.options.nbest = WIDEST;      /* these words, <unk> and <eos> */
        const int E = c.scorer.net.n.E;
        for (int j = 0; j < E; j++)
            ((real *)c.scorer.w.target_embedding)[word * E + j] = (real)NAN;
        SearchResult a = search(&c, c.source, SOURCES);
        for (int i = 0; i < SOURCES; i++)
            assert_void(&a, i);
        result_free(&a);
        case_free(&c);
    }
}

/* Logits that overflow, of states that don't; or that all say that their word may not be
 * written. */
static void logits_that_are_no_numbers_should_be_reported(void **state)
{
    (void)state;
    static const struct { real bias; int probabilities; } cases[] = {
        { (real)INFINITY, 1 }, { (real)INFINITY, 0 }, { FORBIDDEN, 1 }, { FORBIDDEN, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Case c = case_new(12, 1);
        const Sizes *n = &c.scorer.net.n;
        real *weight = c.scorer.w.output.weights, *bias = (real *)c.scorer.w.output_bias;
        memset(weight, 0, (size_t)n->Vt * (size_t)n->O * sizeof *weight);
        for (int j = 0; j < n->Vt; j++)
            bias[j] = cases[i].bias;
        c.options.probabilities = cases[i].probabilities;
        SearchResult a = search(&c, c.source, SOURCES);
        for (int k = 0; k < SOURCES; k++)
            assert_void(&a, k);
        result_free(&a);
        case_free(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_number_should_be_reported_for_the_sentences_that_have_it),
        cmocka_unit_test(what_is_no_number_should_be_reported_for_a_prefix),
        cmocka_unit_test(a_row_that_is_no_number_should_be_reported_instead_of_all_others),
        cmocka_unit_test(logits_that_are_no_numbers_should_be_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
