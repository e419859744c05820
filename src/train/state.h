/* state.h - the training state beside the model: all that is needed to go on as if nothing had happened.
 *
 * A safetensors file of vectors, each one block as the parameter table lays it out: "weights", "adam.m", "adam.v",
 * "kept" (the weights that the run goes back to should its numbers fail) and, where there is one, "average"; and
 * in __metadata__:
 *   format      "attn-state"            format_version  "5"
 *   run         JSON: what must be the same to go on: version, workers, corpus, pairs, text, network, recipe without
 *               its limits
 *   reached     JSON of Reached
 * Random numbers need nothing: they are a function of seed and step.
 */
#ifndef ATTN_TRAIN_STATE_H
#define ATTN_TRAIN_STATE_H

#include "train/updater.h"
#include "train/trainer.h"

int state_save(const Training *training, Updater *updater, const Reached *reached, Err *e);

/* state_load - refuses a state of another corpus, network, recipe, version or number of workers: says what differs. */
int state_load(const Training *training, Updater *updater, Reached *reached, Err *e);

#endif
