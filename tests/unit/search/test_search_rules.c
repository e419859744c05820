/* test_search_rules.c - alternatives, the limits of length and repetition, words drawn,
 * placeholders, and ensembles. Beam search itself: test_search.c.
 */
#include "search/expansion.h"
#include "search_case.h"

#include <math.h>
#include <string.h>

/* ---- alternatives ---- */

/* The probability of each of all words behind those before it. */
UNIT_TEST(alternatives_should_be_the_most_probable_words_at_each_position)
{
    enum { WORDS = 9, MOST = 4 };
    Case c = case_new(WORDS, 1);
    c.options.beam = 2;
    c.options.alternatives = MOST;
    Found a = search_all(&c);
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
    case_free(&c);
}

/* ---- length and loops ---- */

UNIT_TEST(the_limit_should_follow_from_the_corpus_and_the_prefix)
{
    Case c = case_new(9, 1);
    give_prefix(&c, 0);
    c.scorer.w.output_bias[ID_EOS] = -100;
    c.rules.length_limit = (LengthLimit){ .ratio = 0.6, .spread = 2 };
    Found a = search_all(&c);
    for (int i = 0; i < SOURCES; i++)
        assert_int_equal(hypothesis_at(&a, i, 0)->length,
                         i + 5 + (int)(0.6 * c.source[i].source_length
                                       + 3 * sqrt(c.source[i].source_length + 1)));
    case_free(&c);
}

UNIT_TEST(a_factor_should_be_the_limit_alone)
{
    Case c = case_new(9, 1);
    c.scorer.w.output_bias[ID_EOS] = -100;
    c.rules.length_limit = (LengthLimit){ .ratio = 9, .spread = 9, .factor = 1.3 };
    Found a = search_all(&c);
    for (int i = 0; i < SOURCES; i++)
        assert_int_equal(hypothesis_at(&a, i, 0)->length, ceil(1.3 * c.source[i].source_length));
    case_free(&c);
}

/* The others get nothing of its probability. */
UNIT_TEST(a_forbidden_word_should_never_follow_and_keep_its_probability)
{
    enum { LOVED = 6 };
    const int forbidden[] = { 5, LOVED };
    Case c = case_new(9, 1);
    c.options.beam = 2;
    c.scorer.w.output_bias[LOVED] = 3;
    c.rules.forbidden = forbidden;
    c.rules.forbidden_count = 2;
    Found a = search_all(&c);
    for (int i = 0; i < SOURCES; i++) {
        const Hypothesis *h = hypothesis_at(&a, i, 0);
        Sequence words = { .length = 0 };
        for (int t = 0; t < h->length; t++) {
            assert_true(h->ids[t] != LOVED && h->ids[t] != 5);
            words = extended(&c, &c.source[i], &words, h->ids[t]);
        }
        assert_near(&(real){ (real)h->log_probability }, &words.log_probability, 1, operations);
    }
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
UNIT_TEST(no_words_should_follow_themselves_more_often_than_allowed)
{
    for (int loved = 1; loved <= 2; loved++)
        for (int repeats = 0; repeats <= 3; repeats++) {
            Case c = case_new(9, 1);
            c.options.repeats = repeats;
            c.options.beam = c.options.nbest = 2;
            c.scorer.w.output_bias[ID_EOS] = c.scorer.w.output_bias[ID_UNK] = -100;
            for (int i = 0; i < loved; i++)
                c.scorer.w.output_bias[ID_SPECIALS + i] = 20;
            Found a = search_all(&c);
            for (int i = 0; i < SOURCES; i++)
                for (int k = 0; k < 2; k++) {
                    const Hypothesis *f = hypothesis_at(&a, i, k);
                    const int own = most_repeats(c.source[i].source, c.source[i].source_length);
                    const int most = most_repeats(f->ids, f->length);
                    if (repeats) assert_in_range(most, 1, own > repeats ? own : repeats);
                    else if (loved == 1 && !k) assert_int_equal(most, f->length);
                }
            case_free(&c);
        }
}

/* ---- sampling ---- */

/* 40,000 draws of the first word: the share of each is its probability; within five standard
 * deviations. */
UNIT_TEST(words_should_be_drawn_as_often_as_they_are_probable)
{
    enum { DRAWS = 4000, RUNS = 10, WORDS = 9 };
    Case c = case_new(9, 1);
    c.scorer.w.output_bias[ID_EOS] = 1;
    c.options.sample = 1;
    c.options.sampling = (Sampling){ .temperature = 1, .top_p = 1 };
    c.options.beam = c.options.nbest = DRAWS;
    double times[WORDS] = { 0 }, allowed = 0, p[WORDS];
    for (int run = 0; run < RUNS; run++) {
        c.rules.first = (uint64_t)run;
        Found a = search(&c, c.source, 1);
        assert_int_equal(a.count[0], DRAWS);
        for (int k = 0; k < DRAWS; k++)
            times[hypothesis_at(&a, 0, k)->ids[0]]++;
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

UNIT_TEST(drawing_from_the_best_word_alone_should_be_greedy_search)
{
    const Sampling surest[] = { { 1, 1, 1 }, { 1, 0, 1e-6 }, { 0.01, 0, 1 } };
    Case c = case_new(9, 2);
    Found greedy = search_all(&c);
    c.options.sample = 1;
    for (size_t s = 0; s < sizeof surest / sizeof *surest; s++) {
        c.options.sampling = surest[s];
        Found drawn = search_all(&c);
        for (int i = 0; i < SOURCES; i++)
            assert_same_hypothesis(hypothesis_at(&drawn, i, 0), hypothesis_at(&greedy, i, 0),
                                   c.source[i].source_length);
    }
    case_free(&c);
}

/* ---- placeholders ---- */

enum { SOURCE = 60, WORDS = ID_SPECIALS + PLACEHOLDERS + 8, FIRST_WORD = ID_SPECIALS + PLACEHOLDERS };

/* Words behind which one may begin. */
static unsigned char every_other[WORDS];

/* The results for a source with placeholders 0, 9 and 2; the limit leaves room. */
static Found searched_by(Case *c, const unsigned char *breaks, int right_left)
{
    int ids[SOURCE];
    for (int i = 0; i < SOURCE; i++)
        ids[i] = FIRST_WORD + i % 8;
    ids[1] = ID_SPECIALS;
    ids[2] = ID_SPECIALS + 9;
    ids[7] = ID_SPECIALS + 2;
    ids[SOURCE - 1] = ID_EOS;
    c->rules = (SearchRules){ .placeholders = 1, .breaks = breaks, .right_left = right_left,
                              .length_limit = { .ratio = 10 } };
    return search(c, &(Sentence){ .source = ids, .source_length = SOURCE }, 1);
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

UNIT_TEST(placeholders_should_be_those_of_the_source_each_once_and_where_a_word_may_begin)
{
    int copies = 0;
    for (int round = 0; round < CASES(60); round++) {
        const int beam = 1 + round % 5, right_left = round % 2;
        Case c = case_with(round, beam, beam);
        c.options.sample = round % 3 == 2;
        c.options.sampling = (Sampling){ .temperature = 1, .top_p = 1 };
        const Found r = searched_by(&c, round % 7 ? every_other : NULL, right_left);
        for (int k = 0; k < r.count[0]; k++) {
            const Hypothesis *h = hypothesis_at(&r, 0, k);
            int seen[PLACEHOLDERS] = { 0 };
            for (int i = 0; i < h->length; i++) {
                const int before = i + (right_left ? 1 : -1), id = h->ids[i];
                if (!placeholder_bit(id)) continue;
                seen[id - ID_SPECIALS]++;
                copies++;
                if (round % 7 && before >= 0 && before < h->length) assert_true(every_other[h->ids[before]]);
            }
            for (int i = 0; i < PLACEHOLDERS; i++)
                assert_true(seen[i] <= (i == 0 || i == 9 || i == 2));
        }
        case_free(&c);
    }
    assert_true(copies > 0);
}

static int copies_in(const Hypothesis *h)
{
    int count = 0;
    for (int i = 0; i < h->length; i++)
        count += placeholder_bit(h->ids[i]) != 0;
    return count;
}

static double worth_of(const Case *c, const Hypothesis *h)
{
    return search_worth(&c->options, WORDS, h->log_probability, 3 - copies_in(h), h->length);
}

/* The network likes none of them, though more than chance. */
UNIT_TEST(a_beam_should_write_what_is_less_probable)
{
    for (int round = 0; round < CASES(40); round++) {
        Case c = case_with(round, 8 + round % 3, 2);
        real *bias = c.scorer.w.output_bias;
        memset(c.scorer.w.output.weights, 0, (size_t)WORDS * (size_t)c.scorer.net.n.O * sizeof(real));
        for (int id = 0; id < WORDS; id++)
            bias[id] = -100;
        bias[ID_SPECIALS] = bias[ID_SPECIALS + 9] = bias[ID_SPECIALS + 2] = 0;
        bias[ID_EOS] = 1;
        bias[FIRST_WORD] = 2.5F;
        Found r = searched_by(&c, NULL, 0);
        assert_int_equal(copies_in(hypothesis_at(&r, 0, 0)), 3);
        case_free(&c);
    }
}

/* The best first, with a probability of chance for each that is lacking. */
UNIT_TEST(what_is_lacking_should_count_as_drawn_by_chance)
{
    int lacking = 0;
    for (int round = 0; round < CASES(60); round++) {
        Case c = case_with(round, 5, 5);
        c.options.beam_threshold = 0;
        c.options.sample = round % 2;
        c.options.sampling = (Sampling){ .temperature = 1, .top_p = 1 };
        Found r = searched_by(&c, NULL, 0);
        for (int k = 1; k < r.count[0]; k++) {
            const Hypothesis *a = hypothesis_at(&r, 0, k - 1), *b = hypothesis_at(&r, 0, k);
            assert_true(worth_of(&c, a) + 1e-9 >= worth_of(&c, b));
            assert_true(fabs(a->score - a->log_probability / a->length) < 1e-9);
            lacking += 3 - copies_in(a);
        }
        case_free(&c);
    }
    assert_true(lacking > 0);
}

/* ---- ensembles ---- */

UNIT_TEST(an_ensemble_should_choose_by_the_mean_of_its_probabilities)
{
    Case c = case_new(9, 1), other = case_new(9, 2);
    for (size_t i = 0; i < other.table->size; i++)
        *(real *)(other.scorer.w.embedding[SIDE_SOURCE] + i) *= (real)-1.25;
    give_prefix(&c, 1);
    const Scorer both[] = { c.scorer, other.scorer };
    c.options.alternatives = 1;
    Found r = search_with(&c, both, 2);
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
    case_free(&c);
    case_free(&other);
}

UNIT_TEST(a_scorer_whose_logits_are_no_numbers_should_be_reported)
{
    for (int at = 0; at < 2; at++) {
        Case c = case_new(9, 1), broken = case_new(9, 1);
        ((real *)broken.scorer.w.output_bias)[5] = (real)NAN;
        const Scorer scorers[] = { at ? c.scorer : broken.scorer, at ? broken.scorer : c.scorer };
        Found r = search_with(&c, scorers, 2);
        for (int i = 0; i < SOURCES; i++)
            assert_true(r.count[i] == 1 && isnan(hypothesis_at(&r, i, 0)->log_probability));
        case_free(&c);
        case_free(&broken);
    }
}

int main(void)
{
    for (int id = 0; id < WORDS; id++)
        every_other[id] = id < ID_SPECIALS || id % 2;
    return run_unit_tests();
}
