/* test_faults.c - whichever call fails on the way to the disk, once, for a while or from then on: a
 * save names the step and leaves a whole file, and a training goes on and leaves the same model.
 */
#include "base/files/replace.h"
#include "base/mem.h"
#include "journal.h"
#include "numbers.h"
#include "train/checkpoint.h"
#include "train/update/updater.h"

#include "../faults/faults.h"

#include <errno.h>
#include <math.h>

/* ---- one save ---- */

typedef int Save(Toy *toy, Updater *updater, Err *e);

static int save_model(Toy *toy, Updater *updater, Err *e)
{
    (void)updater;
    return model_save(&toy->model, toy->model_path, e);
}

static int save_state(Toy *toy, Updater *updater, Err *e)
{
    const TrainingProgress progress =
        { .step = 1, .rate = 0.1, .best_score = -INFINITY, .best_loss = INFINITY };
    return state_save(&toy->training, updater, &progress, e);
}

/* What the message says of a call that fails. */
static const char *const steps[][2] = {
    { "open", ": cannot be written: Permission denied" },
    { "fchmod", ": cannot be written: Operation not permitted" },
    { "fdopen", ": cannot be written: Cannot allocate memory" },
    { "fwrite", ": writing failed: No space left on device" },
    { "fflush", ": writing failed: No space left on device" },
    { "fsync", ": fsync failed: Input/output error" },
    { "fclose", ": closing failed: Input/output error" },
    { "rename", ": renaming the temporary file failed: Permission denied" },
    { "fsync", ": fsync of the folder failed: Input/output error" },
};
enum { STEPS = sizeof steps / sizeof *steps };

/* The step that the call and the message are; the steps come in their order. */
static int step_of(const char *call, const char *path, const Err *e)
{
    assert_memory_equal(e->text, path, strlen(path));
    for (int i = 0; i < STEPS; i++)
        if (!strcmp(call, steps[i][0]) && !strcmp(e->text + strlen(path), steps[i][1])) return i;
    fail_msg("%s: %s", call, e->text);
    return -1;
}

static int is_file_of(const char *path, const char *bytes)
{
    Content file = read_file(path);
    const int same = file.size == strlen(bytes) && !memcmp(file.data, bytes, file.size);
    content_free(&file);
    return same;
}

/* Only the last step comes after the file was replaced. */
static void check_save(Scratch *scratch, Save *save, const char *name)
{
    Toy *toy = toy_new(scratch, TOKENS_BPE, 1);
    Architecture net = model_architecture(&toy->model);
    Updater *updater = updater_new(&net, toy->model.table, toy->model.weights, &toy->hyper,
                                   toy->training.pool, (BatchSize){ .sentences = 1 }, SIZE_MAX,
                                   ID_BOS, NULL);
    const char *path = scratch_puts(scratch, name, "old");
    int last = 0, count = 0;
    for (int n = 1; last < STEPS - 1; n++) {
        Err e = { "" };
        faults_between(n, n);
        assert_int_equal(save(toy, updater, &e), -1);
        int step = step_of(faults_name(), path, &e);
        count += step != last;
        assert_true(step >= last);
        assert_int_equal(is_file_of(path, "old"), step < STEPS - 1);
        assert_int_equal(scratch_files(scratch), 1);
        last = step;
    }
    faults_between(0, 0);
    assert_int_equal(count, STEPS - 1);     /* none was left out */
    remove(path);
    updater_free(updater);
    toy_free(toy);
}

TEST_IN_SCRATCH(a_failed_save_should_name_its_step_and_leave_the_old_file_and_no_other)
{
    check_save(*state, save_model, "model");
    check_save(*state, save_state, "model.state");
}

TEST_IN_SCRATCH(what_replaces_a_private_file_should_be_private_from_its_first_moment)
{
    Err e;
    Replace r;
    const char *path = scratch_puts(*state, "model", "old");
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(replace_open(&r, path, &e), 0);
    replace_abort(&r);
    assert_int_equal(faults_mode(), 0600);
}

/* ---- a training ---- */

/* What a run reported, and what happens to it: the disk is full from one update to another. */
typedef struct {
    Toy        *toy;
    int         updates, troubles, full_from, full_to, interrupt_at;
} Story;

static void count_trouble(void *context, const char *text)
{
    Story *story = context;
    assert_non_null(strstr(text, story->toy->model_path));
    story->troubles++;
}

static void count_update(void *context, const UpdateReport *report)
{
    Story *story = context;
    story->updates++;
    if (report->progress->step == story->full_from) faults_between(1, FAULTS_TO_THE_END);
    if (report->progress->step == story->full_to) faults_between(0, 0);
    if (report->progress->step == story->interrupt_at) atomic_store(&story->toy->requests.stop, 1);
}

/* Of the calls each fails, or under a sanitizer, which takes many times as long, every fifth. */
enum { UPDATES = 5, STRIDE = CASES(40) == 40 ? 1 : 5 };
typedef enum { NEVER, WORSE, BETTER } Validated;

/* A short one. Its validations get worse after the first, and the state is saved after every
 * update; or they get better, and the state is saved with each of them. */
static Toy *short_toy(Scratch *scratch, Validated validated)
{
    const Corpus corpus = { .source = toy_sources, .target = toy_targets, .count = TOY_PAIRS };
    Toy *toy = toy_new(scratch, TOKENS_BPE, 1);
    if (validated == WORSE) toy_validate(toy);
    if (validated == BETTER)
        pairs_encode(&toy->valid, &corpus, model_source(&toy->model), model_target(&toy->model),
                     1000);
    toy->hyper.steps = UPDATES;
    toy->hyper.validate_every = 2;
    toy->training.save_every = validated == BETTER ? 1e9 : 0;
    segments_free(&toy->text);          /* no scores: they take the time */
    return toy;
}

static int train(Toy *toy, Story *story, Err *e)
{
    const TrainingEvents events = { .context = story, .updated = count_update,
                                    .validated = toy_no_events.validated, .troubled = count_trouble };
    story->toy = toy;
    return trainer_run(&toy->training, &events, &toy->ending, &toy->progress, e);
}

/* The bytes of the model, which is removed. */
static Content take_model(const Toy *toy)
{
    Content model = read_file(toy->model_path);
    remove(toy->model_path);
    return model;
}

/* What a run writes that nothing disturbs, and how many calls it takes. */
static Content undisturbed(Scratch *scratch, Validated validated, int *calls)
{
    Err e;
    Story story = { 0 };
    Toy *toy = short_toy(scratch, validated);
    faults_between(0, 0);
    if (train(toy, &story, &e)) fail_msg("%s", e.text);
    assert_int_equal(story.troubles, 0);
    *calls = faults_count();
    Content model = take_model(toy);
    toy_free(toy);
    return model;
}

static void assert_wrote(Scratch *scratch, const Toy *toy, const Content *expected)
{
    Content model = take_model(toy);
    assert_int_equal(model.size, expected->size);
    assert_memory_equal(model.data, expected->data, model.size);
    assert_int_equal(scratch_files(scratch), 0);
    content_free(&model);
}

/* What a run tries to save in a chunk of updates: after each of them, or at the validations after 2
 * and 4; where it finds the best weights a state before the model, while there is none. */
static int attempts(Validated validated, int from, int to)
{
    const int first = from <= 2 && to > 2, second = from <= 4 && to > 4;
    return validated == BETTER ? 2 * first + (1 + first) * second
                               : to - from + (from == 1) * (first + second);
}

/* The run goes on to the same bytes; how often there was trouble. */
static int check_troubled(Scratch *scratch, Validated validated, Story story, const Content *expected)
{
    Err e;
    Toy *toy = short_toy(scratch, validated);
    if (train(toy, &story, &e)) fail_msg("%s", e.text);
    assert_int_equal(story.updates, UPDATES);
    faults_between(0, 0);
    assert_wrote(scratch, toy, expected);
    toy_free(toy);
    return story.troubles;
}

TEST_IN_SCRATCH(a_call_that_fails_once_should_trouble_a_training_and_change_nothing)
{
    int calls;
    Content expected = undisturbed(*state, WORSE, &calls);
    for (int n = 1; n <= calls; n += STRIDE) {
        faults_between(n, n);
        assert_int_equal(check_troubled(*state, WORSE, (Story){ 0 }, &expected), 1);
    }
    content_free(&expected);
}

static void check_full_for_a_while(Scratch *scratch, Validated validated)
{
    int calls;
    Content expected = undisturbed(scratch, validated, &calls);
    for (int from = 1; from <= UPDATES; from++)
        for (int to = from + 1; to <= UPDATES; to++) {
            const Story story = { .full_from = from, .full_to = to };
            assert_int_equal(check_troubled(scratch, validated, story, &expected),
                             attempts(validated, from, to));
        }
    content_free(&expected);
}

/* Among these times are some in which the best weights were found, and left behind by training or
 * by better ones. */
TEST_IN_SCRATCH(a_disk_that_is_full_for_a_while_should_change_nothing)
{
    check_full_for_a_while(*state, WORSE);
    check_full_for_a_while(*state, BETTER);
}

/* What is there after a run that failed is whole, and goes on to the same bytes. */
static void go_on(Scratch *scratch, Validated validated, const Content *expected)
{
    Err e = { "" };
    Story story = { 0 };
    Toy *toy = short_toy(scratch, validated);
    int has_state = !access(toy->state_path, F_OK), has_model = !access(toy->model_path, F_OK);
    assert_int_equal(scratch_files(scratch), has_state + has_model);
    toy->training.resume = has_state;
    if (train(toy, &story, &e)) fail_msg("%s", e.text);
    assert_wrote(scratch, toy, expected);
    toy_free(toy);
}

/* It fails only if the best weights are in no file at the end. */
static void check_end(Scratch *scratch, Validated validated)
{
    int calls, failures = 0;
    Content expected = undisturbed(scratch, validated, &calls);
    for (int n = 1; n <= calls; n += STRIDE) {
        Err e = { "" };
        Story story = { 0 };
        Toy *toy = short_toy(scratch, validated);
        faults_between(n, FAULTS_TO_THE_END);
        int failed = train(toy, &story, &e);
        faults_between(0, 0);
        assert_int_equal(story.updates, UPDATES);
        if (!failed) assert_wrote(scratch, toy, &expected);
        else assert_memory_equal(e.text, toy->model_path, strlen(toy->model_path));
        if (failed)
            assert_int_equal(!access(toy->state_path, F_OK),
                             strstr(e.text, "--resume goes on from") != NULL);
        toy_free(toy);
        if (failed) go_on(scratch, validated, &expected);
        failures += failed != 0;
    }
    assert_true(failures > 0 && (!validated || failures < calls));
    content_free(&expected);
}

TEST_IN_SCRATCH(a_disk_that_stays_full_should_be_an_error_and_the_run_go_on_later)
{
    check_end(*state, WORSE);
    check_end(*state, NEVER);
}

/* The disk has space again just when the run is interrupted, or just not. */
static void check_interrupt(Scratch *scratch, int from, int to, int at, const Content *expected)
{
    Err e = { "" };
    Story story = { .full_from = from, .full_to = to, .interrupt_at = at };
    Toy *toy = short_toy(scratch, BETTER);
    assert_int_equal(train(toy, &story, &e), at < to ? -1 : 0);
    assert_int_equal(toy->ending, ENDED_INTERRUPTED);
    faults_between(0, 0);
    toy_free(toy);
    go_on(scratch, BETTER, expected);
}

TEST_IN_SCRATCH(a_run_interrupted_on_a_full_disk_should_go_on_to_the_same_model)
{
    int calls;
    Content expected = undisturbed(*state, BETTER, &calls);
    for (int at = 2; at < UPDATES; at++)
        for (int from = 1; from < at; from++) {
            check_interrupt(*state, from, at, at, &expected);
            check_interrupt(*state, from, at + 1, at, &expected);
        }
    content_free(&expected);
}

int main(void) { return run_unit_tests(); }
