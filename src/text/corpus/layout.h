/* layout.h - what the start of a corpus file says of all its lines: which columns are text. */
#ifndef ATTN_TEXT_CORPUS_LAYOUT_H
#define ATTN_TEXT_CORPUS_LAYOUT_H

#include "base/error.h"

#include <stddef.h>

/* Borrowed, not NUL-terminated. */
typedef struct { const char *text; size_t length; } Span;

typedef struct { int source, target; } Columns;     /* of a TSV, from 1 */

typedef struct {
    Columns columns;
    int     ids;            /* percent of lines with a number or an id for source, where that may be
                             * meant: the file has no text but its target; 0: few, or --columns */
} Layout;

/* layout_find - of a TSV that begins with this text. columns: those that were chosen; 0: none were,
 * and the first two are taken. -1 with a message if these are numbers, ids or addresses, or one word
 * over and over, and others are text. */
int layout_find(Layout *layout, const char *name, Columns columns, const char *text, size_t length,
                Err *e);

/* layout_cell - the cell of a line in that column; text NULL: there is none. */
Span layout_cell(Span line, int column);

#endif
