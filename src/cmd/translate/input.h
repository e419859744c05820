/* input.h - lines on their way in: taken as they come, repaired where they are no text, gathered into batches.
 *
 * A batch is what has arrived: the first line is waited for, the others are not, so that a slow writer gets each answer
 * without delay and a large file runs in large batches.
 */
#ifndef ATTN_CMD_TRANSLATE_INPUT_H
#define ATTN_CMD_TRANSLATE_INPUT_H

#include "base/buf.h"
#include "base/lines.h"
#include "cmd/progress.h"

#include <stddef.h>

/* Set most_lines, most_bytes and progress, zero the rest; input_free releases. */
typedef struct {
    size_t    most_lines;       /* of a batch, at least 1 */
    size_t    most_bytes;       /* of a line; the rest of a longer one is cut off, and warned of */
    Progress *progress;         /* cleared before a warning is written */

    Buf       text;             /* the lines of the batch, valid UTF-8, each with a NUL */
    size_t   *start;            /* (count) where each begins in `text` */
    size_t    count, capacity;
    long      first;            /* number of the batch's first line in its file, from 1 */
    long      repaired, cut;    /* lines of all batches that were not taken as they stood */
    long      beyond_ascii;     /* lines of all batches that are UTF-8, but not all ASCII */
} Input;

enum { MOST_WARNINGS = 5 };     /* of each kind, one a line; then their number is told at the end */

/* input_batch - replaces the batch. 1: there may be more, 0: the end (with a last batch or none), -1: an error (with
 * what came before it). */
int         input_batch(Input *in, Lines *lines, Err *e);
char       *input_line(Input *in, size_t i);    /* the caller may change it within its length */
void        input_report(const Input *in);      /* what the warnings left out */
void        input_free(Input *in);

#endif
