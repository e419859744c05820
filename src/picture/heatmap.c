/* heatmap.c - labels, and the matrix drawn on a canvas. */
#include "picture/heatmap.h"

#include "base/mem.h"
#include "text/unicode.h"

#include <math.h>
#include <stdlib.h>

/* ---- Labels ---- */

Heatmap heatmap_new(int source_count, int target_count, const float *weight)
{
    return (Heatmap){ .source = xcalloc((size_t)source_count, sizeof(char *)),
                      .target = xcalloc((size_t)target_count, sizeof(char *)),
                      .source_count = source_count, .target_count = target_count, .weight = weight };
}

static void free_labels(char **labels, int count)
{
    for (int i = 0; i < count; i++)
        free(labels[i]);
    free(labels);
}

void heatmap_free(Heatmap *h)
{
    free_labels(h->source, h->source_count);
    free_labels(h->target, h->target_count);
    *h = (Heatmap){ 0 };
}

char *heatmap_label(const char *text, int continues)
{
    Buf label = { 0 };
    if (continues) buf_puts(&label, "·");
    if (!*text) buf_puts(&label, "␣");
    buf_puts(&label, "");
    while (*text) {
        int32_t point = unicode_next(&text);
        if (!unicode_is_control(point)) unicode_put(&label, point);     /* an escape sequence must stay harmless */
    }
    return label.text;
}

void heatmap_cut(const char *label, int room, Buf *out)
{
    int used = 0, whole = unicode_columns(label) <= room;
    while (*label) {
        const char *next = label;
        int width = unicode_width(unicode_next(&next));
        if (!whole && used + width > room - 1) break;
        buf_add(out, label, (size_t)(next - label));
        used += width;
        label = next;
    }
    if (!whole && room > 0) buf_puts(out, "…");
}

double heatmap_weight(const Heatmap *h, int target, int source)
{
    double weight = h->weight[(size_t)target * (size_t)h->source_count + (size_t)source];
    return weight >= 0 ? fmin(weight, 1) : 0;   /* NaN is 0 */
}

/* ---- The drawing ---- */

enum { CELL = 20, GAP = 6, MARGIN = 12, LONGEST_LABEL = 24, SCALE_STEPS = 5 };

/* The angle of the source labels, chosen so that neighbours don't touch: CELL * sin > CANVAS_FONT. */
#define TURN    (-60.0)
#define COSINE  0.5
#define SINE    0.8660254

/* A cell below this shows nothing that an eye could see. */
#define LEAST   0.005

static double widest(char **labels, int count, Canvas *canvas)
{
    Buf cut = { 0 };
    double most = 0;
    for (int i = 0; i < count; i++) {
        buf_clear(&cut);
        heatmap_cut(labels[i], LONGEST_LABEL, &cut);
        most = fmax(most, canvas->width(canvas, cut.text));
    }
    buf_free(&cut);
    return most;
}

static void draw_label(Canvas *canvas, Point at, Anchor anchor, double angle, const char *label)
{
    Buf cut = { 0 };
    buf_clear(&cut);
    heatmap_cut(label, LONGEST_LABEL, &cut);
    canvas->text(canvas, at, anchor, angle, cut.text);
    buf_free(&cut);
}

static void draw_cell(const Heatmap *h, Canvas *canvas, Point origin, int t, int s)
{
    double weight = heatmap_weight(h, t, s);
    if (weight < LEAST) return;
    Buf note = { 0 };
    buf_printf(&note, "%s → %s: %.2f", h->source[s], h->target[t], weight);
    canvas->box(canvas, (Box){ origin.x + CELL * s, origin.y + CELL * t, CELL, CELL }, INK_CELL, weight, note.text);
    buf_free(&note);
}

/* Lines between all cells: the eye finds row and column of a cell far from the labels. */
static void draw_grid(Canvas *canvas, Box matrix, int rows, int columns)
{
    for (int s = 0; s <= columns; s++) {
        double x = matrix.x + CELL * s;
        canvas->line(canvas, (Point[]){ { x, matrix.y }, { x, matrix.y + matrix.height } }, 2, INK_GRID);
    }
    for (int t = 0; t <= rows; t++) {
        double y = matrix.y + CELL * t;
        canvas->line(canvas, (Point[]){ { matrix.x, y }, { matrix.x + matrix.width, y } }, 2, INK_GRID);
    }
}

static void draw_scale(Canvas *canvas, Point at)
{
    const double right = at.x + CELL * (SCALE_STEPS + 1), bottom = at.y + CELL / 2., middle = at.y + CELL / 4.;
    for (int i = 1; i <= SCALE_STEPS; i++)
        canvas->box(canvas, (Box){ at.x + CELL * i, at.y, CELL, CELL / 2. }, INK_CELL, (double)i / SCALE_STEPS, NULL);
    canvas->line(canvas, (Point[]){ at, { right, at.y }, { right, bottom }, { at.x, bottom }, at }, 5, INK_GRID);
    canvas->text(canvas, (Point){ at.x - GAP, middle }, ANCHOR_END, 0, "0");
    canvas->text(canvas, (Point){ right + GAP, middle }, ANCHOR_START, 0, "1");
}

Size heatmap_draw(const Heatmap *h, Canvas *canvas, double top)
{
    double source = widest(h->source, h->source_count, canvas), target = widest(h->target, h->target_count, canvas);
    Box matrix = { MARGIN + target + GAP, top + MARGIN + source * SINE + CANVAS_FONT, CELL * h->source_count,
                   CELL * h->target_count };
    Point origin = { matrix.x, matrix.y };
    draw_grid(canvas, matrix, h->target_count, h->source_count);
    for (int t = 0; t < h->target_count; t++)
        for (int s = 0; s < h->source_count; s++)
            draw_cell(h, canvas, origin, t, s);
    for (int s = 0; s < h->source_count; s++)
        draw_label(canvas, (Point){ origin.x + CELL * (s + 0.5), origin.y - GAP }, ANCHOR_START, TURN, h->source[s]);
    for (int t = 0; t < h->target_count; t++)
        draw_label(canvas, (Point){ origin.x - GAP, origin.y + CELL * (t + 0.5) }, ANCHOR_END, 0, h->target[t]);
    Point scale = { origin.x, origin.y + matrix.height + CELL / 2. };
    draw_scale(canvas, scale);
    double cells = fmax(matrix.width + source * COSINE, CELL * (SCALE_STEPS + 2));
    return (Size){ matrix.x + cells + MARGIN, scale.y + CELL / 2. + MARGIN - top };
}
