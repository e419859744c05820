/* journal.c - reports are noted, and what a run left is judged. */
#include "journal.h"

#include "base/mem.h"
#include "train/validation.h"

#include <float.h>
#include <math.h>

void poison(Toy *toy)
{
    weights_at(toy->model.table, toy->model.weights).output_bias[ID_EOS] = (real)NAN;
}

static void heal(Toy *toy)
{
    weights_at(toy->model.table, toy->model.weights).output_bias[ID_EOS] = 0;
}

static void note_update(void *context, const UpdateReport *report)
{
    Journal *j = context;
    assert_true(j->updates < MOST_EVENTS);
    j->progress[j->updates] = *report->progress;
    j->update[j->updates++] = *report;
    if (report->progress->step == j->interrupt_at) j->toy->requests.stop = 1;
    if (report->progress->step == j->steal_at) j->stolen = read_file(j->toy->state_path);
    if (report->progress->step == j->poison_at) poison(j->toy);
    if (report->progress->step == j->heal_at) heal(j->toy);
}

static void note_validation(void *context, const ValidationReport *report)
{
    Journal *j = context;
    assert_true(j->validations < MOST_EVENTS);
    j->validated[j->validations] = *report->progress;
    j->validation[j->validations++] = *report;
    if (j->validations == j->interrupt_in) j->toy->requests.stop = 1;
}

static void note_trouble(void *context, const char *text)
{
    Journal *j = context;
    snprintf(j->trouble, sizeof j->trouble, "%s", text);
    j->troubles++;
}

static void note_resumed(void *context, const TrainingProgress *progress)
{
    Journal *j = context;
    assert_int_equal(j->updates + j->validations + j->resumed++, 0);
    j->progress[0] = *progress;
}

TrainingEvents events_of(Journal *j)
{
    return (TrainingEvents){ .context = j, .updated = note_update, .validated = note_validation,
                             .troubled = note_trouble, .resumed = note_resumed };
}

Toy *small_run(Scratch *scratch, const char *hyperparameters, int has_validation)
{
    Err e;
    Toy *toy = toy_new(scratch, TOKENS_BPE, WORKERS);
    toy->hyper.batch = 3;
    toy->hyper.steps = 8;      /* in the middle of the third epoch */
    toy->hyper.dropout = toy->hyper.dropout_embedding = 0.2;
    toy->hyper.label_smoothing = 0.1;
    toy->hyper.schedule.cooldown = 0.5;
    if (has_validation) toy_validate(toy);
    cJSON *json = cJSON_Parse(hyperparameters);
    if (fields_from_json(hyperparameter_fields, &toy->hyper, json, &e)) fail_msg("%s", e.text);
    cJSON_Delete(json);
    return toy;
}

void run_until(Toy *toy, long step, int validation)
{
    Journal *j = xcalloc(1, sizeof *j);
    const TrainingEvents events = events_of(j);
    *j = (Journal){ .toy = toy, .interrupt_at = step, .interrupt_in = validation };
    toy->requests.stop = step == 0;
    toy_run(toy, &events);
    if (j->troubles) fail_msg("%s", j->trouble);
    free(j);
}

Journal *run_noted(Toy *toy, long interrupt_at)
{
    Journal *j = xcalloc(1, sizeof *j);
    j->toy = toy;
    j->interrupt_at = interrupt_at;
    const TrainingEvents events = events_of(j);
    toy_run(toy, &events);
    return j;
}

Toy *stalling_toy(Scratch *scratch, int batch, int validate_every, double rate, double decay)
{
    Toy *toy = toy_new(scratch, TOKENS_BPE, 2);
    toy_validate(toy);
    toy->hyper.batch = batch;
    toy->hyper.steps = 0;
    toy->hyper.patience = 4;
    toy->hyper.validate_every = validate_every;
    toy->hyper.rate = rate;
    toy->hyper.decay = decay;
    return toy;
}

Model load_written(const Toy *toy)
{
    Err e;
    Model model;
    if (model_load(&model, toy->model_path, &e)) fail_msg("%s", e.text);
    return model;
}

void assert_ended(const Toy *toy, Ending ending, long step)
{
    assert_int_equal(toy->ending, ending);
    assert_int_equal(toy->progress.step, step);
}

double written_number(const Toy *toy, const char *key)
{
    Err e;
    double number;
    Model m = load_written(toy);
    if (json_get_number(m.training, key, &number, &e)) fail_msg("%s", e.text);
    model_free(&m);
    return number;
}

void assert_holds_the_best(const Toy *toy)
{
    Model m = load_written(toy);
    const Architecture net = model_architecture(&m);
    const Weights w = weights_at(m.table, m.weights);
    const ValidationLoss found =
        validation_loss_run(&net, &w, &toy->valid, toy->hyper.batch, ID_BOS, toy->training.pool,
                            NULL, NULL);
    const double tolerance = 8 * FLT_EPSILON * found.loss;      /* the file's weights are float */
    assert_true(fabs(found.loss - toy->progress.best_loss) <= tolerance);
    assert_int_equal(written_number(toy, "steps"), toy->progress.best_step);
    assert_true(fabs(written_number(toy, "valid_loss") - toy->progress.best_loss)
                <= 0.5001e-6);                          /* reported with six digits */
    assert_true(toy->progress.best_step < toy->progress.step);
    model_free(&m);
}
