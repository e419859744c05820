/* trainer.c - the course of a run, and its loop: updates, validations, learning rate, early
 * stopping, saving.
 */
#include "train/training.h"

#include "base/mem.h"
#include "base/system/environment.h"
#include "train/checkpoint.h"
#include "train/data/batches.h"
#include "train/validation.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- the course of a run ---- */

double course_epochs(const TrainingProgress *progress, int batches)
{
    return (double)progress->epoch + (double)progress->batch / batches;
}

const char *ending_text(Ending ending)
{
    static const char *const texts[] = {
        [ENDED_EPOCHS] = "all epochs are done", [ENDED_STEPS] = "all steps are done",
        [ENDED_TIME] = "the time is up", [ENDED_INTERRUPTED] = "interrupted",
        [ENDED_STALLED] = "validation has stopped getting better",
    };
    return texts[ending];
}

double limits_share(const Hyperparameters *h, const TrainingProgress *p, int batches)
{
    double share = course_epochs(p, batches) / h->epochs;
    if (h->steps) share = fmax(share, (double)p->step / h->steps);
    if (h->time_limit > 0) share = fmax(share, p->seconds / h->time_limit);
    return fmin(share, 1);
}

int limits_end(const Hyperparameters *h, const TrainingProgress *p, int batches, Ending *ending)
{
    if (h->patience && p->stalled >= h->patience)
        *ending = ENDED_STALLED;
    else if (course_epochs(p, batches) >= h->epochs)
        *ending = ENDED_EPOCHS;
    else if (h->steps && p->step >= h->steps)
        *ending = ENDED_STEPS;
    else if (h->time_limit > 0 && p->seconds >= h->time_limit)
        *ending = ENDED_TIME;
    else
        return 0;
    return 1;
}

/* ---- the learning rate ---- */

double schedule_factor(const Schedule *s, long step, double done)
{
    const double pi = 3.14159265358979323846;
    const double passed = s->warmup <= 0 ? INFINITY     /* how often the warm-up has */
                        : (s->warmup < 1 ? done : (double)step) / s->warmup;
    const double rise = fmin(1, passed), left = 1 - done, ended = done / passed;
    const double cooled = left < s->cooldown ? left / s->cooldown : 1;
    const double decayed = passed < 1 || ended >= 1 ? 0     /* the share done after the warm-up */
                         : (done - ended) / (1 - ended);
    switch (s->kind) {
    case SCHEDULE_INVERSE_SQRT: return fmin(passed, 1 / sqrt(passed)) * cooled;
    case SCHEDULE_LINEAR:       return rise * (1 - decayed);
    case SCHEDULE_COSINE:       return rise * (1 + cos(pi * decayed)) / 2;
    default:                    return rise * cooled;
    }
}

/* ---- a run ---- */

typedef struct {
    const Training        *training;
    const Hyperparameters *hyper;
    const TrainingEvents  *events;
    Updater               *updater;
    Batches                batches;
    Sentence              *sentences;   /* one batch */
    TrainingProgress       progress;
    double                 started;     /* clock at which progress.seconds was 0 */
    Checkpoint             checkpoint;
    int                    skipped_in_row;
} Trainer;

static double epochs_done(const Trainer *t)
{
    return course_epochs(&t->progress, t->batches.count);
}

static double share_done(const Trainer *t)
{
    return limits_share(t->hyper, &t->progress, t->batches.count);
}

/* A view of the model with the weights that are validated and saved. */
static Model model_so_far(const Trainer *t)
{
    Model m = *t->training->model;
    m.weights = updater_state(t->updater).averaged;
    return m;
}

static int has_validation(const Trainer *t)
{
    return t->training->valid->count > 0;
}

/* ---- updates ---- */

/* Adds the batches of one update, no more than the epoch still has. */
static int add_batches(Trainer *t, Err *e)
{
    TrainingProgress *p = &t->progress;
    const Visit visit = { .both_directions = share_done(t) < t->hyper->both_directions,
                          .right_left = t->training->model->right_left };
    for (int i = 0; i < t->hyper->accumulate && p->batch < t->batches.count; i++, p->batch++) {
        const int count = batches_get(&t->batches, p->batch, visit, t->sentences, e);
        if (count < 0) return -1;
        for (int k = 0; k < count; k++)
            t->sentences[k].without_end = t->training->model->network.source_end;
        updater_add(t->updater, t->sentences, count);
    }
    return 0;
}

static void report_update(Trainer *t, const Update *u, double seconds)
{
    TrainingProgress *p = &t->progress;
    UpdateReport report = {
        .progress = p, .epoch = epochs_done(t), .share = share_done(t), .loss = u->loss.plain,
        .tokens = (double)u->tokens, .flops = u->flops, .seconds = seconds, .norm = u->norm,
        .skipped = u->skipped,
    };
    const int every = t->training->tally_every, is_complete = every && p->step % every == 0;
    tally_add(&p->tally, &report);
    if (is_complete) report.tally = &p->tally;
    t->events->updated(t->events->context, &report);
    if (is_complete) p->tally = (Tally){ 0 };
}

/* The updater skips an update whose gradient is not finite. Weights that gave several such
 * gradients in a row will give more of them. */
static int update(Trainer *t, Err *e)
{
    enum { MOST_SKIPPED = 5 };
    TrainingProgress *p = &t->progress;
    if (p->batch == t->batches.count) {
        p->batch = 0;
        batches_epoch(&t->batches, t->hyper->seed, ++p->epoch);
    }
    const double begun = clock_seconds();
    p->last_rate = p->rate * schedule_factor(&t->hyper->schedule, p->step + 1, share_done(t));
    updater_begin(t->updater, p->step + 1, epochs_done(t));
    if (add_batches(t, e)) return -1;
    p->step++;
    const Update u = updater_step(t->updater, p->last_rate);
    const double now = clock_seconds();
    p->seconds = now - t->started;
    p->skipped += u.skipped;
    if (!u.skipped) p->tokens += (double)u.tokens;
    report_update(t, &u, now - begun);
    t->skipped_in_row = u.skipped ? t->skipped_in_row + 1 : 0;
    if (t->skipped_in_row < MOST_SKIPPED) return 0;
    return err(e, "the training diverges: the gradient was not finite %d times in a row; try "
                  "--learning-rate %g (it is %g) or a lower --clip",
               MOST_SKIPPED, t->hyper->rate / 10, t->hyper->rate);
}

/* ---- validations ---- */

static void finish_validation(Trainer *t, const Model *model, ValidationReport *report)
{
    TrainingProgress *p = &t->progress;
    report->improved = validation_is_better(t->hyper, p, report);
    if (report->improved) {
        checkpoint_ensure_state(&t->checkpoint, p);
        p->best_score = validation_score(t->hyper, report);
        p->best_loss = report->valid_loss;
        p->best_step = p->step;
        updater_keep(t->updater, model->weights);
        report->saved = checkpoint_save_best(&t->checkpoint, model, report);
        p->stalled = 0;
    } else {
        p->stalled++;
        p->rate *= t->hyper->decay;
    }
    p->validated_step = p->step;
    t->events->validated(t->events->context, report);
    const int has_just_failed = report->improved && !report->saved;
    if (!has_just_failed) checkpoint_save_or_report(&t->checkpoint, p);
}

/* A validation that a request to stop abandons is still due afterwards. */
static void validate(Trainer *t)
{
    ValidationReport report = { .progress = &t->progress, .epoch = epochs_done(t), .bleu = -1,
                                .exact = -1, .chrf = -1,
                                .chosen = t->hyper->early_stop != STOP_NONE };
    const Model model = model_so_far(t);
    updater_rest(t->updater);
    if (validation_run(t->training, &model, &report)) finish_validation(t, &model, &report);
}

/* Whether these weights are still to be validated. */
static int is_unvalidated(const Trainer *t)
{
    return has_validation(t) && t->progress.validated_step != t->progress.step;
}

static int validation_due(const Trainer *t)
{
    const int every = t->hyper->validate_every;
    if (!is_unvalidated(t)) return 0;
    return every ? t->progress.step % every == 0 : t->progress.batch == t->batches.count;
}

/* ---- the loop ---- */

/* Of several processes the first has the clock. */
static int should_end(Trainer *t, Ending *ending)
{
    processes_share(t->training->processes, &t->progress.seconds, sizeof t->progress.seconds);
    *ending = ENDED_INTERRUPTED;
    return training_agree_to_stop(t->training)
           || limits_end(t->hyper, &t->progress, t->batches.count, ending);
}

/* A run that was stopped during a validation begins with that validation. */
static int loop(Trainer *t, Ending *ending, Err *e)
{
    if (validation_due(t)) validate(t);
    while (!should_end(t, ending)) {
        if (update(t, e)) return -1;
        if (validation_due(t)) validate(t);
        else {
            double due = checkpoint_due(&t->checkpoint);
            processes_max(t->training->processes, &due, 1);     /* due in one, due in all */
            if (due > 0) checkpoint_save_or_report(&t->checkpoint, &t->progress);
        }
    }
    return 0;
}

/* The last validation can be stopped too. */
static int finish(Trainer *t, Ending *ending, Err *e)
{
    if (*ending != ENDED_INTERRUPTED) {
        if (is_unvalidated(t)) validate(t);
        if (is_unvalidated(t)) *ending = ENDED_INTERRUPTED;
    }
    if (*ending == ENDED_INTERRUPTED) return checkpoint_save(&t->checkpoint, &t->progress, e);
    if (has_validation(t) && !t->progress.best_step)
        return err(e, "%s: not written: no validation loss was a number; try a lower "
                      "--learning-rate",
                   t->training->model_path);
    const Model model = model_so_far(t);
    return checkpoint_save_last(&t->checkpoint, &model, &t->progress, epochs_done(t), e);
}

static int begin(Trainer *t, Err *e)
{
    TrainingProgress *p = &t->progress;
    *p = (TrainingProgress){ .rate = t->hyper->rate, .best_score = -INFINITY, .best_loss = INFINITY,
                             .network = t->training->member.number,
                             .earlier_seconds = t->training->member.seconds };
    if (!t->training->resume) {
        if (checkpoint_begin(&t->checkpoint, p, e)) return -1;
    } else {
        if (checkpoint_resume(&t->checkpoint, p, t->batches.count, e)) return -1;
        if (t->events->resumed) t->events->resumed(t->events->context, p);
    }
    batches_epoch(&t->batches, t->hyper->seed, p->epoch);
    t->started = clock_seconds() - p->seconds;
    return 0;
}

static Updater *new_updater(const Training *training)
{
    const Model *model = training->model;
    const Hyperparameters *hyper = training->hyper;
    const Architecture net = model_architecture(model);
    const Crew crew = processes_crew(training->processes, training->pool);
    const BatchSize share = batches_share(training->train, hyper->batch, hyper->batch_tokens,
                                          crew.all);
    return updater_new(&net, model->table, model->weights, hyper, training->pool, share,
                       updater_slice(crew.all), ID_BOS, training->processes);
}

int trainer_run(const Training *training, const TrainingEvents *events, Ending *ending,
                TrainingProgress *progress, Err *e)
{
    const Hyperparameters *hyper = training->hyper;
    const int most = batches_most(training->train, hyper->batch, hyper->batch_tokens);
    Trainer t = { .training = training, .hyper = hyper, .events = events };
    t.updater = new_updater(training);
    t.sentences = xcalloc((size_t)most, sizeof *t.sentences);
    t.checkpoint = (Checkpoint){ .training = training, .events = events, .updater = t.updater,
                                 .saved = clock_seconds() };

    int rc = batches_init(&t.batches, training->train, hyper->batch, hyper->batch_tokens, e);
    if (!rc) rc = begin(&t, e);
    rc = processes_agree(training->processes, rc, e);
    if (!rc) rc = loop(&t, ending, e);
    if (!rc) rc = finish(&t, ending, e);
    rc = processes_agree(training->processes, rc, e);
    /* The state of another network of an ensemble is replaced by that of the next one. */
    const int is_last = training->member.number + 1 >= training->member.count;
    if (!rc && *ending != ENDED_INTERRUPTED && is_last && processes_is_first(training->processes))
        unlink(training->state_path);
    *progress = t.progress;

    checkpoint_free(&t.checkpoint);
    free(t.sentences);
    batches_free(&t.batches);
    updater_free(t.updater);
    return rc;
}
