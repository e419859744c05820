/* png.c - a recording of strokes, which is played onto pixels once its size is known.
 *
 * Both libraries are loaded when the first picture is drawn: linked to the program, the forty
 * libraries that they bring would add 4 ms to each start, which takes 7. So they are needed for
 * compiling (headers) and for pictures, and a machine without them translates as well as any other.
 * Sole user of cairo and pango.
 */
#include "picture/canvas.h"

#include "base/mem.h"

#include <dlfcn.h>
#include <math.h>
#include <pango/pangocairo.h>
#include <stdlib.h>

#define SCALE 2.0

/* What is used of the libraries: one loads the others. */
#ifdef __APPLE__
#define LIBRARY "libpangocairo-1.0.0.dylib"
#else
#define LIBRARY "libpangocairo-1.0.so.0"
#endif
#define FUNCTIONS(X) \
    X(cairo_recording_surface_create) X(cairo_image_surface_create) X(cairo_surface_destroy) \
    X(cairo_surface_status) X(cairo_surface_write_to_png_stream) X(cairo_status_to_string) \
    X(cairo_create) X(cairo_destroy) X(cairo_status) X(cairo_set_source_rgba) \
    X(cairo_set_source_surface) X(cairo_set_line_width) X(cairo_rectangle) X(cairo_fill) \
    X(cairo_move_to) X(cairo_line_to) X(cairo_stroke) X(cairo_paint) X(cairo_save) \
    X(cairo_restore) X(cairo_translate) X(cairo_rotate) X(cairo_scale) \
    X(pango_cairo_create_layout) X(pango_cairo_show_layout) X(pango_layout_set_text) \
    X(pango_layout_set_font_description) X(pango_layout_get_pixel_size) \
    X(pango_font_description_from_string) X(pango_font_description_set_absolute_size) \
    X(pango_font_description_free) X(g_object_unref)

typedef struct {
#define MEMBER(name) __typeof__(&name) name;
    FUNCTIONS(MEMBER)
#undef MEMBER
} Library;

struct Png {
    Canvas           canvas;        /* first: a Canvas * is a Png * */
    Library          call;
    cairo_surface_t *recording;
    cairo_t         *pen;
    PangoLayout     *layout;        /* of one text after another */
};

/* Never unloaded: its threads and caches would be left without their code. */
static int load_library(Library *call, Err *e)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return err(e, "PNG needs cairo and pango, which are not here (%s); .svg and .html need "
                   "nothing", dlerror());
    void *found;
#define FIND(name) \
    if (!(found = dlsym(library, #name))) return err(e, "the library " LIBRARY " has no " #name); \
    *(void **)&call->name = found;
    FUNCTIONS(FIND)
#undef FIND
    return 0;
}

static void dip(const Png *png, Ink ink, double opacity)
{
    static const double colour[INKS][3] = {
        [INK_PAPER] = { 1, 1, 1 },          [INK_TEXT] = { 0.12, 0.14, 0.16 },
        [INK_GRID] = { 0.85, 0.87, 0.89 },  [INK_CELL] = { 0.04, 0.31, 0.62 },
        [INK_FIRST] = { 0.04, 0.31, 0.62 }, [INK_SECOND] = { 0.76, 0.25, 0.05 },
    };
    const double *c = colour[ink];
    png->call.cairo_set_source_rgba(png->pen, c[0], c[1], c[2], opacity);
}

static void put_box(Canvas *canvas, Box box, Ink ink, double opacity, const char *note)
{
    const Png *png = (const Png *)canvas;
    (void)note;
    dip(png, ink, opacity);
    png->call.cairo_rectangle(png->pen, box.x, box.y, box.width, box.height);
    png->call.cairo_fill(png->pen);
}

static void put_line(Canvas *canvas, const Point *points, int count, Ink ink)
{
    const Png *png = (const Png *)canvas;
    dip(png, ink, 1);
    png->call.cairo_move_to(png->pen, points[0].x, points[0].y);
    for (int i = 1; i < count; i++)
        png->call.cairo_line_to(png->pen, points[i].x, points[i].y);
    png->call.cairo_stroke(png->pen);
}

static double text_width(Canvas *canvas, const char *text)
{
    const Png *png = (const Png *)canvas;
    int width, height;
    png->call.pango_layout_set_text(png->layout, text, -1);
    png->call.pango_layout_get_pixel_size(png->layout, &width, &height);
    return width;
}

static void put_text(Canvas *canvas, Point at, Anchor anchor, double angle, const char *text)
{
    static const double share[] = {
        [ANCHOR_START] = 0, [ANCHOR_MIDDLE] = 0.5, [ANCHOR_END] = 1
    };
    const double radians = acos(-1) / 180;
    const Png *png = (const Png *)canvas;
    int width, height;
    png->call.pango_layout_set_text(png->layout, text, -1);
    png->call.pango_layout_get_pixel_size(png->layout, &width, &height);
    dip(png, INK_TEXT, 1);
    png->call.cairo_save(png->pen);
    png->call.cairo_translate(png->pen, at.x, at.y);
    png->call.cairo_rotate(png->pen, angle * radians);
    png->call.cairo_move_to(png->pen, -share[anchor] * width, -height / 2.);
    png->call.pango_cairo_show_layout(png->pen, png->layout);
    png->call.cairo_restore(png->pen);
}

Png *png_new(Err *e)
{
    Png *png = xcalloc(1, sizeof *png);
    const Library *call = &png->call;
    png->canvas = (Canvas){ .box = put_box, .line = put_line, .text = put_text,
                            .width = text_width };
    if (load_library(&png->call, e)) {
        free(png);
        return NULL;
    }
    png->recording = call->cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, NULL);
    png->pen = call->cairo_create(png->recording);
    png->layout = call->pango_cairo_create_layout(png->pen);
    PangoFontDescription *face = call->pango_font_description_from_string("sans-serif");
    call->pango_font_description_set_absolute_size(face, CANVAS_FONT * PANGO_SCALE);
    call->pango_layout_set_font_description(png->layout, face);
    call->pango_font_description_free(face);
    call->cairo_set_line_width(png->pen, 1);
    return png;
}

Canvas *png_canvas(Png *png)
{
    return &png->canvas;
}

static cairo_status_t put_bytes(void *stream, const unsigned char *bytes, unsigned count)
{
    return fwrite(bytes, 1, count, stream) == count ? CAIRO_STATUS_SUCCESS
        : CAIRO_STATUS_WRITE_ERROR;
}

int png_write(Png *png, Size size, FILE *out, Err *e)
{
    const Library *call = &png->call;
    int width = (int)ceil(fmax(size.width, 1) * SCALE),
        height = (int)ceil(fmax(size.height, 1) * SCALE);
    cairo_surface_t *pixels = call->cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    cairo_t *copy = call->cairo_create(pixels);
    call->cairo_set_source_rgba(copy, 1, 1, 1, 1);
    call->cairo_paint(copy);
    call->cairo_scale(copy, SCALE, SCALE);
    call->cairo_set_source_surface(copy, png->recording, 0, 0);
    call->cairo_paint(copy);
    cairo_status_t status = call->cairo_status(copy);
    if (!status) status = call->cairo_surface_write_to_png_stream(pixels, put_bytes, out);
    call->cairo_destroy(copy);
    call->cairo_surface_destroy(pixels);
    if (!status || status == CAIRO_STATUS_WRITE_ERROR) return 0;
    return err(e, "a picture of %d x %d pixels failed: %s", width, height,
               call->cairo_status_to_string(status));
}

/* Fontconfig's data on the machine's faces stays: pango's threads may still be reading it. */
void png_free(Png *png)
{
    if (!png) return;
    png->call.g_object_unref(png->layout);
    png->call.cairo_destroy(png->pen);
    png->call.cairo_surface_destroy(png->recording);
    buf_free(&png->canvas.name);
    free(png);
}
