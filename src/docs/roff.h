/* roff.h - text for manual pages, in the language of man(7). */
#ifndef ATTN_DOCS_ROFF_H
#define ATTN_DOCS_ROFF_H

#include "base/buf.h"

/* roff_text - appends plain text as input lines: options become bold, other characters as they
 * are, whatever they mean to roff; an empty line begins a paragraph.
 * roff_code - appends it for where every character counts, as between .EX and .EE.
 * roff_line - appends `length` bytes of roff in UTF-8, of which only the characters beyond ASCII
 * change. */
void roff_text(const char *text, Buf *out);
void roff_code(const char *text, Buf *out);
void roff_line(const char *line, size_t length, Buf *out);

#endif
