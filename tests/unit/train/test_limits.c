/* test_limits.c - how near a run is to its limits, to the update. */
#include "numbers.h"
#include "train/limits.h"

enum { BATCHES = 4 };

/* Without limits. */
static Hyperparameters endless(void)
{
    Hyperparameters r = hyperparameters_defaults();
    r.epochs = 1000;
    r.steps = r.patience = 0;
    r.time_limit = 0;
    return r;
}

static void assert_ends(const Hyperparameters *r, TrainingProgress progress, Ending expected)
{
    Ending ending = ENDED_INTERRUPTED;
    assert_true(limits_end(r, &progress, BATCHES, &ending));
    assert_int_equal(ending, expected);
}

static void assert_goes_on(const Hyperparameters *r, TrainingProgress progress)
{
    Ending ending = ENDED_INTERRUPTED;
    assert_false(limits_end(r, &progress, BATCHES, &ending));
    assert_int_equal(ending, ENDED_INTERRUPTED);
}

static void each_limit_should_end_the_run_when_it_is_reached_and_not_before(void **state)
{
    (void)state;
    const TrainingProgress far =
        { .step = 3990, .epoch = 998, .batch = BATCHES, .stalled = 70, .seconds = 1e6 };
    Hyperparameters r = endless();
    assert_goes_on(&r, far);
    r.steps = 3990;
    assert_ends(&r, far, ENDED_STEPS);
    r.steps = 3991;
    assert_goes_on(&r, far);
    r.time_limit = 1e6;
    assert_ends(&r, far, ENDED_TIME);
    r.time_limit = 1e6 + 1;
    assert_goes_on(&r, far);
    r.patience = 70;
    assert_ends(&r, far, ENDED_STALLED);
    r.patience = 71;
    assert_goes_on(&r, far);
    r.epochs = 999;
    assert_ends(&r, far, ENDED_EPOCHS);
    assert_goes_on(&r, (TrainingProgress){ .epoch = 998, .batch = BATCHES - 1 });
}

static void the_share_should_be_that_of_the_nearest_limit(void **state)
{
    (void)state;
    const TrainingProgress progress = { .step = 11, .epoch = 2, .batch = 3, .seconds = 30 };
    Hyperparameters r = endless();
    assert_true(training_progress_epochs(&progress, BATCHES) == 2.75);
    assert_true(limits_share(&r, &progress, BATCHES) == 2.75 / 1000);
    r.steps = 44;
    assert_true(limits_share(&r, &progress, BATCHES) == 0.25);
    r.time_limit = 60;
    assert_true(limits_share(&r, &progress, BATCHES) == 0.5);
    r.epochs = 5;
    assert_true(limits_share(&r, &progress, BATCHES) == 0.55);
    r.time_limit = 20;
    assert_true(limits_share(&r, &progress, BATCHES) == 1);
}

static void endings_should_have_different_texts(void **state)
{
    (void)state;
    for (Ending a = ENDED_EPOCHS; a <= ENDED_INTERRUPTED; a++)
        for (Ending b = ENDED_EPOCHS; b < a; b++)
            assert_string_not_equal(ending_text(a), ending_text(b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_limit_should_end_the_run_when_it_is_reached_and_not_before),
        cmocka_unit_test(the_share_should_be_that_of_the_nearest_limit),
        cmocka_unit_test(endings_should_have_different_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
