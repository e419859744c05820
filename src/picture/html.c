/* html.c - the frame of a page. */
#include "picture/html.h"

static const char page_style[] =
    ":root{color-scheme:light dark}\n"
    "body{margin:2rem auto;max-width:76rem;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;"
    "background:#fff;color:#1f2328}\n"
    "h1{font-size:1.25rem}h2{font-size:1rem;margin:2.5rem 0 0}p{margin:0}\n"
    ".wide{overflow-x:auto}svg{display:block}rect[data-note]:hover{stroke:#c2410c;stroke-width:2}\n"
    "output{position:fixed;pointer-events:none;padding:.2rem .6rem;border-radius:.3rem;"
    "background:#1f2328;color:#fff;"
    "white-space:nowrap}output:empty{display:none}\n"
    "@media(prefers-color-scheme:dark){body{background:#0d1117;color:#e6edf3}"
    "output{background:#e6edf3;color:#0d1117}}\n";

/* Notes are titles, which a browser shows by itself without scripts, but late. With them they
 * follow the pointer. */
static const char script[] =
    "const output = document.querySelector('output');\n"
    "for (const title of document.querySelectorAll('rect > title')) {\n"
    "    title.parentNode.dataset.note = title.textContent;\n"
    "    title.remove();\n"
    "}\n"
    "document.addEventListener('pointermove', event => {\n"
    "    output.textContent = event.target.dataset?.note ?? '';\n"
    "    output.style.left = "
    "Math.min(event.clientX + 14, innerWidth - output.offsetWidth - 8) + 'px';\n"
    "    output.style.top = "
    "Math.min(event.clientY + 18, innerHeight - output.offsetHeight - 8) + 'px';\n"
    "});\n";

void html_begin(const char *title, Buf *out)
{
    buf_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<title>");
    markup_add(title, out);
    buf_printf(out, "</title>\n<style>\n%s%s</style>\n<h1>", page_style, svg_style);
    markup_add(title, out);
    buf_puts(out, "</h1>\n");
}

void html_fact(const char *name, const char *text, Buf *out)
{
    buf_puts(out, "<p><b>");
    markup_add(name, out);
    buf_puts(out, "</b> ");
    markup_add(text, out);
    buf_puts(out, "</p>\n");
}

void html_fold_begin(const char *summary, Buf *out)
{
    buf_puts(out, "<details>\n<summary>");
    markup_add(summary, out);
    buf_puts(out, "</summary>\n");
}

void html_fold_end(Buf *out)
{
    buf_puts(out, "</details>\n");
}

void html_svg(Svg *svg, Size size, Buf *out)
{
    buf_puts(out, "<div class=\"wide\">\n");
    svg_finish(svg, size, 0, out);
    buf_puts(out, "</div>\n");
}

void html_end(Buf *out)
{
    buf_printf(out, "<output></output>\n<script>\n%s</script>\n</html>\n", script);
}
