/* checkpoint.c - see checkpoint.h. */
#include "train/checkpoint.h"

#include "base/hash.h"
#include "base/system/environment.h"
#include "train/validation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void checkpoint_free(Checkpoint *c)
{
    cJSON_Delete(c->unsaved.training);
    c->unsaved = (Model){ 0 };
}

/* What the first process finds. */
static int first_has_state(const Checkpoint *c)
{
    int found = access(c->training->state_path, F_OK) == 0;
    processes_share(c->training->processes, &found, sizeof found);
    return found;
}

static int is_first(const Checkpoint *c)
{
    return processes_is_first(c->training->processes);
}

static void report_trouble(const Checkpoint *c, const Err *e)
{
    c->events->troubled(c->events->context, e->text);
}

/* ---- the history in a model file ---- */

static void set_number(cJSON *object, const char *key, double value, int decimals)
{
    cJSON_DeleteItemFromObjectCaseSensitive(object, key);
    cJSON_AddItemToObject(object, key, json_rounded(value, decimals));
}

static void set_scores(cJSON *history, const ValidationReport *v)
{
    if (v->bleu >= 0) set_number(history, "valid_bleu", v->bleu, 4);
    if (v->chrf >= 0) set_number(history, "valid_chrf", v->chrf, 4);
    if (v->exact >= 0) set_number(history, "valid_exact", v->exact, 4);
}

/* What is known before training, and how far the training has come. */
static cJSON *history_of(const Training *training, const TrainingProgress *progress, double epoch)
{
    cJSON *history = cJSON_Duplicate(training->model->training, 1);
    set_number(history, "steps", (double)progress->step, 0);
    set_number(history, "epochs", epoch, 4);
    return history;
}

int member_is_of_run(const Training *training, const Model *model)
{
    const char *key = "corpus_hash";
    const cJSON *history = training->model->training;
    return !cJSON_HasObjectItem(history, key)
           || cJSON_Compare(cJSON_GetObjectItemCaseSensitive(history, key),
                            cJSON_GetObjectItemCaseSensitive(model->training, key), 1);
}

/* ---- the networks of an ensemble ---- */

int member_load(const char *path, int count, Model *model, Err *e)
{
    if (model_load(model, path, e)) return -1;
    const int found = model_networks(model), others = found - model->right_left;
    model->right_left = count > others ? count - others : 0;    /* they are the last ones */
    for (int k = count; k < found; k++) {
        free(model->further[k - 1]);
        model->further[k - 1] = NULL;
    }
    if (found >= count) return 0;
    model_free(model);
    return err(e, "%s: has %d of the %d networks that were finished", path, found, count);
}

/* The validation sentences are translated with all networks; a request to stop leaves no scores. */
int member_save(const Training *training, const TrainingEvents *events, real *weights,
                const TrainingProgress *progress, Err *e)
{
    const Member *member = &training->member;
    ValidationReport together = { .progress = progress, .bleu = -1, .chrf = -1, .exact = -1 };
    Model all = *member->earlier;
    Training alone = *training;
    alone.processes = NULL;
    all.further[member->number - 1] = weights;
    all.right_left += training->model->right_left;
    validation_bleu_score(&alone, &all, &together);
    if (atomic_load(&training->requests->stop)) together.bleu = together.chrf = together.exact = -1;
    if (events->joined) events->joined(events->context, &together);
    all.training = cJSON_Duplicate(training->model->training, 1);
    set_scores(all.training, &together);
    const int rc = model_save(&all, training->model_path, e);
    cJSON_Delete(all.training);
    return rc;
}

/* ---- the model ---- */

/* Whether the file has been written. */
static int write_best(Checkpoint *c, const Model *model, const ValidationReport *report)
{
    Err e;
    Model best = *model;
    checkpoint_free(c);
    best.training = history_of(c->training, report->progress, report->epoch);
    set_number(best.training, "valid_loss", report->valid_loss, 6);
    set_scores(best.training, report);
    if (!model_save(&best, c->training->model_path, &e)) {
        cJSON_Delete(best.training);
        return 1;
    }
    best.weights = updater_state(c->updater).kept;
    c->unsaved = best;
    report_trouble(c, &e);
    return 0;
}

int checkpoint_save_best(Checkpoint *c, const Model *model, const ValidationReport *report)
{
    if (c->training->member.number) return 1;
    int saved = is_first(c) && write_best(c, model, report);
    processes_share(c->training->processes, &saved, sizeof saved);
    return saved;
}

static int save_unsaved(Checkpoint *c, Err *e)
{
    if (!c->unsaved.weights) return 0;
    if (model_save(&c->unsaved, c->training->model_path, e)) return -1;
    checkpoint_free(c);
    return 0;
}

/* The best weights; without any validation the last. Those of a further network join the ones
 * before it. */
static int save_last(Checkpoint *c, const Model *model, const TrainingProgress *progress,
                     double epoch, Err *e)
{
    const Training *training = c->training;
    if (training->member.number) {
        real *weights = progress->best_step ? updater_state(c->updater).kept : model->weights;
        updater_rest(c->updater);
        return member_save(training, c->events, weights, progress, e);
    }
    if (progress->best_step) return save_unsaved(c, e);
    Model last = *model;
    last.training = history_of(training, progress, epoch);
    const int rc = model_save(&last, training->model_path, e);
    cJSON_Delete(last.training);
    return rc;
}

int checkpoint_save_last(Checkpoint *c, const Model *model, const TrainingProgress *progress,
                         double epoch, Err *e)
{
    Err why;
    if (!is_first(c) || !save_last(c, model, progress, epoch, &why)) return 0;
    if (access(c->training->state_path, F_OK)) return err(e, "%s", why.text);
    return err(e, "%s; when that is mended, --resume goes on from '%s'", why.text,
               c->training->state_path);
}

/* ---- the state ---- */

int checkpoint_due(const Checkpoint *c)
{
    const Training *training = c->training;
    return atomic_exchange(&training->requests->save, 0)
           || clock_seconds() - c->saved >= training->save_every;
}

int checkpoint_save(Checkpoint *c, const TrainingProgress *progress, Err *e)
{
    updater_gather(c->updater);
    if (!is_first(c)) return 0;
    return save_unsaved(c, e) || state_save(c->training, c->updater, progress, e) ? -1 : 0;
}

void checkpoint_save_or_report(Checkpoint *c, const TrainingProgress *progress)
{
    Err e;
    c->saved = clock_seconds();
    if (checkpoint_save(c, progress, &e)) report_trouble(c, &e);
}

void checkpoint_ensure_state(Checkpoint *c, const TrainingProgress *progress)
{
    if (!first_has_state(c)) checkpoint_save_or_report(c, progress);
}

int checkpoint_begin(Checkpoint *c, const TrainingProgress *progress, Err *e)
{
    const int is_needed = first_has_state(c) || c->training->member.number;
    return is_needed ? checkpoint_save(c, progress, e) : 0;
}

/* ---- resuming ---- */

/* The model file holds the best weights that the state knows, or better ones: a run can be killed
 * after it has written the model and before it writes the state. */
static int check_best(const Training *training, const TrainingProgress *progress, Err *e)
{
    const char *path = training->model_path;
    const Model *earlier = training->member.earlier;
    int fits = 1;
    if (training->member.number) fits = member_is_of_run(training, earlier);
    else if (progress->best_step) {
        Model best;
        double steps = 0;
        if (model_load(&best, path, e)) return -1;
        fits = member_is_of_run(training, &best)
               && !json_get_number(best.training, "steps", &steps, e)
               && steps >= (double)progress->best_step;
        model_free(&best);
    }
    return fits ? 0 : err(e, "%s: is the model of another run", path);
}

static int resume(Checkpoint *c, TrainingProgress *progress, int batches, Err *e)
{
    const Training *training = c->training;
    const char *path = training->state_path;
    Hyperparameters was;
    Ending ending, earlier;
    Err why;
    if (state_load(training, c->updater, progress, &was, e)) return -1;
    if (progress->batch > batches)
        return err(e, "cannot resume from '%s': it has done %d of the %d batches of an epoch", path,
                   progress->batch, batches);
    /* A run that was interrupted when it had reached its own limits may still finish. */
    if (limits_end(training->hyper, progress, batches, &ending)
        && !limits_end(&was, progress, batches, &earlier))
        return err(e, "cannot resume from '%s': %s, at step %ld; ask for more, or take the model "
                      "as it is", path, ending_text(ending), progress->step);
    if (is_first(c) && check_best(training, progress, &why))
        return err(e, "cannot resume from '%s': the best weights so far were in the model; %s; put "
                      "it back, or begin anew with --force in place of --resume", path, why.text);
    return 0;
}

/* The states of all processes are copies of one file. */
int checkpoint_resume(Checkpoint *c, TrainingProgress *progress, int batches, Err *e)
{
    const int rc = resume(c, progress, batches, e);
    const Model *model = c->training->model;
    const size_t bytes = model->table->size * sizeof(real);
    char text[64];
    if (processes_agree(c->training->processes, rc, e)) return -1;
    uint64_t hash = fnv1a64(FNV1A64_START, model->weights, bytes);
    hash = fnv1a64(hash, updater_state(c->updater).first, bytes);
    snprintf(text, sizeof text, "step %ld, hash %016" PRIx64, progress->step, hash);
    return processes_compare(c->training->processes, "the training state", text,
                             "copy it from the first machine to all others", e);
}
