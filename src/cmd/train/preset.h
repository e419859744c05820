/* preset.h - named recipes: lists of options with their values, as a user would write them. */
#ifndef ATTN_CMD_TRAIN_PRESET_H
#define ATTN_CMD_TRAIN_PRESET_H

#include "cmd/options.h"

extern const char *const preset_names[];        /* for the option --preset; "none" comes first */

/* preset_apply - sets the preset's options in the sets that have them. */
int preset_apply(int preset, const OptionSet *sets, Err *e);

#endif
