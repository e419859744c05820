/* heatmap.c - labels, and the matrix drawn on a canvas. */
#include "picture/heatmap.h"

#include "base/mem.h"
#include "base/printable.h"
#include "text/unicode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Labels ---- */

void heatmap_init(Heatmap *h, int source_count, int target_count, const float *weight)
{
    *h = (Heatmap){ .source = xcalloc((size_t)source_count, sizeof(char *)),
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
    free(h->source_text);
    free(h->target_text);
    *h = (Heatmap){ 0 };
}

#define JOINED "·"
#define BLANK  "␣"

char *heatmap_label(const char *text, int continues)
{
    Buf label = { 0 };
    if (continues) buf_puts(&label, JOINED);
    if (!*text) buf_puts(&label, BLANK);
    buf_puts(&label, "");
    while (*text) {
        const size_t hidden = unprintable(text);        /* an escape sequence must stay harmless */
        const int32_t point = unicode_next(&text);
        if (!hidden) unicode_append(&label, point);
    }
    return label.text;
}

static int has_mark(char **labels, int count, const char *mark)
{
    for (int i = 0; i < count; i++)
        if (!strncmp(labels[i], mark, strlen(mark))) return 1;
    return 0;
}

void heatmap_legend(const Heatmap *h, Buf *out)
{
    static const char *const marks[] = { JOINED, BLANK };
    static const char *const meanings[] = { "no blank before it", "a blank" };
    const char *between = "";
    for (int i = 0; i < 2; i++) {
        const int in_source = has_mark(h->source, h->source_count, marks[i]);
        if (!in_source && !has_mark(h->target, h->target_count, marks[i])) continue;
        buf_printf(out, "%s%s = %s", between, marks[i], meanings[i]);
        between = ", ";
    }
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

/* Below the matrix: the height of a line of text, and the least width that it may take. */
enum { LINE = 20, LEAST_TEXT = 360 };

/* The angle of the source labels, chosen so that neighbours don't touch (CELL * sin > CANVAS_FONT),
 * and that no side of "<eos>" stands upright, which would look cut off. */
#define TURN    (-50.0)
#define COSINE  0.64278761
#define SINE    0.76604444

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
    canvas->box(canvas, (Box){ origin.x + CELL * s, origin.y + CELL * t, CELL, CELL }, INK_CELL,
                weight, note.text);
    buf_free(&note);
}

/* Lines between all cells: the eye finds row and column of a cell far from the labels. */
static void draw_grid(Canvas *canvas, Box matrix, int rows, int columns)
{
    for (int s = 0; s <= columns; s++) {
        double x = matrix.x + CELL * s;
        canvas->line(canvas, (Point[]){ { x, matrix.y }, { x, matrix.y + matrix.height } }, 2,
                     INK_GRID);
    }
    for (int t = 0; t <= rows; t++) {
        double y = matrix.y + CELL * t;
        canvas->line(canvas, (Point[]){ { matrix.x, y }, { matrix.x + matrix.width, y } }, 2,
                     INK_GRID);
    }
}

/* Returns where it ends on the right. */
static double draw_legend(const Heatmap *h, Canvas *canvas, Point at)
{
    Buf legend = { 0 };
    buf_clear(&legend);
    heatmap_legend(h, &legend);
    const double width = canvas->width(canvas, legend.text);
    if (legend.length) canvas->text(canvas, at, ANCHOR_START, 0, legend.text);
    buf_free(&legend);
    return at.x + width;
}

/* 0 to 1, and what the marks mean; returns where it ends on the right. */
static double draw_scale(const Heatmap *h, Canvas *canvas, Point at)
{
    const double right = at.x + CELL * (SCALE_STEPS + 1);
    const double bottom = at.y + CELL / 2., middle = at.y + CELL / 4.;
    for (int i = 1; i <= SCALE_STEPS; i++)
        canvas->box(canvas, (Box){ at.x + CELL * i, at.y, CELL, CELL / 2. }, INK_CELL,
                    (double)i / SCALE_STEPS, NULL);
    canvas->line(canvas, (Point[]){ at, { right, at.y }, { right, bottom }, { at.x, bottom }, at },
                 5, INK_GRID);
    canvas->text(canvas, (Point){ at.x - GAP, middle }, ANCHOR_END, 0, "0");
    canvas->text(canvas, (Point){ right + GAP, middle }, ANCHOR_START, 0, "1");
    return draw_legend(h, canvas, (Point){ right + CELL + GAP, middle });
}

/* Draws the text in lines of at most that width, where its words allow; returns what it takes. */
static Size draw_lines(Canvas *canvas, Point at, double room, const char *text)
{
    Buf line = { 0 }, longer = { 0 };
    Size taken = { 0, 0 };
    while (*text || line.length) {
        const size_t word = strcspn(text, " ");
        buf_clear(&longer);
        if (line.length) buf_printf(&longer, "%s ", line.text);
        buf_add(&longer, text, word);
        if (*text && (!line.length || canvas->width(canvas, longer.text) <= room)) {
            buf_clear(&line);
            buf_puts(&line, longer.text);
            text += word + strspn(text + word, " ");
            continue;
        }
        taken.width = fmax(taken.width, canvas->width(canvas, line.text));
        const Point start = { at.x, at.y + taken.height + LINE / 2. };
        canvas->text(canvas, start, ANCHOR_START, 0, line.text);
        taken.height += LINE;
        buf_clear(&line);
    }
    buf_free(&line);
    buf_free(&longer);
    return taken;
}

/* The sentence and its translation, one below the other: their scripts may run either way. */
static Size draw_caption(const Heatmap *h, Canvas *canvas, Point at, double room)
{
    const Size source = draw_lines(canvas, at, room, h->source_text);
    at.y += source.height;
    const Size target = draw_lines(canvas, at, room, h->target_text);
    return (Size){ fmax(source.width, target.width), source.height + target.height };
}

static void name_heatmap(const Heatmap *h, Canvas *canvas)
{
    Buf name = { 0 };
    buf_puts(&name, "Attention");
    if (h->source_text) buf_printf(&name, ": %s → %s", h->source_text, h->target_text);
    canvas->name(canvas, name.text);
    buf_free(&name);
}

static void draw_matrix(const Heatmap *h, Canvas *canvas, Box matrix)
{
    const Point origin = { matrix.x, matrix.y };
    draw_grid(canvas, matrix, h->target_count, h->source_count);
    for (int t = 0; t < h->target_count; t++)
        for (int s = 0; s < h->source_count; s++)
            draw_cell(h, canvas, origin, t, s);
    for (int s = 0; s < h->source_count; s++)
        draw_label(canvas, (Point){ origin.x + CELL * (s + 0.5), origin.y - GAP }, ANCHOR_START,
                   TURN, h->source[s]);
    for (int t = 0; t < h->target_count; t++)
        draw_label(canvas, (Point){ origin.x - GAP, origin.y + CELL * (t + 0.5) }, ANCHOR_END, 0,
                   h->target[t]);
}

Size heatmap_draw(const Heatmap *h, Canvas *canvas, double top, int captioned)
{
    const double source = widest(h->source, h->source_count, canvas);
    const double target = widest(h->target, h->target_count, canvas);
    const Box matrix = { MARGIN + target + GAP, top + MARGIN + source * SINE + CANVAS_FONT,
                         CELL * h->source_count, CELL * h->target_count };
    name_heatmap(h, canvas);
    draw_matrix(h, canvas, matrix);

    const Point scale = { matrix.x, matrix.y + matrix.height + CELL / 2. };
    double right = fmax(matrix.x + matrix.width + source * COSINE, draw_scale(h, canvas, scale));
    double bottom = scale.y + CELL / 2.;
    if (captioned && h->source_text) {
        const Point at = { MARGIN, bottom + GAP };
        const Size text = draw_caption(h, canvas, at, fmax(right - MARGIN, LEAST_TEXT));
        right = fmax(right, at.x + text.width);
        bottom = at.y + text.height;
    }
    return (Size){ right + MARGIN, bottom + MARGIN - top };
}
