/* skipped.h - which lines of a corpus were left out and why, told on stderr. */
#ifndef ATTN_CMD_SKIPPED_H
#define ATTN_CMD_SKIPPED_H

#include "text/bitext.h"

/* warn_skipped - one table: for each reason how many lines, and where the first ones are; nothing if none was. Then
 * what to do about a file in another encoding, and about carriage returns inside lines. */
void warn_skipped(const BitextReport *report, const BitextFiles *files);

#endif
