/* room.h - whether a file system has room for what a training will write. */
#ifndef ATTN_CMD_ROOM_H
#define ATTN_CMD_ROOM_H

#include "base/error.h"
#include "model/parameters.h"
#include "train/recipe.h"

/* room_check - -1 with a message that says what is needed if model and training state, each beside the file that it
 * replaces, are more than is free. Where the system doesn't tell what is free: 0. */
int room_check(const char *model, const char *state, const ParameterTable *table, const Recipe *recipe, Err *e);

#endif
