/* heatmap.c - labels, and the matrix: drawn on a canvas, in the cells of a terminal, and with
 * others in a file. */
#include "picture/heatmap.h"

#include "base/files/replace.h"
#include "base/mem.h"
#include "base/real.h"
#include "base/strings.h"
#include "text/unicode.h"

#include <limits.h>
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
    *h = (Heatmap){ 0 };
}

#define JOINED "·"

char *heatmap_label(const char *text, int continues)
{
    Buf label = { 0 };
    if (continues) buf_puts(&label, JOINED);
    buf_puts(&label, *text ? "" : "␣");
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

static int any_joined(char **labels, int count)
{
    for (int i = 0; i < count; i++)
        if (!strncmp(labels[i], JOINED, strlen(JOINED))) return 1;
    return 0;
}

/* What the mark among the labels means; "" where there is none. */
static const char *legend_of(const Heatmap *h)
{
    return any_joined(h->source, h->source_count) || any_joined(h->target, h->target_count)
           ? JOINED " = no blank before it" : "";
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
    SCOPED(buf_free) Buf cut = { 0 };
    double most = 0;
    for (int i = 0; i < count; i++) {
        buf_clear(&cut);
        heatmap_cut(labels[i], LONGEST_LABEL, &cut);
        most = fmax(most, canvas->width(canvas, cut.text));
    }
    return most;
}

static void draw_label(Canvas *canvas, Point at, Anchor anchor, double angle, const char *label)
{
    SCOPED(buf_free) Buf cut = { 0 };
    heatmap_cut(label, LONGEST_LABEL, &cut);
    canvas->text(canvas, at, anchor, angle, cut.text ? cut.text : "");
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
    const Point start = { right + CELL + GAP, middle };
    const char *legend = legend_of(h);
    if (*legend) canvas->text(canvas, start, ANCHOR_START, 0, legend);
    return start.x + canvas->width(canvas, legend);
}

static void draw_matrix(const Heatmap *h, Canvas *canvas, Box matrix)
{
    const double x = matrix.x, y = matrix.y;
    draw_grid(canvas, matrix, h->target_count, h->source_count);
    SCOPED(buf_free) Buf note = { 0 };
    for (int t = 0; t < h->target_count; t++)
        for (int s = 0; s < h->source_count; s++) {
            const double weight = weight_of(h, t, s);
            if (weight < LEAST) continue;
            buf_clear(&note);
            buf_printf(&note, "%s → %s: %.2f", h->source[s], h->target[t], weight);
            canvas->box(canvas, (Box){ x + CELL * s, y + CELL * t, CELL, CELL }, INK_CELL, weight,
                        note.text);
        }
    for (int s = 0; s < h->source_count; s++)
        draw_label(canvas, (Point){ x + CELL * (s + 0.5), y - GAP }, ANCHOR_START, TURN,
                   h->source[s]);
    for (int t = 0; t < h->target_count; t++)
        draw_label(canvas, (Point){ x - GAP, y + CELL * (t + 0.5) }, ANCHOR_END, 0, h->target[t]);
}

Size heatmap_draw(const Heatmap *h, Canvas *canvas, double top)
{
    const double source = widest(h->source, h->source_count, canvas);
    const double target = widest(h->target, h->target_count, canvas);
    const Box matrix = { MARGIN + target + GAP, top + MARGIN + source * SINE + CANVAS_FONT,
                         CELL * h->source_count, CELL * h->target_count };
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
    const char *legend = legend_of(h);
    const int room = columns - (labels + GAP_COLUMNS + 2 + CELL_COLUMNS * SCALE_STEPS + 2);
    buf_printf(out, "%*s0 ", labels + GAP_COLUMNS, "");
    for (int i = 0; i < SCALE_STEPS; i++)
        put_cell((double)i / (SCALE_STEPS - 1), colours, out);
    buf_puts(out, colours == COLOURS_NONE ? " 1" : "\033[0m 1");
    if (*legend && GAP_COLUMNS + unicode_columns(legend) <= room)
        buf_printf(out, "%*s%s", GAP_COLUMNS, "", legend);
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

/* ---- A file of many: what each format does with a line, and at the end ---- */

typedef enum { PICTURE_SVG, PICTURE_PNG, PICTURE_HTML, PICTURE_TEXT, PICTURE_FORMATS }
    PictureFormat;
static const char *const endings[PICTURE_FORMATS] = { ".svg", ".png", ".html", ".txt" };

struct Gallery {
    PictureFormat format;
    Replace       file;
    Buf           text;             /* of the file, but for a .png */
    Svg           svg;
    Png          *png;
    Size          size;             /* of what the one canvas of a .svg or .png holds */
    long          drawn, offered;   /* heat maps */
    int           full;
};

Gallery *gallery_open(const char *path, Err *e)
{
    Gallery *g = xcalloc(1, sizeof *g);
    int rc = 0;
    while (g->format < PICTURE_FORMATS && !has_extension(path, endings[g->format]))
        g->format++;
    buf_clear(&g->text);
    if (g->format == PICTURE_FORMATS)
        rc = err(e, "%s: a picture's name ends in .svg, .png, .html or .txt", path);
    if (g->format == PICTURE_SVG) svg_init(&g->svg);
    if (g->format == PICTURE_PNG) rc = (g->png = png_new(e)) ? 0 : -1;
    if (g->format == PICTURE_HTML) html_begin("Attention: what the network looked at", &g->text);
    if (!rc) rc = replace_open(&g->file, path, e);
    if (!rc) return g;
    gallery_drop(g);
    return NULL;
}

static int take_place(Gallery *g)
{
    g->full |= g->drawn >= GALLERY_MOST;
    g->drawn += !g->full;
    return !g->full;
}

static void name_line(Canvas *canvas, const char *source, const char *translation)
{
    buf_printf(&canvas->name, "%sAttention: %s → %s", canvas->name.length ? "; " : "", source,
               translation);
}

/* One below another, on the one canvas of the file. */
static void stack(Gallery *g, const Heatmap *list, size_t count, Canvas *canvas, double tallest)
{
    for (size_t i = 0; i < count && !g->full && g->drawn < GALLERY_MOST; i++) {
        Size size = heatmap_draw(&list[i], canvas, g->size.height);
        g->full = g->size.height + size.height > tallest;
        if (!take_place(g)) return;
        g->size = (Size){ fmax(g->size.width, size.width), g->size.height + size.height };
    }
}

static void add_to_page(Gallery *g, const char *source, const char *translation,
                        const Heatmap *list, size_t count)
{
    html_element("h2", source, &g->text);
    html_element("p", translation, &g->text);
    for (size_t i = 0; i < count && take_place(g); i++) {
        Svg svg;
        svg_init(&svg);
        name_line(&svg.canvas, source, translation);
        Size size = heatmap_draw(&list[i], &svg.canvas, 0);
        html_svg(&svg, size, &g->text);
    }
}

static void add_to_text(Gallery *g, const char *source, const char *translation,
                        const Heatmap *list, size_t count)
{
    buf_printf(&g->text, "%s%s\n%s\n", g->drawn ? "\n" : "", source, translation);
    for (size_t i = 0; i < count && take_place(g); i++)
        heatmap_as_text(&list[i], COLOURS_NONE, INT_MAX, &g->text);
}

void gallery_add(Gallery *g, const char *source, const char *translation, const Heatmap *list,
                 size_t count)
{
    g->offered += (long)count;
    if (!count || g->full || g->drawn == GALLERY_MOST) return;
    if (g->format == PICTURE_SVG) name_line(&g->svg.canvas, source, translation);
    if (g->format == PICTURE_SVG) stack(g, list, count, &g->svg.canvas, HUGE_VAL);
    if (g->format == PICTURE_PNG) stack(g, list, count, png_canvas(g->png), PNG_TALLEST);
    if (g->format == PICTURE_HTML) add_to_page(g, source, translation, list, count);
    if (g->format == PICTURE_TEXT) add_to_text(g, source, translation, list, count);
}

long gallery_drawn(const Gallery *g, long *offered)
{
    *offered = g->offered;
    return g->drawn;
}

/* replace_commit reports what fwrite could not write. */
int gallery_finish(Gallery *g, Err *e)
{
    int rc = 0;
    if (g->format == PICTURE_SVG) svg_finish(&g->svg, g->size, 1, &g->text);
    if (g->format == PICTURE_HTML) html_end(&g->text);
    if (g->format == PICTURE_PNG) rc = png_write(g->png, g->size, g->file.stream, e);
    else fwrite(g->text.text, 1, g->text.length, g->file.stream);
    if (!rc) rc = replace_commit(&g->file, e);
    gallery_drop(g);
    return rc;
}

void gallery_drop(Gallery *g)
{
    if (!g) return;
    replace_abort(&g->file);
    png_free(g->png);
    buf_free(&g->svg.body);
    buf_free(&g->svg.canvas.name);
    buf_free(&g->text);
    free(g);
}
