/* trainer.c - the training loop. */
#include "train/trainer.h"

#include "base/clock.h"
#include "base/mem.h"
#include "train/batches.h"
#include "train/evaluation.h"
#include "train/learner.h"
#include "train/state.h"
#include "train/validation.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { REPORT_UPDATES = 20 };           /* rates are means over at least so many updates */

typedef struct {
    const Training      *training;
    const Recipe        *recipe;
    const TrainerEvents *events;
    Net                  net;
    Learner             *learner;
    Batches              batches;
    Sentence            *sentences;     /* one batch */
    Reached              reached;
    double               started;       /* clock at which reached.seconds was 0 */
    double               saved;         /* clock of the last save of the state */
    /* since the last report */
    double               since, loss, tokens, flops;
    int                  updates;
    UpdateReport         report;
} Trainer;

const char *ending_text(Ending ending)
{
    switch (ending) {
    case ENDED_EPOCHS:      return "all epochs are done";
    case ENDED_STEPS:       return "all steps are done";
    case ENDED_TIME:        return "the time is up";
    case ENDED_STALLED:     return "the validation loss has stopped falling";
    case ENDED_INTERRUPTED: break;
    }
    return "interrupted";
}

/* ---- reports ---- */

static double share_of(double done, double limit)
{
    return limit > 0 ? fmin(done / limit, 1) : 0;
}

static double epochs_done(const Trainer *t)
{
    return (double)t->reached.epoch + (double)t->reached.batch / t->batches.count;
}

static void count_update(Trainer *t, const Update *u)
{
    t->loss += u->loss.plain;
    t->tokens += (double)u->tokens;
    t->flops += u->flops;
    t->updates++;
    t->reached.tokens += (double)u->tokens;
    t->reached.skipped += u->skipped;
}

static void report_update(Trainer *t, const Update *u)
{
    const Recipe *r = t->recipe;
    const Reached *reached = &t->reached;
    UpdateReport *report = &t->report;
    double now = clock_seconds();
    report->reached = reached;
    report->norm = u->norm;
    report->epoch = epochs_done(t);
    double epochs = share_of(report->epoch, r->epochs);
    double steps = share_of((double)reached->step, r->steps), time = share_of(reached->seconds, r->time_limit);
    report->share = fmax(epochs, fmax(steps, time));
    report->seconds_left = report->share > 0 ? reached->seconds * (1 / report->share - 1) : 0;
    if (t->updates >= REPORT_UPDATES || report->loss == 0) {
        report->loss = t->loss / t->tokens;
        report->tokens_per_second = t->tokens / fmax(now - t->since, DBL_MIN);
        report->flops_per_second = t->flops / fmax(now - t->since, DBL_MIN);
        t->loss = t->tokens = t->flops = 0;
        t->updates = 0;
        t->since = now;
    }
    t->events->updated(t->events->context, report);
}

/* ---- the story in the model file ---- */

static void set_number(cJSON *object, const char *key, double value)
{
    cJSON_DeleteItemFromObjectCaseSensitive(object, key);
    cJSON_AddNumberToObject(object, key, value);
}

static int save_model(const Trainer *t, const ValidationReport *v, Err *e)
{
    cJSON *story = t->training->model->training;
    set_number(story, "steps", (double)t->reached.step);
    set_number(story, "epochs", epochs_done(t));
    if (v) {
        set_number(story, "valid_loss", v->valid_loss);
        if (v->bleu >= 0) set_number(story, "valid_bleu", v->bleu);
        if (v->chrf >= 0) set_number(story, "valid_chrf", v->chrf);
    }
    return model_save(t->training->model, t->training->model_path, e);
}

static int save_state(Trainer *t, Err *e)
{
    t->saved = clock_seconds();
    if (!t->training->state_path) return 0;
    return state_save(t->training, t->learner, &t->reached, e);
}

/* ---- validation ---- */

static int has_validation(const Trainer *t)
{
    return t->training->valid->count > 0;
}

static int validate(Trainer *t, Err *e)
{
    ValidationReport v = { .reached = &t->reached, .epoch = epochs_done(t), .bleu = -1, .chrf = -1 };
    double begun = clock_seconds();
    Weights w = weights_at(t->training->model->table, t->training->model->weights);
    v.valid_loss = evaluation_run(&t->net, &w, t->training->valid, t->recipe->batch, ID_BEGIN, t->training->pool).loss;
    validation_scores(t->training, &v);
    v.improved = v.valid_loss < t->reached.best_loss || !t->reached.best_step;
    if (v.improved) {
        t->reached.best_loss = v.valid_loss;
        t->reached.best_step = t->reached.step;
        t->reached.stalled = 0;
        if (save_model(t, &v, e)) return -1;
    } else {
        t->reached.stalled++;
        t->reached.rate *= t->recipe->decay;
    }
    t->since += clock_seconds() - begun;        /* the reported speed is that of training */
    t->events->validated(t->events->context, &v);
    return save_state(t, e);
}

static int validation_due(const Trainer *t)
{
    if (!has_validation(t)) return 0;
    int every = t->recipe->validate_every;
    return every ? t->reached.step % every == 0 : t->reached.batch == t->batches.count;
}

/* ---- the loop ---- */

static void update(Trainer *t)
{
    Reached *r = &t->reached;
    if (r->batch == t->batches.count) {
        r->batch = 0;
        r->epoch++;
        batches_epoch(&t->batches, t->recipe->seed, r->epoch);
    }
    int count = batches_get(&t->batches, r->batch, t->sentences);
    r->batch++;
    r->step++;
    Update u = learner_update(t->learner, t->sentences, count, r->step, r->rate);
    r->seconds = clock_seconds() - t->started;
    count_update(t, &u);
    report_update(t, &u);
}

static int should_end(const Trainer *t, Ending *ending)
{
    const Recipe *r = t->recipe;
    const Reached *reached = &t->reached;
    if (*t->training->interrupted)
        *ending = ENDED_INTERRUPTED;
    else if (r->patience && reached->stalled >= r->patience)
        *ending = ENDED_STALLED;
    else if (reached->epoch + 1 >= r->epochs && reached->batch == t->batches.count)
        *ending = ENDED_EPOCHS;
    else if (r->steps && reached->step >= r->steps)
        *ending = ENDED_STEPS;
    else if (r->time_limit > 0 && reached->seconds >= r->time_limit)
        *ending = ENDED_TIME;
    else
        return 0;
    return 1;
}

static int loop(Trainer *t, Ending *ending, Err *e)
{
    long validated = t->reached.step;
    while (!should_end(t, ending)) {
        update(t);
        if (validation_due(t)) {
            if (validate(t, e)) return -1;
            validated = t->reached.step;
        } else if (clock_seconds() - t->saved >= t->training->save_every && save_state(t, e)) {
            return -1;
        }
    }
    if (*ending == ENDED_INTERRUPTED) return save_state(t, e);
    if (!has_validation(t)) return save_model(t, NULL, e);
    return validated == t->reached.step ? 0 : validate(t, e);
}

static int begin(Trainer *t, Err *e)
{
    t->reached = (Reached){ .rate = t->recipe->rate, .best_loss = INFINITY };
    if (t->training->resume && state_load(t->training, t->learner, &t->reached, e)) return -1;
    batches_epoch(&t->batches, t->recipe->seed, t->reached.epoch);
    t->saved = t->since = clock_seconds();
    t->started = t->since - t->reached.seconds;
    return 0;
}

int trainer_run(const Training *training, const TrainerEvents *events, Ending *ending, Reached *reached, Err *e)
{
    const Model *model = training->model;
    Trainer t = { .training = training, .recipe = training->recipe, .events = events };
    t.net = net_new(&model->network, tokenizer_size(model->source), tokenizer_size(model->target));
    t.learner = learner_new(&t.net, model->table, model->weights, t.recipe, training->pool, t.recipe->batch, ID_BEGIN);
    batches_init(&t.batches, training->train, t.recipe->batch);
    t.sentences = xcalloc((size_t)t.recipe->batch, sizeof *t.sentences);

    int rc = begin(&t, e);
    if (!rc) rc = loop(&t, ending, e);
    if (!rc && *ending != ENDED_INTERRUPTED && training->state_path) unlink(training->state_path);
    *reached = t.reached;

    free(t.sentences);
    batches_free(&t.batches);
    learner_free(t.learner);
    return rc;
}
