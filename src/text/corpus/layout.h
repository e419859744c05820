/* layout.h - what the start of a corpus file says of all its lines: which columns are text, and
 * whether their cells are quoted. */
#ifndef ATTN_TEXT_CORPUS_LAYOUT_H
#define ATTN_TEXT_CORPUS_LAYOUT_H

#include "text/corpus/bitext.h"

typedef struct {
    Columns columns;
    int     quoted;         /* percent of cells that are quoted as RFC 4180 has it, and to be read
                             * so; 0: marks are text */
} Layout;

/* layout_find - of a file that begins with this text. columns: those of a TSV that were chosen; 0: none
 * were, and the first two are taken; NULL: it is no TSV. -1 with a message if the first two are
 * numbers, ids or addresses, or one word over and over, and others are text. */
int layout_find(Layout *layout, const char *name, const Columns *columns, const char *text,
                size_t length, Err *e);

/* layout_cell - the cell of a line in that column; text NULL: there is none. */
Slice layout_cell(Slice line, int column);

/* layout_unquoted - a quoted cell without the marks around it, and of two inside one; another as it
 * is. Changes the text, which must be writable. */
Slice layout_unquoted(Slice cell);

#endif
