/* test_health.c - numbers that fail: updates that are not finite are counted, several in a row lead
 * back to good weights with half the rate, and a run that this does not help diverges. And advice is
 * given when its symptoms are there, and names them.
 */
#include "base/mem.h"
#include "journal.h"
#include "train/health.h"

static void updates_that_are_not_finite_should_be_counted(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    Journal *j = xcalloc(1, sizeof *j);
    const TrainingEvents events = events_of(j);
    Err e;
    j->toy = toy;
    poison(toy);
    assert_int_equal(trainer_run(&toy->training, &events, &toy->ending, &toy->progress, &e), -1);
    assert_non_null(strstr(e.text, "model: not written: tensor \"readout.output.bias\" holds a "
                                   "value that is not"));
    assert_int_equal(toy->progress.skipped, toy->hyper.steps);
    assert_true(toy->progress.tokens == 0);
    assert_int_equal(j->update[j->updates - 1].skipped, 1);
    free(j);
    toy_free(toy);
}

static Journal *run_poisoned(Toy *toy, long at)
{
    Journal *j = xcalloc(1, sizeof *j);
    const TrainingEvents events = events_of(j);
    j->toy = toy;
    j->poison_at = at;
    toy_run(toy, &events);
    return j;
}

/* Update number `step`, the first after a recovery, finds the loss that update `good` found: it
 * begins anew there. */
static void assert_recovered(const Journal *j, long good, long step)
{
    const double rate = j->progress[0].last_rate;
    for (long i = 1; i < j->updates; i++) {
        assert_int_equal(j->update[i - 1].skipped, i >= step - MOST_SKIPPED && i < step);
        assert_true(j->progress[i - 1].last_rate == (i < step ? rate : rate / 2));
    }
    assert_true(j->update[step - 1].loss == j->update[good - 1].loss);
    assert_true(j->update[j->updates - 1].loss < j->update[step - 1].loss);
    assert_int_equal(j->troubles, 1);
    assert_non_null(strstr(j->trouble, "the gradient was not finite 5 times in a row: back to the "
                                       "last good weights, with the learning rate 0.01"));
    assert_int_equal(j->toy->progress.recoveries, 1);
    assert_int_equal(j->toy->progress.recovered_step, step - 1);
    assert_int_equal(j->toy->progress.skipped, MOST_SKIPPED);
    assert_int_equal(j->toy->progress.skipped_in_row, 0);
}

static void numbers_that_fail_should_lead_back_to_the_weights_an_epoch_began_with(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 2);      /* one batch an epoch */
    toy->hyper.steps = 20;
    Journal *j = run_poisoned(toy, 4);
    assert_recovered(j, 4, 10);     /* the last update to find them good */
    free(j);
    toy_free(toy);
}

/* Validated after the updates 3, 6, ...: the best weights are those that update 4 began with. */
static void numbers_that_fail_should_lead_back_to_the_best_weights_of_a_validation(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 2);
    toy_validate(toy);
    toy->hyper.steps = 20;
    toy->hyper.decay = 1;
    toy->hyper.validate_every = 3;
    Journal *j = run_poisoned(toy, 5);
    assert_int_equal(j->validation[0].improved, 1);
    assert_recovered(j, 4, 11);
    free(j);
    toy_free(toy);
}

/* Four in a row are borne, if a good one follows. */
static void few_updates_that_are_not_finite_should_not_lead_back(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    toy->hyper.steps = MOST_SKIPPED + 1;
    Journal j = { .toy = toy, .poison_at = 1, .heal_at = MOST_SKIPPED };
    const TrainingEvents events = events_of(&j);
    toy_run(toy, &events);
    assert_int_equal(j.progress[MOST_SKIPPED].skipped, MOST_SKIPPED - 1);
    assert_int_equal(toy->progress.skipped_in_row, 0);
    assert_int_equal(toy->progress.recoveries + j.troubles, 0);
    toy_free(toy);
}

static void a_run_that_recovers_in_vain_should_end_as_divergence(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    Journal *j = xcalloc(1, sizeof *j);
    const TrainingEvents events = events_of(j);
    Err e;
    j->toy = toy;
    toy->hyper.steps = 100;
    poison(toy);
    assert_int_equal(trainer_run(&toy->training, &events, &toy->ending, &toy->progress, &e), -1);
    assert_string_equal(e.text, "the training diverges: the gradient is not finite, and half the "
                                "learning rate and a return to good weights, 5 times, did not "
                                "help; try --learning-rate 0.002 (it was 0.02) or a lower --clip");
    assert_int_equal(j->troubles, MOST_RECOVERIES);
    assert_int_equal(j->updates, (MOST_RECOVERIES + 1) * MOST_SKIPPED);
    assert_false(exists(toy->model_path));
    free(j);
    toy_free(toy);
}

/* All that the network ever writes is made unlikely, with a rate too low to learn better. */
static void a_loss_far_above_that_of_guessing_should_be_reported_once(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    toy->hyper.rate = 1e-9;
    toy->hyper.steps = 300;
    free(run_noted(toy, 0));
    weights_at(toy->model.table, toy->model.weights).output_bias[ID_UNK] = 50;
    Journal *j = run_noted(toy, 0);
    assert_int_equal(j->troubles, 1);
    assert_non_null(strstr(j->trouble, "the training diverges: the loss is "));
    assert_non_null(strstr(j->trouble, "; try a lower --learning-rate (it is 1e-09)"));
    free(j);
    toy_free(toy);
}

static void a_validation_that_is_never_a_number_should_be_an_error(void **state)
{
    Err e = { "" };
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    toy_validate(toy);
    toy->hyper.steps = MOST_SKIPPED - 1;
    poison(toy);
    toy_refused(toy, &e);
    assert_non_null(strstr(e.text, "model: not written: no validation loss was a number; try a "
                                   "lower --learning-rate"));
    assert_false(exists(toy->model_path));
    toy_free(toy);
}

/* ---- advice ---- */

/* Overfitting: a training loss far below one of validation that rises, or has long not fallen. */
static void advice_should_follow_from_the_symptoms(void **state)
{
    static const struct { Symptoms symptoms; Advice expected; } cases[] = {
        { { 1.1, 2.1, 2.0, 1 }, ADVICE_OVERFITS }, { { 1.5, 2.1, 2.0, 1 }, ADVICE_NONE },
        { { 1.1, 2.01, 2.0, 1 }, ADVICE_NONE },    { { 0.1, 2.0, 2.0, 0 }, ADVICE_NONE },
        { { 1.9, 2.1, 2.0, 2 }, ADVICE_NONE },     { { 1.9, 2.1, 2.0, 3 }, ADVICE_STALLS },
        { { 1.1, 2.1, 2.0, 3 }, ADVICE_OVERFITS }, { { 1.1, 2.01, 2.0, 3 }, ADVICE_OVERFITS },
        { { 1.1, 2.01, 2.0, 2 }, ADVICE_NONE },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(advice_for(&cases[i].symptoms), cases[i].expected);
}

static void assert_says(Buf *text, const char *first, const char *second)
{
    if (!first) assert_int_equal(text->length, 0);
    else {
        assert_non_null(strstr(text->text, first));
        assert_non_null(strstr(text->text, second));
        assert_null(strchr(text->text, '\n'));
    }
    buf_clear(text);
}

static void advice_should_name_what_was_found_and_what_to_try(void **state)
{
    const Symptoms s = { 1.125, 2.375, 2.0, 4 }, high = { 2.5, 2.375, 2.0, 4 };
    Buf text = { 0 };
    advice_print(ADVICE_OVERFITS, &s, &text);
    assert_says(&text, "1.12, on the validation sentences 2.38", "try a higher --dropout");
    advice_print(ADVICE_STALLS, &s, &text);
    assert_null(strstr(text.text, "--hidden"));
    assert_says(&text, "the last 4 validations", "try a lower --learning-rate");
    advice_print(ADVICE_STALLS, &high, &text);
    assert_says(&text, "(2.50) is no lower", "a larger --hidden or less --dropout");
    advice_print(ADVICE_NONE, &s, &text);
    assert_says(&text, NULL, NULL);
    advice_on_size(FEW_PAIRS - 1, &text);
    assert_says(&text, "4999 training pairs are few", "more pairs");
    advice_on_size(FEW_PAIRS, &text);
    assert_says(&text, NULL, NULL);
    advice_on_validation(1, &text);
    assert_says(&text, "1 validation pair is few", "--valid names");
    advice_on_validation(FEW_VALID - 1, &text);
    assert_says(&text, "99 validation pairs are few", "--valid names");
    advice_on_validation(FEW_VALID, &text);
    advice_on_validation(0, &text);
    assert_says(&text, NULL, NULL);
    buf_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_scratch(updates_that_are_not_finite_should_be_counted),
        in_scratch(numbers_that_fail_should_lead_back_to_the_weights_an_epoch_began_with),
        in_scratch(numbers_that_fail_should_lead_back_to_the_best_weights_of_a_validation),
        in_scratch(few_updates_that_are_not_finite_should_not_lead_back),
        in_scratch(a_run_that_recovers_in_vain_should_end_as_divergence),
        in_scratch(a_loss_far_above_that_of_guessing_should_be_reported_once),
        in_scratch(a_validation_that_is_never_a_number_should_be_an_error),
        cmocka_unit_test(advice_should_follow_from_the_symptoms),
        cmocka_unit_test(advice_should_name_what_was_found_and_what_to_try),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
