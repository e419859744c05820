/* test_state.c - going on as if nothing had happened: wherever a run was interrupted, the model
 * file is the same to the byte. And what is no state of this run is refused with what differs.
 */
#include "base/map.h"
#include "base/mem.h"
#include "model/safetensors.h"
#include "toy.h"
#include "train/defaults.h"
#include "train/recovery.h"
#include "train/state.h"

#include <math.h>

/* ---- runs that are interrupted ---- */

/* Changes what a test wants otherwise. */
typedef void (*Setting)(Toy *toy);

typedef struct {
    Toy *toy;
    long interrupt_at;          /* step */
    long validations;           /* interrupt in this validation; 0: none */
    long seen;
} Interrupter;

static void interrupt_update(void *context, const UpdateReport *report)
{
    Interrupter *i = context;
    if (report->progress->step == i->interrupt_at) i->toy->requests.stop = 1;
}

static void interrupt_validation(void *context, const ValidationReport *report)
{
    Interrupter *i = context;
    (void)report;
    if (++i->seen == i->validations) i->toy->requests.stop = 1;
}

static void run_until(Toy *toy, long step, long validations)
{
    Interrupter i = { toy, step, validations, 0 };
    const TrainingEvents events = { .context = &i, .updated = interrupt_update,
                                    .validated = interrupt_validation, .troubled = toy_trouble };
    toy_run(toy, &events);
}

typedef struct { char *bytes; size_t size; } Bytes;

static Bytes read_file(const char *path)
{
    Err e;
    Mapped file;
    if (file_map(&file, path, &e)) fail_msg("%s", e.text);
    Bytes b = { xmalloc(file.size, 1), file.size };
    memcpy(b.bytes, file.data, file.size);
    file_unmap(&file);
    return b;
}

static void assert_same_bytes(const char *path, const Bytes *expected)
{
    Bytes found = read_file(path);
    assert_int_equal(found.size, expected->size);
    assert_memory_equal(found.bytes, expected->bytes, found.size);
    free(found.bytes);
}

enum { WORKERS = 2 };

static Toy *new_run(Scratch *scratch, Setting setting)
{
    Toy *toy = toy_new(scratch, TOKENS_BPE, WORKERS);
    toy->hyper.batch = 3;      /* three batches an epoch */
    toy->hyper.steps = 8;      /* in the middle of the third */
    toy->hyper.dropout = toy->hyper.dropout_embedding = 0.2;
    toy->hyper.label_smoothing = 0.1;
    toy->hyper.schedule.cooldown = 0.5;
    setting(toy);
    return toy;
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

static void no_validation(Toy *toy)
{
    (void)toy;
}

static void validation_each_epoch(Toy *toy)
{
    toy_validate(toy);
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
    toy_network(toy, &network);
    toy_validate(toy);
    toy->hyper = hyperparameters_for(&size, &asked);
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
    refuses_limit(*state, four_steps, ": it has done 5 steps, and --steps 4 asks for no more; ask "
                                      "for more");
    refuses_limit(*state, five_steps, ": it has done 5 steps, and --steps 5 asks for no more; ask "
                                      "for more");
    refuses_limit(*state, one_epoch, " epochs, and --epochs 1 asks for no more; ask for more");
    refuses_limit(*state, no_time, " s, and --time-limit 1e-09 asks for no more; ask for more");
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

/* ---- what a state is asked ---- */

static void a_state_should_hold_the_request_and_the_progress(void **state)
{
    Err e;
    TrainingProgress progress;
    char *request;
    Toy *toy = new_run(*state, validation_each_epoch);
    toy->training.request = "what was asked for";
    run_until(toy, 5, 0);
    if (state_peek(toy->state_path, &progress, &request, &e)) fail_msg("%s", e.text);
    assert_string_equal(request, "what was asked for");
    assert_int_equal(progress.step, 5);
    free(request);
    assert_int_equal(state_peek(toy->model_path, &progress, &request, &e), -1);
    assert_null(request);
    assert_non_null(strstr(e.text, "it is no training state"));
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

/* ---- runs whose numbers fail ---- */

enum { POISONED_STEP = 3, RECOVERED_STEP = POISONED_STEP + MOST_SKIPPED };

static void poison(void *context, const UpdateReport *report)
{
    Interrupter *i = context;
    if (report->progress->step == POISONED_STEP)
        weights_at(i->toy->model.table, i->toy->model.weights).output_bias[0] = (real)NAN;
    interrupt_update(context, report);
}

static void expect_trouble(void *context, const char *text)
{
    (void)context;
    assert_non_null(strstr(text, "back to the last good weights"));
}

/* Interrupted after step `at`, or never (-1). */
static void run_poisoned(Scratch *scratch, Setting setting, long at, int resumed)
{
    Toy *toy = new_run(scratch, setting);
    Interrupter i = { toy, at, 0, 0 };
    const TrainingEvents events = { .context = &i, .updated = poison, .validated = ignore,
                                   .troubled = expect_trouble };
    toy->hyper.steps = RECOVERED_STEP + 5;
    toy->training.resume = resumed;
    toy_run(toy, &events);
    assert_int_equal(toy->progress.recoveries, at < 0 || at >= RECOVERED_STEP);
    toy_free(toy);
}

/* But not while a weight is no number, which is no state to go on from. */
static void check_recovery(Scratch *scratch, Setting setting)
{
    run_poisoned(scratch, setting, -1, 0);
    Bytes expected = read_file(scratch_path(scratch, "model"));
    for (long at = 1; at < RECOVERED_STEP + 5; at++) {
        if (at >= POISONED_STEP && at < RECOVERED_STEP) continue;
        unlink(scratch_path(scratch, "model"));
        run_poisoned(scratch, setting, at, 0);
        run_poisoned(scratch, setting, -1, 1);
        assert_same_bytes(scratch_path(scratch, "model"), &expected);
    }
    free(expected.bytes);
}

static void a_run_that_recovers_should_resume_to_the_same_model(void **state)
{
    check_recovery(*state, no_validation);
    check_recovery(*state, validation_between);
}

/* ---- the file ---- */

static Updater *updater_of(Toy *toy)
{
    const Model *m = &toy->model;
    const Architecture net = model_architecture(m);
    return updater_new(&net, m->table, m->weights, &toy->hyper, toy->training.pool,
                       (BatchSize){ .sentences = toy->hyper.batch }, ID_BOS, NULL);
}

/* 0.1 + 0.2 is 0.30000000000000004, and 0.3 where too few digits are written. */
static const TrainingProgress far = {
    .step = 123456789012, .epoch = 17, .batch = 2, .rate = 0.1 + 0.2, .last_rate = 0.1 / 3,
    .best_score = -1.0 / 7, .best_loss = 1.0 / 3, .best_step = 123456789000,
    .validated_step = 123456789006, .stalled = 4, .skipped = 5, .skipped_in_row = 4,
    .recoveries = 3, .recovered_step = 123456788000, .seconds = 1e6 / 7, .tokens = 1e15 / 7,
    .tally = { 1e3 / 7, 1e4 / 7, 1e12 / 7, 1.0 / 7, 48, 3 },
};

/* Field by field: a struct may hold padding. */
static void assert_progress(const TrainingProgress *a, const TrainingProgress *b)
{
    assert_true(a->step == b->step && a->epoch == b->epoch && a->batch == b->batch
                && a->rate == b->rate);
    assert_true(a->best_score == b->best_score && a->best_loss == b->best_loss
                && a->best_step == b->best_step);
    assert_true(a->stalled == b->stalled);
    assert_true(a->last_rate == b->last_rate && a->validated_step == b->validated_step
                && a->skipped == b->skipped);
    assert_true(a->skipped_in_row == b->skipped_in_row && a->recoveries == b->recoveries);
    assert_true(a->recovered_step == b->recovered_step);
    assert_true(a->seconds == b->seconds && a->tokens == b->tokens);
    assert_true(a->tally.loss == b->tally.loss && a->tally.tokens == b->tally.tokens);
    assert_true(a->tally.flops == b->tally.flops && a->tally.seconds == b->tally.seconds);
    assert_true(a->tally.updates == b->tally.updates && a->tally.skipped == b->tally.skipped);
}

static void save(Toy *toy, Updater *updater, const TrainingProgress *progress)
{
    Err e;
    if (state_save(&toy->training, updater, progress, &e)) fail_msg("%s", e.text);
}

static void check_round_trip(Scratch *scratch, const TrainingProgress *progress)
{
    Err e;
    TrainingProgress found;
    Hyperparameters was;
    Toy *toy = toy_new(scratch, TOKENS_BPE, 1), *other = toy_new(scratch, TOKENS_BPE, 1);
    toy->hyper.average = other->hyper.average = 0.9;
    const size_t size = toy->model.table->size, bytes = size * sizeof(real);
    Updater *from = updater_of(toy), *to = updater_of(other);
    for (size_t i = 0; i < size; i++) {
        toy->model.weights[i] = 1 / (real)(3 + i);
        updater_first_moment(from)[i] = 1 / (real)(5 + i);
        updater_second_moment(from)[i] = 1 / (real)(7 + i);
        updater_kept(from)[i] = 1 / (real)(11 + i);
        updater_averaged(from)[i] = 1 / (real)(13 + i);
    }
    save(toy, from, progress);
    if (state_load(&other->training, to, &found, &was, &e)) fail_msg("%s", e.text);
    assert_progress(&found, progress);
    assert_memory_equal(other->model.weights, toy->model.weights, bytes);
    assert_memory_equal(updater_first_moment(to), updater_first_moment(from), bytes);
    assert_memory_equal(updater_second_moment(to), updater_second_moment(from), bytes);
    assert_memory_equal(updater_kept(to), updater_kept(from), bytes);
    assert_memory_equal(updater_averaged(to), updater_averaged(from), bytes);
    updater_free(from);
    updater_free(to);
    toy_free(toy);
    toy_free(other);
}

static void a_state_should_come_back_exactly(void **state)
{
    check_round_trip(*state, &far);
    check_round_trip(*state, &(TrainingProgress){ .rate = 0.001, .best_score = -HUGE_VAL,
                                                  .best_loss = HUGE_VAL });
}

static void time_should_count_over_all_runs(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    Updater *updater = updater_of(toy);
    save(toy, updater, &(TrainingProgress){ .rate = 0.02, .best_score = -HUGE_VAL,
                                            .best_loss = HUGE_VAL, .seconds = 1000 });
    updater_free(updater);
    toy->training.resume = 1;
    toy->hyper.time_limit = 1000.001;
    toy->hyper.steps = 0;
    toy_run(toy, NULL);
    assert_int_equal(toy->ending, ENDED_TIME);
    assert_true(toy->progress.seconds >= 1000.001 && toy->progress.seconds < 1100);
    toy_free(toy);
}

/* ---- what is refused ---- */

/* A state after two steps; then the toy is another. */
static void refuses(Scratch *scratch, int tokens, int workers, Setting setting, const char *message)
{
    Err e = { "" };
    Toy *toy = toy_new(scratch, TOKENS_BPE, WORKERS);
    run_until(toy, 2, 0);
    toy_free(toy);
    toy = toy_new(scratch, tokens, workers);
    toy->training.resume = 1;
    setting(toy);
    toy_refused(toy, &e);
    if (!strstr(e.text, "cannot resume from '") || !strstr(e.text, message)) fail_msg("%s", e.text);
    toy_free(toy);
}

static void other_corpus(Toy *toy)
{
    toy->training.corpus_hash = 43;
}

static void fewer_pairs(Toy *toy)
{
    toy->train.count--;
}

static void other_validation(Toy *toy)
{
    toy->training.valid_hash = 1;
}

static void other_vocabulary(Toy *toy)
{
    toy->training.vocabulary_hash = 1;
}

static void other_rate(Toy *toy)
{
    toy->hyper.rate = 0.01;
}

static void other_seed(Toy *toy)
{
    toy->hyper.seed = 2;
}

static void other_readout(Toy *toy)
{
    toy->model.network.readout = READOUT_SIMPLE;
}

static void other_case(Toy *toy)
{
    toy->model.text.lowercase = 1;
}

static void a_state_of_another_run_should_be_refused_with_what_differs(void **state)
{
    refuses(*state, TOKENS_BPE, WORKERS, other_corpus,
            "corpus was \"000000000000002a\" and is \"000000000000002b\" now");
    refuses(*state, TOKENS_BPE, WORKERS, fewer_pairs, "training_pairs was 8 and is 7 now");
    refuses(*state, TOKENS_BPE, WORKERS, toy_validate, "validation_pairs was 0 and is 8 now");
    refuses(*state, TOKENS_BPE, WORKERS, other_validation,
            "validation was \"0000000000000000\" and is \"0000000000000001\" now");
    refuses(*state, TOKENS_BPE, WORKERS, other_vocabulary,
            "vocabulary_hash was \"0000000000000000\" and is \"0000000000000001\" now");
    refuses(*state, TOKENS_BPE, WORKERS, other_rate, "learning-rate was 0.02 and is 0.01 now");
    refuses(*state, TOKENS_BPE, WORKERS, other_seed, "seed was 1 and is 2 now");
    refuses(*state, TOKENS_BPE, WORKERS, other_readout, "readout was \"deep\" and is \"simple\" "
                                                        "now");
    refuses(*state, TOKENS_BPE, WORKERS, other_case, "lowercase was false and is true now");
    refuses(*state, TOKENS_CHAR, WORKERS, no_validation, "tokens was \"bpe\" and is \"char\" now");
}

static void a_missing_state_should_be_an_error_that_says_what_to_do(void **state)
{
    Err e;
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    toy->training.resume = 1;
    toy_refused(toy, &e);
    assert_non_null(strstr(e.text, "model.state: there is no such state to go on from; leave out "
                                   "--resume"));
    toy_free(toy);
}

/* Interrupts a run after its best weights were written, does `harm` to the model and goes on;
 * refused with this. */
static void refuses_model(Scratch *scratch, void (*harm)(const char *path), const char *message)
{
    Err e;
    Toy *toy = new_run(scratch, validation_each_epoch);
    run_until(toy, 4, 0);
    harm(toy->model_path);
    toy_free(toy);
    toy = new_run(scratch, validation_each_epoch);
    toy->training.resume = 1;
    toy_refused(toy, &e);
    assert_non_null(strstr(e.text, message));
    assert_non_null(strstr(e.text, "; put it back, or begin anew with --force"));
    toy_free(toy);
}

static void take_away(const char *path)
{
    assert_int_equal(unlink(path), 0);
}

static void cut_short(const char *path)
{
    assert_int_equal(truncate(path, 100), 0);
}

/* One that has taken fewer steps than the best of this run. */
static void make_older(const char *path)
{
    Err e;
    Model model;
    assert_int_equal(model_load(&model, path, &e), 0);
    cJSON_ReplaceItemInObjectCaseSensitive(model.training, "steps", cJSON_CreateNumber(0));
    assert_int_equal(model_save(&model, path, &e), 0);
    model_free(&model);
}

static void a_state_without_its_best_model_should_be_refused(void **state)
{
    refuses_model(*state, take_away, "model: cannot be opened");
    refuses_model(*state, cut_short, "model: ");
    refuses_model(*state, make_older, "model: is the model of another run");
}

/* A block of the state with one value that can't be. */
static void refuses_value(Scratch *scratch, int block, real value)
{
    Err e = { "" };
    TrainingProgress progress;
    Hyperparameters was;
    Toy *toy = toy_new(scratch, TOKENS_BPE, 1);
    Updater *updater = updater_of(toy);
    real *blocks[] = { toy->model.weights, updater_first_moment(updater),
                       updater_second_moment(updater), updater_kept(updater) };
    blocks[block][7] = value;
    save(toy, updater, &far);
    assert_int_equal(state_load(&toy->training, updater, &progress, &was, &e), -1);
    assert_non_null(strstr(e.text, "model.state': it holds a value that no training can reach"));
    updater_free(updater);
    toy_free(toy);
}

static void values_that_cannot_be_should_be_refused(void **state)
{
    for (int block = 0; block < 4; block++) {
        refuses_value(*state, block, (real)NAN);
        refuses_value(*state, block, (real)INFINITY);
    }
    refuses_value(*state, 2, -1);
}

static void refuses_file(Scratch *scratch, const char *bytes, size_t size, const char *message)
{
    Err e = { "" };
    scratch_write(scratch, "model.state", bytes, size);
    Toy *toy = toy_new(scratch, TOKENS_BPE, WORKERS);
    toy->training.resume = 1;
    toy_refused(toy, &e);
    if (!strstr(e.text, "model.state") || !strstr(e.text, message)) fail_msg("%s", e.text);
    toy_free(toy);
}

static void a_damaged_or_foreign_file_should_be_refused(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, WORKERS);
    run_until(toy, 2, 0);
    Bytes good = read_file(toy->state_path);
    toy->requests.stop = 0;
    toy_run(toy, NULL);
    Bytes model = read_file(toy->model_path);
    toy_free(toy);

    for (size_t size = 0; size < good.size; size += 1 + good.size / 50)
        refuses_file(*state, good.bytes, size, "");
    refuses_file(*state, good.bytes, good.size - 1, "");
    refuses_file(*state, model.bytes, model.size, "it is no training state");
    refuses_file(*state, "a\tb\n", 4, "is not a safetensors file");
    free(good.bytes);
    free(model.bytes);
}

/* A state file whose metadata are those of a good one but for one key. */
static void rewrite(Toy *toy, const char *key, const char *value)
{
    Err e;
    Safetensors *file = safetensors_open(toy->state_path, &e);
    if (!file) fail_msg("%s", e.text);
    const char *keys[] = { "format", "format_version", "run", "reached" };
    cJSON *metadata = cJSON_CreateObject();
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *text = strcmp(keys[i], key) ? safetensors_metadata(file, keys[i]) : value;
        if (text) cJSON_AddStringToObject(metadata, keys[i], text);
    }
    const size_t size = toy->model.table->size;
    real *zeros = xcalloc(size, sizeof *zeros);
    const Tensor tensors[] = { { "weights", DTYPE_REAL, 1, { size }, zeros },
                               { "adam.m", DTYPE_REAL, 1, { size }, zeros },
                               { "adam.v", DTYPE_REAL, 1, { size }, zeros },
                               { "kept", DTYPE_REAL, 1, { size }, zeros } };
    if (safetensors_write(toy->state_path, tensors, 4, DTYPE_REAL, metadata, &e))
        fail_msg("%s", e.text);
    free(zeros);
    cJSON_Delete(metadata);
    safetensors_close(file);
}

static void refuses_metadata(Scratch *scratch, const char *key, const char *value,
                             const char *message)
{
    Toy *toy = toy_new(scratch, TOKENS_BPE, WORKERS);
    run_until(toy, 2, 0);
    rewrite(toy, key, value);
    Bytes bytes = read_file(toy->state_path);
    toy_free(toy);
    refuses_file(scratch, bytes.bytes, bytes.size, message);
    free(bytes.bytes);
}

/* The progress of a good state after one step, but for what is given: "key": value, ... */
static char *progress_with(const char *changes)
{
    static const char *const good =
        "{\"step\":1,\"epoch\":0,\"batch\":0,\"rate\":1,\"last_rate\":0,\"best_score\":0,"
        "\"best_loss\":0,\"best_step\":0,\"validated_step\":0,\"stalled\":0,\"skipped\":0,"
        "\"skipped_in_row\":0,\"recoveries\":0,\"recovered_step\":0,\"seconds\":1,\"tokens\":1,"
        "\"tally\":{\"loss\":1,\"tokens\":1,\"flops\":1,\"seconds\":1,\"updates\":1,"
        "\"skipped\":0},\"baseline\":0}";
    cJSON *json = cJSON_Parse(good), *other = cJSON_Parse(changes), *item;
    assert_true(json && other);
    while ((item = other->child)) {
        char *key = xstrdup(item->string);
        item = cJSON_DetachItemViaPointer(other, item);
        assert_true(cJSON_ReplaceItemInObjectCaseSensitive(json, key, item));
        free(key);
    }
    char *text = json_text(json, 0);
    cJSON_Delete(json);
    cJSON_Delete(other);
    return text;
}

static void refuses_progress(Scratch *scratch, const char *changes, const char *message)
{
    char *text = progress_with(changes);
    refuses_metadata(scratch, "reached", text, message);
    free(text);
}

static void metadata_that_lie_should_be_refused(void **state)
{
    refuses_metadata(*state, "format", "attn", "it is no training state");
    refuses_metadata(*state, "format", NULL, "it is no training state");
    refuses_metadata(*state, "format_version", NULL, "it is no training state");
    refuses_metadata(*state, "format_version", "1", "its format has version 1, not 5");
    refuses_metadata(*state, "run", NULL, "it is no training state");
    refuses_metadata(*state, "run", "{}", "it knows no 'version'");
    refuses_metadata(*state, "run", "{", "not valid JSON");
    refuses_metadata(*state, "run", "[]", "run was [] and is {");
    refuses_metadata(*state, "reached", NULL, "it does not say how far the training has come");
    refuses_metadata(*state, "reached", "{", "not valid JSON");
    refuses_metadata(*state, "reached", "{\"step\":1}", "\"epoch\" is missing");
}

static void a_progress_that_cannot_be_should_be_refused(void **state)
{
    const struct { const char *changes, *message; } cases[] = {
        { "{\"rate\":-1}", "the learning rate is -1" },
        { "{\"last_rate\":-1}", "the learning rate of its last update is -1" },
        { "{\"best_step\":2}", "it knows of validations after its last step, 1" },
        { "{\"step\":-1}", "'step' is -1, not a count" },
        { "{\"step\":1.5}", "'step' is 1.5, not a count" },
        { "{\"batch\":-1}", "\"batch\" is -1" },
        { "{\"batch\":2}", "it has done 2 of the 1 batches of an epoch" },
        { "{\"batch\":2147483647}", "it has done 2147483647 of" },
        { "{\"best_step\":\"x\"}", "\"best_step\" is not a number" },
        { "{\"skipped_in_row\":5}", "\"skipped_in_row\" is 5, not a whole number" },
        { "{\"recoveries\":6}", "\"recoveries\" is 6, not a whole number" },
        { "{\"recoveries\":1,\"recovered_step\":2}", "step 2, of the last recovery, is to come" },
        { "{\"tally\":{\"loss\":-1,\"tokens\":1,\"flops\":1,\"seconds\":1,\"updates\":1,"
          "\"skipped\":0}}", "the sums over its last 1 updates are below 0" },
        { "{\"tally\":{\"loss\":\"x\"}}", "\"loss\" is not a number" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuses_progress(*state, cases[i].changes, cases[i].message);
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
        in_scratch(a_state_should_hold_the_request_and_the_progress),
        in_scratch(the_first_model_should_not_be_without_a_state),
        in_scratch(a_run_may_go_on_with_other_workers),
        in_scratch(a_run_that_recovers_should_resume_to_the_same_model),
        in_scratch(a_state_should_come_back_exactly),
        in_scratch(time_should_count_over_all_runs),
        in_scratch(a_state_of_another_run_should_be_refused_with_what_differs),
        in_scratch(a_missing_state_should_be_an_error_that_says_what_to_do),
        in_scratch(a_state_without_its_best_model_should_be_refused),
        in_scratch(values_that_cannot_be_should_be_refused),
        in_scratch(a_damaged_or_foreign_file_should_be_refused),
        in_scratch(metadata_that_lie_should_be_refused),
        in_scratch(a_progress_that_cannot_be_should_be_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
