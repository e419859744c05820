/* layout.h - what the start of a corpus file says of all its lines: which columns are text, whether
 * their cells are quoted, and whether it is markup. */
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
    int     quoted;         /* percent of cells that are quoted as RFC 4180 has it, and to be read
                             * so; 0: marks are text */
    int     markup;         /* percent of lines from < to >; 0: fewer than half */
} Layout;

#define MARKUP_ADVICE "take the text out first: sed -n 's/.*<seg[^>]*>\\(.*\\)<\\/seg>.*/\\1/p' " \
                      "prints that of <seg>"

/* layout_find - of a file that begins with this text. columns: those of a TSV that were chosen; 0: none
 * were, and the first two are taken; NULL: it is no TSV. -1 with a message if the first two are
 * numbers, ids or addresses, or one word over and over, and others are text. */
int layout_find(Layout *layout, const char *name, const Columns *columns, const char *text,
                size_t length, Err *e);

/* layout_cell - the cell of a line in that column; text NULL: there is none. */
Span layout_cell(Span line, int column);

/* layout_unquoted - a quoted cell without the marks around it, and of two inside one; another as it
 * is. Changes the text, which must be writable. */
Span layout_unquoted(Span cell);

#endif
