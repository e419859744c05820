/* curves.c - a log gathered into curves, and these drawn one below another. */
#include "cmd/curves.h"

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "picture/chart.h"
#include "picture/html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOSS, VALID_LOSS, BLEU, CHRF, LEARNING_RATE, CURVES };

static const char *const keys[CURVES] = { "loss", "valid_loss", "bleu", "chrf", "learning_rate" };

typedef struct {
    Point *point;
    size_t count, capacity;
} Points;

static void add_numbers(const cJSON *line, Points curves[CURVES])
{
    Err ignored;
    Point at;
    if (json_get_number(line, "seconds", &at.x, &ignored) || !isfinite(at.x)) return;
    for (int i = 0; i < CURVES; i++) {
        if (json_get_number(line, keys[i], &at.y, &ignored) || !isfinite(at.y)) continue;
        Points *p = &curves[i];
        p->point = grow(p->point, &p->capacity, p->count + 1, sizeof *p->point);
        p->point[p->count++] = at;
    }
}

static int read_log(const char *path, Points curves[CURVES], Err *e)
{
    Err ignored;
    char *text;
    size_t length;
    Lines *lines = lines_open(path, e);
    if (!lines) return -1;
    int rc;
    while ((rc = lines_next(lines, &text, &length, e)) > 0) {
        cJSON *line = json_parse(text, length, &ignored);
        if (line) add_numbers(line, curves);
        cJSON_Delete(line);
    }
    lines_close(lines);
    return rc;
}

static Curve curve_of(const char *name, const Points *points, int dots)
{
    return (Curve){ .name = name, .point = points->point, .count = points->count, .dots = dots };
}

static void draw_page(const Points curves[CURVES], Buf *out)
{
    const Chart charts[] = {
        { .title = "Loss (nats a token)",
          .curve = { curve_of("training", &curves[LOSS], 0), curve_of("validation", &curves[VALID_LOSS], 1) } },
        { .title = "Scores on validation",
          .curve = { curve_of("BLEU", &curves[BLEU], 1), curve_of("chrF", &curves[CHRF], 1) }, .from_zero = 1 },
        { .title = "Learning rate", .curve = { curve_of("learning rate", &curves[LEARNING_RATE], 0) }, .from_zero = 1 },
    };
    html_begin("Training: loss, scores and learning rate", out);
    for (size_t i = 0; i < sizeof charts / sizeof *charts; i++) {
        Svg svg;
        svg_begin(&svg);
        Size size = chart_draw(&charts[i], &svg.canvas, 0);
        html_svg(&svg, size, out);
    }
    html_end(out);
}

static int write_page(const char *path, const Buf *page, Err *e)
{
    Replace file;
    if (replace_begin(&file, path, e)) return -1;
    fwrite(page->text, 1, page->length, file.stream);
    return replace_commit(&file, e);
}

int curves_draw(const char *page, const char *log, Err *e)
{
    Points curves[CURVES] = { 0 };
    Buf text = { 0 };
    int rc = read_log(log, curves, e);
    if (!rc) {
        draw_page(curves, &text);
        rc = write_page(page, &text, e);
    }
    for (int i = 0; i < CURVES; i++)
        free(curves[i].point);
    buf_free(&text);
    return rc;
}
