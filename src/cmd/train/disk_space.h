/* disk_space.h - whether a file system has room for what a training will write. */
#ifndef ATTN_CMD_TRAIN_DISK_SPACE_H
#define ATTN_CMD_TRAIN_DISK_SPACE_H

#include "base/error.h"
#include "model/parameters.h"
#include "train/hyperparameters.h"

/* disk_space_check - -1 with a message that says what is needed if model and training state, each beside the file that it
 * replaces, are more than is free. Where the system doesn't tell what is free: 0. */
int disk_space_check(const char *model, const char *state, const ParameterTable *table, const Hyperparameters *hyper, Err *e);

#endif
