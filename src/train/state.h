/* state.h - the training state beside the model: all that is needed to go on as if nothing had happened.
 *
 * A safetensors file of vectors, each one block as the parameter table lays it out: "weights", "adam.m", "adam.v",
 * "kept" (the weights that the run goes back to should its numbers fail) and, where there is one, "average"; and
 * in __metadata__:
 *   format      "attn-state"            format_version  "5"
 *   run         JSON: what must be the same to go on, but for state_may_differ: version, corpus, pairs, text, network,
 *               recipe; and the number of workers
 *   reached     JSON of Reached
 *   request     Training.request; may be missing
 * Random numbers need nothing: they are a function of seed and step.
 */
#ifndef ATTN_TRAIN_STATE_H
#define ATTN_TRAIN_STATE_H

#include "train/updater.h"
#include "train/trainer.h"

int state_save(const Training *training, Updater *updater, const TrainingProgress *progress, Err *e);

/* state_may_differ - whether what has this name may change between the parts of one run: the limits, and the workers (then
 * sums are rounded in another way). */
int state_may_differ(const char *name);

/* state_load - refuses a state of another corpus, network, recipe or version: says what differs. *limits are
 * those it had (epochs, steps, time_limit and patience; nothing else of the recipe is set). */
int state_load(const Training *training, Updater *updater, TrainingProgress *progress, Hyperparameters *limits, Err *e);

/* state_peek - how far a training has come and what was asked for (NULL: it doesn't tell; the caller frees it), without
 * its weights. */
int state_peek(const char *path, TrainingProgress *progress, char **request, Err *e);

#endif
