/* chart.c - from numbers to places on the paper. */
#include "picture/canvas.h"

#include "base/buf.h"
#include "base/mem.h"

#include <math.h>

enum { WIDTH = 720, HEIGHT = 200, LEFT = 80, RIGHT = 30, ABOVE = 40, BELOW = 45, TICKS = 5,
       GAP = 8, DOT = 5 };

/* A curve without dots has at most so many points on the paper. */
enum { DRAWN = 240 };

/* What the axes show. */
typedef struct { double left, right, low, high; } Range;

/* ---- Axes ---- */

/* A step of 1, 2 or 5 times a power of ten that divides the span into about TICKS parts. */
static double round_step(double span)
{
    double power = pow(10, floor(log10(span / TICKS))), share = span / TICKS / power;
    return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
}

static Range range_of(const Chart *chart)
{
    Range r = { HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL };
    for (int c = 0; c < CHART_CURVES; c++) {
        const Curve *curve = &chart->curve[c];
        for (size_t i = 0; i < curve->count; i++) {
            r.left = fmin(r.left, curve->point[i].x);
            r.right = fmax(r.right, curve->point[i].x);
            r.low = fmin(r.low, curve->point[i].y);
            r.high = fmax(r.high, curve->point[i].y);
        }
    }
    if (chart->from_zero) r.low = fmin(r.low, 0);
    r.left = fmin(r.left, 0);
    if (!(r.right > r.left)) r.right = r.left + 1;
    if (!(r.high > r.low)) r.high = r.low + fmax(fabs(r.low), 1e-9);    /* level: at the bottom */
    double step = round_step(r.high - r.low);
    r.low = floor(r.low / step) * step;
    r.high = ceil(r.high / step) * step;
    return r;
}

static Point place(const Range *r, double top, Point p)
{
    return (Point){ LEFT + WIDTH * (p.x - r->left) / (r->right - r->left),
                    top + ABOVE + HEIGHT * (r->high - p.y) / (r->high - r->low) };
}

static void draw_levels(const Range *r, Canvas *canvas, double top)
{
    SCOPED(buf_free) Buf label = { 0 };
    const double step = round_step(r->high - r->low);
    const long count = lround((r->high - r->low) / step);
    for (long i = 0; i <= count; i++) {
        const double value = r->low + step * (double)i;
        Point at = place(r, top, (Point){ r->left, value });
        canvas->line(canvas, (Point[]){ at, { LEFT + WIDTH, at.y } }, 2, INK_GRID);
        buf_clear(&label);
        buf_printf(&label, "%.6g", fabs(value) < step / 2 ? 0 : value);
        canvas->text(canvas, (Point){ at.x - GAP, at.y }, ANCHOR_END, 0, label.text);
    }
}

static void draw_times(const Range *r, Canvas *canvas, double top)
{
    enum { MINUTE = 60, HOUR = 3600 };
    const double unit = r->right > 2 * HOUR ? HOUR : r->right > 2 * MINUTE ? MINUTE : 1;
    const char *name = unit == HOUR ? "hours" : unit == MINUTE ? "minutes" : "seconds";
    const double step = round_step((r->right - r->left) / unit) * unit;
    const double bottom = top + ABOVE + HEIGHT;
    SCOPED(buf_free) Buf label = { 0 };
    for (long i = 0; step * (double)i <= r->right; i++) {
        const double x = place(r, top, (Point){ step * (double)i, r->low }).x;
        canvas->line(canvas, (Point[]){ { x, bottom }, { x, bottom + DOT } }, 2, INK_GRID);
        buf_clear(&label);
        buf_printf(&label, "%.6g", step * (double)i / unit);
        canvas->text(canvas, (Point){ x, bottom + 2 * GAP }, ANCHOR_MIDDLE, 0, label.text);
    }
    canvas->text(canvas, (Point){ LEFT + WIDTH, bottom + BELOW - GAP }, ANCHOR_END, 0, name);
}

/* ---- Curves ---- */

/* drawn: room for DRAWN points, means over some of the curve's; returns how many it has. */
static size_t thin(const Curve *curve, Point *drawn)
{
    size_t groups = curve->count < DRAWN ? curve->count : DRAWN;
    for (size_t i = 0; i < groups; i++) {
        const size_t from = i * curve->count / groups, to = (i + 1) * curve->count / groups;
        Point sum = { 0, 0 };
        for (size_t p = from; p < to; p++)
            sum = (Point){ sum.x + curve->point[p].x, sum.y + curve->point[p].y };
        drawn[i] = (Point){ sum.x / (double)(to - from), sum.y / (double)(to - from) };
    }
    return groups;
}

static void draw_curve(const Curve *curve, const Range *r, Canvas *canvas, double top, Ink ink)
{
    Point value[DRAWN], at[DRAWN];
    const size_t count = thin(curve, value);
    for (size_t i = 0; i < count; i++)
        at[i] = place(r, top, value[i]);
    if (count > 1) canvas->line(canvas, at, (int)count, ink);
    for (size_t i = 0; i < count; i++) {
        SCOPED(buf_free) Buf note = { 0 };
        buf_printf(&note, "%s %.4g after %.4g s", curve->name, value[i].y, value[i].x);
        canvas->box(canvas, (Box){ at[i].x - DOT / 2., at[i].y - DOT / 2., DOT, DOT }, ink,
                    curve->dots, note.text);
    }
}

/* The name of a curve beside its colour; returns where the next may begin. */
static double draw_key(const char *name, Canvas *canvas, Point at, Ink ink)
{
    canvas->box(canvas, (Box){ at.x, at.y - DOT, 2 * DOT, 2 * DOT }, ink, 1, NULL);
    canvas->text(canvas, (Point){ at.x + 2 * DOT + GAP, at.y }, ANCHOR_START, 0, name);
    return at.x + 2 * DOT + 4 * GAP + canvas->width(canvas, name);
}

/* "Loss: training 4.81 to 2.1, validation 3.9 to 2.5" */
static void name_chart(const Chart *chart, Canvas *canvas)
{
    const char *between = ": ";
    buf_printf(&canvas->name, "%s%s", canvas->name.length ? "; " : "", chart->title);
    for (int c = 0; c < CHART_CURVES; c++) {
        const Curve *curve = &chart->curve[c];
        if (!curve->count) continue;
        buf_printf(&canvas->name, "%s%s %.4g to %.4g", between, curve->name, curve->point[0].y,
                   curve->point[curve->count - 1].y);
        between = ", ";
    }
}

Size chart_draw(const Chart *chart, Canvas *canvas, double top)
{
    static const Ink inks[CHART_CURVES] = { INK_FIRST, INK_SECOND };
    const double title = top + ABOVE / 2.;
    size_t points = 0;
    for (int c = 0; c < CHART_CURVES; c++)
        points += chart->curve[c].count;
    if (!points) return (Size){ 0, 0 };

    name_chart(chart, canvas);
    const Range r = range_of(chart);
    double x = LEFT + canvas->width(canvas, chart->title) + 2 * GAP;
    canvas->text(canvas, (Point){ LEFT, title }, ANCHOR_START, 0, chart->title);
    draw_levels(&r, canvas, top);
    draw_times(&r, canvas, top);
    for (int c = 0; c < CHART_CURVES; c++) {
        const Curve *curve = &chart->curve[c];
        if (!curve->count) continue;
        if (chart->curve[1].count) x = draw_key(curve->name, canvas, (Point){ x, title }, inks[c]);
        draw_curve(curve, &r, canvas, top, inks[c]);
    }
    return (Size){ LEFT + WIDTH + RIGHT, ABOVE + HEIGHT + BELOW };
}
