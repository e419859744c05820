/* wrap.h - text broken into lines between its words. */
#ifndef ATTN_CMD_WRAP_H
#define ATTN_CMD_WRAP_H

#include "base/buf.h"

/* wrap_words - appends the text, which begins at `column`, in lines of at most so many columns
 * where its words allow; further lines begin at `indent`. Blanks within a line stay as they are. */
void wrap_words(const char *text, int column, int indent, int columns, Buf *out);

#endif
