/* test_copies_in_search.c - placeholders in the translations of a network that has learned nothing.
 * */
#include "search_case.h"

#include "search/forbidden_words.h"
#include "text/copies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCE = 60, WORDS = ID_SPECIALS + PLACEHOLDERS + 8, FIRST_WORD = ID_SPECIALS + PLACEHOLDERS };

/* Words behind which one may begin. */
static unsigned char every_other[WORDS];

/* The results for a source with placeholders 0, 9 and 2; the limit leaves room. */
static SearchResult searched_by(Case *c, const unsigned char *breaks, int right_left)
{
    int ids[SOURCE];
    for (int i = 0; i < SOURCE; i++)
        ids[i] = FIRST_WORD + i % 8;
    ids[1] = ID_SPECIALS;
    ids[2] = ID_SPECIALS + 9;
    ids[7] = ID_SPECIALS + 2;
    ids[SOURCE - 1] = ID_EOS;
    const Sentence source = { .source = ids, .source_length = SOURCE };
    const SearchRules rules = { .options = &c->options, .copy = c->copy, .placeholders = 1,
                                .breaks = breaks, .right_left = right_left,
                                .length_limit = { .ratio = 10 } };
    SearchResult r = { .count = 1, .places = c->options.nbest };
    r.best = xcalloc((size_t)r.places, sizeof *r.best);
    r.counts = xcalloc(1, sizeof *r.counts);
    search_run(r.best, r.counts, &c->scorer, 1, &source, 1, &rules, &c->arena);
    return r;
}

static SearchResult searched(Case *c)
{
    return searched_by(c, NULL, 0);
}

/* Those of the source, once at most; returns how many there are. */
static int check_copies(const SearchResult *r)
{
    int copies = 0;
    for (int k = 0; k < r->counts[0]; k++) {
        const Hypothesis *h = hypothesis_at(r, 0, k);
        int seen[PLACEHOLDERS] = { 0 };
        for (int i = 0; i < h->length; i++)
            if (placeholder_bit(h->ids[i])) seen[h->ids[i] - ID_SPECIALS]++;
        for (int i = 0; i < PLACEHOLDERS; i++)
            assert_true(seen[i] <= (i == 0 || i == 9 || i == 2));
        copies += seen[0] + seen[9] + seen[2];
    }
    return copies;
}

/* Searches with many seeds of the network. */
static int run_all(int beam, int sample)
{
    int copies = 0;
    for (int round = 0; round < 5; round++) {
        const NetworkOptions network = { .embedding = 4, .hidden = 3 + round, .layers = 1,
                                         .bidirectional = 1 };
        Case c = case_of(&network, WORDS);
        c.options.beam = c.options.nbest = beam;
        c.options.sample = sample;
        c.options.sampling = (Sampling){ .temperature = 1, .top_p = 1 };
        SearchResult r = searched(&c);
        copies += check_copies(&r);
        result_free(&r);
        case_free(&c);
    }
    return copies;
}

static void placeholders_should_be_those_of_the_source_each_once(void **state)
{
    (void)state;
    int copies = 0;
    for (int beam = 1; beam <= 4; beam++)
        for (int sample = 0; sample < 2; sample++)
            copies += run_all(beam, sample);
    assert_true(copies > 0);
}

/* A network whose output is a little of everything. */
static Case case_with(int round, int beam, int nbest)
{
    const NetworkOptions network = { .embedding = 4, .hidden = 3 + round % 9, .layers = 1, .bidirectional = 1 };
    Case c = case_of(&network, WORDS);
    c.options.beam = beam;
    c.options.nbest = nbest;
    c.options.beam_threshold = 2;
    return c;
}

static int is_placeholder(int id)
{
    return placeholder_bit(id) != 0;
}

static void placeholders_should_be_where_a_word_may_begin(void **state)
{
    (void)state;
    int copies = 0;
    for (int round = 0; round < CASES(60); round++) {
        const int beam = 1 + round % 5, right_left = round % 2, sample = round % 3 == 2;
        if (right_left && beam == 1 && !sample) continue;       /* greedy search has no mask for it */
        Case c = case_with(round, beam, beam);
        c.options.sample = sample;
        c.options.sampling = (Sampling){ .temperature = 1, .top_p = 1 };
        SearchResult r = searched_by(&c, every_other, right_left);
        for (int k = 0; k < r.counts[0]; k++) {
            const Hypothesis *h = hypothesis_at(&r, 0, k);
            for (int i = 0; i + 1 < h->length; i++) {
                const int first = h->ids[i + right_left], second = h->ids[i + 1 - right_left];
                if (is_placeholder(second)) assert_true(every_other[first]);
                copies += is_placeholder(second);
            }
        }
        result_free(&r);
        case_free(&c);
    }
    assert_true(copies > 0);
}

static int copies_in(const Hypothesis *h)
{
    return copies_count(copies_among(~0U, h->ids, h->length));
}

static double worth_of(const Case *c, const Hypothesis *h)
{
    return search_worth(&c->options, WORDS, h->log_probability, 3 - copies_in(h), h->length);
}

/* The network likes none of them, though more than chance. */
static void a_beam_should_write_what_is_less_probable(void **state)
{
    (void)state;
    for (int round = 0; round < CASES(40); round++) {
        Case c = case_with(round, 8 + round % 3, 2);
        real *bias = c.scorer.w.output_bias;
        memset(c.scorer.w.output.weights, 0, (size_t)WORDS * (size_t)c.scorer.net.n.O * sizeof(real));
        for (int id = 0; id < WORDS; id++)
            bias[id] = -100;
        bias[ID_SPECIALS] = bias[ID_SPECIALS + 9] = bias[ID_SPECIALS + 2] = 0;
        bias[ID_EOS] = 1;
        bias[FIRST_WORD] = 2.5F;
        SearchResult r = searched(&c);
        assert_int_equal(copies_in(hypothesis_at(&r, 0, 0)), 3);
        result_free(&r);
        case_free(&c);
    }
}

/* The best first, with a probability of chance for each that is lacking. */
static void what_is_lacking_should_count_as_drawn_by_chance(void **state)
{
    (void)state;
    int lacking = 0;
    for (int round = 0; round < CASES(60); round++) {
        Case c = case_with(round, 5, 5);
        c.options.beam_threshold = 0;
        c.options.sample = round % 2;
        c.options.sampling = (Sampling){ .temperature = 1, .top_p = 1 };
        SearchResult r = searched(&c);
        for (int k = 1; k < r.counts[0]; k++) {
            const Hypothesis *a = hypothesis_at(&r, 0, k - 1), *b = hypothesis_at(&r, 0, k);
            assert_true(worth_of(&c, a) + 1e-9 >= worth_of(&c, b));
            assert_true(fabs(a->score - a->log_probability / a->length) < 1e-9);
            lacking += 3 - copies_in(a);
        }
        result_free(&r);
        case_free(&c);
    }
    assert_true(lacking > 0);
}

int main(void)
{
    for (int id = 0; id < WORDS; id++)
        every_other[id] = id < ID_SPECIALS || id % 2;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(placeholders_should_be_those_of_the_source_each_once),
        cmocka_unit_test(placeholders_should_be_where_a_word_may_begin),
        cmocka_unit_test(a_beam_should_write_what_is_less_probable),
        cmocka_unit_test(what_is_lacking_should_count_as_drawn_by_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
