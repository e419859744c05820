/* gallery.c - what each format does with a line, and at the end. */
#include "picture/gallery.h"

#include "base/files/replace.h"
#include "base/mem.h"
#include "base/strings.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

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
    if (!count || g->full) return;
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
    buf_free(&g->svg.name);
    buf_free(&g->text);
    free(g);
}
