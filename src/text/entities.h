/* entities.h - characters that HTML writes by their names or numbers: &amp; &eacute; &#39; &#x20AC; */
#ifndef ATTN_TEXT_ENTITIES_H
#define ATTN_TEXT_ENTITIES_H

#include "base/buf.h"

/* Sets of the signs & < >, which mean something in HTML.
 *
 * entities_bare - those that a text (valid UTF-8) has as they are.
 * entities_decode - appends a text with characters in place of their names and numbers. Names that are not
 * known, numbers of control characters, and the signs of `kept` stay. Returns the signs that it appended.
 * entities_encode - appends a text with names in place of the signs of `set`. */
unsigned entities_bare(const char *text, size_t length);
unsigned entities_decode(const char *text, size_t length, unsigned kept, Buf *out);
void     entities_encode(const char *text, size_t length, unsigned set, Buf *out);

#endif
