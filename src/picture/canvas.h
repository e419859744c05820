/* canvas.h - a drawing surface, its papers (SVG, alone or in a page of HTML, and PNG), and curves.
 *
 * Sizes are in pixels, x to the right, y downward, text in one size. What is drawn may be of any
 * extent: the paper is cut when the drawing is done.
 */
#ifndef ATTN_PICTURE_CANVAS_H
#define ATTN_PICTURE_CANVAS_H

#include "base/buf.h"
#include "base/error.h"

#include <stddef.h>
#include <stdio.h>

enum { CANVAS_FONT = 13 };                      /* height of the text */

/* What a stroke or a surface is for; the paper chooses the colour. */
typedef enum { INK_PAPER, INK_TEXT, INK_GRID, INK_CELL, INK_FIRST, INK_SECOND, INKS } Ink;

typedef enum { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END } Anchor;

typedef struct { double x, y; } Point;
typedef struct { double x, y, width, height; } Box;
typedef struct { double width, height; } Size;

typedef struct Canvas Canvas;
struct Canvas {
    /* note: shown when the pointer is on the box, if the format can; or NULL */
    void (*box)(Canvas *canvas, Box box, Ink ink, double opacity, const char *note);
    void (*line)(Canvas *canvas, const Point *points, int count, Ink ink);
    /* The text's middle line runs through `at`, turned by `angle` (degrees, clockwise) about it. */
    void (*text)(Canvas *canvas, Point at, Anchor anchor, double angle, const char *text);
    double (*width)(Canvas *canvas, const char *text);      /* of a text, or somewhat more */
    Buf name;       /* what the drawing shows: WAI-ARIA's label of the element in SVG */
};

/* ---- SVG: every text stays text, colours follow the reader's choice of light or dark ---- */

typedef struct {
    Canvas canvas;          /* first: a Canvas * is an Svg * */
    Buf    body;            /* what was drawn */
} Svg;

/* svg_init - an empty drawing. svg_finish - appends it as an element <svg> of that size, alone as a
 * file or as part of a page of HTML, and releases it. */
void svg_init(Svg *svg);
void svg_finish(Svg *svg, Size size, int alone, Buf *out);

/* A page of drawings needs no network and no other file. It shows the note of the box under the
 * pointer.
 * html_element - text in an element whose direction is that of its script.
 * html_svg - ends a drawing; a wide one scrolls by itself. */
void html_begin(const char *title, Buf *out);
void html_element(const char *element, const char *text, Buf *out);
void html_svg(Svg *svg, Size size, Buf *out);
void html_end(Buf *out);

/* ---- PNG: cairo draws, pango finds a face for every script ---- */

enum { PNG_TALLEST = 8000 };        /* pixels of a drawing: some 200 MB while it is written, at the
                                       usual width */

typedef struct Png Png;

/* png_new - NULL with a message where the libraries are missing.
 * png_write - writes the drawing, twice as large as it was drawn, for it to be sharp on any screen.
 * Errors of the stream itself are the caller's to find. png_free - NULL is allowed. */
Png    *png_new(Err *e);
Canvas *png_canvas(Png *png);
int     png_write(Png *png, Size size, FILE *out, Err *e);
void    png_free(Png *png);

/* ---- A chart: curves over time, one or two, between axes with round numbers ---- */

typedef struct {
    const char  *name;
    const Point *point;     /* (count) x in seconds, rising; all finite */
    size_t       count;
    int          dots;      /* each point is marked; else a long curve is drawn by means over some
                               of them */
} Curve;

enum { CHART_CURVES = 2 };
typedef struct {
    const char *title;
    Curve       curve[CHART_CURVES];    /* one without points is left out */
    int         from_zero;              /* the lowest number shown is 0 at most */
} Chart;

/* chart_draw - with its upper left corner at (0, top); returns what it takes. Without any point it
 * is nothing. */
Size chart_draw(const Chart *chart, Canvas *canvas, double top);

#endif
