/* canvas.h - the operations of a drawing surface; each format implements them (picture/svg.h,
 * picture/png.h).
 *
 * Sizes are in pixels, x to the right, y downward, text in one size. What is drawn may be of any
 * extent: the paper is cut when the drawing is done.
 */
#ifndef ATTN_PICTURE_CANVAS_H
#define ATTN_PICTURE_CANVAS_H

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
    /* A description of a part of the drawing for screen readers, if the format has one. */
    void (*name)(Canvas *canvas, const char *text);
};

#endif
