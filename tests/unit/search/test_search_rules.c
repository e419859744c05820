/* test_search_rules.c - prefixes, alternatives, and the limits of length and repetition. Beam
 * search itself: test_search.c.
 */
#include "search/forbidden_words.h"
#include "search_case.h"

#include <math.h>
#include <string.h>

/* ---- prefixes ---- */

static void a_translation_should_begin_with_its_prefix(void **state)
{
    (void)state;
    for (int beam = 1; beam <= WIDEST; beam += 2) {
        Case c = case_new(9, 2);
        give_prefix(&c, 0);
        c.options.beam = c.options.nbest = beam;
        SearchResult a = search(&c, c.source, SOURCES);
        for (int i = 0; i < SOURCES; i++)
            for (int k = 0; k < a.counts[i]; k++) {
                const Hypothesis *f = hypothesis_at(&a, i, k);
                const double expected = log_probability(&c, &c.source[i], f->ids, f->length);
                assert_near(&(real){ (real)f->log_probability }, &expected, 1, operations);
                assert_memory_equal(f->ids, c.source[i].target, (size_t)i * sizeof(int));
                assert_true(f->length > i);
            }
        result_free(&a);
        case_free(&c);
    }
}

/* Greedy search writes the same if the first half of it is given as a prefix. */
static void a_prefix_should_lead_where_its_words_lead_when_they_are_chosen(void **state)
{
    (void)state;
    Case c = case_new(9, 1);
    SearchResult unled = search(&c, c.source, SOURCES);
    for (int i = 0; i < SOURCES; i++) {
        c.source[i].target = hypothesis_at(&unled, i, 0)->ids;
        c.source[i].target_length = hypothesis_at(&unled, i, 0)->length / 2;
    }
    SearchResult again = search(&c, c.source, SOURCES);
    for (int i = 0; i < SOURCES; i++) {
        const Hypothesis *f = hypothesis_at(&unled, i, 0), *g = hypothesis_at(&again, i, 0);
        assert_memory_equal(f->ids, g->ids, (size_t)f->length * sizeof(int));
    }
    result_free(&unled);
    result_free(&again);
    case_free(&c);
}

static void a_complete_target_should_be_scored_word_by_word(void **state)
{
    (void)state;
    Case c = case_new(9, 2);
    give_prefix(&c, 1);
    c.options.beam = 3;
    SearchResult a = search(&c, c.source, SOURCES);
    for (int i = 0; i < SOURCES; i++) {
        const Hypothesis *f = hypothesis_at(&a, i, 0);
        double sum = 0;
        assert_int_equal(a.counts[i], 1);
        assert_int_equal(f->length, i + 1);
        assert_memory_equal(f->ids, c.source[i].target, (size_t)f->length * sizeof(int));
        for (int t = 0; t < f->length; t++) {
            const double expected = log_probability(&c, &c.source[i], f->ids, t + 1);
            sum += f->log_probabilities[t];
            assert_near(&(real){ (real)sum }, &expected, 1, operations);
        }
    }
    result_free(&a);
    case_free(&c);
}

/* ---- alternatives ---- */

/* The probability of each of all words behind those before it. */
static void alternatives_should_be_the_most_probable_words_at_each_position(void **state)
{
    (void)state;
    enum { WORDS = 9, MOST = 4 };
    Case c = case_new(WORDS, 1);
    c.options.beam = 2;
    c.options.alternatives = MOST;
    SearchResult a = search(&c, c.source, SOURCES);
    for (int i = 0; i < SOURCES; i++) {
        const Sentence *source = &c.source[i];
        const Hypothesis *f = hypothesis_at(&a, i, 0);
        Sequence prefix = { .length = 0 };
        for (int t = 0; t < f->length; t++) {
            const Alternative *choice = f->alternatives + t * MOST;
            int above = 0;
            for (int id = 0; id < WORDS; id++)
                above += extended(&c, source, &prefix, id).log_probability
                         - prefix.log_probability > choice[MOST - 1].log_probability + 1e-5;
            assert_true(above < MOST);
            for (int k = 0; k < MOST; k++) {
                const double expected = extended(&c, source, &prefix, choice[k].id).log_probability;
                const double reported = prefix.log_probability + choice[k].log_probability;
                assert_near(&(real){ (real)reported }, &expected, 1, operations);
                assert_true(!k || choice[k].log_probability <= choice[k - 1].log_probability);
            }
            prefix = extended(&c, source, &prefix, f->ids[t]);
        }
    }
    result_free(&a);
    case_free(&c);
}

/* ---- length and loops ---- */

static void the_limit_should_follow_from_the_corpus_and_the_prefix(void **state)
{
    (void)state;
    Case c = case_new(9, 1);
    give_prefix(&c, 0);
    c.scorer.w.output_bias[ID_EOS] = -100;
    c.length_limit = (LengthLimit){ .ratio = 0.6, .spread = 2 };
    SearchResult a = search(&c, c.source, SOURCES);
    for (int i = 0; i < SOURCES; i++)
        assert_int_equal(hypothesis_at(&a, i, 0)->length,
                         i + 5 + (int)(0.6 * c.source[i].source_length
                                       + 3 * sqrt(c.source[i].source_length + 1)));
    result_free(&a);
    case_free(&c);
}

/* The most often that one to LONGEST_LOOP ids follow themselves, and themselves. */
static int most_repeats(const int *ids, int length)
{
    int most = 1;
    for (int period = 1; period <= LONGEST_LOOP; period++)
        for (int from = 0; from + period <= length; from++) {
            const size_t bytes = (size_t)period * sizeof *ids;
            int times = 1;
            while (from + (times + 1) * period <= length
                   && !memcmp(ids + from, ids + from + times * period, bytes))
                times++;
            if (times > most) most = times;
        }
    return most;
}

/* A network that loves one word, and one that has two to alternate. */
static void no_words_should_follow_themselves_more_often_than_allowed(void **state)
{
    (void)state;
    for (int loved = 1; loved <= 2; loved++)
        for (int repeats = 0; repeats <= 3; repeats++) {
            Case c = case_new(9, 1);
            c.options.repeats = repeats;
            c.options.beam = c.options.nbest = 2;
            c.scorer.w.output_bias[ID_EOS] = c.scorer.w.output_bias[ID_UNK] = -100;
            for (int i = 0; i < loved; i++)
                c.scorer.w.output_bias[ID_SPECIALS + i] = 20;
            SearchResult a = search(&c, c.source, SOURCES);
            for (int i = 0; i < SOURCES; i++)
                for (int k = 0; k < 2; k++) {
                    const Hypothesis *f = hypothesis_at(&a, i, k);
                    const int own = most_repeats(c.source[i].source, c.source[i].source_length);
                    const int most = most_repeats(f->ids, f->length);
                    if (repeats) assert_in_range(most, 1, own > repeats ? own : repeats);
                    else if (loved == 1 && !k) assert_int_equal(most, f->length);
                }
            result_free(&a);
            case_free(&c);
        }
}

static void what_the_source_repeats_may_be_repeated(void **state)
{
    (void)state;
    Case c = case_new(9, 1);
    int ids[] = { 5, 6, 5, 6, 5, 6, 5, 6, 5, 6, ID_EOS };
    c.source[0].source = ids;
    c.source[0].source_length = sizeof ids / sizeof *ids;
    c.options.repeats = 1;
    c.scorer.w.output_bias[ID_EOS] = -100;
    c.scorer.w.output_bias[ID_SPECIALS] = 20;
    SearchResult a = search(&c, c.source, 1);
    const Hypothesis *h = hypothesis_at(&a, 0, 0);
    assert_int_equal(most_repeats(h->ids, h->length), 5);
    result_free(&a);
    case_free(&c);
}

/* 8 and 9 follow themselves twice, but apart: that is no reason to write anything five times. */
static void only_what_follows_itself_should_count_as_repeated_by_the_source(void **state)
{
    (void)state;
    Case c = case_new(12, 1);
    int ids[] = { 8, 8, 5, 9, 9, 6, 10, 10, 7, 11, 11, ID_EOS };
    c.source[0].source = ids;
    c.source[0].source_length = sizeof ids / sizeof *ids;
    c.options.repeats = 1;
    c.scorer.w.output_bias[ID_EOS] = -100;
    c.scorer.w.output_bias[ID_SPECIALS] = 20;
    SearchResult a = search(&c, c.source, 1);
    const Hypothesis *h = hypothesis_at(&a, 0, 0);
    assert_int_equal(most_repeats(h->ids, h->length), 2);
    result_free(&a);
    case_free(&c);
}

/* However often the source repeats a word: the search looks back only so far. */
static void no_more_repeats_should_be_written_than_are_looked_for(void **state)
{
    (void)state;
    enum { MANY = REPEATS_MOST + 40 };
    Case c = case_new(9, 1);
    int ids[MANY];
    for (int i = 0; i < MANY; i++)
        ids[i] = i < MANY - 1 ? ID_SPECIALS : ID_EOS;
    c.source[0].source = ids;
    c.source[0].source_length = MANY;
    c.options.repeats = 1;
    c.scorer.w.output_bias[ID_EOS] = -100;
    c.scorer.w.output_bias[ID_SPECIALS] = 20;
    SearchResult a = search(&c, c.source, 1);
    const Hypothesis *h = hypothesis_at(&a, 0, 0);
    assert_int_equal(most_repeats(h->ids, h->length), REPEATS_MOST);
    result_free(&a);
    case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_translation_should_begin_with_its_prefix),
        cmocka_unit_test(a_prefix_should_lead_where_its_words_lead_when_they_are_chosen),
        cmocka_unit_test(a_complete_target_should_be_scored_word_by_word),
        cmocka_unit_test(alternatives_should_be_the_most_probable_words_at_each_position),
        cmocka_unit_test(the_limit_should_follow_from_the_corpus_and_the_prefix),
        cmocka_unit_test(no_words_should_follow_themselves_more_often_than_allowed),
        cmocka_unit_test(what_the_source_repeats_may_be_repeated),
        cmocka_unit_test(only_what_follows_itself_should_count_as_repeated_by_the_source),
        cmocka_unit_test(no_more_repeats_should_be_written_than_are_looked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
