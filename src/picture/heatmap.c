/* heatmap.c - labels, and the matrix: drawn on a canvas, and in the cells of a terminal. */
#include "picture/heatmap.h"

#include "base/mem.h"
#include "base/real.h"
#include "base/strings.h"
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

/* ---- What both pictures show ---- */

enum { LONGEST_LABEL = 24, SCALE_STEPS = 5 };

static int has_mark(char **labels, int count, const char *mark)
{
    for (int i = 0; i < count; i++)
        if (!strncmp(labels[i], mark, strlen(mark))) return 1;
    return 0;
}

/* Appends what the marks among the labels mean; nothing where there are none. */
static void add_legend(const Heatmap *h, Buf *out)
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

/* From 0 to 1. */
static double weight_of(const Heatmap *h, int target, int source)
{
    double weight = h->weight[(size_t)target * (size_t)h->source_count + (size_t)source];
    return weight >= 0 ? fmin(weight, 1) : 0;   /* NaN is 0 */
}

/* ---- On a canvas, in pixels ---- */

enum { CELL = 20, GAP = 6, MARGIN = 12 };

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
    Buf legend = { 0 };
    const Point start = { right + CELL + GAP, middle };
    buf_clear(&legend);
    add_legend(h, &legend);
    if (legend.length) canvas->text(canvas, start, ANCHOR_START, 0, legend.text);
    const double end = start.x + canvas->width(canvas, legend.text);
    buf_free(&legend);
    return end;
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
    Buf note = { 0 };
    for (int t = 0; t < h->target_count; t++)
        for (int s = 0; s < h->source_count; s++) {
            const double weight = weight_of(h, t, s);
            if (weight < LEAST) continue;
            buf_clear(&note);
            buf_printf(&note, "%s → %s: %.2f", h->source[s], h->target[t], weight);
            canvas->box(canvas, (Box){ origin.x + CELL * s, origin.y + CELL * t, CELL, CELL },
                        INK_CELL, weight, note.text);
        }
    buf_free(&note);
    for (int s = 0; s < h->source_count; s++)
        draw_label(canvas, (Point){ origin.x + CELL * (s + 0.5), origin.y - GAP }, ANCHOR_START,
                   TURN, h->source[s]);
    for (int t = 0; t < h->target_count; t++)
        draw_label(canvas, (Point){ origin.x - GAP, origin.y + CELL * (t + 0.5) }, ANCHOR_END, 0,
                   h->target[t]);
}

Size heatmap_draw(const Heatmap *h, Canvas *canvas, double top)
{
    const double source = widest(h->source, h->source_count, canvas);
    const double target = widest(h->target, h->target_count, canvas);
    const Box matrix = { MARGIN + target + GAP, top + MARGIN + source * SINE + CANVAS_FONT,
                         CELL * h->source_count, CELL * h->target_count };
    name_heatmap(h, canvas);
    draw_matrix(h, canvas, matrix);

    const Point scale = { matrix.x, matrix.y + matrix.height + CELL / 2. };
    const double right = fmax(matrix.x + matrix.width + source * COSINE,
                              draw_scale(h, canvas, scale));
    return (Size){ right + MARGIN, scale.y + CELL / 2. + MARGIN - top };
}

/* ---- As text, in columns of a terminal ---- */

enum { CELL_COLUMNS = 2, GAP_COLUMNS = 2 };

static void put_cell(double weight, Colours colours, Buf *out)
{
    /* Of xterm's 256 colours those next to viridis at eighths (S. van der Walt and N. Smith, 2015). */
    static const int viridis[] = { 53, 54, 60, 24, 30, 36, 77, 149, 220 };
    static const char *const shade[SCALE_STEPS] = { " ", "░", "▒", "▓", "█" };
    const char *ink = shade[lround(weight * (SCALE_STEPS - 1))];
    if (colours == COLOURS_NONE) buf_printf(out, "%s%s", ink, ink);
    else buf_printf(out, "\033[48;5;%dm  ", viridis[lround(weight * 8)]);
}

static void put_row(const Heatmap *h, int t, int shown, int labels, Colours colours, Buf *out)
{
    buf_printf(out, "%*s", labels - min_int(unicode_columns(h->target[t]), labels), "");
    heatmap_cut(h->target[t], labels, out);
    buf_printf(out, "%*s", GAP_COLUMNS, "");
    for (int s = 0; s < shown; s++)
        put_cell(weight_of(h, t, s), colours, out);
    buf_puts(out, colours == COLOURS_NONE ? "\n" : "\033[0m\n");
}

/* The legend stands behind the scale where there is room for it. */
static void put_scale(const Heatmap *h, int labels, int columns, Colours colours, Buf *out)
{
    Buf legend = { 0 };
    const int room = columns - (labels + GAP_COLUMNS + 2 + CELL_COLUMNS * SCALE_STEPS + 2);
    buf_printf(out, "%*s0 ", labels + GAP_COLUMNS, "");
    for (int i = 0; i < SCALE_STEPS; i++)
        put_cell((double)i / (SCALE_STEPS - 1), colours, out);
    buf_puts(out, colours == COLOURS_NONE ? " 1" : "\033[0m 1");
    add_legend(h, &legend);
    if (legend.length && GAP_COLUMNS + unicode_columns(legend.text) <= room)
        buf_printf(out, "%*s%s", GAP_COLUMNS, "", legend.text);
    buf_free(&legend);
    buf_putc(out, '\n');
}

void heatmap_as_text(const Heatmap *h, Colours colours, int columns, Buf *out)
{
    int labels = 0;         /* columns of the target labels */
    for (int t = 0; t < h->target_count; t++) {
        const int width = unicode_columns(h->target[t]);
        if (width > labels) labels = width;
    }
    labels = min_int(min_int(labels, LONGEST_LABEL), columns / 3);
    /* One cell is left for the last label. */
    const int cells = (columns - labels - GAP_COLUMNS) / CELL_COLUMNS - 1;
    const int shown = cells > 0 ? min_int(h->source_count, cells) : 0;
    for (int s = 0; s < shown; s++) {
        buf_printf(out, "%*s", labels + GAP_COLUMNS, "");
        for (int i = 0; i < s; i++)
            buf_puts(out, "│ ");
        buf_puts(out, "╭ ");
        heatmap_cut(h->source[s], columns - labels - GAP_COLUMNS - CELL_COLUMNS * (s + 1), out);
        buf_putc(out, '\n');
    }
    for (int t = 0; t < h->target_count; t++)
        put_row(h, t, shown, labels, colours, out);
    put_scale(h, labels, columns, colours, out);
    if (shown < h->source_count)
        buf_printf(out, "(%d of %d source pieces; a wider terminal shows more)\n", shown,
                   h->source_count);
}
