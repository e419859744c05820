/* shades.c - the stair of source pieces, a row for each target piece, the scale. */
#include "picture/shades.h"

#include "base/min.h"
#include "text/unicode.h"

#include <math.h>

enum { CELL = 2, GAP = 2, LONGEST_LABEL = 24, SHADES = 5 };

/* Places on the page. */
typedef struct {
    int label;      /* columns of the target labels */
    int columns;    /* of the page */
    int shown;      /* source pieces that fit */
} Page;

/* ---- Labels ---- */

static int widest_label(char **labels, int count)
{
    int widest = 0;
    for (int i = 0; i < count; i++) {
        int width = unicode_columns(labels[i]);
        if (width > widest) widest = width;
    }
    return min_int(widest, LONGEST_LABEL);
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
    int i = min_int((int)(weight * LAST), LAST - 1);
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
    Colour c = viridis(weight);
    const char *ink = shade[lround(weight * (SHADES - 1))];
    switch (colours) {
    case COLOURS_NONE:
        buf_printf(out, "%s%s", ink, ink);
        break;
    case COLOURS_256:
        buf_printf(out, "\033[48;5;%dm  ",
                   16 + 36 * cube_level(c.red) + 6 * cube_level(c.green) + cube_level(c.blue));
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

static void put_stair(const Heatmap *h, const Page *page, Buf *out)
{
    for (int step = 0; step < page->shown; step++) {
        buf_printf(out, "%*s", page->label + GAP, "");
        for (int i = 0; i < step; i++)
            buf_puts(out, "│ ");
        buf_puts(out, "╭ ");
        heatmap_cut(h->source[step], page->columns - page->label - GAP - CELL * (step + 1), out);
        buf_putc(out, '\n');
    }
}

static void put_row(const Heatmap *h, int t, const Page *page, Colours colours, Buf *out)
{
    buf_printf(out, "%*s", page->label - min_int(unicode_columns(h->target[t]), page->label), "");
    heatmap_cut(h->target[t], page->label, out);
    buf_printf(out, "%*s", GAP, "");
    for (int s = 0; s < page->shown; s++)
        put_cell(heatmap_weight(h, t, s), colours, out);
    end_cells(colours, out);
    buf_putc(out, '\n');
}

/* What the marks mean, where there is room for it. */
static void put_legend(const Heatmap *h, int room, Buf *out)
{
    Buf legend = { 0 };
    heatmap_legend(h, &legend);
    if (legend.length && GAP + unicode_columns(legend.text) <= room)
        buf_printf(out, "%*s%s", GAP, "", legend.text);
    buf_free(&legend);
}

static void put_scale(const Heatmap *h, const Page *page, Colours colours, Buf *out)
{
    buf_printf(out, "%*s0 ", page->label + GAP, "");
    for (int i = 0; i < SHADES; i++)
        put_cell((double)i / (SHADES - 1), colours, out);
    end_cells(colours, out);
    buf_puts(out, " 1");
    put_legend(h, page->columns - (page->label + GAP + 2 + CELL * SHADES + 2), out);
    buf_putc(out, '\n');
}

void shades_add(const Heatmap *h, Colours colours, int columns, Buf *out)
{
    Page page = { .label = widest_label(h->target, h->target_count), .columns = columns };
    page.label = min_int(page.label, columns / 3);
    int cells = (columns - page.label - GAP) / CELL - 1;    /* the last label needs one */
    page.shown = cells > 0 ? min_int(h->source_count, cells) : 0;
    put_stair(h, &page, out);
    for (int t = 0; t < h->target_count; t++)
        put_row(h, t, &page, colours, out);
    put_scale(h, &page, colours, out);
    if (page.shown < h->source_count)
        buf_printf(out, "(%d of %d source pieces; a wider terminal shows more)\n", page.shown,
                   h->source_count);
}
