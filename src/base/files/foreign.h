/* foreign.h - what a file is that holds no UTF-8 text: packed, a document, or text in wide units. */
#ifndef ATTN_BASE_FOREIGN_H
#define ATTN_BASE_FOREIGN_H

#include <stddef.h>

/* foreign_text - what these bytes at the start of a file are, and what makes text of them ("is packed
 * by xz: 'xz -dc' unpacks it"); NULL: they may be text. Without a byte-order mark UTF-16 and UTF-32
 * are known by their ends of lines. gzip is not foreign. */
const char *foreign_text(const char *bytes, size_t length);

#endif
