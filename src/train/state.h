/* state.h - the training state: all that is needed to continue as if nothing had happened.
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
#ifndef ATTN_TRAIN_STATE_H
#define ATTN_TRAIN_STATE_H

#include "train/training.h"
#include "train/update/updater.h"

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
