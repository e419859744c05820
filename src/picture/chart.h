/* chart.h - curves over time on a canvas: axes with round numbers, one curve or two. */
#ifndef ATTN_PICTURE_CHART_H
#define ATTN_PICTURE_CHART_H

#include "picture/canvas.h"

#include <stddef.h>

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
