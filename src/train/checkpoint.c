/* checkpoint.c - see checkpoint.h. */
#include "train/checkpoint.h"

#include "base/hash.h"
#include "base/system/clock.h"
#include "train/limits.h"
#include "train/member.h"
#include "train/state.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

void checkpoint_init(Checkpoint *c, const Training *training, const TrainingEvents *events,
                     Updater *updater)
{
    *c = (Checkpoint){ .training = training, .events = events, .updater = updater };
    c->saved = clock_seconds();
}

static void forget_unsaved(Checkpoint *c)
{
    cJSON_Delete(c->unsaved.training);
    c->unsaved = (Model){ 0 };
}

void checkpoint_free(Checkpoint *c)
{
    forget_unsaved(c);
}

static int has_state(const Checkpoint *c)
{
    return access(c->training->state_path, F_OK) == 0;
}

/* What the first process finds. */
static int first_has_state(const Checkpoint *c)
{
    int found = has_state(c);
    processes_share(c->training->processes, &found, sizeof found);
    return found;
}

static int is_first(const Checkpoint *c)
{
    return processes_is_first(c->training->processes);
}

/* ---- the model ---- */

static void set_number(cJSON *object, const char *key, double value, int decimals)
{
    cJSON_DeleteItemFromObjectCaseSensitive(object, key);
    cJSON_AddItemToObject(object, key, json_rounded(value, decimals));
}

/* The history for a model file: what is known before training, and how far the training has
 * come. */
static cJSON *history_of(const Training *training, const TrainingProgress *progress, double epoch)
{
    cJSON *history = cJSON_Duplicate(training->model->training, 1);
    set_number(history, "steps", (double)progress->step, 0);
    set_number(history, "epochs", epoch, 4);
    return history;
}

static void add_scores(cJSON *history, const ValidationReport *v)
{
    if (v->bleu >= 0) set_number(history, "valid_bleu", v->bleu, 4);
    if (v->chrf >= 0) set_number(history, "valid_chrf", v->chrf, 4);
    if (v->exact >= 0) set_number(history, "valid_exact", v->exact, 4);
}

static void report_trouble(const Checkpoint *c, const Err *e)
{
    c->events->troubled(c->events->context, e->text);
}

/* Whether the file has been written. */
static int write_best(Checkpoint *c, const Model *model, const ValidationReport *report)
{
    Err e;
    Model best = *model;
    forget_unsaved(c);
    best.training = history_of(c->training, report->progress, report->epoch);
    set_number(best.training, "valid_loss", report->valid_loss, 6);
    add_scores(best.training, report);
    if (!model_save(&best, c->training->model_path, &e)) {
        cJSON_Delete(best.training);
        return 1;
    }
    best.weights = updater_kept(c->updater);
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
    forget_unsaved(c);
    return 0;
}

static int save_unvalidated(const Checkpoint *c, const Model *model,
                            const TrainingProgress *progress, double epoch, Err *e)
{
    Model last = *model;
    last.training = history_of(c->training, progress, epoch);
    const int rc = model_save(&last, c->training->model_path, e);
    cJSON_Delete(last.training);
    return rc;
}

/* Adds a network to those before it: its best weights, without any validation the last. */
static int save_member(const Checkpoint *c, const Model *model, const TrainingProgress *progress,
                       Err *e)
{
    real *weights = progress->best_step ? updater_kept(c->updater) : model->weights;
    updater_rest(c->updater);
    return member_save(c->training, c->events, weights, progress, e);
}

static int save_last(Checkpoint *c, const Model *model, const TrainingProgress *progress,
                     double epoch, Err *e)
{
    if (c->training->member.number) return save_member(c, model, progress, e);
    return progress->best_step ? save_unsaved(c, e)
                               : save_unvalidated(c, model, progress, epoch, e);
}

int checkpoint_save_last(Checkpoint *c, const Model *model, const TrainingProgress *progress,
                         double epoch, Err *e)
{
    Err why;
    if (!is_first(c) || !save_last(c, model, progress, epoch, &why)) return 0;
    if (!has_state(c)) return err(e, "%s", why.text);
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
static int check_first(const Training *training, const TrainingProgress *progress, Err *e)
{
    const char *path = training->model_path;
    Model best;
    double steps = 0;
    if (model_load(&best, path, e)) return -1;
    const int same = member_is_of_run(training, &best);
    const int is_recent = !json_get_number(best.training, "steps", &steps, e)
                          && steps >= (double)progress->best_step;
    model_free(&best);
    return same && is_recent ? 0 : err(e, "%s: is the model of another run", path);
}

static int check_best(const Training *training, const TrainingProgress *progress, Err *e)
{
    const Model *earlier = training->member.earlier;
    if (!training->member.number)
        return progress->best_step ? check_first(training, progress, e) : 0;
    if (member_is_of_run(training, earlier)) return 0;
    return err(e, "%s: is the model of another run", training->model_path);
}

static int resume(Checkpoint *c, TrainingProgress *progress, int batches, Err *e)
{
    const Training *training = c->training;
    const char *path = training->state_path;
    Hyperparameters was;
    Err why;
    if (state_load(training, c->updater, progress, &was, e)) return -1;
    if (progress->batch > batches)
        return err(e, "cannot resume from '%s': it has done %d of the %d batches of an epoch", path,
                   progress->batch, batches);
    if (limits_check(training->hyper, &was, progress, batches, &why))
        return err(e, "cannot resume from '%s': %s; ask for more, or take the model as it is", path,
                   why.text);
    if (is_first(c) && check_best(training, progress, &why))
        return err(e, "cannot resume from '%s': the best weights so far were in the model; %s; put "
                      "it back, or begin anew with --force in place of --resume", path, why.text);
    return 0;
}

/* The states of all processes are copies of one file. */
static int compare_states(const Checkpoint *c, const TrainingProgress *progress, Err *e)
{
    const size_t bytes = c->training->model->table->size * sizeof(real);
    char text[64];
    uint64_t hash = fnv1a64(FNV1A64_START, c->training->model->weights, bytes);
    hash = fnv1a64(hash, updater_first_moment(c->updater), bytes);
    snprintf(text, sizeof text, "step %ld, hash %016" PRIx64, progress->step, hash);
    return processes_compare(c->training->processes, "the training state", text,
                             "copy it from the first machine to all others", e);
}

int checkpoint_resume(Checkpoint *c, TrainingProgress *progress, int batches, Err *e)
{
    const int rc = resume(c, progress, batches, e);
    if (processes_agree(c->training->processes, rc, e)) return -1;
    return compare_states(c, progress, e);
}
