/* claim.h - the right of one run to write its model, training state, log and curves. */
#ifndef ATTN_CMD_TRAIN_CLAIM_H
#define ATTN_CMD_TRAIN_CLAIM_H

#include "base/files/lock.h"
#include "cmd/train/config.h"

/* claim_outputs - checks before any work that the outputs can be written, that none of them is
 * read and no two are one file. Until lock_release no other process writes model and state. -1
 * where an output exists already, with a description of it, unless --force allows its loss or
 * the run that wrote it is resumed (`saved`). --force never replaces a file by a model unless
 * that file is a model. Creates the folder models/ where the model goes there. */
int claim_outputs(const TrainOptions *own, const char *state, const BitextFiles *files,
                  const SavedRequest *saved, Lock *lock, Err *e);

#endif
