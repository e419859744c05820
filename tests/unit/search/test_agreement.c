/* test_agreement.c - what networks of both directions agree on, by the probabilities that
 * network_loss gives each translation in both orders.
 */
#include "linalg/gemm.h"
#include "search/search.h"
#include "search_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 9, BEAM = 4 };

typedef struct { Case left, right; } Both;

/* A network for each direction; what they find is in part the same. */
static Both both_new(void)
{
    Both both = { case_new(WORDS, 1), case_new(WORDS, 2) };
    for (size_t i = 0; i < both.right.table->size; i++)
        *(real *)(both.right.scorer.w.embedding[SIDE_SOURCE] + i) *= (real)3;
    both.left.options.beam = both.left.options.nbest = BEAM;
    both.right.options = both.left.options;
    return both;
}

static void both_free(Both *both)
{
    case_free(&both->left);
    case_free(&both->right);
}

/* With `lefts` and `rights` twins of each, which are as one of them. */
static Found search_both(Both *both, int lefts, int rights)
{
    Case *c = &both->left;
    const Scorer left = c->scorer, right = both->right.scorer;
    const Scorer all[DIRECTIONS][3] = { { left, left, left }, { right, right, right } };
    const DirectedScorers networks = { { all[LEFT_TO_RIGHT], all[RIGHT_TO_LEFT] }, { lefts, rights } };
    c->rules.options = &c->options;
    return search_agreed(&networks, c->source, SOURCES, &c->rules, &c->memory);
}

/* What the other direction finds by itself, in the order of reading. */
static Found search_right(Both *both)
{
    Found r = search(&both->right, both->left.source, SOURCES);
    for (int i = 0; i < SOURCES; i++)
        for (int k = 0; k < r.count[i]; k++)
            hypothesis_reverse(hypothesis_at(&r, i, k), both->left.source[i].source_length, 0);
    return r;
}

/* log P of the words in the other order, and <eos> behind them. */
static double log_probability_right(Both *both, int source, const Hypothesis *h)
{
    int ids[LIMIT + 1], count = 0;
    for (int t = h->length; t-- > 0; )
        if (h->ids[t] != ID_EOS) ids[count++] = h->ids[t];
    ids[count++] = ID_EOS;
    return log_probability(&both->right, &both->left.source[source], ids, count);
}

/* The score, with so many networks of each direction. */
static double score_of(Both *both, int lefts, int rights, int source, const Hypothesis *h)
{
    const double left = log_probability(&both->left, &both->left.source[source], h->ids, h->length);
    const double right = log_probability_right(both, source, h);
    return (lefts * left + rights * right) / (lefts + rights)
         / pow(h->length, both->left.options.normalize);
}

/* The hypothesis is as the networks from left to right alone have it when they are forced to. */
static void assert_as_forced(Both *both, int source, const Hypothesis *h)
{
    Case *c = &both->left;
    const SearchOptions options = c->options;
    c->options.beam = c->options.nbest = 1;
    Sentence sentence = both->left.source[source];
    sentence.target = h->ids;
    sentence.target_length = h->length;
    const Found forced = search(c, &sentence, 1);
    assert_same_hypothesis(hypothesis_at(&forced, 0, 0), h, sentence.source_length);
    c->options = options;
}

/* Makes a word nearly that before it, so that translations with one or the other are nearly as probable. */
static void make_twin(const Case *c, int id)
{
    static const real nearly = (real)1.0003;
    const Sizes *n = &c->scorer.net.n;
    real *w = c->scorer.w.output.weights, *words = (real *)c->scorer.w.embedding[SIDE_TARGET];
    for (int j = 0; j < n->O; j++)
        w[id * n->O + j] = nearly * w[(id - 1) * n->O + j];
    for (int j = 0; j < n->E; j++)
        words[id * n->E + j] = nearly * words[(id - 1) * n->E + j];
    c->scorer.w.output_bias[id] = c->scorer.w.output_bias[id - 1];
}

/* Two networks that differ by `seed`, with large weights. Some translations end at the limit. */
static Both sharp(int seed)
{
    Both both = both_new();
    Case *cases[] = { &both.left, &both.right };
    for (int d = 0; d < DIRECTIONS; d++) {
        const Sizes *n = &cases[d]->scorer.net.n;
        real *weights = cases[d]->scorer.w.output.weights;
        for (int i = 0; i < n->Vt * n->O; i++)
            weights[i] *= (real)(12 * sin(seed + 7 * i));
        for (int id = ID_SPECIALS + 1; id < n->Vt; id += 2)
            make_twin(cases[d], id);
        if (seed % 5 == d) cases[d]->scorer.w.output_bias[ID_EOS] = -2;
    }
    both.left.options.nbest = 1;
    both.left.options.beam = 2 + seed % 3;
    both.right.options = both.left.options;
    return both;
}

static int holds(const Hypothesis *const *list, int count, const Hypothesis *h)
{
    for (int k = 0; k < count; k++)
        if (hypothesis_same_ids(list[k], h)) return 1;
    return 0;
}

/* All that both directions find for a source; expected: their scores, best first. A hypothesis from right to left that the
 * limit ended has no beginning. Returns how many. */
static int all_found(Both *both, int lefts, int rights, int source, const Found *found, const Hypothesis **all,
                     double *expected)
{
    int count = 0;
    for (int d = 0; d < DIRECTIONS; d++)
        for (int k = 0; k < found[d].count[source]; k++) {
            const Hypothesis *h = hypothesis_at(&found[d], source, k);
            if (holds(all, count, h) || (d == RIGHT_TO_LEFT && !hypothesis_is_finished(h))) continue;
            const double score = score_of(both, lefts, rights, source, h);
            int at = count;
            all[count++] = h;
            for (; at > 0 && expected[at - 1] < score; at--)
                expected[at] = expected[at - 1];
            expected[at] = score;
        }
    return count;
}

/* Each direction finds at least three within half as much again as the threshold; the best of all are returned. Returns
 * for how many sources the best is another than that of the networks from left to right. */
static int assert_agreed(Both *both, int lefts, int rights)
{
    const SearchOptions options = both->left.options;
    const int nbest = options.nbest, choices = options.beam < 3 ? options.beam : 3;
    const Found agreed = search_both(both, lefts, rights);
    int others = 0;
    both->left.options.extra = choices > nbest ? choices - nbest : 0;
    both->left.options.beam_threshold *= 1.5;
    both->right.options = both->left.options;
    const Found found[] = { search_all(&both->left), search_right(both) };
    both->left.options = options;
    for (int i = 0; i < SOURCES; i++) {
        const Hypothesis *all[2 * BEAM];
        double expected[2 * BEAM];
        const int count = all_found(both, lefts, rights, i, found, all, expected);
        assert_int_equal(agreed.count[i], count < nbest ? count : nbest);
        for (int k = 0; k < agreed.count[i]; k++) {
            const Hypothesis *h = hypothesis_at(&agreed, i, k);
            const double score = score_of(both, lefts, rights, i, h);
            assert_true(holds(all, count, h));
            assert_near(&(real){ (real)h->score }, &score, 1, operations);
            assert_near(&(real){ (real)h->score }, &expected[k], 1, operations);
            if (hypothesis_is_finished(h)) assert_as_forced(both, i, h);
        }
        others += !hypothesis_same_ids(hypothesis_at(&agreed, i, 0), hypothesis_at(&found[0], i, 0));
    }
    return others;
}

UNIT_TEST(the_best_by_the_mean_of_all_networks_should_be_chosen)
{
    static const struct { int lefts, rights, nbest; double normalize; } rows[] = {
        { 1, 1, BEAM, 1 }, { 2, 1, BEAM, 1.5 }, { 1, 2, 1, 0.5 }, { 3, 3, 2, 1 },
    };
    static const double thresholds[] = { 0, 0.1, 0.3, 1 };
    int others = 0, all = 0;
    for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
        Both both = both_new();
        both.left.options.nbest = rows[at].nbest;
        both.left.options.normalize = rows[at].normalize;
        assert_agreed(&both, rows[at].lefts, rows[at].rights);
        both_free(&both);
    }
    for (int seed = 0; seed < CASES(120); seed++, all += SOURCES) {
        Both both = sharp(seed);
        both.left.options.beam_threshold = thresholds[seed % 4];
        others += assert_agreed(&both, 1, 1);
        both_free(&both);
    }
    assert_in_range(others, all / 10, all - all / 10);
}

/* Source 0 has none. */
UNIT_TEST(behind_a_prefix_only_those_from_left_to_right_should_search)
{
    Both both = both_new();
    Found whole = search_both(&both, 1, 1);
    give_prefix(&both.left, 0);
    Found best = search_both(&both, 1, 1);
    Found left = search_all(&both.left);
    for (int i = 0; i < SOURCES; i++) {
        assert_int_equal(best.count[i], left.count[i]);
        for (int k = 0; k < best.count[i]; k++) {
            const Hypothesis *h = hypothesis_at(&best, i, k);
            int found = !i && hypothesis_same_ids(h, hypothesis_at(&whole, 0, k));
            for (int n = 0; n < left.count[i] && i; n++)
                found |= hypothesis_same_ids(h, hypothesis_at(&left, i, n));
            assert_true(found);
        }
    }
    both_free(&both);
}

UNIT_TEST(what_is_no_number_should_have_no_part_in_the_choice)
{
    Both both = both_new();
    ((real *)both.right.scorer.w.output_bias)[5] = (real)NAN;
    Found best = search_both(&both, 1, 1);
    Found left = search_all(&both.left);
    for (int i = 0; i < SOURCES; i++)
        for (int k = 0; k < best.count[i]; k++) {
            assert_true(hypothesis_same_ids(hypothesis_at(&best, i, k), hypothesis_at(&left, i, k)));
            assert_true(hypothesis_at(&best, i, k)->score == hypothesis_at(&left, i, k)->score);
        }
    ((real *)both.left.scorer.w.output_bias)[5] = (real)NAN;
    best = search_both(&both, 1, 1);
    for (int i = 0; i < SOURCES; i++) {
        assert_int_equal(best.count[i], 1);
        assert_true(isnan(hypothesis_at(&best, i, 0)->score));
    }
    both_free(&both);
}

int main(void) { return run_unit_tests(); }
