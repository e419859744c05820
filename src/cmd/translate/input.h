/* input.h - the lines to translate, repaired where they are no valid text, in batches.
 *
 * A batch waits for its first line only and takes the others that have arrived, so that a slow
 * writer gets each translation without delay, and a large file runs in large batches.
 */
#ifndef ATTN_CMD_TRANSLATE_INPUT_H
#define ATTN_CMD_TRANSLATE_INPUT_H

#include "base/buf.h"
#include "base/files/lines.h"
#include "cmd/progress.h"
#include "text/markup/code_block.h"

#include <stddef.h>

typedef struct {
    size_t start;               /* where it begins in the text of its batch */
    long   number;              /* in its file, from 1 */
    int    is_code;             /* it belongs to a block of code (text/markup/code_block.h) */
} InputLine;

/* Set most_lines, most_bytes, is_wrapped, finds_code and progress, zero the rest; input_free releases. */
typedef struct {
    size_t    most_lines;       /* of a batch, at least 1 */
    size_t    most_bytes;       /* of a line; the rest is cut off with a warning */
    int       is_wrapped;       /* lines that go on in the next one are joined (text/sentences/wrapping.h):
                                   a batch ends behind a paragraph */
    int       finds_code;       /* blocks of code are looked for */
    Progress *progress;         /* cleared before a warning is written */

    Buf       text;             /* the lines of the batch, valid UTF-8, each with a NUL */
    InputLine *line;            /* (count) */
    size_t    count, capacity;
    CodeBlock code;             /* of the file so far */
    long      code_number;      /* of the line that began the last block of code */
    long      repaired, cut;    /* changed lines of all batches */
    long      beyond_ascii;     /* lines of all batches that are UTF-8, but not all ASCII */
} Input;

enum { MOST_WARNINGS = 5 };     /* of each kind, one a line; further ones are counted at the end */

/* input_begin - before the first line of a file; input_end - behind its last one: warns of a block of
 * code that has no end.
 * input_batch - reads the next batch. 1: there may be more; 0: the end, with a last batch or
 * none; -1: an error, with the lines before it. */
void        input_begin(Input *in);
void        input_end(Input *in, const Lines *lines);
int         input_batch(Input *in, Lines *lines, Err *e);
char       *input_line(Input *in, size_t i);    /* the caller may change it within its length */
void        input_report(const Input *in);      /* warns of the lines beyond MOST_WARNINGS */
void        input_free(Input *in);

#endif
