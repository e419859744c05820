/* html.h - a page of drawings that needs nothing else: no network, no other file; light or dark as
 * the reader prefers, and it shows the note of the box under the pointer. */
#ifndef ATTN_PICTURE_HTML_H
#define ATTN_PICTURE_HTML_H

#include "base/buf.h"
#include "picture/svg.h"

void html_begin(const char *title, Buf *out);
void html_fact(const char *name, const char *text, Buf *out);      /* a paragraph */
void html_fold_begin(const char *summary, Buf *out);    /* what follows is shown when opened */
void html_fold_end(Buf *out);
void html_svg(Svg *svg, Size size, Buf *out);       /* ends the drawing; a wide one scrolls by
                                                       itself */
void html_end(Buf *out);

#endif
