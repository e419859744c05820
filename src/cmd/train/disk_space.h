/* disk_space.h - whether the file system has space for the files of a training run. */
#ifndef ATTN_CMD_TRAIN_DISK_SPACE_H
#define ATTN_CMD_TRAIN_DISK_SPACE_H

#include "base/error.h"
#include "model/parameters.h"
#include "train/hyperparameters/hyperparameters.h"

/* disk_space_check - -1 with the space needed, if model and training state are larger than the
 * free space; each is written beside the file that it replaces. 0 where the system does not
 * report its free space. */
int disk_space_check(const char *model, const char *state, const ParameterTable *table,
                     const Hyperparameters *hyper, Err *e);

#endif
