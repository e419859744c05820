/* checkpoint.h - what a run saves and when: the best model, the state beside it, and what both must
 * agree on when a run resumes.
 *
 * The old state and the old model belong together, so that a killed run continues from both. When
 * the best model cannot be written, its weights stay in memory (they are those that the updater
 * keeps), the next save begins with them, and no state is written before them. A file that cannot
 * be written is reported as trouble; only at the end of the run it is an error.
 *
 * Of an ensemble (Member in train/training.h) the model file gets a network after the first when
 * that is finished, so that an interrupted run leaves finished ones alone; until then its best
 * weights are in the state.
 *
 * Of several processes (train/update/processes.h) the first writes, and the others know what became
 * of it; each reads the state for itself. All functions but checkpoint_free and _due are
 * collective.
 */
#ifndef ATTN_TRAIN_CHECKPOINT_H
#define ATTN_TRAIN_CHECKPOINT_H

#include "train/training.h"
#include "train/update/updater.h"

typedef struct {
    const Training       *training;     /* borrowed, as the next two are */
    const TrainingEvents *events;
    Updater              *updater;
    double                saved;        /* clock of the last save of the state */
    Model                 unsaved;      /* best model so far if no file holds it; weights NULL:
                                         * none */
} Checkpoint;

void checkpoint_free(Checkpoint *c);

/* checkpoint_begin - for a new run: replaces the state of an older run, if there is one, because
 * that must not outlive its model, which this run will replace; a further network of an ensemble
 * has one from its beginning.
 * checkpoint_resume - for a run that continues: reads the state and checks that it fits the limits,
 * an epoch of this many batches, and the model file, which must hold the best weights of that
 * run. */
int checkpoint_begin(Checkpoint *c, const TrainingProgress *progress, Err *e);
int checkpoint_resume(Checkpoint *c, TrainingProgress *progress, int batches, Err *e);

/* checkpoint_due - whether the state was requested or is older than Training.save_every.
 * checkpoint_save - writes the unsaved model, if there is one, and the state.
 * checkpoint_save_or_report reports a failure as trouble: the next save may work. */
int  checkpoint_due(const Checkpoint *c);
int  checkpoint_save(Checkpoint *c, const TrainingProgress *progress, Err *e);
void checkpoint_save_or_report(Checkpoint *c, const TrainingProgress *progress);

/* checkpoint_ensure_state - before the first model of a run: saves a state if there is none, so
 * that no model is without a way to continue.
 * checkpoint_save_best - writes the model of a validation that found the best weights so far, which
 * the updater has kept. Returns whether a file holds them now, or the next state will.
 * checkpoint_save_last - at the end of a run: the best model if it is still unsaved; without any
 * validation, this model. */
void checkpoint_ensure_state(Checkpoint *c, const TrainingProgress *progress);
int  checkpoint_save_best(Checkpoint *c, const Model *model, const ValidationReport *report);
int  checkpoint_save_last(Checkpoint *c, const Model *model, const TrainingProgress *progress,
                          double epoch, Err *e);

/* ---- The networks of an ensemble (Member in train/training.h) ---- */

/* member_save - writes the networks before this one, and this one with these weights, after a look
 * at what all are worth together (TrainingEvents.joined). For the first process alone.
 * member_load - the first `count` networks of the file, for model_free; -1 with a message if it has
 * fewer. It has more where a run ended before its state was removed.
 * member_is_of_run - whether the model learned from the corpus of this run. */
int member_save(const Training *training, const TrainingEvents *events, real *weights,
                const TrainingProgress *progress, Err *e);
int member_load(const char *path, int count, Model *model, Err *e);
int member_is_of_run(const Training *training, const Model *model);

/* ---- The state: all that is needed to continue as if nothing had happened ----
 *
 * A safetensors file of vectors, each a block as the parameter table lays it out: "weights",
 * "adam.m", "adam.v", "kept" (the best weights of all validations) and, if there is one,
 * "average"; and in __metadata__:
 *   format      "attn-state"            format_version  "8"
 *   run         JSON: what must be the same to continue, except for state_may_differ: version,
 *               corpus, pairs, text, network, recipe (the hyperparameters); and the workers
 *   reached     JSON of the TrainingProgress, and of the baseline of HARD_REINFORCE
 *   request     Training.request; may be missing
 * Random numbers need nothing: they are a function of seed and step.
 */

/* state_save - writes Training.state_path, atomically and durably. */
int state_save(const Training *training, Updater *updater, const TrainingProgress *progress,
               Err *e);

/* state_may_differ - whether the value of this name may change when a run is resumed: the limits,
 * and the workers (sums are then rounded in another way). */
int state_may_differ(const char *name);

/* state_refuse - -1 with a message that what the state of a run has by this name, an option's or
 * that of a value in "run", may not be another now; and what to do. */
int state_refuse(const char *name, const char *was, const char *now, Err *e);

/* state_load - refuses a state of another corpus, network, set of hyperparameters or version, with
 * a message that says what differs. *limits are the hyperparameters it had, whose limits may be
 * others. */
int state_load(const Training *training, Updater *updater, TrainingProgress *progress,
               Hyperparameters *limits, Err *e);

/* state_peek - the progress and the request of a state, without its weights. The caller frees
 * *request; NULL: the state has none. */
int state_peek(const char *path, TrainingProgress *progress, char **request, Err *e);

#endif
