/* unused.h - options of a network that has no place for them.
 */
#ifndef ATTN_CMD_TRAIN_UNUSED_H
#define ATTN_CMD_TRAIN_UNUSED_H

#include "cmd/options.h"
#include "model/network_options.h"

/* unused_check - whether one of the options that the command line names would change nothing of
 * this network; -1 with what it is for. Its automatic values don't matter. */
int unused_check(const NetworkOptions *network, const Options *given, Err *e);

#endif
