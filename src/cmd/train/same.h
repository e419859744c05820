/* same.h - what all processes of a training must have in common.
 *
 * Each function compares with the first process: -1 with a message that says what another one has,
 * and what to do. Collective.
 */
#ifndef ATTN_CMD_TRAIN_SAME_H
#define ATTN_CMD_TRAIN_SAME_H

#include "cmd/train/config.h"
#include "model/file/model_file.h"
#include "train/update/processes.h"

#include <stdint.h>

/* same_request - before any work: the program, the kind of CPU, the options.
 * same_beginning - before the first update: all compute the same, in the same way. */
int same_request(Processes *p, Config *c, Err *e);
int same_beginning(Processes *p, Config *c, const Model *model, uint64_t vocabulary, Err *e);

#endif
