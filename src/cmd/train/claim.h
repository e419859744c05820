/* claim.h - the files that a training writes: found out before the work begins whether they can be written, are
 * none of those that it reads, and are nobody else's.
 */
#ifndef ATTN_CMD_TRAIN_CLAIM_H
#define ATTN_CMD_TRAIN_CLAIM_H

#include "base/lock.h"
#include "cmd/train/config.h"

#include <stdio.h>

/* outputs_claim - from here on this process alone writes model and state, until lock_release. What
 * is there already is refused with what it is, unless --force says that it may go, or the run that
 * made it goes on (`origin`). Not even with --force a model takes the place of what is no model. */
int outputs_claim(const TrainOptions *own, const char *state, const BitextFiles *files,
                  const Origin *origin, Lock *lock, Err *e);

/* outputs_open_log - to append to; *log is left alone where none is asked for. The caller closes it, on errors too. */
int outputs_open_log(const TrainOptions *own, FILE **log, Err *e);

#endif
