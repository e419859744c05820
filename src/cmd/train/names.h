/* names.h - the files that options of `attn train` name: what can be seen of them before any work.
 */
#ifndef ATTN_CMD_TRAIN_NAMES_H
#define ATTN_CMD_TRAIN_NAMES_H

#include "cmd/train/config.h"

/* names_settle - a log that is "-" becomes standard output. Ends the program with status 2 where a
 * name can be no model's, where --valid or --replay is given twice, or names a file without pairs. */
void names_settle(TrainOptions *own, const Options *given);

#endif
