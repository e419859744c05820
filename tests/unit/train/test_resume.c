/* test_resume.c - going on as if nothing had happened: wherever a run was interrupted, the model
 * file is the same to the byte, and so are the reports. Limits may change, if they are not behind
 * the run. And what a run saves: its state when it is interrupted or asked, its model at the end.
 * Processes that are killed are those of tests/cli/interrupts.bats.
 */
#include "base/mem.h"
#include "journal.h"

/* ---- runs that are interrupted ---- */

static void assert_same_bytes(const char *path, const Content *expected)
{
    Content found = read_file(path);
    assert_int_equal(found.size, expected->size);
    assert_memory_equal(found.data, expected->data, found.size);
    content_free(&found);
}

typedef Toy *NewRun(Scratch *scratch, const char *hyper, int has_validation);

/* What a step carries is more than one state, and wider. */
static Toy *another_network(Scratch *scratch, const char *hyper, int has_validation)
{
    Toy *toy = small_run(scratch, hyper, has_validation);
    NetworkOptions options = toy->model.network;
    options.cell = 1;
    options.layers = 2;
    options.residual = 1;
    options.decoder = DECODER_LUONG;
    toy_network(toy, &options);
    return toy;
}

/* What `attn train` does by default, and does not depend on the size of the corpus; and all that
 * keeps or counts something from one update to the next. */
static Toy *the_defaults(Scratch *scratch, const char *hyper, int has_validation)
{
    Toy *toy = small_run(scratch, hyper, 0);
    NetworkOptions network = network_defaults();
    const CorpusSize size = { .pairs = TOY_PAIRS };
    const Hyperparameters asked = hyperparameters_defaults();
    network.hidden = network.embedding = 16;
    toy_share_vocabulary(toy);
    toy_network(toy, &network);
    if (has_validation) toy_validate(toy);
    toy->hyper = hyperparameters_for(&size, &asked, 1);
    toy->hyper.batch = 3;
    toy->hyper.steps = 8;
    toy->hyper.validate_every = 2;
    return toy;
}

typedef struct { NewRun *new; const char *hyper; int has_validation; } Setting;

static Toy *new_run(Scratch *scratch, const Setting *s)
{
    return s->new(scratch, s->hyper, s->has_validation);
}

/* The model file of a run that nothing interrupts; how many steps it has. */
static Content whole_run(Scratch *scratch, const Setting *setting, long *steps)
{
    Toy *toy = new_run(scratch, setting);
    toy_run(toy, NULL);
    *steps = toy->progress.step;
    Content model = read_file(toy->model_path);
    toy_free(toy);
    unlink(scratch_path(scratch, "model"));
    return model;
}

/* A new process would begin so. */
static void resume(Scratch *scratch, const Setting *setting, const Content *expected)
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

/* Interrupts a run after this step or in this validation. */
static void interrupt(Scratch *scratch, const Setting *setting, long step, int validation)
{
    Toy *toy = new_run(scratch, setting);
    run_until(toy, step, validation);
    assert_int_equal(toy->ending, ENDED_INTERRUPTED);
    if (step >= 0) assert_int_equal(toy->progress.step, step);
    toy_free(toy);
}

static const Setting each_epoch = { small_run, "{}", 1 };
static const Setting between = { small_run, "{\"validate-every\":2}", 1 };

TEST_IN_SCRATCH(a_run_resumed_after_any_step_should_write_the_same_model)
{
    static const Setting settings[] = {
        { small_run, "{}", 0 }, { small_run, "{}", 1 }, { small_run, "{\"validate-every\":2}", 1 },
        /* so high a rate that validation soon stalls, the rate falls, and the run stops for it */
        { small_run, "{\"validate-every\":1,\"patience\":4,\"learning-rate\":0.3}", 1 },
        { another_network, "{}", 1 },
        { small_run, "{\"schedule\":\"cosine\",\"warmup\":0.3,\"cooldown\":0}", 0 },
        { small_run, "{\"batch\":2,\"accumulate\":3}", 1 },     /* updates of three and of one */
        { small_run, "{\"batch-tokens\":24,\"max-length\":20}", 1 },
        { small_run, "{\"average\":0.95,\"validate-every\":3}", 1 },    /* a sample every second */
        { small_run, "{\"average\":0.9}", 0 },
        { the_defaults, "{}", 1 },
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        long steps;
        Content expected = whole_run(*state, &settings[i], &steps);
        for (long at = 0; at <= steps; at++) {
            interrupt(*state, &settings[i], at, 0);
            resume(*state, &settings[i], &expected);
        }
        content_free(&expected);
    }
}

/* What stops at the end of the last validation stops in that of the mean. */
TEST_IN_SCRATCH(a_run_interrupted_in_a_validation_should_write_the_same_model)
{
    long steps;
    Content expected = whole_run(*state, &between, &steps);
    for (int validation = 1; validation <= (steps + 1) / 2; validation++) {
        interrupt(*state, &between, -1, validation);
        resume(*state, &between, &expected);
    }
    content_free(&expected);
}

TEST_IN_SCRATCH(a_run_may_be_interrupted_again_and_again)
{
    long steps;
    Content expected = whole_run(*state, &each_epoch, &steps);
    for (long at = 1; at < steps; at += 2) {
        Toy *toy = new_run(*state, &each_epoch);
        toy->training.resume = at > 1;
        run_until(toy, at, 0);
        assert_int_equal(toy->progress.step, at);
        toy_free(toy);
    }
    resume(*state, &each_epoch, &expected);
    content_free(&expected);
}

/* Leaves the state that a run had after this step, as one that is killed, and the model of its
 * end. */
static void kill_at(Scratch *scratch, long step, double save_every)
{
    Toy *toy = new_run(scratch, &each_epoch);
    Journal *j = xcalloc(1, sizeof *j);
    const TrainingEvents events = events_of(j);
    *j = (Journal){ .toy = toy, .steal_at = step };
    toy->training.save_every = save_every;
    toy_run(toy, &events);
    assert_int_equal(j->resumed + j->troubles, 0);
    scratch_write(scratch, "model.state", j->stolen.data, j->stolen.size);
    content_free(&j->stolen);
    free(j);
    toy_free(toy);
}

TEST_IN_SCRATCH(a_killed_run_should_go_on_from_its_last_state)
{
    long steps;
    Content expected = whole_run(*state, &each_epoch, &steps);
    kill_at(*state, 6, 0);
    resume(*state, &each_epoch, &expected);
    content_free(&expected);
}

/* Killed when a second run had written its first model, but no state: that of the first run must
 * not be taken for it. */
TEST_IN_SCRATCH(a_new_run_should_not_leave_the_state_of_an_old_one)
{
    interrupt(*state, &each_epoch, 6, 0);
    kill_at(*state, 1, 1e9);
    Toy *toy = new_run(*state, &each_epoch);
    toy->training.resume = 1;
    run_until(toy, 0, 0);
    assert_int_equal(toy->progress.step, 0);
    toy_free(toy);
}

/* ---- what is reported after resuming ---- */

/* Stopped after the last update, a run still has its last validation to do: with the rate of that
 * update. */
TEST_IN_SCRATCH(a_resumed_run_should_report_where_it_begins_and_its_rate)
{
    Toy *toy = new_run(*state, &between);
    run_until(toy, 8, 0);
    const double rate = toy->progress.last_rate;
    assert_int_equal(toy->progress.validated_step, 6);
    toy_free(toy);
    toy = new_run(*state, &between);
    toy->training.resume = 1;
    Journal *j = run_noted(toy, 0);
    assert_int_equal(j->resumed, 1);
    assert_int_equal(j->progress[0].step, 8);
    assert_int_equal(j->updates, 0);
    assert_int_equal(j->validations, 1);
    assert_true(j->validated[0].last_rate == rate && rate > 0);
    free(j);
    toy_free(toy);
}

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
    t->toy = small_run(scratch, "{}", 0);
    t->interrupt_at = at;
    t->toy->training.resume = resume;
    t->toy->training.tally_every = TALLY_EVERY;
    toy_run(t->toy, &events);
    toy_free(t->toy);
}

TEST_IN_SCRATCH(an_interrupted_run_should_report_the_same_tallies)
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

/* ---- limits ---- */

/* Limits may change: where the rate does not depend on them, a run of 5 steps, continued to 8, is a
 * run of 8. */
TEST_IN_SCRATCH(a_resumed_run_may_have_other_limits)
{
    static const Setting setting = { small_run, "{\"cooldown\":0}", 0 }, shorter =
        { small_run, "{\"cooldown\":0,\"steps\":5,\"epochs\":4,\"time-limit\":100}", 0 };
    long steps;
    Content expected = whole_run(*state, &setting, &steps);
    interrupt(*state, &shorter, 5, 0);
    resume(*state, &setting, &expected);
    content_free(&expected);
}

/* Limits that the run was interrupted within, but are behind it now. */
TEST_IN_SCRATCH(a_limit_that_was_passed_should_be_refused_and_cost_nothing)
{
    static const struct { const char *hyper, *message; } cases[] = {
        { "{\"steps\":4}", ": all steps are done, at step 5; ask for more" },
        { "{\"steps\":5}", ": all steps are done, at step 5; ask for more" },
        { "{\"epochs\":1}", ": all epochs are done, at step 5; ask for more" },
        { "{\"time-limit\":1e-9}", ": the time is up, at step 5; ask for more" },
    };
    interrupt(*state, &each_epoch, 5, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Err e;
        Toy *toy = small_run(*state, cases[i].hyper, 1);
        toy->training.resume = 1;
        toy_refused(toy, &e);
        if (!strstr(e.text, cases[i].message)) fail_msg("%s", e.text);
        assert_true(exists(toy->state_path) && exists(toy->model_path));
        toy_free(toy);
    }
}

TEST_IN_SCRATCH(a_run_interrupted_at_its_own_limit_should_come_to_its_end)
{
    static const Setting setting = { small_run, "{\"steps\":5}", 1 };
    interrupt(*state, &setting, 5, 0);
    Toy *toy = new_run(*state, &setting);
    assert_true(exists(toy->state_path));
    toy->training.resume = 1;
    toy_run(toy, NULL);
    assert_int_equal(toy->ending, ENDED_STEPS);
    assert_false(exists(toy->state_path));
    toy_free(toy);
}

static void expect_state_beside_model(void *context, const ValidationReport *report)
{
    Toy *toy = context;
    assert_true(report->saved);
    assert_true(exists(toy->state_path));
    atomic_store(&toy->requests.stop, 1);
}

/* Killed between its first model and the state of that validation, a run must find a state. */
TEST_IN_SCRATCH(the_first_model_should_not_be_without_a_state)
{
    Toy *toy = new_run(*state, &each_epoch);
    TrainingEvents events = toy_no_events;
    events.context = toy;
    events.validated = expect_state_beside_model;
    toy_run(toy, &events);
    assert_true(toy->progress.validated_step > 0);
    toy_free(toy);
}

TEST_IN_SCRATCH(a_run_may_go_on_with_other_workers)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, WORKERS);
    run_until(toy, 2, 0);
    toy_free(toy);
    toy = toy_new(*state, TOKENS_BPE, WORKERS + 1);
    toy->training.resume = 1;
    toy_run(toy, NULL);
    toy_free(toy);
}

/* ---- what a run saves ---- */

TEST_IN_SCRATCH(an_interrupt_should_save_the_state_and_no_model)
{
    for (long at = 0; at <= 3; at++) {
        Toy *toy = toy_new(*state, TOKENS_BPE, 1);
        toy->requests.stop = at == 0;
        free(run_noted(toy, at));
        assert_ended(toy, ENDED_INTERRUPTED, at);
        assert_true(exists(toy->state_path));
        assert_false(exists(toy->model_path));
        toy_free(toy);
    }
}

/* Steps 2, 4, ... are validated, and an interrupt comes at 4. */
TEST_IN_SCRATCH(an_interrupt_should_not_wait_for_a_validation)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 2);
    toy_validate(toy);
    toy->hyper.validate_every = 2;
    Journal *j = run_noted(toy, 4);
    assert_ended(toy, ENDED_INTERRUPTED, 4);
    assert_int_equal(j->validations, 1);
    assert_int_equal(toy->progress.validated_step, 2);
    free(j);
    toy_free(toy);
}

static void save_at_two(void *context, const UpdateReport *report)
{
    Toy *toy = context;
    if (report->progress->step == 2) toy->requests.save = 1;
    if (report->progress->step == 3) {
        assert_true(exists(toy->state_path));
        assert_int_equal(toy->requests.save, 0);
        unlink(toy->state_path);
    }
    if (report->progress->step == 4) assert_false(exists(toy->state_path));
}

static void ignore_validation(void *context, const ValidationReport *report)
{
    (void)context;
    (void)report;
}

TEST_IN_SCRATCH(a_request_to_save_should_save_once_and_go_on)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    const TrainingEvents events = { .context = toy, .updated = save_at_two,
                                    .validated = ignore_validation, .troubled = toy_trouble };
    toy_run(toy, &events);
    assert_ended(toy, ENDED_STEPS, toy->hyper.steps);
    toy_free(toy);
}

TEST_IN_SCRATCH(without_validation_the_average_should_be_saved_too)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1), *plain = toy_new(*state, TOKENS_BPE, 1);
    toy->hyper.average = 0.5;
    toy_run(toy, NULL);
    Model averaged = load_written(toy);
    toy_run(plain, NULL);
    Model last = load_written(plain);
    const size_t bytes = last.table->size * sizeof(real);
    assert_memory_equal(toy->model.weights, plain->model.weights, bytes);
    assert_memory_not_equal(averaged.weights, last.weights, bytes);
    model_free(&averaged);
    model_free(&last);
    toy_free(toy);
    toy_free(plain);
}

/* With validation it is tried again until the end. */
TEST_IN_SCRATCH(a_model_that_can_never_be_written_should_be_an_error_at_the_end)
{
    static const char message[] = "/no/such/folder/model: cannot be written: No such file or "
                                  "directory";
    Err e;
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    toy->training.model_path = "/no/such/folder/model";
    toy_refused(toy, &e);
    assert_string_equal(e.text, message);
    toy_validate(toy);
    Journal *j = xcalloc(1, sizeof *j);
    const TrainingEvents events = events_of(j);
    assert_int_equal(trainer_run(&toy->training, &events, &toy->ending, &toy->progress, &e), -1);
    assert_int_equal(strncmp(e.text, message, strlen(message)), 0);
    assert_non_null(strstr(e.text, "--resume goes on from '"));
    assert_string_equal(j->trouble, message);
    assert_int_equal(j->updates, toy->hyper.steps);
    assert_int_equal(j->troubles, j->validations);      /* each tries either the new best or the one
                                                         * before */
    assert_true(j->validation[0].improved && !j->validation[0].saved);
    assert_true(exists(toy->state_path));               /* of before the first: later ones name
                                                         * weights that no file holds */
    free(j);
    toy_free(toy);
}

int main(void) { return run_unit_tests(); }
