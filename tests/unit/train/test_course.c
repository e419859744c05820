/* test_course.c - how near a run is to its limits, to the update; rates against their formulas, and
 * what holds for every form.
 */
#include "numbers.h"
#include "train/training.h"

#include <float.h>
#include <math.h>

/* ---- limits ---- */

enum { BATCHES = 4 };

static Hyperparameters limited(int epochs, int steps, double time_limit, int patience)
{
    Hyperparameters h = hyperparameters_defaults();
    h.epochs = epochs;
    h.steps = steps;
    h.time_limit = time_limit;
    h.patience = patience;
    return h;
}

/* The first that is reached ends it: patience, epochs, steps, time; -1: none. */
static void each_limit_should_end_the_run_when_it_is_reached_and_not_before(void **state)
{
    static const struct { int epochs, steps; double time_limit; int patience, expected; } cases[] = {
        { 1000, 0, 0, 0, -1 },          { 1000, 3990, 0, 0, ENDED_STEPS },
        { 1000, 3991, 0, 0, -1 },       { 1000, 3991, 1e6, 0, ENDED_TIME },
        { 1000, 0, 1e6 + 1, 0, -1 },    { 1000, 0, 1e6 + 1, 70, ENDED_STALLED },
        { 1000, 0, 0, 71, -1 },         { 999, 3990, 1e6, 71, ENDED_EPOCHS },
    };
    const TrainingProgress far =
        { .step = 3990, .epoch = 998, .batch = BATCHES, .stalled = 70, .seconds = 1e6 };
    const TrainingProgress short_of_it = { .epoch = 998, .batch = BATCHES - 1 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Hyperparameters h = limited(cases[i].epochs, cases[i].steps, cases[i].time_limit,
                                          cases[i].patience);
        Ending ending = ENDED_INTERRUPTED;
        const int ends = limits_end(&h, &far, BATCHES, &ending);
        assert_int_equal(ends ? (int)ending : -1, cases[i].expected);
        assert_false(limits_end(&h, &short_of_it, BATCHES, &ending));
    }
}

static void the_share_should_be_that_of_the_nearest_limit(void **state)
{
    static const struct { int epochs, steps; double time_limit, share; } cases[] = {
        { 1000, 0, 0, 2.75 / 1000 }, { 1000, 44, 0, 0.25 }, { 1000, 44, 60, 0.5 },
        { 5, 44, 60, 0.55 }, { 5, 44, 20, 1 },
    };
    const TrainingProgress progress = { .step = 11, .epoch = 2, .batch = 3, .seconds = 30 };
    assert_true(course_epochs(&progress, BATCHES) == 2.75);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Hyperparameters h = limited(cases[i].epochs, cases[i].steps, cases[i].time_limit, 0);
        assert_true(limits_share(&h, &progress, BATCHES) == cases[i].share);
    }
}

static void endings_should_have_different_texts(void **state)
{
    for (Ending a = ENDED_EPOCHS; a <= ENDED_INTERRUPTED; a++)
        for (Ending b = ENDED_EPOCHS; b < a; b++)
            assert_string_not_equal(ending_text(a), ending_text(b));
}

/* ---- the learning rate ---- */

enum { STEPS = 1000 };

/* A factor takes at most some ten roundings, each on a number up to 1; near 0 a cosine loses what 1
 * has. */
static const double tolerance = 16 * DBL_EPSILON;

static double at(Schedule s, long step)
{
    return schedule_factor(&s, step, (double)(step - 1) / STEPS);
}

static void assert_factor(Schedule s, long step, double expected)
{
    const double found = at(s, step);
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("step %ld: %.17g, not %.17g", step, found, expected);
}

static void a_constant_rate_should_stay_until_the_cooldown_takes_it_to_nothing(void **state)
{
    const Schedule plain = { SCHEDULE_CONSTANT, 0, 0 }, cooling = { SCHEDULE_CONSTANT, 0, 0.25 };
    assert_factor((Schedule){ SCHEDULE_LINEAR, 0, 0 }, 1, 1);
    assert_factor((Schedule){ SCHEDULE_COSINE, 0, 0 }, 1, 1);
    for (long step = 1; step <= STEPS; step++) {
        const double left = (double)(STEPS + 1 - step) / STEPS;
        assert_factor(plain, step, 1);
        assert_factor(cooling, step, left < 0.25 ? left / 0.25 : 1);
    }
    assert_true(schedule_factor(&cooling, STEPS, 1) == 0);
}

static void a_warmup_should_rise_in_a_straight_line_to_the_whole_rate(void **state)
{
    for (int kind = SCHEDULE_CONSTANT; kind <= SCHEDULE_COSINE; kind++) {
        const Schedule updates = { kind, 100, 0 }, share = { kind, 0.1, 0 };
        for (long step = 1; step <= 100; step++) {
            assert_factor(updates, step, (double)step / 100);
            assert_factor(share, step, (double)(step - 1) / 100);
        }
    }
}

static void inverse_sqrt_should_fall_with_the_root_of_the_updates(void **state)
{
    const Schedule s = { SCHEDULE_INVERSE_SQRT, 100, 0 };
    assert_factor(s, 400, 0.5);
    assert_factor(s, 900, 1.0 / 3);
    const Schedule other = { SCHEDULE_INVERSE_SQRT, 100, 0.2 };
    assert_true(fabs(at(other, 901) - at(s, 901) / 2) <= tolerance);
}

/* Whether the warm-up is given in updates or as a share, it ends where the decay begins. */
static void linear_and_cosine_should_fall_from_the_end_of_the_warmup_to_nothing(void **state)
{
    const double warmup = 0.2;
    for (long step = 202; step <= STEPS; step++) {
        const double done = (double)(step - 1) / STEPS, q = (done - warmup) / (1 - warmup);
        assert_factor((Schedule){ SCHEDULE_LINEAR, warmup, 0.5 }, step, 1 - q);
        assert_factor((Schedule){ SCHEDULE_COSINE, warmup, 0.5 }, step,
                      (1 + cos(acos(-1) * q)) / 2);
        /* an update is done 1/STEPS of the run after it began */
        assert_true(fabs(at((Schedule){ SCHEDULE_LINEAR, 200, 0 }, step) - (1 - q)) <= 2.0 / STEPS);
    }
    for (int kind = SCHEDULE_LINEAR; kind <= SCHEDULE_COSINE; kind++)
        for (double w = 0; w < 300; w += 50)
            assert_true(fabs(schedule_factor(&(Schedule){ kind, w, 0 }, STEPS, 1)) <= tolerance);
}

/* Any run, however its steps and its time go together. */
static void every_factor_should_lie_between_0_and_1(void **state)
{
    const double warmups[] = { 0, 0.001, 0.5, 0.999, 1, 1.5, 1e6 };
    for (int kind = SCHEDULE_CONSTANT; kind <= SCHEDULE_COSINE; kind++)
        for (size_t w = kind == SCHEDULE_INVERSE_SQRT; w < sizeof warmups / sizeof *warmups; w++)
            for (long step = 1; step < 1000000; step = step * 3 + 1)
                for (int done = 0; done <= 10; done++) {
                    const Schedule s = { kind, warmups[w], 0.3 };
                    const double found = schedule_factor(&s, step, done / 10.0);
                    if (!(found >= 0 && found <= 1))
                        fail_msg("schedule %d, warm-up %g, step %ld, done %d/10: %g", kind, s.warmup,
                                 step, done, found);
                }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_limit_should_end_the_run_when_it_is_reached_and_not_before),
        cmocka_unit_test(the_share_should_be_that_of_the_nearest_limit),
        cmocka_unit_test(endings_should_have_different_texts),
        cmocka_unit_test(a_constant_rate_should_stay_until_the_cooldown_takes_it_to_nothing),
        cmocka_unit_test(a_warmup_should_rise_in_a_straight_line_to_the_whole_rate),
        cmocka_unit_test(inverse_sqrt_should_fall_with_the_root_of_the_updates),
        cmocka_unit_test(linear_and_cosine_should_fall_from_the_end_of_the_warmup_to_nothing),
        cmocka_unit_test(every_factor_should_lie_between_0_and_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
