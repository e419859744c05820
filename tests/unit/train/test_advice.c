/* test_advice.c - advice is given when its symptoms are there, and names them. */
#include "train/advice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void a_training_loss_far_below_a_rising_validation_loss_should_be_overfitting(void **state)
{
    (void)state;
    assert_int_equal(advice_for(&(Symptoms){ 1.1, 2.1, 2.0, 1 }), ADVICE_OVERFITS);
    assert_int_equal(advice_for(&(Symptoms){ 1.5, 2.1, 2.0, 1 }), ADVICE_NONE);     /* not far
                                                                                     * below */
    assert_int_equal(advice_for(&(Symptoms){ 1.1, 2.01, 2.0, 1 }), ADVICE_NONE);    /* not rising */
    assert_int_equal(advice_for(&(Symptoms){ 0.1, 2.0, 2.0, 0 }), ADVICE_NONE);     /* the best so
                                                                                     * far */
}

/* Also if the validation loss only stays the same while the training loss falls. */
static void validations_without_a_better_one_should_be_stalling_unless_it_overfits(void **state)
{
    (void)state;
    assert_int_equal(advice_for(&(Symptoms){ 1.9, 2.1, 2.0, 2 }), ADVICE_NONE);
    assert_int_equal(advice_for(&(Symptoms){ 1.9, 2.1, 2.0, 3 }), ADVICE_STALLS);
    assert_int_equal(advice_for(&(Symptoms){ 1.1, 2.1, 2.0, 3 }), ADVICE_OVERFITS);
    assert_int_equal(advice_for(&(Symptoms){ 1.1, 2.01, 2.0, 3 }), ADVICE_OVERFITS);
    assert_int_equal(advice_for(&(Symptoms){ 1.1, 2.01, 2.0, 2 }), ADVICE_NONE);
}

static void assert_mentions(const Buf *text, const char *first, const char *second)
{
    assert_non_null(strstr(text->text, first));
    assert_non_null(strstr(text->text, second));
    assert_non_null(strstr(text->text, "try "));
    assert_null(strchr(text->text, '\n'));
}

static void advice_should_name_what_was_found_and_what_to_try(void **state)
{
    (void)state;
    const Symptoms s = { 1.125, 2.375, 2.0, 4 };
    Buf overfits = { 0 }, stalls = { 0 }, none = { 0 };
    advice_print(ADVICE_OVERFITS, &s, &overfits);
    advice_print(ADVICE_STALLS, &s, &stalls);
    advice_print(ADVICE_NONE, &s, &none);
    assert_mentions(&overfits, "1.12", "2.38");
    assert_mentions(&stalls, "the last 4 validations", "--learning-rate");
    assert_null(strstr(stalls.text, "--hidden"));
    assert_int_equal(none.length, 0);
    buf_clear(&stalls);
    advice_print(ADVICE_STALLS, &(Symptoms){ 2.5, 2.375, 2.0, 4 }, &stalls);
    assert_mentions(&stalls, "(2.50) is no lower", "a larger --hidden or less --dropout");
    buf_free(&overfits);
    buf_free(&stalls);
}

static void a_small_corpus_should_be_reported_and_a_large_one_not(void **state)
{
    (void)state;
    Buf small = { 0 }, large = { 0 };
    advice_on_size(FEW_PAIRS - 1, &small);
    advice_on_size(FEW_PAIRS, &large);
    assert_non_null(strstr(small.text, "4999 training pairs"));
    assert_int_equal(large.length, 0);
    buf_free(&small);
}

static void few_validation_pairs_should_be_reported_and_many_or_none_not(void **state)
{
    (void)state;
    Buf one = { 0 }, few = { 0 }, none = { 0 };
    advice_on_validation(1, &one);
    advice_on_validation(FEW_VALID - 1, &few);
    advice_on_validation(FEW_VALID, &none);
    advice_on_validation(0, &none);
    assert_non_null(strstr(one.text, "1 validation pair is few"));
    assert_non_null(strstr(few.text, "99 validation pairs are few"));
    assert_non_null(strstr(few.text, "--valid names"));
    assert_int_equal(none.length, 0);
    buf_free(&one);
    buf_free(&few);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_training_loss_far_below_a_rising_validation_loss_should_be_overfitting),
        cmocka_unit_test(validations_without_a_better_one_should_be_stalling_unless_it_overfits),
        cmocka_unit_test(advice_should_name_what_was_found_and_what_to_try),
        cmocka_unit_test(a_small_corpus_should_be_reported_and_a_large_one_not),
        cmocka_unit_test(few_validation_pairs_should_be_reported_and_many_or_none_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
