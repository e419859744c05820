/* trainer.c - the training loop. */
#include "train/trainer.h"

#include "base/clock.h"
#include "base/mem.h"
#include "model/prepacked_weights.h"
#include "train/advice.h"
#include "train/batches.h"
#include "train/validation_loss.h"
#include "train/updater.h"
#include "train/limits.h"
#include "train/state.h"
#include "train/validation_bleu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    const Training      *training;
    const Hyperparameters        *hyper;
    const TrainerEvents *events;
    Architecture                  net;
    Updater             *updater;
    Batches              batches;
    Sentence            *sentences;     /* one batch */
    TrainingProgress              progress;
    double               started;       /* clock at which reached.seconds was 0 */
    double               saved;         /* clock of the last save of the state */
    double               shown;         /* clock of the last samples */
    double               loss, tokens;  /* of the updates since the last validation */
    int                  advised;       /* a bit for each Advice that was given */
    Model                unsaved;       /* the best so far, if no file holds it: its weights are those the updater keeps */
    int                  high_losses;   /* updates in a row with a loss worse than guessing; MANY_HIGH_LOSSES: told */
} Trainer;

enum { MANY_HIGH_LOSSES = 100 };

/* ---- reports ---- */

static double epochs_done(const Trainer *t)
{
    return limits_epochs(&t->progress, t->batches.count);
}

static double share_done(const Trainer *t)
{
    return limits_share(t->hyper, &t->progress, t->batches.count);
}

/* Of the next update. */
static double rate_now(const Trainer *t)
{
    return t->progress.rate * schedule_factor(&t->hyper->schedule, t->progress.step + 1, share_done(t));
}

void tally_add(Tally *sum, const UpdateReport *u)
{
    sum->seconds += u->seconds;
    sum->updates++;
    sum->skipped += u->skipped;
    if (u->skipped) return;
    sum->loss += u->loss;
    sum->tokens += u->tokens;
    sum->flops += u->flops;
}

static void report_update(Trainer *t, const Update *u, double seconds)
{
    TrainingProgress *r = &t->progress;
    UpdateReport report = {
        .progress = r, .epoch = epochs_done(t), .share = share_done(t), .loss = u->loss.plain,
        .tokens = (double)u->tokens, .flops = u->flops, .seconds = seconds, .norm = u->norm,
        .skipped = u->skipped,
    };
    const int every = t->training->tally_every, is_whole = every && r->step % every == 0;
    tally_add(&r->tally, &report);
    if (is_whole) report.tally = &r->tally;
    t->events->updated(t->events->context, &report);
    if (is_whole) r->tally = (Tally){ 0 };
}

/* ---- the model that is validated and saved ---- */

/* A view, with the average of the weights where there is one. */
static Model model_so_far(const Trainer *t)
{
    Model m = *t->training->model;
    m.weights = updater_averaged(t->updater);
    return m;
}

/* With so many digits behind the point. */
static void set_number(cJSON *object, const char *key, double value, int digits)
{
    cJSON_DeleteItemFromObjectCaseSensitive(object, key);
    cJSON_AddItemToObject(object, key, json_rounded(value, digits));
}

static int save_model(const Trainer *t, const Model *model, const ValidationReport *v, Err *e)
{
    cJSON *story = model->training;
    set_number(story, "steps", (double)t->progress.step, 0);
    set_number(story, "epochs", epochs_done(t), 4);
    if (v) {
        set_number(story, "valid_loss", v->valid_loss, 6);
        if (v->bleu >= 0) set_number(story, "valid_bleu", v->bleu, 4);
        if (v->chrf >= 0) set_number(story, "valid_chrf", v->chrf, 4);
    }
    return model_save(model, t->training->model_path, e);
}

/* ---- what could not be written ---- */

static void forget_unsaved(Trainer *t)
{
    cJSON_Delete(t->unsaved.training);
    t->unsaved = (Model){ 0 };
}

static void keep_unsaved(Trainer *t)
{
    forget_unsaved(t);
    t->unsaved = *t->training->model;
    t->unsaved.weights = updater_kept(t->updater);
    t->unsaved.training = cJSON_Duplicate(t->unsaved.training, 1);
}

static int save_unsaved(Trainer *t, Err *e)
{
    if (!t->unsaved.weights) return 0;
    if (model_save(&t->unsaved, t->training->model_path, e)) return -1;
    forget_unsaved(t);
    return 0;
}

/* ---- saving ---- */

/* Weights that a validation found the best; whether they are in the file now. */
static int save_best(Trainer *t, const Model *model, const ValidationReport *v)
{
    Err e;
    int failed = save_model(t, model, v, &e);
    if (failed) {
        keep_unsaved(t);
        t->events->troubled(t->events->context, e.text);
    } else {
        forget_unsaved(t);
    }
    return !failed;
}

static int save_all(Trainer *t, Err *e)
{
    return save_unsaved(t, e) || state_save(t->training, t->updater, &t->progress, e) ? -1 : 0;
}

/* What can't be saved now may be saved next time: no reason to stop. */
static void save_state(Trainer *t)
{
    Err e;
    t->saved = clock_seconds();
    if (save_all(t, &e)) t->events->troubled(t->events->context, e.text);
}

/* At the end there is no next time. */
static int save_last(Trainer *t, Err *e)
{
    Err why;
    const Model model = model_so_far(t);
    if (!(t->progress.best_step ? save_unsaved(t, &why) : save_model(t, &model, NULL, &why))) return 0;
    if (access(t->training->state_path, F_OK)) return err(e, "%s", why.text);
    return err(e, "%s; when that is mended, --resume goes on from '%s'", why.text, t->training->state_path);
}

/* ---- what validation is about ---- */

static int has_validation(const Trainer *t)
{
    return t->training->valid->count > 0;
}

static int is_asked_to_stop(const Trainer *t)
{
    return atomic_load(&t->training->requests->stop) != 0;
}

/* What the best weights are chosen by: the higher the better. */
static double score_of(const Hyperparameters *hyper, const ValidationReport *v)
{
    switch (hyper->early_stop) {
    case STOP_BLEU: return v->bleu;
    case STOP_CHRF: return v->chrf;
    default:        return -v->valid_loss;
    }
}

/* A loss that is no number is no improvement, whatever the score. */
static int is_better(const TrainingProgress *r, double score, double loss)
{
    return isfinite(loss) && (score > r->best_score || (score == r->best_score && loss < r->best_loss));
}

/* ---- what a user sees ---- */

static int show_due(const Trainer *t)
{
    const double every = t->training->show_every;
    return every > 0 && t->training->text->count && clock_seconds() - t->shown >= every;
}

/* Of the weights as they are; nothing of the run depends on it. */
static void show(Trainer *t)
{
    ValidationReport v = { .progress = &t->progress, .epoch = epochs_done(t), .bleu = -1, .chrf = -1 };
    const Model model = model_so_far(t);
    validation_bleu_score(t->training, &model, 1, &v);
    t->shown = clock_seconds();
    if (t->events->shown && !is_asked_to_stop(t)) t->events->shown(t->events->context, &v);
    validation_free(&v);
}

static void advise(Trainer *t, const ValidationReport *v)
{
    const Symptoms s = { .training_loss = t->loss / t->tokens, .valid_loss = v->valid_loss,
                         .best_loss = t->progress.best_loss, .stalled = t->progress.stalled };
    const Advice advice = t->tokens > 0 ? advice_for(&s) : ADVICE_NONE;
    t->loss = t->tokens = 0;
    if (!advice || !t->events->advised || t->advised & 1 << advice) return;
    Buf text = { 0 };
    t->advised |= 1 << advice;
    advice_tell(advice, &s, &text);
    t->events->advised(t->events->context, text.text);
    buf_free(&text);
}

/* ---- validation ---- */

/* The numbers of a model; 0 where a request to stop comes before they are all there. */
static int measure(Trainer *t, const Model *model, ValidationReport *v)
{
    Weights w = weights_at(model->table, model->weights);
    PrepackedWeights *prepacked = prepacked_weights_new(model->table, &w, PREPACKED_TO_USE);
    v->valid_loss = validation_loss_run(&t->net, &w, t->training->valid, t->hyper->batch, ID_BOS, t->training->pool,
                                   &t->training->requests->stop).loss;
    prepacked_weights_free(prepacked);
    validation_bleu_score(t->training, model, show_due(t), v);
    if (is_asked_to_stop(t)) return 0;
    if (v->samples) t->shown = clock_seconds();
    return 1;
}

/* What is the best so far is kept and written; the first of a run behind a state, so that no model is without a way to go
 * on. */
static void judge(Trainer *t, const Model *model, ValidationReport *v)
{
    TrainingProgress *r = &t->progress;
    const double score = score_of(t->hyper, v);
    v->improved = is_better(r, score, v->valid_loss);
    if (!v->improved) return;
    if (access(t->training->state_path, F_OK)) save_state(t);
    r->best_score = score;
    r->best_loss = v->valid_loss;
    r->best_step = r->step;
    updater_keep(t->updater, model->weights);
    v->saved = save_best(t, model, v);
}

/* Prefix up, and still due, where a request to stop comes before all numbers are there. */
static void validate(Trainer *t)
{
    TrainingProgress *r = &t->progress;
    ValidationReport v = { .progress = r, .epoch = epochs_done(t), .bleu = -1, .chrf = -1 };
    const Model model = model_so_far(t);
    if (!measure(t, &model, &v)) {
        validation_free(&v);
        return;
    }
    judge(t, &model, &v);
    r->validated_step = r->step;
    r->stalled = v.improved ? 0 : r->stalled + 1;
    if (!v.improved) r->rate *= t->hyper->decay;
    t->events->validated(t->events->context, &v);
    validation_free(&v);
    advise(t, &v);
    if (v.saved == v.improved) save_state(t);           /* else the best weights were tried just now */
}

/* Whether these weights are still to be validated. */
static int is_unvalidated(const Trainer *t)
{
    return has_validation(t) && t->progress.validated_step != t->progress.step;
}

static int validation_due(const Trainer *t)
{
    if (!is_unvalidated(t)) return 0;
    int every = t->hyper->validate_every;
    return every ? t->progress.step % every == 0 : t->progress.batch == t->batches.count;
}

/* ---- numbers that fail ---- */

/* The weights that gave so many gradients that are not finite will give more of them. */
static int recover(Trainer *t, Err *e)
{
    TrainingProgress *r = &t->progress;
    char text[sizeof e->text];
    if (r->recoveries == MOST_RECOVERIES)
        return err(e, "the training diverges: the gradient is not finite, and half the learning rate and a return to "
                      "good weights, %d times, did not help; try --learning-rate %g (it was %g) or a lower --clip",
                   r->recoveries, t->hyper->rate / 10, t->hyper->rate);
    r->recoveries++;
    r->recovered_step = r->step;
    r->skipped_in_row = 0;
    r->rate /= 2;
    updater_go_back(t->updater);
    updater_count_from(t->updater, r->recovered_step);
    snprintf(text, sizeof text, "step %ld: the gradient was not finite %d times in a row: back to the last good "
             "weights, with the learning rate %g", r->step, MOST_SKIPPED, r->rate);
    t->events->troubled(t->events->context, text);
    return 0;
}

/* Whoever guesses, all words alike, has a loss of log V: to stay a nat above it is to have learned what is wrong. */
static void watch_loss(Trainer *t, const Update *u)
{
    const double guessing = log(t->net.n.Vt);
    char text[256];
    if (u->skipped || t->high_losses == MANY_HIGH_LOSSES) return;
    t->high_losses = u->loss.plain > (guessing + 1) * (double)u->tokens ? t->high_losses + 1 : 0;
    if (t->high_losses < MANY_HIGH_LOSSES) return;
    snprintf(text, sizeof text, "the training diverges: the loss is %.1f, and %.1f would be guessing; try a lower "
             "--learning-rate (it is %g)", u->loss.plain / (double)u->tokens, guessing, t->progress.last_rate);
    t->events->troubled(t->events->context, text);
}

static int watch_numbers(Trainer *t, const Update *u, Err *e)
{
    TrainingProgress *r = &t->progress;
    r->skipped_in_row = u->skipped ? r->skipped_in_row + 1 : 0;
    watch_loss(t, u);
    return r->skipped_in_row == MOST_SKIPPED ? recover(t, e) : 0;
}

/* ---- the loop ---- */

/* The batches of one update, no more than the epoch still has. */
static int add_batches(Trainer *t, Err *e)
{
    TrainingProgress *r = &t->progress;
    for (int i = 0; i < t->hyper->accumulate && r->batch < t->batches.count; i++, r->batch++) {
        const int count = batches_get(&t->batches, r->batch, t->sentences, e);
        if (count < 0) return -1;
        updater_add(t->updater, t->sentences, count);
    }
    return 0;
}

static int update(Trainer *t, Err *e)
{
    TrainingProgress *r = &t->progress;
    if (r->batch == t->batches.count) {
        r->batch = 0;
        r->epoch++;
        batches_epoch(&t->batches, t->hyper->seed, r->epoch);
    }
    const double begun = clock_seconds();
    r->last_rate = rate_now(t);
    if (!has_validation(t) && r->batch == 0) updater_keep_next(t->updater);
    r->step++;
    updater_begin(t->updater, r->step);
    if (add_batches(t, e)) return -1;
    const Update u = updater_step(t->updater, r->last_rate);
    const double now = clock_seconds();
    r->seconds = now - t->started;
    r->skipped += u.skipped;
    if (!u.skipped) {
        r->tokens += (double)u.tokens;
        t->tokens += (double)u.tokens;
        t->loss += u.loss.plain;
    }
    report_update(t, &u, now - begun);
    return watch_numbers(t, &u, e);
}

static int should_end(const Trainer *t, Ending *ending)
{
    if (!is_asked_to_stop(t)) return limits_end(t->hyper, &t->progress, t->batches.count, ending);
    *ending = ENDED_INTERRUPTED;
    return 1;
}

/* Whether the state was asked for, or is old. */
static int save_due(const Trainer *t)
{
    return atomic_exchange(&t->training->requests->save, 0) || clock_seconds() - t->saved >= t->training->save_every;
}

/* A run that was stopped in a validation begins with it. */
static int loop(Trainer *t, Ending *ending, Err *e)
{
    if (validation_due(t)) validate(t);
    while (!should_end(t, ending)) {
        if (update(t, e)) return -1;
        if (validation_due(t)) validate(t);
        else if (save_due(t)) save_state(t);
        if (show_due(t)) show(t);
    }
    return 0;
}

/* What the run leaves. The last validation can be stopped too. */
static int finish(Trainer *t, Ending *ending, Err *e)
{
    if (*ending != ENDED_INTERRUPTED) {
        if (is_unvalidated(t)) validate(t);
        if (is_unvalidated(t)) *ending = ENDED_INTERRUPTED;
    }
    if (*ending == ENDED_INTERRUPTED) return save_all(t, e);
    if (!has_validation(t) || t->progress.best_step) return save_last(t, e);
    return err(e, "%s: not written: no validation loss was a number; try a lower --learning-rate",
               t->training->model_path);
}

/* The model beside a state holds the best weights that the state tells of, or better ones: a run can be killed when it
 * has written the one and not yet the other. */
static int check_best(const Trainer *t, Err *e)
{
    const char *path = t->training->model_path;
    const cJSON *story = t->training->model->training;
    Model best;
    double steps = 0;
    if (model_load(&best, path, e)) return -1;
    int same = cJSON_Compare(cJSON_GetObjectItemCaseSensitive(best.training, "corpus_hash"),
                             cJSON_GetObjectItemCaseSensitive(story, "corpus_hash"), 1)
               || !cJSON_HasObjectItem(story, "corpus_hash");
    int told = !json_get_number(best.training, "steps", &steps, e) && steps >= (double)t->progress.best_step;
    model_free(&best);
    return same && told ? 0 : err(e, "%s: is the model of another run", path);
}

/* What a state says must fit what is here. */
static int resume(Trainer *t, Err *e)
{
    const Training *training = t->training;
    Hyperparameters was;
    if (state_load(training, t->updater, &t->progress, &was, e)) return -1;
    if (t->progress.batch > t->batches.count)
        return err(e, "cannot resume from '%s': it has done %d of the %d batches of an epoch", training->state_path,
                   t->progress.batch, t->batches.count);
    Err why;
    if (limits_check(t->hyper, &was, &t->progress, t->batches.count, &why))
        return err(e, "cannot resume from '%s': %s; ask for more, or take the model as it is", training->state_path,
                   why.text);
    if (t->progress.best_step && check_best(t, &why))
        return err(e, "cannot resume from '%s': the best weights so far were in the model; %s; put it back, or begin anew "
                      "with --force in place of --resume", training->state_path, why.text);
    if (t->events->resumed) t->events->resumed(t->events->context, &t->progress);
    return 0;
}

/* The state of an older run must not outlive the model that it belongs to, which this run will replace. */
static int replace_old_state(Trainer *t, Err *e)
{
    if (access(t->training->state_path, F_OK)) return 0;
    return state_save(t->training, t->updater, &t->progress, e);
}

static int begin(Trainer *t, Err *e)
{
    t->progress = (TrainingProgress){ .rate = t->hyper->rate, .best_score = -INFINITY, .best_loss = INFINITY };
    if (t->training->resume ? resume(t, e) : replace_old_state(t, e)) return -1;
    updater_count_from(t->updater, t->progress.recovered_step);
    batches_epoch(&t->batches, t->hyper->seed, t->progress.epoch);
    t->saved = t->shown = clock_seconds();
    t->started = t->saved - t->progress.seconds;
    return 0;
}

int trainer_run(const Training *training, const TrainerEvents *events, Ending *ending, TrainingProgress *progress, Err *e)
{
    const Model *model = training->model;
    Trainer t = { .training = training, .hyper = training->hyper, .events = events };
    t.net = model_architecture(model);
    const int most = batches_most(training->train, t.hyper->batch, t.hyper->batch_tokens);
    const BatchSize share = batches_share(training->train, t.hyper->batch, t.hyper->batch_tokens,
                                          pool_workers(training->pool));
    t.updater = updater_new(&t.net, model->table, model->weights, t.hyper, training->pool, share, ID_BOS);
    t.sentences = xcalloc((size_t)most, sizeof *t.sentences);

    int rc = batches_init(&t.batches, training->train, t.hyper->batch, t.hyper->batch_tokens, e);
    if (!rc) rc = begin(&t, e);
    if (!rc) rc = loop(&t, ending, e);
    if (!rc) rc = finish(&t, ending, e);
    if (!rc && *ending != ENDED_INTERRUPTED) unlink(training->state_path);
    *progress = t.progress;

    forget_unsaved(&t);
    free(t.sentences);
    batches_free(&t.batches);
    updater_free(t.updater);
    return rc;
}
