/* piped.h - whether standard input is a translation to be scored: `attn eval REFERENCE <
 * TRANSLATION`. */
#ifndef ATTN_CMD_EVAL_PIPED_H
#define ATTN_CMD_EVAL_PIPED_H

#include "base/error.h"

/* piped_reference - whether the file can be a reference and no corpus: a regular file with a line,
 * but without a tab. -1 with a message for a file that can't be read. */
int piped_reference(const char *path, Err *e);

/* begins_with_pair - whether the file is regular, can be read, and has a tab in its first line. */
int begins_with_pair(const char *path);

/* piped_file - whether standard input is a file that nobody has read from, as `< FILE` has it: the
 * lines behind the first of a loop's `while read` are none, nor is what happens to be connected to
 * a job. */
int piped_file(void);

#endif
