/* test_copy_prior.c - how often rare words are copied (text/copy_prior.h). */
#include "text/copy_prior.h"

#include "scratch.h"

#include <string.h>

static CopyClass class_of(const char *word)
{
    return copy_class(word, strlen(word), 0);
}

static void count(CopyPrior *prior, const char *word, int words, int same)
{
    const CopyClass class = class_of(word);
    for (int i = 0; i < words; i++)
        copy_prior_add(prior, &class, i < same);
}

static double prior_of(const CopyPrior *prior, const char *word)
{
    const CopyClass class = class_of(word);
    return copy_prior_of(prior, &class);
}

static void nothing_seen_should_leave_half_of_words_and_three_quarters_of_the_rest(void **state)
{
    (void)state;
    CopyPrior prior = { 0 };
    assert_float_equal(prior_of(&prior, "Zorblax"), 0.5, 1e-6);
    assert_float_equal(prior_of(&prior, "4711"), 0.75, 1e-6);
    assert_float_equal(prior_of(&prior, "a@b.org"), 0.75, 1e-6);
    copy_prior_free(&prior);
}

/* Two of six are the same: (2 + 5 * 0.75) / 11, however many levels have these six words alone. */
static void words_should_count_once_for_all_levels_that_they_alone_have(void **state)
{
    (void)state;
    CopyPrior prior = { 0 };
    count(&prior, "a@b.org", 6, 2);
    assert_float_equal(prior_of(&prior, "a@b.org"), (2 + 5 * 0.75) / 11, 1e-6);
    copy_prior_free(&prior);
}

/* Of 30 letters 20 are capitalised and copied: their class says more than all letters do. */
static void finer_classes_should_back_off_to_coarser_ones(void **state)
{
    (void)state;
    CopyPrior prior = { 0 };
    count(&prior, "Rome", 20, 20);
    count(&prior, "rome", 10, 0);
    const double letters = (20 + 5 * 0.5) / 35;
    assert_float_equal(prior_of(&prior, "Rome"), (20 + 5 * letters) / 25, 1e-6);
    assert_float_equal(prior_of(&prior, "rome"), (0 + 5 * letters) / 15, 1e-6);
    assert_float_equal(prior_of(&prior, "ROME"), letters, 1e-6);
    assert_float_equal(copy_prior_share(&prior, COPY_LETTERS), 20.0 / 30, 1e-6);
    assert_float_equal(copy_prior_share(&prior, COPY_DIGITS), -1, 0);
    copy_prior_free(&prior);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_seen_should_leave_half_of_words_and_three_quarters_of_the_rest),
        cmocka_unit_test(words_should_count_once_for_all_levels_that_they_alone_have),
        cmocka_unit_test(finer_classes_should_back_off_to_coarser_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
