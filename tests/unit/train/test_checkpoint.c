/* test_checkpoint.c - what a run writes: its state when it is interrupted or asked, its model at
 * the end, and what it does where a file cannot be written.
 */
#include "base/mem.h"
#include "journal.h"

/* ---- interrupts ---- */

static void an_interrupt_should_save_the_state_and_no_model(void **state)
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
static void an_interrupt_should_not_wait_for_a_validation(void **state)
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

static void a_request_to_save_should_save_once_and_go_on(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    const TrainingEvents events = { .context = toy, .updated = save_at_two,
                                    .validated = ignore_validation, .troubled = toy_trouble };
    toy_run(toy, &events);
    assert_ended(toy, ENDED_STEPS, toy->hyper.steps);
    toy_free(toy);
}

/* ---- files ---- */

static void without_validation_the_average_should_be_saved_too(void **state)
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

static void an_ended_run_should_leave_the_model_alone(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    toy->training.save_every = 0;       /* the state after every update */
    toy_run(toy, NULL);
    assert_true(exists(toy->model_path));
    assert_int_equal(scratch_files(*state), 1);
    toy_free(toy);
}

/* With validation it is tried again until the end. */
static void a_model_that_can_never_be_written_should_be_an_error_at_the_end(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_scratch(without_validation_the_average_should_be_saved_too),
        in_scratch(an_interrupt_should_save_the_state_and_no_model),
        in_scratch(an_interrupt_should_not_wait_for_a_validation),
        in_scratch(a_request_to_save_should_save_once_and_go_on),
        in_scratch(an_ended_run_should_leave_the_model_alone),
        in_scratch(a_model_that_can_never_be_written_should_be_an_error_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
