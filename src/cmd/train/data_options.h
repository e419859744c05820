/* data_options.h - the options of `attn train` for its corpus, and what they mean for reading it. */
#ifndef ATTN_CMD_TRAIN_DATA_OPTIONS_H
#define ATTN_CMD_TRAIN_DATA_OPTIONS_H

#include "cmd/train/config.h"
#include "train/data/data.h"

extern const Field pair_fields[];       /* of PairOptions */

/* data_options - of these files; folder: where pairs are kept that memory has no room for. What follows
 * from the size of the corpus is not set yet. The pointers are borrowed. */
DataOptions data_options(const Config *c, const BitextFiles *files, const char *folder);

#endif
