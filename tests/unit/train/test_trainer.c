/* test_trainer.c - the course of a run: how near it is to its limits, to the update, and rates against
 * their formulas. And its loop: sentences are learned by heart, the rate follows its schedule, limits
 * hold, numbers that fail end a run, and the reports of updates are right.
 */
#include "journal.h"
#include "numbers.h"
#include "translate/translator.h"

#include <float.h>
#include <math.h>

/* ---- the limits of a course ---- */

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
UNIT_TEST(each_limit_should_end_the_run_when_it_is_reached_and_not_before)
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

UNIT_TEST(the_share_should_be_that_of_the_nearest_limit)
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

/* ---- the factor of the rate ---- */

/* Of update `step`, from 1, of 1000. */
UNIT_TEST(the_factor_should_be_that_of_the_formulas)
{
    static const struct { Schedule schedule; long step; double factor; } rows[] = {
        { { SCHEDULE_CONSTANT, 0, 0 }, 1, 1 },          { { SCHEDULE_CONSTANT, 0, 0 }, 1000, 1 },
        { { SCHEDULE_CONSTANT, 0, 0.25 }, 751, 1 },     { { SCHEDULE_CONSTANT, 0, 0.25 }, 876, 0.5 },
        { { SCHEDULE_CONSTANT, 0, 0.25 }, 1000, 0.004 },
        /* a warm-up in updates, and as a share of the run */
        { { SCHEDULE_CONSTANT, 100, 0 }, 50, 0.5 },     { { SCHEDULE_CONSTANT, 0.1, 0 }, 51, 0.5 },
        { { SCHEDULE_LINEAR, 100, 0 }, 50, 0.5 },       { { SCHEDULE_LINEAR, 0.1, 0 }, 51, 0.5 },
        { { SCHEDULE_COSINE, 100, 0 }, 50, 0.5 },       { { SCHEDULE_COSINE, 0.1, 0 }, 51, 0.5 },
        { { SCHEDULE_INVERSE_SQRT, 100, 0 }, 50, 0.5 }, { { SCHEDULE_INVERSE_SQRT, 100, 0 }, 100, 1 },
        { { SCHEDULE_INVERSE_SQRT, 100, 0 }, 400, 0.5 },
        { { SCHEDULE_INVERSE_SQRT, 100, 0.2 }, 900, 0.101 / 0.2 / 3 },
        /* a decay from the end of the warm-up; a cooldown is no matter */
        { { SCHEDULE_LINEAR, 0, 0 }, 1, 1 },            { { SCHEDULE_COSINE, 0, 0 }, 1, 1 },
        { { SCHEDULE_LINEAR, 0.2, 0.5 }, 601, 0.5 },    { { SCHEDULE_LINEAR, 0.2, 0.5 }, 801, 0.25 },
        { { SCHEDULE_COSINE, 0.2, 0.5 }, 601, 0.5 },
        { { SCHEDULE_COSINE, 0.2, 0.5 }, 401, 0.85355339059327376 },
        { { SCHEDULE_LINEAR, 250, 0 }, 500, 0.501 / 0.7505 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double done = (double)(rows[i].step - 1) / 1000;
        const double found = schedule_factor(&rows[i].schedule, rows[i].step, done);
        if (!(fabs(found - rows[i].factor) <= 1e-12))
            fail_msg("row %zu: %.17g, not %.17g", i, found, rows[i].factor);
    }
    for (int kind = SCHEDULE_LINEAR; kind <= SCHEDULE_COSINE; kind++)
        assert_true(fabs(schedule_factor(&(Schedule){ kind, 50, 0 }, 1000, 1)) <= 1e-12);
}

/* Any run, however its steps and its time go together. */
UNIT_TEST(every_factor_should_lie_between_0_and_1)
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

/* ---- the rate of a run ---- */

/* Update i + 1 of n is learned with what is left after i. */
TEST_IN_SCRATCH(the_rate_should_follow_the_schedule)
{
    static const struct { Schedule schedule; int steps, epochs, updates; } cases[] = {
        { { SCHEDULE_LINEAR, 4, 0 }, 10, 1000, 10 }, { { SCHEDULE_CONSTANT, 0, 0.4 }, 20, 1000, 20 },
        { { SCHEDULE_CONSTANT, 0, 1 }, 0, 4, 12 },      /* of three batches */
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Toy *toy = toy_new(*state, TOKENS_BPE, 1);
        toy->hyper.batch = 3;
        toy->hyper.steps = cases[k].steps;
        toy->hyper.epochs = cases[k].epochs;
        toy->hyper.schedule = cases[k].schedule;
        Journal *j = run_noted(toy, 0);
        assert_int_equal(j->updates, cases[k].updates);
        for (int i = 0; i < j->updates; i++) {
            const double factor = schedule_factor(&toy->hyper.schedule, i + 1,
                                                  (double)i / j->updates);
            assert_true(fabs(j->progress[i].last_rate - toy->hyper.rate * factor)
                        <= 1e-12 * toy->hyper.rate);
            assert_true(j->progress[i].rate == toy->hyper.rate);
        }
        free(j);
        toy_free(toy);
    }
}

/* ---- learning ---- */

static double mean_loss(const UpdateReport *u)
{
    return u->loss / u->tokens;
}

/* What the tokenizer makes of a text and back: the word tokenizer sets punctuation apart. */
static void through_tokenizer(const Tokenizer *t, const char *text, Buf *out)
{
    Ids ids = { 0 };
    tokenizer_encode(t, text, strlen(text), &ids, NULL);
    buf_clear(out);
    tokenizer_decode(t, ids.id, ids.count, NULL, NULL, out);
    ids_free(&ids);
}

static void assert_translates(const Model *model)
{
    SearchOptions greedy = search_defaults();
    Buf expected = { 0 };
    greedy.beam = 1;
    Pool *pool = pool_new(1);
    Translator *translator = translator_new(model, 1, &greedy, pool);
    Translations out = translator_run(translator, toy_sources, NULL, TOY_PAIRS);
    for (int i = 0; i < TOY_PAIRS; i++) {
        through_tokenizer(model->target, toy_targets[i], &expected);
        assert_int_equal(out.line[i].count, 1);
        assert_string_equal(out.line[i].hypothesis[0].text, expected.text);
    }
    translations_free(&out);
    translator_free(translator);
    pool_free(pool);
    buf_free(&expected);
}

static void check_learning(Scratch *scratch, int tokens, int workers)
{
    Toy *toy = toy_new(scratch, tokens, workers);
    toy->hyper.steps = 150;
    Journal *j = run_noted(toy, 0);
    assert_true(mean_loss(&j->update[0]) > 1);
    assert_true(mean_loss(&j->update[j->updates - 1]) < 0.01);
    Model model = load_written(toy);
    assert_translates(&model);
    model_free(&model);
    free(j);
    toy_free(toy);
}

TEST_IN_SCRATCH(eight_pairs_should_be_learned_by_heart)
{
    check_learning(*state, TOKENS_BPE, 1);
    check_learning(*state, TOKENS_WORD, 3);
    check_learning(*state, TOKENS_CHAR, 2);
}

/* ---- limits ---- */

TEST_IN_SCRATCH(steps_and_epochs_should_end_a_run_exactly)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    toy->hyper.batch = 3;      /* three batches an epoch */
    toy->hyper.steps = 7;
    toy_run(toy, NULL);
    assert_ended(toy, ENDED_STEPS, 7);
    assert_int_equal(toy->progress.epoch, 2);
    assert_int_equal(toy->progress.batch, 1);
    toy->hyper.steps = 0;
    toy->hyper.epochs = 2;
    toy_run(toy, NULL);
    assert_ended(toy, ENDED_EPOCHS, 6);
    toy_free(toy);
}

TEST_IN_SCRATCH(time_should_end_a_run)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    toy->hyper.steps = 0;
    toy->hyper.time_limit = 0.05;
    toy_run(toy, NULL);
    assert_int_equal(toy->ending, ENDED_TIME);
    assert_true(toy->progress.seconds >= 0.05);
    toy_free(toy);
}

/* ---- what updates report ---- */

TEST_IN_SCRATCH(updates_should_report_the_progress_of_the_run)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    toy->hyper.batch = 3;
    toy->hyper.steps = 12;
    Journal *j = run_noted(toy, 0);
    double tokens = 0;
    assert_int_equal(j->updates, 12);
    for (int i = 0; i < j->updates; i++) {
        const UpdateReport *u = &j->update[i];
        assert_int_equal(j->progress[i].step, i + 1);
        assert_true(fabs(u->epoch - (i + 1) / 3.0) < 1e-12);
        assert_true(fabs(u->share - (i + 1) / 12.0) < 1e-12);
        assert_true(u->seconds > 0 && u->flops > 0 && u->norm > 0 && !u->skipped);
        tokens += u->tokens;
        assert_true(j->progress[i].last_rate == toy->hyper.rate);
        assert_true(!i || j->progress[i].seconds >= j->progress[i - 1].seconds);
    }
    assert_true(tokens == 4.0 * (double)toy->pairs.target_at[TOY_PAIRS]);
    assert_true(toy->progress.tokens == tokens);
    free(j);
    toy_free(toy);
}

/* ---- numbers that fail ---- */

/* Five in a row end a run; four are borne. */
TEST_IN_SCRATCH(gradients_that_are_not_finite_should_be_counted_and_end_the_run)
{
    Err e;
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    Journal j = { .toy = toy, .poison_at = 1, .heal_at = 5 };
    const TrainingEvents events = events_of(&j);
    toy_run(toy, &events);
    assert_int_equal(toy->progress.skipped, 4);
    assert_true(j.update[4].skipped && !j.update[5].skipped && j.update[5].loss < j.update[0].loss);
    toy_free(toy);
    toy = toy_new(*state, TOKENS_BPE, 1);
    poison(toy);
    toy_refused(toy, &e);
    assert_string_equal(e.text, "the training diverges: the gradient was not finite 5 times in a "
                                "row; try --learning-rate 0.002 (it is 0.02) or a lower --clip");
    assert_true(toy->progress.step == 5 && toy->progress.tokens == 0);
    toy_free(toy);
}

TEST_IN_SCRATCH(a_validation_that_is_never_a_number_should_be_an_error)
{
    Err e = { "" };
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    toy_validate(toy);
    toy->hyper.steps = 4;
    poison(toy);
    toy_refused(toy, &e);
    assert_non_null(strstr(e.text, "model: not written: no validation loss was a number; try a "
                                   "lower --learning-rate"));
    assert_false(exists(toy->model_path));
    toy_free(toy);
}

int main(void) { return run_unit_tests(); }
