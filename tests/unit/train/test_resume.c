/* test_resume.c - going on as if nothing had happened: wherever a run was interrupted, the model
 * file is the same to the byte, and so are the reports. Limits may change, if they are not behind
 * the run. Processes that are killed are those of tests/cli/interrupts.bats.
 */
#include "interrupted_run.h"
#include "train/hyperparameters.h"

#include <math.h>

/* ---- runs that are interrupted ---- */

static void assert_same_bytes(const char *path, const Bytes *expected)
{
    Bytes found = read_file(path);
    assert_int_equal(found.size, expected->size);
    assert_memory_equal(found.bytes, expected->bytes, found.size);
    free(found.bytes);
}

/* The model file of a run that nothing interrupts; how many steps it has. */
static Bytes whole_run(Scratch *scratch, Setting setting, long *steps)
{
    Toy *toy = new_run(scratch, setting);
    toy_run(toy, NULL);
    *steps = toy->progress.step;
    Bytes model = read_file(toy->model_path);
    toy_free(toy);
    unlink(scratch_path(scratch, "model"));
    return model;
}

/* A new process would begin so. */
static void resume(Scratch *scratch, Setting setting, const Bytes *expected)
{
    Toy *toy = new_run(scratch, setting);
    toy->training.resume = 1;
    toy_run(toy, NULL);
    assert_int_not_equal(toy->ending, ENDED_INTERRUPTED);
    assert_same_bytes(toy->model_path, expected);
    assert_int_equal(scratch_files(scratch), 1);
    unlink(toy->model_path);
    toy_free(toy);
}

static void check_every_step(Scratch *scratch, Setting setting)
{
    long steps;
    Bytes expected = whole_run(scratch, setting, &steps);
    for (long at = 0; at <= steps; at++) {
        Toy *toy = new_run(scratch, setting);
        toy->requests.stop = at == 0;
        run_until(toy, at, 0);
        assert_int_equal(toy->ending, ENDED_INTERRUPTED);
        assert_int_equal(toy->progress.step, at);
        toy_free(toy);
        resume(scratch, setting, &expected);
    }
    free(expected.bytes);
}

static void validation_between(Toy *toy)
{
    toy_validate(toy);
    toy->hyper.validate_every = 2;
}

/* With so high a rate that validation soon stalls, the rate falls, and the run may stop for it. */
static void stalling(Toy *toy)
{
    toy_validate(toy);
    toy->hyper.validate_every = 1;
    toy->hyper.patience = 4;
    toy->hyper.rate = 0.3;
}

/* What a step carries is more than one state, and wider. */
static void another_network(Toy *toy)
{
    NetworkOptions options = toy->model.network;
    options.cell = 1;
    options.layers = 2;
    options.residual = 1;
    options.decoder = DECODER_LUONG;
    toy_network(toy, &options);
    toy_validate(toy);
}

static void scheduled(Toy *toy)
{
    toy->hyper.schedule = (Schedule){ SCHEDULE_COSINE, 0.3, 0 };
}

/* Four batches an epoch: updates of three and of one. */
static void accumulating(Toy *toy)
{
    toy_validate(toy);
    toy->hyper.batch = 2;
    toy->hyper.accumulate = 3;
}

static void by_tokens(Toy *toy)
{
    toy_validate(toy);
    toy->hyper.batch_tokens = 24;
}

static void averaging(Toy *toy)
{
    toy_validate(toy);
    toy->hyper.validate_every = 3;
    toy->hyper.average = 0.95;         /* a sample every second update */
}

static void averaging_without_validation(Toy *toy)
{
    toy->hyper.average = 0.9;
}

/* What `attn train` does by default, and does not depend on the size of the
 * corpus; and all that keeps or counts something from one update to the next. */
static void the_defaults(Toy *toy)
{
    NetworkOptions network = network_defaults();
    const CorpusSize size = { .pairs = TOY_PAIRS };
    const Hyperparameters asked = hyperparameters_defaults();
    network.hidden = network.embedding = 16;
    toy_share_vocabulary(toy);
    toy_network(toy, &network);
    toy_validate(toy);
    toy->hyper = hyperparameters_for(&size, &asked, 1);
    toy->hyper.batch = 3;
    toy->hyper.steps = 8;
    toy->hyper.validate_every = 2;
}

static void a_run_resumed_after_any_step_should_write_the_same_model(void **state)
{
    check_every_step(*state, no_validation);
    check_every_step(*state, validation_each_epoch);
    check_every_step(*state, validation_between);
    check_every_step(*state, stalling);
    check_every_step(*state, another_network);
    check_every_step(*state, scheduled);
    check_every_step(*state, accumulating);
    check_every_step(*state, by_tokens);
    check_every_step(*state, averaging);
    check_every_step(*state, averaging_without_validation);
    check_every_step(*state, the_defaults);
}

static void check_every_validation(Scratch *scratch, Setting setting)
{
    long steps;
    Bytes expected = whole_run(scratch, setting, &steps);
    for (long validation = 1; validation <= (steps + 1) / 2; validation++) {
        Toy *toy = new_run(scratch, setting);
        run_until(toy, -1, validation);
        assert_int_equal(toy->ending, ENDED_INTERRUPTED);
        toy_free(toy);
        resume(scratch, setting, &expected);
    }
    free(expected.bytes);
}

/* What stops at the end of the last validation stops in that of the mean. */
static void a_run_interrupted_in_a_validation_should_write_the_same_model(void **state)
{
    check_every_validation(*state, validation_between);
}

static void a_run_may_be_interrupted_again_and_again(void **state)
{
    long steps;
    Bytes expected = whole_run(*state, validation_each_epoch, &steps);
    for (long at = 1; at < steps; at += 2) {
        Toy *toy = new_run(*state, validation_each_epoch);
        toy->training.resume = at > 1;
        run_until(toy, at, 0);
        assert_int_equal(toy->progress.step, at);
        toy_free(toy);
    }
    resume(*state, validation_each_epoch, &expected);
    free(expected.bytes);
}

/* A run that is killed leaves the state of some steps ago, and perhaps a model that is newer: here,
 * that of the end. */
typedef struct { Toy *toy; Bytes state; } Thief;

static void copy_state(void *context, const UpdateReport *report)
{
    Thief *thief = context;
    if (report->progress->step == 6) thief->state = read_file(thief->toy->state_path);
}

static void ignore(void *context, const ValidationReport *report)
{
    (void)context;
    (void)report;
}

static void a_killed_run_should_go_on_from_its_last_state(void **state)
{
    long steps;
    Bytes expected = whole_run(*state, validation_each_epoch, &steps);
    Toy *toy = new_run(*state, validation_each_epoch);
    Thief thief = { .toy = toy };
    const TrainingEvents events = { .context = &thief, .updated = copy_state, .validated = ignore,
                                   .troubled = toy_trouble };
    toy->training.save_every = 0;       /* after every update */
    toy_run(toy, &events);
    assert_same_bytes(toy->model_path, &expected);
    toy_free(toy);
    scratch_write(*state, "model.state", thief.state.bytes, thief.state.size);
    resume(*state, validation_each_epoch, &expected);
    free(thief.state.bytes);
    free(expected.bytes);
}

static void no_cooldown(Toy *toy)
{
    toy->hyper.schedule.cooldown = 0;
}

static void copy_first_state(void *context, const UpdateReport *report)
{
    Thief *thief = context;
    if (report->progress->step == 1) thief->state = read_file(thief->toy->state_path);
}

/* Killed when a second run had written its first model, but no state: that of the first run must
 * not be taken for it. */
static void a_new_run_should_not_leave_the_state_of_an_old_one(void **state)
{
    Toy *toy = new_run(*state, validation_each_epoch);
    run_until(toy, 6, 0);
    toy_free(toy);
    toy = new_run(*state, validation_each_epoch);
    Thief thief = { .toy = toy };
    const TrainingEvents events = { .context = &thief, .updated = copy_first_state,
                                    .validated = ignore, .troubled = toy_trouble };
    toy_run(toy, &events);
    toy_free(toy);
    scratch_write(*state, "model.state", thief.state.bytes, thief.state.size);
    free(thief.state.bytes);
    toy = new_run(*state, validation_each_epoch);
    toy->training.resume = 1;
    toy->requests.stop = 1;
    toy_run(toy, NULL);
    assert_int_equal(toy->progress.step, 0);
    toy_free(toy);
}

/* ---- what is reported after resuming ---- */

typedef struct { int resumed, updates, validations; TrainingProgress at, validated; } Reports;

static void note_resumed(void *context, const TrainingProgress *progress)
{
    Reports *reports = context;
    reports->resumed++;
    reports->at = *progress;
    assert_int_equal(reports->updates + reports->validations, 0);
}

static void note_update(void *context, const UpdateReport *report)
{
    Reports *reports = context;
    (void)report;
    reports->updates++;
}

static void note_validation(void *context, const ValidationReport *report)
{
    Reports *reports = context;
    reports->validations++;
    reports->validated = *report->progress;
}

/* Stopped after the last update, a run still has its last validation to do: with the rate of that
 * update. */
static void a_resumed_run_should_report_where_it_begins_and_its_rate(void **state)
{
    Toy *toy = new_run(*state, validation_between);
    run_until(toy, 8, 0);
    const double rate = toy->progress.last_rate;
    assert_int_equal(toy->progress.validated_step, 6);
    toy_free(toy);

    Reports reports = { 0 };
    const TrainingEvents events = { .context = &reports, .updated = note_update,
                                    .validated = note_validation, .troubled = toy_trouble,
                                    .resumed = note_resumed };
    toy = new_run(*state, validation_between);
    toy->training.resume = 1;
    toy_run(toy, &events);
    assert_int_equal(reports.resumed, 1);
    assert_int_equal(reports.at.step, 8);
    assert_int_equal(reports.updates, 0);
    assert_int_equal(reports.validations, 1);
    assert_true(reports.validated.last_rate == rate && rate > 0);
    toy_free(toy);
}

/* ---- tallies ---- */

enum { TALLY_EVERY = 3, MOST_TALLIES = 8 };
typedef struct { Toy *toy; long interrupt_at; Tally tally[MOST_TALLIES]; int count; } Tallies;

static void note_tally(void *context, const UpdateReport *report)
{
    Tallies *t = context;
    assert_int_equal(!!report->tally, report->progress->step % TALLY_EVERY == 0);
    if (report->tally) t->tally[t->count++] = *report->tally;
    if (report->progress->step == t->interrupt_at) t->toy->requests.stop = 1;
}

/* Until step `at`, or on from there to the end. */
static void tally(Scratch *scratch, Tallies *t, long at, int resume)
{
    const TrainingEvents events = { .context = t, .updated = note_tally, .troubled = toy_trouble };
    t->toy = new_run(scratch, no_validation);
    t->interrupt_at = at;
    t->toy->training.resume = resume;
    t->toy->training.tally_every = TALLY_EVERY;
    toy_run(t->toy, &events);
    toy_free(t->toy);
}

static void an_interrupted_run_should_report_the_same_tallies(void **state)
{
    Tallies whole = { 0 };
    tally(*state, &whole, 0, 0);
    assert_int_equal(whole.count, 2);       /* of 8 steps */
    for (long at = 1; at < 8; at++) {
        Tallies parts = { 0 };
        tally(*state, &parts, at, 0);
        tally(*state, &parts, 0, 1);
        assert_int_equal(parts.count, whole.count);
        for (int i = 0; i < whole.count; i++) {
            const Tally *a = &whole.tally[i], *b = &parts.tally[i];
            assert_true(a->loss == b->loss && a->tokens == b->tokens && a->flops == b->flops);
            assert_true(a->updates == TALLY_EVERY && b->updates == TALLY_EVERY && b->seconds > 0);
        }
    }
}

static void a_new_run_should_not_report_that_it_resumes(void **state)
{
    Reports reports = { 0 };
    const TrainingEvents events = { .context = &reports, .updated = note_update,
                                    .validated = note_validation, .troubled = toy_trouble,
                                    .resumed = note_resumed };
    Toy *toy = new_run(*state, no_validation);
    toy_run(toy, &events);
    assert_int_equal(reports.resumed, 0);
    toy_free(toy);
}

/* ---- limits ---- */

/* Limits may change: where the rate does not depend on them, a run of 5 steps, continued to 8, is a
 * run of 8. */
static void a_resumed_run_may_have_other_limits(void **state)
{
    long steps;
    Bytes expected = whole_run(*state, no_cooldown, &steps);
    Toy *toy = new_run(*state, no_cooldown);
    toy->hyper.steps = 5;
    toy->hyper.epochs = 4;
    toy->hyper.patience = 2;
    toy->hyper.time_limit = 100;
    run_until(toy, 5, 0);
    assert_int_equal(toy->ending, ENDED_INTERRUPTED);
    toy_free(toy);
    resume(*state, no_cooldown, &expected);
    free(expected.bytes);
}

/* Limits that the run was interrupted within, but are behind it now. */
static void refuses_limit(Scratch *scratch, Setting setting, const char *message)
{
    Err e;
    Toy *toy = new_run(scratch, validation_each_epoch);
    run_until(toy, 5, 0);
    toy_free(toy);
    toy = new_run(scratch, validation_each_epoch);
    toy->training.resume = 1;
    setting(toy);
    toy_refused(toy, &e);
    if (!strstr(e.text, message)) fail_msg("%s", e.text);
    assert_int_equal(access(toy->state_path, F_OK), 0);
    assert_int_equal(access(toy->model_path, F_OK), 0);
    toy_free(toy);
}

static void four_steps(Toy *toy) { toy->hyper.steps = 4; }
static void five_steps(Toy *toy) { toy->hyper.steps = 5; }
static void one_epoch(Toy *toy) { toy->hyper.epochs = 1; }
static void no_time(Toy *toy) { toy->hyper.time_limit = 1e-9; }

static void a_limit_that_was_passed_should_be_refused_and_cost_nothing(void **state)
{
    refuses_limit(*state, four_steps, ": all steps are done, at step 5; ask for more");
    refuses_limit(*state, five_steps, ": all steps are done, at step 5; ask for more");
    refuses_limit(*state, one_epoch, ": all epochs are done, at step 5; ask for more");
    refuses_limit(*state, no_time, ": the time is up, at step 5; ask for more");
}

static void a_run_interrupted_at_its_own_limit_should_come_to_its_end(void **state)
{
    Toy *toy = new_run(*state, validation_each_epoch);
    toy->hyper.steps = 5;
    run_until(toy, 5, 0);
    assert_int_equal(access(toy->state_path, F_OK), 0);
    toy_free(toy);
    toy = new_run(*state, validation_each_epoch);
    toy->hyper.steps = 5;
    toy->training.resume = 1;
    toy_run(toy, NULL);
    assert_int_equal(toy->ending, ENDED_STEPS);
    assert_int_not_equal(access(toy->state_path, F_OK), 0);
    toy_free(toy);
}

typedef struct { Toy *toy; int validations; } Watch;

static void expect_state_beside_model(void *context, const ValidationReport *report)
{
    Watch *w = context;
    w->validations++;
    assert_true(report->saved);
    assert_int_equal(access(w->toy->state_path, F_OK), 0);
    atomic_store(&w->toy->requests.stop, 1);
}

/* Killed between its first model and the state of that validation, a run must find a state. */
static void the_first_model_should_not_be_without_a_state(void **state)
{
    Toy *toy = new_run(*state, validation_each_epoch);
    Watch watch = { .toy = toy };
    TrainingEvents events = toy_no_events;
    events.context = &watch;
    events.validated = expect_state_beside_model;
    toy_run(toy, &events);
    assert_int_equal(watch.validations, 1);
    toy_free(toy);
}

static void a_run_may_go_on_with_other_workers(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, WORKERS);
    run_until(toy, 2, 0);
    toy_free(toy);
    toy = toy_new(*state, TOKENS_BPE, WORKERS + 1);
    toy->training.resume = 1;
    toy_run(toy, NULL);
    toy_free(toy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_scratch(a_run_resumed_after_any_step_should_write_the_same_model),
        in_scratch(a_run_interrupted_in_a_validation_should_write_the_same_model),
        in_scratch(a_run_may_be_interrupted_again_and_again),
        in_scratch(a_killed_run_should_go_on_from_its_last_state),
        in_scratch(a_new_run_should_not_leave_the_state_of_an_old_one),
        in_scratch(a_resumed_run_should_report_where_it_begins_and_its_rate),
        in_scratch(an_interrupted_run_should_report_the_same_tallies),
        in_scratch(a_new_run_should_not_report_that_it_resumes),
        in_scratch(a_resumed_run_may_have_other_limits),
        in_scratch(a_limit_that_was_passed_should_be_refused_and_cost_nothing),
        in_scratch(a_run_interrupted_at_its_own_limit_should_come_to_its_end),
        in_scratch(the_first_model_should_not_be_without_a_state),
        in_scratch(a_run_may_go_on_with_other_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
