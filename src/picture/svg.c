/* svg.c - drawing as elements of text, and the page of HTML around the drawings. */
#include "picture/canvas.h"

#include "text/unicode.h"

#include <math.h>

/* The viewer's sans-serif face is unknown; it is seldom wider. Two columns are a CJK
 * character. */
#define COLUMN (0.62 * CANVAS_FONT)

/* CSS of the inks: once in a page, or in a file. */
static const char svg_style[] =
    ".p{fill:#fff}.t{fill:#1f2328}.g{stroke:#d8dee4;fill:none}.c{fill:#0b4f9e}"
    ".l1,.l2{fill:none;stroke-width:1.5}.l1{stroke:#0b4f9e}.l2{stroke:#c2410c}"
    ".b1{fill:#0b4f9e}.b2{fill:#c2410c}\n"
    "@media(prefers-color-scheme:dark){"
    ".p{fill:#0d1117}.t{fill:#e6edf3}.g{stroke:#30363d}.c{fill:#79c0ff}"
    ".l1{stroke:#79c0ff}.l2{stroke:#ffa657}.b1{fill:#79c0ff}.b2{fill:#ffa657}}\n";

static const char *const surface_class[INKS] = { "p", "t", "g", "c", "b1", "b2" };
static const char *const stroke_class[INKS] = { "p", "t", "g", "c", "l1", "l2" };

/* XML 1.0, section 2.2: no controls but tab and line ends, no U+FFFE and U+FFFF. */
static int forbidden(int32_t point)
{
    return (point < 0x20 && point != '\t' && point != '\n' && point != '\r') || point == 0xFFFE
           || point == 0xFFFF;
}

/* Appends text as XML and HTML want it. What XML forbids, and bytes that are no UTF-8, become
 * U+FFFD. */
static void add_escaped(const char *text, Buf *out)
{
    while (*text) {
        const int32_t point = unicode_next(&text);
        if (point == '&') buf_puts(out, "&amp;");
        else if (point == '<') buf_puts(out, "&lt;");
        else if (point == '>') buf_puts(out, "&gt;");
        else if (point == '"') buf_puts(out, "&quot;");
        else if (point == '\'') buf_puts(out, "&#39;");
        else unicode_append(out, forbidden(point) ? 0xFFFD : point);
    }
}

/* In tenths of a pixel, without zeros at the end. */
static void add_number(const char *name, double x, Buf *out)
{
    buf_printf(out, " %s=\"%.6g\"", name, round(x * 10) / 10);
}

static Buf *body_of(Canvas *canvas)
{
    return &((Svg *)canvas)->body;
}

static void put_box(Canvas *canvas, Box box, Ink ink, double opacity, const char *note)
{
    Buf *out = body_of(canvas);
    buf_printf(out, "<rect class=\"%s\"", surface_class[ink]);
    add_number("x", box.x, out);
    add_number("y", box.y, out);
    add_number("width", box.width, out);
    add_number("height", box.height, out);
    if (opacity < 1) buf_printf(out, " fill-opacity=\"%.3g\"", opacity);
    if (note) buf_puts(out, "><title>");
    if (note) add_escaped(note, out);
    buf_puts(out, note ? "</title></rect>\n" : "/>\n");
}

static void put_line(Canvas *canvas, const Point *points, int count, Ink ink)
{
    Buf *out = body_of(canvas);
    buf_printf(out, "<polyline class=\"%s\" points=\"", stroke_class[ink]);
    for (int i = 0; i < count; i++)
        buf_printf(out, "%s%.6g,%.6g", i ? " " : "", round(points[i].x * 10) / 10,
                   round(points[i].y * 10) / 10);
    buf_puts(out, "\"/>\n");
}

static void put_text(Canvas *canvas, Point at, Anchor anchor, double angle, const char *text)
{
    static const char *const anchors[] = { "start", "middle", "end" };
    const double middle = 0.35 * CANVAS_FONT;       /* half the height of a capital letter */
    Buf *out = body_of(canvas);
    buf_puts(out, "<text class=\"t\"");
    add_number("x", at.x, out);
    add_number("y", at.y + middle, out);
    if (angle != 0)
        buf_printf(out, " transform=\"rotate(%g %.6g %.6g)\"", angle, at.x, at.y);
    if (anchor != ANCHOR_START) buf_printf(out, " text-anchor=\"%s\"", anchors[anchor]);
    buf_putc(out, '>');
    add_escaped(text, out);
    buf_puts(out, "</text>\n");
}

static double text_width(Canvas *canvas, const char *text)
{
    (void)canvas;
    return unicode_columns(text) * COLUMN;
}

void svg_init(Svg *svg)
{
    *svg = (Svg){ .canvas = { .box = put_box, .line = put_line, .text = put_text,
                              .width = text_width } };
    buf_clear(&svg->body);
}

void svg_finish(Svg *svg, Size size, int alone, Buf *out)
{
    double width = ceil(fmax(size.width, 1)), height = ceil(fmax(size.height, 1));
    buf_puts(out, "<svg");
    if (alone) buf_puts(out, " xmlns=\"http://www.w3.org/2000/svg\"");
    if (svg->canvas.name.length) {
        buf_puts(out, " role=\"img\" aria-label=\"");
        add_escaped(svg->canvas.name.text, out);
        buf_putc(out, '"');
    }
    buf_printf(out, " width=\"%g\" height=\"%g\" viewBox=\"0 0 %g %g\"", width, height, width,
               height);
    buf_printf(out, " font-family=\"sans-serif\" font-size=\"%d\">\n", CANVAS_FONT);
    if (alone) buf_printf(out, "<style>\n%s</style>\n", svg_style);
    if (alone) buf_puts(out, "<rect class=\"p\" width=\"100%\" height=\"100%\"/>\n");
    buf_add(out, svg->body.text, svg->body.length);
    buf_puts(out, "</svg>\n");
    buf_free(&svg->body);
    buf_free(&svg->canvas.name);
}

/* ---- A page ---- */

static const char page_style[] =
    ":root{color-scheme:light dark}\n"
    "body{margin:2rem auto;max-width:76rem;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;"
    "background:#fff;color:#1f2328}\n"
    "h1{font-size:1.25rem}h2{font-size:1rem;margin:2.5rem 0 0}p{margin:0}\n"
    ".wide{overflow-x:auto}svg{display:block}rect:hover{stroke:#c2410c;stroke-width:2}\n"
    "@media(prefers-color-scheme:dark){body{background:#0d1117;color:#e6edf3}}\n";

void html_begin(const char *title, Buf *out)
{
    buf_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<title>");
    add_escaped(title, out);
    buf_printf(out, "</title>\n<style>\n%s%s</style>\n<h1>", page_style, svg_style);
    add_escaped(title, out);
    buf_puts(out, "</h1>\n");
}

void html_element(const char *element, const char *text, Buf *out)
{
    buf_printf(out, "<%s dir=\"auto\">", element);
    add_escaped(text, out);
    buf_printf(out, "</%s>\n", element);
}

void html_svg(Svg *svg, Size size, Buf *out)
{
    buf_puts(out, "<div class=\"wide\">\n");
    svg_finish(svg, size, 0, out);
    buf_puts(out, "</div>\n");
}

void html_end(Buf *out)
{
    buf_puts(out, "</html>\n");
}
