/* preset.h - named configurations: lists of options with their values, as a user would write
 * them. */
#ifndef ATTN_CMD_TRAIN_PRESET_H
#define ATTN_CMD_TRAIN_PRESET_H

#include "cmd/options.h"

extern const char *const preset_names[];        /* for the option --preset; "none" comes first */

/* preset_apply - sets the options of the preset; -1 for one that no set has, or a wrong value. */
int preset_apply(int preset, const OptionSet *sets, Err *e);

#endif
