/* skipped.h - a report on stderr of the lines of a corpus that were left out. */
#ifndef ATTN_CMD_SKIPPED_H
#define ATTN_CMD_SKIPPED_H

#include "text/corpus/bitext.h"

/* warn_skipped - prints a table: for each reason the number of lines and the places of the first
 * ones; nothing where no line was left out. Then advice on a file in another encoding, and on
 * carriage returns inside lines. */
void warn_skipped(const BitextReport *report, const BitextFiles *files);

#endif
