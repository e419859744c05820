/* test_lengths.c - the largest batches, and how long translations may be, by the lengths of pairs. */
#include "numbers.h"
#include "train/data/examples.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

UNIT_TEST(the_largest_sentences_should_be_summed_up_to_the_end_of_int)
{
    double count[] = { 0, 3, 0, 2, 1, 0 };
    const Lengths lengths = { count, 6 };
    const int tokens[] = { 0, 4, 7, 10, 11, 12, 13, 13 };
    for (int i = 0; i < 8; i++) {
        const Extent e = lengths_largest(&lengths, i);
        assert_int_equal(e.longest, i ? 4 : 0);
        assert_int_equal(e.tokens, tokens[i]);
    }
    count[4] = 1e12;
    assert_int_equal(lengths_largest(&lengths, INT_MAX).tokens, INT_MAX);
}

static double *no_pairs(void)
{
    return calloc(PAIR_LENGTHS_CELLS, sizeof(double));
}

static LengthLimit limit_of(double *l)
{
    int longest;
    const LengthLimit limit = pair_lengths_limit(l, &longest);
    free(l);
    return limit;
}

UNIT_TEST(nothing_should_follow_from_no_pairs)
{
    int longest = 1;
    double *l = no_pairs();
    const LengthLimit limit = pair_lengths_limit(l, &longest);
    assert_true(limit.ratio == 0 && limit.spread == 0 && longest == 0);
    assert_int_equal(length_limit_most(limit, 7), 24);
    free(l);
}

/* A token and <eos> become up to forty words. */
UNIT_TEST(numbers_in_words_should_fit)
{
    double *l = no_pairs();
    for (int words = 1; words <= 40; words++)
        pair_lengths_add(l, 2, words + 1);
    const LengthLimit limit = limit_of(l);
    assert_true(fabs(limit.ratio - 21.5 / 2) < 1e-9);
    assert_true(fabs(limit.spread - (41 - 21.5) / sqrt(3)) < 1e-9);
    assert_true(length_limit_most(limit, 2) > 41);
}

/* In any order, and with any growth of the table. One of a thousand pairs may be beyond the spread. */
UNIT_TEST(the_spread_should_be_that_of_all_but_a_thousandth)
{
    for (int far = 0; far <= 3; far++) {
        double *l = no_pairs();
        for (int i = 0; i < far; i++)
            pair_lengths_add(l, 8, 400);
        for (int i = 0; i < 2000 - far; i++)
            pair_lengths_add(l, 8, i % 2 ? 8 : 10);
        const LengthLimit limit = limit_of(l);
        const double ratio = limit.ratio * 8;
        assert_true(fabs(limit.spread - ((far > 2 ? 400 : 10) - ratio) / 3) < 1e-9);
    }
}

UNIT_TEST(a_target_that_is_always_as_long_should_have_no_spread)
{
    double *l = no_pairs();
    for (int i = 1; i <= PAIR_LENGTHS_SIDE + 8; i++)
        pair_lengths_add(l, i, i);
    const LengthLimit limit = limit_of(l);
    assert_true(limit.ratio == 1 && limit.spread == 0);
    assert_int_equal(length_limit_most(limit, 30), 35);
}

UNIT_TEST(the_longest_should_leave_out_a_hundredth_of_the_sources)
{
    for (int far = 9; far <= 12; far++) {
        double *l = no_pairs();
        for (int i = 0; i < far; i++)
            pair_lengths_add(l, 40 + i, 3);
        for (int i = 0; i < 1000 - far; i++)
            pair_lengths_add(l, 1 + i % 9, 50);
        int longest;
        pair_lengths_limit(l, &longest);
        assert_int_equal(longest, far == 12 ? 41 : far == 11 ? 40 : 9);
        free(l);
    }
}

UNIT_TEST(models_together_should_have_the_wider_limit)
{
    const LengthLimit one = { 1.5, 3, 0 }, other = { 1.2, 4, 0 }, none = { 0, 0, 0 };
    const LengthLimit twice = { .factor = 2 }, thrice = { 1.5, 3, 3 };
    const LengthLimit wider = length_limit_wider(one, other);
    assert_true(wider.ratio == 1.5 && wider.spread == 4);
    assert_true(length_limit_wider(one, none).ratio == 0 && length_limit_wider(none, one).ratio == 0);
    assert_true(length_limit_wider(twice, thrice).factor == 3);
    assert_true(length_limit_wider(twice, one).factor == 0 && length_limit_wider(one, thrice).factor == 0);
}

int main(void) { return run_unit_tests(); }
