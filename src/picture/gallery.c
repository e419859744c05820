/* gallery.c - a row for each format: what to do with a line, and what to do at the end. */
#include "picture/gallery.h"

#include "base/files/replace.h"
#include "base/mem.h"
#include "base/suffix.h"
#include "picture/html.h"
#include "picture/png.h"
#include "picture/shades.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *source, *translation;
    const Heatmap *list;
    size_t count;
} Line;

typedef struct {
    const char *ending;
    int  (*begin)(Gallery *g, Err *e);
    void (*add)(Gallery *g, const Line *line);
    int  (*end)(Gallery *g, Err *e);
} Format;

struct Gallery {
    const Format *format;
    Replace       file;
    Buf           text;             /* of the file, but for a .png */
    Svg           svg;
    Png          *png;
    Size          size;             /* of what the one canvas of a .svg or .png holds */
    long          drawn, offered;   /* heat maps */
    int           full;
};

static int take_place(Gallery *g)
{
    g->full |= g->drawn >= GALLERY_MOST;
    g->drawn += !g->full;
    return !g->full;
}

/* The end of a format of text. */
static int write_text(Gallery *g, Err *e)
{
    (void)e;
    fwrite(g->text.text, 1, g->text.length, g->file.stream);    /* replace_commit reports errors */
    return 0;
}

/* ---- .svg, .png: one below another ---- */

static void stack(Gallery *g, const Line *line, Canvas *canvas, double tallest)
{
    for (size_t i = 0; i < line->count && !g->full && g->drawn < GALLERY_MOST; i++) {
        Size size = heatmap_draw(&line->list[i], canvas, g->size.height, 1);
        g->full = g->size.height + size.height > tallest;
        if (!take_place(g)) return;
        g->size = (Size){ fmax(g->size.width, size.width), g->size.height + size.height };
    }
}

static int begin_svg(Gallery *g, Err *e)
{
    (void)e;
    svg_init(&g->svg);
    return 0;
}

static void add_svg(Gallery *g, const Line *line)
{
    stack(g, line, &g->svg.canvas, HUGE_VAL);
}

static int finish_svg(Gallery *g, Err *e)
{
    svg_finish(&g->svg, g->size, 1, &g->text);
    return write_text(g, e);
}

static int begin_png(Gallery *g, Err *e)
{
    return (g->png = png_new(e)) ? 0 : -1;
}

static void add_png(Gallery *g, const Line *line)
{
    stack(g, line, png_canvas(g->png), PNG_TALLEST);
}

static int finish_png(Gallery *g, Err *e)
{
    return png_write(g->png, g->size, g->file.stream, e);
}

/* ---- .html, .txt: each below its line ---- */

static void add_element(const char *name, const char *text, Buf *out)
{
    buf_printf(out, "<%s dir=\"auto\">", name);
    markup_add(text, out);
    buf_printf(out, "</%s>\n", name);
}

static int begin_html(Gallery *g, Err *e)
{
    (void)e;
    html_begin("Attention: what the network looked at", &g->text);
    return 0;
}

static void add_html(Gallery *g, const Line *line)
{
    add_element("h2", line->source, &g->text);
    add_element("p", line->translation, &g->text);
    for (size_t i = 0; i < line->count && take_place(g); i++) {
        Svg svg;
        svg_init(&svg);
        Size size = heatmap_draw(&line->list[i], &svg.canvas, 0, line->count > 1);
        html_svg(&svg, size, &g->text);
    }
}

static int finish_html(Gallery *g, Err *e)
{
    html_end(&g->text);
    return write_text(g, e);
}

static int begin_text(Gallery *g, Err *e)
{
    (void)e;
    buf_clear(&g->text);
    return 0;
}

static void add_text(Gallery *g, const Line *line)
{
    buf_printf(&g->text, "%s%s\n%s\n", g->drawn ? "\n" : "", line->source, line->translation);
    for (size_t i = 0; i < line->count && take_place(g); i++)
        shades_add(&line->list[i], COLOURS_NONE, INT_MAX, &g->text);
}

/* ---- All of them ---- */

static const Format formats[] = {
    { ".svg",  begin_svg,  add_svg,  finish_svg },
    { ".png",  begin_png,  add_png,  finish_png },
    { ".html", begin_html, add_html, finish_html },
    { ".txt",  begin_text, add_text,  write_text },
    { NULL, NULL, NULL, NULL }
};

static int refuse_name(const char *path, Err *e)
{
    return err(e, "%s: a picture's name ends in .svg, .png, .html or .txt", path);
}

Gallery *gallery_open(const char *path, Err *e)
{
    Gallery *g = xcalloc(1, sizeof *g);
    g->format = formats;
    while (g->format->ending && !has_extension(path, g->format->ending))
        g->format++;
    int rc = g->format->ending ? 0 : refuse_name(path, e);
    if (!rc) rc = g->format->begin(g, e);
    if (!rc) rc = replace_open(&g->file, path, e);
    if (!rc) return g;
    gallery_drop(g);
    return NULL;
}

void gallery_add(Gallery *g, const char *source, const char *translation, const Heatmap *list,
                 size_t count)
{
    const Line line = { source, translation, list, count };
    g->offered += (long)count;
    if (count && !g->full) g->format->add(g, &line);
}

long gallery_drawn(const Gallery *g, long *offered)
{
    *offered = g->offered;
    return g->drawn;
}

int gallery_finish(Gallery *g, Err *e)
{
    int rc = g->format->end(g, e) || replace_commit(&g->file, e) ? -1 : 0;
    gallery_drop(g);
    return rc;
}

void gallery_drop(Gallery *g)
{
    if (!g) return;
    replace_abort(&g->file);
    png_free(g->png);
    buf_free(&g->svg.body);
    buf_free(&g->svg.name);
    buf_free(&g->text);
    free(g);
}
