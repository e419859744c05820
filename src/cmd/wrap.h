/* wrap.h - text broken into lines between its words. */
#ifndef ATTN_CMD_WRAP_H
#define ATTN_CMD_WRAP_H

#include "base/buf.h"

/* wrap_words - appends the text, whose first line begins at `column`, in lines of at most
 * `columns`; further lines begin at `indent`. A word is never cut. Blanks within a line stay as
 * they are. */
void wrap_words(const char *text, int column, int indent, int columns, Buf *out);

#endif
