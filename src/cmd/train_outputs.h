/* train_outputs.h - the files that a training writes: found out before the work begins whether they can be written, are
 * none of those that it reads, and are nobody else's.
 */
#ifndef ATTN_CMD_TRAIN_OUTPUTS_H
#define ATTN_CMD_TRAIN_OUTPUTS_H

#include "base/lock.h"
#include "cmd/train_config.h"

#include <stdio.h>

/* outputs_claim - from here on this process alone writes model and state, until lock_release. */
int outputs_claim(const TrainOptions *own, const char *state, const BitextFiles *files, Lock *lock, Err *e);

/* outputs_open_log - to append to; *log is left alone where none is asked for. The caller closes it, on errors too. */
int outputs_open_log(const TrainOptions *own, FILE **log, Err *e);

#endif
