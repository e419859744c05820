/* heatmap.c - the stair of source pieces, a row for each target piece, the scale. */
#include "cmd/heatmap.h"

#include "text/unicode.h"

#include <math.h>

enum { CELL = 2, GAP = 2, LONGEST_LABEL = 24, SHADES = 5 };

/* Where things stand on the page. */
typedef struct {
    int label;      /* columns of the target labels */
    int columns;    /* of the page */
    int shown;      /* source pieces that fit */
} Page;

/* ---- Labels ---- */

static void make_label(const Piece *pieces, int i, Buf *out)
{
    int continues = i > 0 && pieces[i].word == pieces[i - 1].word;
    buf_clear(out);
    if (continues) buf_puts(out, "·");
    if (!*pieces[i].text) buf_puts(out, "␣");
    for (const char *at = pieces[i].text; *at;) {
        int32_t point = unicode_next(&at);
        if (!unicode_is_control(point)) unicode_put(out, point);     /* an escape sequence must stay harmless */
    }
}

/* Appends the label, or as much of it as fits into `room` columns with an ellipsis. */
static void put_cut(const char *label, int room, Buf *out)
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

static int min(int a, int b)
{
    return a < b ? a : b;
}

static int widest_label(const Piece *pieces, int count)
{
    Buf label = { 0 };
    int widest = 0;
    for (int i = 0; i < count; i++) {
        make_label(pieces, i, &label);
        int width = unicode_columns(label.text);
        if (width > widest) widest = width;
    }
    buf_free(&label);
    return min(widest, LONGEST_LABEL);
}

/* ---- Cells ---- */

typedef struct { int red, green, blue; } Colour;

/* Viridis at eighths (S. van der Walt and N. Smith, 2015), straight lines between. */
static Colour viridis(double weight)
{
    static const Colour scale[] = {
        { 68, 1, 84 },    { 71, 44, 122 },  { 59, 81, 139 },  { 44, 113, 142 }, { 33, 144, 141 },
        { 39, 173, 129 }, { 92, 200, 99 },  { 170, 220, 50 }, { 253, 231, 37 }
    };
    enum { LAST = sizeof scale / sizeof *scale - 1 };
    int i = min((int)(weight * LAST), LAST - 1);
    double share = weight * LAST - i;
    const Colour *a = &scale[i], *b = &scale[i + 1];
    return (Colour){ (int)lround(a->red + share * (b->red - a->red)),
                     (int)lround(a->green + share * (b->green - a->green)),
                     (int)lround(a->blue + share * (b->blue - a->blue)) };
}

/* The nearest of the levels 0, 95, 135, 175, 215, 255 in xterm's colour cube. */
static int cube_level(int value)
{
    return value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40;
}

static void put_cell(double weight, Colours colours, Buf *out)
{
    static const char *const shade[SHADES] = { " ", "░", "▒", "▓", "█" };
    weight = weight >= 0 ? fmin(weight, 1) : 0;   /* NaN is 0 */
    Colour c = viridis(weight);
    const char *ink = shade[lround(weight * (SHADES - 1))];
    switch (colours) {
    case COLOURS_NONE:
        buf_printf(out, "%s%s", ink, ink);
        break;
    case COLOURS_256:
        buf_printf(out, "\033[48;5;%dm  ", 16 + 36 * cube_level(c.red) + 6 * cube_level(c.green) + cube_level(c.blue));
        break;
    case COLOURS_TRUE:
        buf_printf(out, "\033[48;2;%d;%d;%dm  ", c.red, c.green, c.blue);
        break;
    }
}

static void end_cells(Colours colours, Buf *out)
{
    if (colours != COLOURS_NONE) buf_puts(out, "\033[0m");
}

/* ---- The picture ---- */

static void put_stair(const Alignment *a, const Page *page, Buf *out)
{
    Buf label = { 0 };
    for (int step = 0; step < page->shown; step++) {
        buf_printf(out, "%*s", page->label + GAP, "");
        for (int i = 0; i < step; i++)
            buf_puts(out, "│ ");
        buf_puts(out, "╭ ");
        make_label(a->source, step, &label);
        put_cut(label.text, page->columns - page->label - GAP - CELL * (step + 1), out);
        buf_putc(out, '\n');
    }
    buf_free(&label);
}

static void put_row(const Alignment *a, int t, const Page *page, Colours colours, Buf *out)
{
    Buf label = { 0 };
    make_label(a->target, t, &label);
    buf_printf(out, "%*s", page->label - min(unicode_columns(label.text), page->label), "");
    put_cut(label.text, page->label, out);
    buf_printf(out, "%*s", GAP, "");
    for (int s = 0; s < page->shown; s++)
        put_cell(a->weight[(size_t)t * (size_t)a->source_count + (size_t)s], colours, out);
    end_cells(colours, out);
    buf_putc(out, '\n');
    buf_free(&label);
}

static void put_scale(const Page *page, Colours colours, Buf *out)
{
    buf_printf(out, "%*s0 ", page->label + GAP, "");
    for (int i = 0; i < SHADES; i++)
        put_cell((double)i / (SHADES - 1), colours, out);
    end_cells(colours, out);
    buf_puts(out, " 1\n");
}

void heatmap_draw(const Alignment *a, Colours colours, int columns, Buf *out)
{
    Page page = { .label = widest_label(a->target, a->target_count), .columns = columns };
    page.label = min(page.label, columns / 3);
    int cells = (columns - page.label - GAP) / CELL - 1;    /* the last label needs the room of one */
    page.shown = cells > 0 ? min(a->source_count, cells) : 0;
    put_stair(a, &page, out);
    for (int t = 0; t < a->target_count; t++)
        put_row(a, t, &page, colours, out);
    put_scale(&page, colours, out);
    if (page.shown < a->source_count)
        buf_printf(out, "(%d of %d source pieces; a wider terminal shows more)\n", page.shown, a->source_count);
}
