/* test_trainer.c - the loop: sentences are learned by heart, limits hold, validation rules the
 * rate, the end and the model file, and the reports are right.
 */
#include "base/mem.h"
#include "numbers.h"
#include "toy.h"
#include "train/recovery.h"
#include "train/validation_loss.h"
#include "translate/translator.h"

#include <float.h>
#include <math.h>

/* ---- what was reported ---- */

enum { MOST_EVENTS = 400 };

typedef struct {
    Toy             *toy;
    long             interrupt_at;          /* step; 0: never */
    long             poison_at;             /* after this step a weight is no number; 0: never */
    long             heal_at;               /* and after this one it is again */
    const char      *late_folder;           /* created in the third stalled validation, or NULL */
    int              updates, validations, troubles;
    char             trouble[1024];         /* the last one */
    UpdateReport     update[MOST_EVENTS];
    ValidationReport validation[MOST_EVENTS];
    TrainingProgress progress[MOST_EVENTS];  /* at each update */
    TrainingProgress validated[MOST_EVENTS];
} Journal;

static void poison(Toy *toy)
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
    if (report->progress->step == j->poison_at) poison(j->toy);
    if (report->progress->step == j->heal_at) heal(j->toy);
}

static void note_validation(void *context, const ValidationReport *report)
{
    Journal *j = context;
    assert_true(j->validations < MOST_EVENTS);
    j->validated[j->validations] = *report->progress;
    j->validation[j->validations++] = *report;
    if (j->late_folder && report->progress->stalled == 3)
        assert_int_equal(mkdir(j->late_folder, 0777), 0);
}

static void note_trouble(void *context, const char *text)
{
    Journal *j = context;
    snprintf(j->trouble, sizeof j->trouble, "%s", text);
    j->troubles++;
}

static TrainingEvents events_of(Journal *j)
{
    return (TrainingEvents){ .context = j, .updated = note_update, .validated = note_validation,
                            .troubled = note_trouble };
}

static Journal *run(Toy *toy, long interrupt_at)
{
    Journal *j = xcalloc(1, sizeof *j);
    j->toy = toy;
    j->interrupt_at = interrupt_at;
    const TrainingEvents events = events_of(j);
    toy_run(toy, &events);
    return j;
}

static double mean_loss(const UpdateReport *u)
{
    return u->loss / u->tokens;
}

/* ---- the rate ---- */

static void the_rate_should_fall_to_nothing_in_the_last_share_of_the_run(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    toy->hyper.steps = 10;
    toy->hyper.schedule.cooldown = 0.4;
    Journal *j = run(toy, 0);
    assert_int_equal(j->updates, 10);
    for (int i = 0; i < 10; i++) {      /* before update i there are (10 - i) / 10 of the run
                                         * left */
        double left = (10 - i) / 10.0, expected = toy->hyper.rate * (left < 0.4 ? left / 0.4 : 1);
        assert_true(fabs(j->progress[i].last_rate - expected) <= 4 * DBL_EPSILON * toy->hyper.rate);
    }
    assert_true(j->progress[9].rate == toy->hyper.rate);
    free(j);
    toy_free(toy);
}

static void the_rate_should_follow_the_schedule(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    toy->hyper.steps = 10;
    toy->hyper.schedule = (Schedule){ SCHEDULE_LINEAR, 4, 0 };
    Journal *j = run(toy, 0);
    for (int i = 0; i < 10; i++) {
        const double expected = toy->hyper.rate * schedule_factor(&toy->hyper.schedule, i + 1,
                                                                  i / 10.0);
        assert_true(fabs(j->progress[i].last_rate - expected) <= 4 * DBL_EPSILON * toy->hyper.rate);
    }
    free(j);
    toy_free(toy);
}

/* ---- learning ---- */

static Model load(const Toy *toy)
{
    Err e;
    Model model;
    if (model_load(&model, toy->model_path, &e)) fail_msg("%s", e.text);
    return model;
}

/* What the tokenizer makes of a text and back: the word tokenizer sets punctuation apart. */
static void through_tokenizer(const Tokenizer *t, const char *text, Buf *out)
{
    Ids ids = { 0 };
    tokenizer_encode(t, text, strlen(text), &ids, NULL);
    buf_clear(out);
    tokenizer_decode(t, ids.id, ids.count, NULL, out);
    ids_free(&ids);
}

static void assert_translates(const Model *model)
{
    Translation out[TOY_PAIRS];
    SearchOptions greedy = search_defaults();
    Buf expected = { 0 };
    greedy.beam = 1;
    Pool *pool = pool_new(1);
    Translator *translator = translator_new(model, &greedy, pool);
    translator_run(translator, toy_sources, TOY_PAIRS, out);
    for (int i = 0; i < TOY_PAIRS; i++) {
        through_tokenizer(model->target, toy_targets[i], &expected);
        assert_int_equal(out[i].count, 1);
        assert_string_equal(out[i].hypothesis[0].text, expected.text);
        translation_free(&out[i]);
    }
    translator_free(translator);
    pool_free(pool);
    buf_free(&expected);
}

static void check_learning(Scratch *scratch, int tokens, int workers)
{
    Toy *toy = toy_new(scratch, tokens, workers);
    toy->hyper.steps = 150;
    Journal *j = run(toy, 0);
    assert_true(mean_loss(&j->update[0]) > 1);
    assert_true(mean_loss(&j->update[j->updates - 1]) < 0.01);
    Model model = load(toy);
    assert_translates(&model);
    model_free(&model);
    free(j);
    toy_free(toy);
}

static void eight_pairs_should_be_learned_by_heart(void **state)
{
    check_learning(*state, TOKENS_BPE, 1);
    check_learning(*state, TOKENS_WORD, 3);
    check_learning(*state, TOKENS_CHAR, 2);
}

/* ---- limits ---- */

static void assert_ended(const Toy *toy, Ending ending, long step)
{
    assert_int_equal(toy->ending, ending);
    assert_int_equal(toy->progress.step, step);
}

static void steps_and_epochs_should_end_a_run_exactly(void **state)
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

static void time_should_end_a_run(void **state)
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

static void updates_should_report_the_progress_of_the_run(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    toy->hyper.batch = 3;
    toy->hyper.steps = 12;
    Journal *j = run(toy, 0);
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

static void the_first_loss_should_be_that_of_the_first_weights(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    const Model *m = &toy->model;
    const Architecture net = model_architecture(m);
    const Weights w = weights_at(m->table, m->weights);
    const ValidationLoss before =
        validation_loss_run(&net, &w, &toy->pairs, TOY_PAIRS, ID_BOS, toy->training.pool,
                            NULL, NULL);
    Journal *j = run(toy, 0);
    assert_true(fabs(mean_loss(&j->update[0]) - before.loss) <= 1e-5 * before.loss);
    free(j);
    toy_free(toy);
}

/* Update i + 1 of n is learned with what is left after i: all of the rate, then in the last part
 * less and less. */
static void check_cooldown(Toy *toy, int updates)
{
    const double rate = toy->hyper.rate, cooldown = toy->hyper.schedule.cooldown;
    Journal *j = run(toy, 0);
    assert_int_equal(j->updates, updates);
    for (int i = 0; i < updates; i++) {
        const double left = 1 - (double)i / updates;
        const double expected = left < cooldown ? rate * left / cooldown : rate;
        assert_true(fabs(j->progress[i].last_rate - expected) <= 1e-12 * rate);
        assert_true(j->progress[i].rate == rate);
    }
    free(j);
    toy_free(toy);
}

static void the_rate_should_fall_to_nothing_in_the_last_part_of_a_run(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    toy->hyper.steps = 20;
    toy->hyper.schedule.cooldown = 0.4;
    check_cooldown(toy, 20);
    toy = toy_new(*state, TOKENS_BPE, 1);
    toy->hyper.steps = 0;
    toy->hyper.batch = 3;
    toy->hyper.epochs = 4;
    toy->hyper.schedule.cooldown = 1;
    check_cooldown(toy, 12);
}

/* ---- validation ---- */

/* The rules, from the losses alone. */
static void assert_policy(const Journal *j, const Hyperparameters *r)
{
    double best = HUGE_VAL, rate = r->rate;
    int stalled = 0;
    for (int i = 0; i < j->validations; i++) {
        const ValidationReport *v = &j->validation[i];
        const TrainingProgress *progress = &j->validated[i];
        const int improved = v->valid_loss < best;
        if (improved) best = v->valid_loss;
        else rate *= r->decay;
        stalled = improved ? 0 : stalled + 1;
        assert_int_equal(v->improved, improved);
        assert_true(progress->best_loss == best);
        assert_true(progress->rate == rate);
        assert_int_equal(progress->stalled, stalled);
        assert_int_equal(stalled == r->patience, i == j->validations - 1);
        assert_true(v->bleu >= 0 && v->bleu <= 100 && v->chrf >= 0 && v->chrf <= 100);
    }
    assert_true(j->progress[j->updates - 1].rate > rate);    /* the last validation came after the
                                                              * last update */
}

/* The model file's weights, and what its metadata says of them. */
static void assert_holds_the_best(const Toy *toy)
{
    Err e;
    Model m = load(toy);
    double steps, loss;
    const Architecture net = model_architecture(&m);
    const Weights w = weights_at(m.table, m.weights);
    const ValidationLoss found =
        validation_loss_run(&net, &w, &toy->valid, toy->hyper.batch, ID_BOS, toy->training.pool,
                            NULL, NULL);
    const double tolerance = 8 * FLT_EPSILON * found.loss;      /* the file's weights are float */
    assert_true(fabs(found.loss - toy->progress.best_loss) <= tolerance);
    assert_int_equal(json_get_number(m.training, "steps", &steps, &e), 0);
    assert_int_equal(json_get_number(m.training, "valid_loss", &loss, &e), 0);
    assert_int_equal(steps, toy->progress.best_step);
    assert_true(fabs(loss - toy->progress.best_loss) <= 0.5001e-6);  /* reported with six digits */
    assert_true(toy->progress.best_step < toy->progress.step);
    model_free(&m);
}

static Toy *stalling_toy(Scratch *scratch, int batch, int validate_every, double rate, double decay)
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

/* How often a validation was better after one that was not. */
static int recoveries(const Journal *j)
{
    int count = 0;
    for (int i = 1; i < j->validations; i++)
        count += j->validation[i].improved && !j->validation[i - 1].improved;
    return count;
}

static int check_stalling(Toy *toy, int steps_between)
{
    Journal *j = run(toy, 0);
    const int count = recoveries(j);
    assert_int_equal(toy->ending, ENDED_STALLED);
    for (int i = 0; i < j->validations; i++)
        assert_int_equal(j->validated[i].step, (i + 1) * steps_between);
    assert_policy(j, &toy->hyper);
    assert_holds_the_best(toy);
    free(j);
    toy_free(toy);
    return count;
}

static void training_should_stop_when_validation_stalls_and_leave_the_best_weights(void **state)
{
    check_stalling(stalling_toy(*state, 4, 0, 0.02, 0.5), 2);
    check_stalling(stalling_toy(*state, 4, 3, 0.02, 0.5), 3);
    assert_true(check_stalling(stalling_toy(*state, 2, 1, 0.15, 0.9), 1) > 0);   /* a rate at which
                                                                                  * it jumps
                                                                                  * about */
}

/* The two runs are the same until the rates part. */
static void assert_part(Toy *one, Toy *other, int same)
{
    one->hyper.patience = other->hyper.patience = 0;
    one->hyper.steps = other->hyper.steps = 10;
    Journal *a = run(one, 0), *b = run(other, 0);
    for (int i = 0; i < 10; i++)
        assert_int_equal(a->validation[i].valid_loss == b->validation[i].valid_loss, i < same);
    free(a);
    free(b);
    toy_free(one);
    toy_free(other);
}

static void a_cooling_rate_should_be_learned_with(void **state)
{
    Toy *one = stalling_toy(*state, 8, 1, 0.01, 1), *other = stalling_toy(*state, 8, 1, 0.01, 1);
    other->hyper.schedule.cooldown = 0.45;
    assert_part(one, other, 6);     /* update 7 is the first with less than 0.45 of the run left */
}

static void a_fallen_rate_should_be_learned_with(void **state)
{
    Toy *steady = stalling_toy(*state, 2, 1, 0.2, 1);
    Toy *falling = stalling_toy(*state, 2, 1, 0.2, 0.1);
    Journal *a = run(steady, 0), *b = run(falling, 0);
    int i = 0;
    for (; a->validation[i].improved; i++)
        assert_true(a->validation[i].valid_loss == b->validation[i].valid_loss);
    assert_true(a->validation[i].valid_loss == b->validation[i].valid_loss);    /* the first that
                                                                                 * was no better */
    assert_true(a->validation[i + 1].valid_loss != b->validation[i + 1].valid_loss);
    free(a);
    free(b);
    toy_free(steady);
    toy_free(falling);
}

/* Every source twice, first with another's target. */
static void validation_should_score_against_all_references(void **state)
{
    enum { LINES = 2 * TOY_PAIRS };
    const char *sources[LINES], *targets[LINES];
    for (size_t i = 0; i < LINES; i++) {
        sources[i] = toy_sources[i / 2];
        targets[i] = toy_targets[(i / 2 + (i + 1) % 2) % TOY_PAIRS];
    }
    const Corpus corpus = { .source = sources, .target = targets, .count = LINES };
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    toy_validate(toy);
    segments_free(&toy->text);
    segments_init(&toy->text, &corpus);
    toy->hyper.steps = toy->hyper.validate_every = 150;
    Journal *j = run(toy, 0);
    assert_true(fabs(j->validation[0].bleu - 100) < 1e-9);
    assert_true(fabs(j->validation[0].chrf - 100) < 1e-9);
    free(j);
    toy_free(toy);
}

/* The best of a run by one measure, from its reports; of equal ones that with the lower loss. */
static const ValidationReport *best_of(const Journal *j, int measure)
{
    const ValidationReport *best = &j->validation[0];
    for (int i = 1; i < j->validations; i++) {
        const ValidationReport *v = &j->validation[i];
        const double mine = measure == STOP_BLEU ? v->bleu : v->chrf;
        const double other = measure == STOP_BLEU ? best->bleu : best->chrf;
        if (mine > other || (mine == other && v->valid_loss < best->valid_loss)) best = v;
    }
    return best;
}

/* The wrong targets are learned the worse by loss the more is learned, while scores jump about. */
static void check_measure(Scratch *scratch, int measure)
{
    Toy *toy = stalling_toy(scratch, 4, 1, 0.02, 1);
    toy->hyper.early_stop = measure;
    toy->hyper.patience = 6;
    toy->hyper.steps = 60;
    Journal *j = run(toy, 0);
    const ValidationReport *best = best_of(j, measure);
    const int at = (int)(best - j->validation);
    Model model = load(toy);
    double steps;
    Err e;
    assert_int_equal(json_get_number(model.training, "steps", &steps, &e), 0);
    assert_int_equal(steps, at + 1);
    assert_int_equal(toy->progress.best_step, at + 1);
    assert_true(toy->progress.best_loss == best->valid_loss);
    assert_true(toy->progress.best_score == (measure == STOP_BLEU ? best->bleu : best->chrf));
    assert_int_equal(toy->ending, ENDED_STALLED);
    assert_int_equal(j->validations, at + 1 + 6);
    model_free(&model);
    free(j);
    toy_free(toy);
}

static void the_best_weights_should_be_those_of_the_best_score_where_that_is_asked_for(void **state)
{
    check_measure(*state, STOP_BLEU);
    check_measure(*state, STOP_CHRF);
}

/* The loss rises from some update on, which changes nothing. */
static void without_a_measure_the_last_weights_should_be_kept(void **state)
{
    enum { STEPS = 60 };
    Toy *toy = stalling_toy(*state, 4, 1, 0.02, 0.5);
    toy->hyper.early_stop = STOP_NONE;
    toy->hyper.steps = STEPS;
    Journal *j = run(toy, 0);
    Model model = load(toy);
    double steps, lowest = INFINITY;
    Err e;
    for (int i = 0; i < j->validations; i++) {
        lowest = fmin(lowest, j->validation[i].valid_loss);
        assert_true(j->validation[i].saved && !j->validation[i].chosen);
    }
    assert_int_equal(json_get_number(model.training, "steps", &steps, &e), 0);
    assert_int_equal(steps, STEPS);
    assert_int_equal(j->validations, STEPS);
    assert_int_equal(toy->ending, ENDED_STEPS);
    assert_true(toy->progress.rate == toy->hyper.rate);
    assert_true(j->validation[STEPS - 1].valid_loss > lowest);
    model_free(&model);
    free(j);
    toy_free(toy);
}

/* A rate so low that the loss falls a little each time while the translations stay what they
 * are. */
static void of_equal_scores_that_with_the_lower_loss_should_be_the_best(void **state)
{
    enum { STEPS = 4 };
    Toy *toy = stalling_toy(*state, 8, 1, 1e-6, 1);
    toy->hyper.early_stop = STOP_BLEU;
    toy->hyper.steps = STEPS;
    Journal *j = run(toy, 0);
    assert_int_equal(j->validations, STEPS);
    for (int i = 1; i < STEPS; i++) {
        assert_true(j->validation[i].bleu == j->validation[0].bleu);
        assert_true(j->validation[i].valid_loss < j->validation[i - 1].valid_loss);
    }
    assert_int_equal(toy->progress.best_step, STEPS);
    free(j);
    toy_free(toy);
}

/* The file holds the average, and its loss is the one reported. */
static void an_average_should_be_validated_and_saved(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 2);
    toy_validate(toy);
    toy->hyper.average = 0.9;
    toy->hyper.patience = 2;
    toy->hyper.steps = 0;
    toy->hyper.batch = 4;
    Journal *j = run(toy, 0);
    assert_holds_the_best(toy);
    free(j);
    toy_free(toy);
}

static void without_validation_the_average_should_be_saved_too(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1), *plain = toy_new(*state, TOKENS_BPE, 1);
    toy->hyper.average = 0.5;
    toy_run(toy, NULL);
    Model averaged = load(toy);
    toy_run(plain, NULL);
    Model last = load(plain);
    const size_t bytes = last.table->size * sizeof(real);
    assert_memory_equal(toy->model.weights, plain->model.weights, bytes);
    assert_memory_not_equal(averaged.weights, last.weights, bytes);
    model_free(&averaged);
    model_free(&last);
    toy_free(toy);
    toy_free(plain);
}

/* Validations after the steps 2, 4, ... of a run of so many steps, and at its end. */
static void check_last_validation(Scratch *scratch, int steps, int validations)
{
    Toy *toy = toy_new(scratch, TOKENS_BPE, 1);
    toy_validate(toy);
    toy->hyper.validate_every = 2;
    toy->hyper.steps = steps;
    Journal *j = run(toy, 0);
    assert_int_equal(j->validations, validations);
    assert_int_equal(j->validated[validations - 1].step, steps);
    free(j);
    toy_free(toy);
}

static void the_last_weights_should_be_validated_once(void **state)
{
    check_last_validation(*state, 4, 2);
    check_last_validation(*state, 5, 3);
}

static void without_text_no_scores_should_be_reported(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    toy_validate(toy);
    segments_free(&toy->text);
    Journal *j = run(toy, 0);
    assert_true(j->validations > 0);
    assert_true(j->validation[0].bleu == -1 && j->validation[0].chrf == -1);
    Model model = load(toy);
    assert_null(cJSON_GetObjectItemCaseSensitive(model.training, "valid_bleu"));
    assert_non_null(cJSON_GetObjectItemCaseSensitive(model.training, "valid_loss"));
    assert_int_equal(cJSON_GetArraySize(toy->model.training), 0);       /* the run leaves it
                                                                         * alone */
    model_free(&model);
    free(j);
    toy_free(toy);
}

/* ---- interrupts and files ---- */

static int exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static void an_interrupt_should_save_the_state_and_no_model(void **state)
{
    for (long at = 0; at <= 3; at++) {
        Toy *toy = toy_new(*state, TOKENS_BPE, 1);
        toy->requests.stop = at == 0;
        free(run(toy, at));
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
    Journal *j = run(toy, 4);
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

static void an_ended_run_should_leave_the_model_alone(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    toy->training.save_every = 0;       /* the state after every update */
    toy_run(toy, NULL);
    assert_true(exists(toy->model_path));
    assert_int_equal(scratch_files(*state), 1);
    toy_free(toy);
}

/* But an interrupted run can't go on without it. */
static void a_state_that_cannot_be_written_should_trouble_the_run_and_not_end_it(void **state)
{
    const char *message = "/no/such/folder/state: cannot be written: No such file or directory";
    Err e;
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    toy->training.state_path = "/no/such/folder/state";
    toy->training.save_every = 0;
    Journal *j = run(toy, 0);
    assert_int_equal(j->troubles, toy->hyper.steps);
    assert_string_equal(j->trouble, message);
    assert_true(exists(toy->model_path));
    toy->requests.stop = 1;
    toy_refused(toy, &e);
    assert_string_equal(e.text, message);
    free(j);
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

/* The model's folder is missing until three validations after the best have not been better. By
 * then the updates have changed the weights. */
static void the_best_weights_should_wait_until_they_can_be_written(void **state)
{
    Toy *toy = stalling_toy(*state, 4, 0, 0.02, 0.5);
    Journal *j = xcalloc(1, sizeof *j);
    const TrainingEvents events = events_of(j);
    j->toy = toy;
    j->late_folder = scratch_path(*state, "late");
    const char *path = scratch_path(*state, "late/model");
    free(toy->model_path);
    toy->model_path = xstrndup(path, strlen(path));
    toy->training.model_path = toy->model_path;
    toy_run(toy, &events);
    assert_int_equal(toy->ending, ENDED_STALLED);
    assert_int_equal(toy->progress.stalled, 4);
    for (int i = 0; i < j->validations; i++)
        assert_int_equal(j->validation[i].saved, 0);
    assert_true(j->troubles > 0);
    assert_holds_the_best(toy);
    unlink(toy->model_path);        /* scratch_teardown removes empty folders alone */
    free(j);
    toy_free(toy);
}

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
    free(run(toy, 0));
    weights_at(toy->model.table, toy->model.weights).output_bias[ID_UNK] = 50;
    Journal *j = run(toy, 0);
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

/* ---- what a user sees ---- */

typedef struct { int shown, validated, advised, by_heart; } Seen;

static void see(int *times, const ValidationReport *v)
{
    const size_t middle[MOST_SAMPLES] = { 1, 4, 6 };        /* of each third of eight */
    ++*times;
    assert_int_equal(v->samples, MOST_SAMPLES);
    for (int i = 0; i < v->samples; i++) {
        assert_string_equal(v->sample[i].source, toy_sources[middle[i]]);
        assert_string_equal(v->sample[i].reference, toy_targets[(middle[i] + 1) % TOY_PAIRS]);
        assert_non_null(v->sample[i].translation);
    }
    assert_true(v->bleu >= 0 && v->chrf >= 0);
}

static void see_shown(void *context, const ValidationReport *v)
{
    see(&((Seen *)context)->shown, v);
}

static void see_validated(void *context, const ValidationReport *v)
{
    see(&((Seen *)context)->validated, v);
}

static void see_advice(void *context, const char *text)
{
    Seen *seen = context;
    seen->advised++;
    seen->by_heart += strstr(text, "by heart") != NULL;
}

static Seen show_run(Toy *toy, double every)
{
    Seen seen = { 0 };
    TrainingEvents events = toy_no_events;
    events.context = &seen;
    events.shown = see_shown;
    if (every > 0) events.validated = see_validated;
    events.advised = see_advice;
    toy->training.show_every = every;
    toy_run(toy, &events);
    return seen;
}

static void samples_should_be_shown_of_always_the_same_sentences_and_change_nothing(void **state)
{
    Toy *showing = toy_new(*state, TOKENS_BPE, 2), *quiet = toy_new(*state, TOKENS_BPE, 2);
    for (int i = 0; i < 2; i++) {
        Toy *toy = i ? quiet : showing;
        toy_validate(toy);
        toy->hyper.validate_every = 3;
    }
    const Seen seen = show_run(showing, 1e-9), none = show_run(quiet, 0);
    assert_int_equal(seen.shown, 9);        /* after every update, and in each validation */
    assert_int_equal(seen.validated, 3);
    assert_int_equal(none.shown, 0);
    assert_memory_equal(showing->model.weights, quiet->model.weights,
                        quiet->model.table->size * sizeof(real));
    assert_true(showing->progress.best_loss == quiet->progress.best_loss);
    toy_free(showing);
    toy_free(quiet);
}

/* The toy's validation sentences have one another's targets: what it learns by heart is wrong. */
static void overfitting_should_be_reported_once(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    toy_validate(toy);
    toy->hyper.steps = 60;
    toy->hyper.decay = 1;
    const Seen seen = show_run(toy, 0);
    assert_int_equal(seen.by_heart, 1);
    assert_in_range(seen.advised, 1, 2);        /* it may stall before that, which is reported once
                                                 * too */
    toy_free(toy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_scratch(eight_pairs_should_be_learned_by_heart),
        in_scratch(steps_and_epochs_should_end_a_run_exactly),
        in_scratch(time_should_end_a_run),
        in_scratch(updates_should_report_the_progress_of_the_run),
        in_scratch(the_rate_should_fall_to_nothing_in_the_last_part_of_a_run),
        in_scratch(the_first_loss_should_be_that_of_the_first_weights),
        in_scratch(training_should_stop_when_validation_stalls_and_leave_the_best_weights),
        in_scratch(a_cooling_rate_should_be_learned_with),
        in_scratch(a_fallen_rate_should_be_learned_with),
        in_scratch(the_rate_should_fall_to_nothing_in_the_last_share_of_the_run),
        in_scratch(the_rate_should_follow_the_schedule),
        in_scratch(the_best_weights_should_be_those_of_the_best_score_where_that_is_asked_for),
        in_scratch(without_a_measure_the_last_weights_should_be_kept),
        in_scratch(of_equal_scores_that_with_the_lower_loss_should_be_the_best),
        in_scratch(an_average_should_be_validated_and_saved),
        in_scratch(without_validation_the_average_should_be_saved_too),
        in_scratch(validation_should_score_against_all_references),
        in_scratch(the_last_weights_should_be_validated_once),
        in_scratch(without_text_no_scores_should_be_reported),
        in_scratch(an_interrupt_should_save_the_state_and_no_model),
        in_scratch(an_interrupt_should_not_wait_for_a_validation),
        in_scratch(a_request_to_save_should_save_once_and_go_on),
        in_scratch(an_ended_run_should_leave_the_model_alone),
        in_scratch(a_state_that_cannot_be_written_should_trouble_the_run_and_not_end_it),
        in_scratch(a_model_that_can_never_be_written_should_be_an_error_at_the_end),
        in_scratch(the_best_weights_should_wait_until_they_can_be_written),
        in_scratch(updates_that_are_not_finite_should_be_counted),
        in_scratch(numbers_that_fail_should_lead_back_to_the_weights_an_epoch_began_with),
        in_scratch(numbers_that_fail_should_lead_back_to_the_best_weights_of_a_validation),
        in_scratch(few_updates_that_are_not_finite_should_not_lead_back),
        in_scratch(a_run_that_recovers_in_vain_should_end_as_divergence),
        in_scratch(a_loss_far_above_that_of_guessing_should_be_reported_once),
        in_scratch(a_validation_that_is_never_a_number_should_be_an_error),
        in_scratch(samples_should_be_shown_of_always_the_same_sentences_and_change_nothing),
        in_scratch(overfitting_should_be_reported_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
