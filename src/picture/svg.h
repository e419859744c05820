/* svg.h - a canvas of SVG: every text stays text, colours follow the reader's choice of light or
 * dark. */
#ifndef ATTN_PICTURE_SVG_H
#define ATTN_PICTURE_SVG_H

#include "base/buf.h"
#include "picture/canvas.h"

/* Zero-initialise but for the canvas, which svg_init sets; svg_finish releases. */
typedef struct {
    Canvas canvas;          /* first: a Canvas * is an Svg * */
    Buf    body;            /* what was drawn */
    Buf    name;            /* what it shows: WAI-ARIA's label of the element */
} Svg;

extern const char svg_style[];      /* CSS of the inks: once in a page, or in a file */

/* svg_init - an empty drawing. svg_finish - appends it as an element <svg> of that size, alone as a
 * file or as part of a page of HTML, and releases it. */
void svg_init(Svg *svg);
void svg_finish(Svg *svg, Size size, int alone, Buf *out);

/* markup_add - appends text as XML and HTML want it: & < > " ' escaped, and what XML forbids, and
 * bytes that are no UTF-8, replaced by U+FFFD. */
void markup_add(const char *text, Buf *out);

#endif
