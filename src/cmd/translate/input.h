/* input.h - the lines to translate, repaired where they are no valid text, in batches; and what
 * their translations must begin with.
 *
 * A batch waits for its first line only and takes the others that have arrived, so that a slow
 * writer gets each translation without delay, and a large file runs in large batches.
 */
#ifndef ATTN_CMD_TRANSLATE_INPUT_H
#define ATTN_CMD_TRANSLATE_INPUT_H

#include "base/buf.h"
#include "base/files/lines.h"
#include "cmd/progress.h"

#include <stddef.h>

typedef struct {
    size_t start;               /* where it begins in the text of its batch */
    long   number;              /* in its file, from 1 */
} InputLine;

/* Set the first members, zero the rest; input_free releases. */
typedef struct {
    size_t      most_lines;     /* of a batch, at least 1 */
    size_t      most_bytes;     /* of a line; the rest is cut off with a warning */
    int         is_wrapped;     /* lines that go on in the next one are joined (text/sentences.h):
                                   a batch ends behind a paragraph */
    Progress   *progress;       /* cleared before a warning is written */
    const char *prefix;         /* of all translations; NULL: none, or one a line: */
    Lines      *prefixes;       /* line n is that of line n of the input; NULL: no file */

    Buf         text;           /* the lines of the batch, valid UTF-8, each with a NUL */
    InputLine  *line;           /* (count) */
    size_t      count, capacity;
    Buf         prefix_text;    /* prefixes of the batch, each with a NUL */
    long        repaired, cut;  /* changed lines of all batches */
    long        beyond_ascii;   /* lines of all batches that are UTF-8, but not all ASCII */
} Input;

enum { MOST_WARNINGS = 5 };     /* of each kind, one a line; further ones are counted at the end */
enum { PREFIX_BYTES = 1000 };   /* of one prefix, at most */

/* input_batch - reads the next batch. 1: there may be more; 0: the end, with a last batch or
 * none; -1: an error, with the lines before it. */
int         input_batch(Input *in, Lines *lines, Err *e);
char       *input_line(Input *in, size_t i);    /* the caller may change it within its length */
void        input_report(const Input *in);      /* warns of the lines beyond MOST_WARNINGS */
void        input_free(Input *in);              /* closes the prefixes, too */

/* prefix_check - -1 where the text cannot be a prefix.
 * input_prefixes - those of the next `count` lines, valid until the next call; NULL without one. -1
 * where the file has fewer lines, or a line that cannot be a prefix.
 * input_end - after the last line of the input: -1 if the file of prefixes has more. */
int prefix_check(const char *text, size_t length, Err *e);
int input_prefixes(Input *in, const char **prefix, size_t count, Err *e);
int input_end(const Input *in, Err *e);

#endif
