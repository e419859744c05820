/* skipped.h - which lines of a corpus were left out and why, told on stderr. */
#ifndef ATTN_CMD_SKIPPED_H
#define ATTN_CMD_SKIPPED_H

#include "text/corpus.h"

/* warn_skipped - a warning for each reason, with the first line numbers; `name` is the corpus as the user named it. */
void warn_skipped(const Corpus *corpus, const char *name);

#endif
