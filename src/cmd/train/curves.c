/* curves.c - reading a log into curves, and drawing them one below another in a page of HTML. */
#include "cmd/train/train.h"

#include "base/files/lines.h"
#include "base/files/replace.h"
#include "base/json.h"
#include "base/mem.h"
#include "picture/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOSS, VALID_LOSS, BLEU, CHRF, LEARNING_RATE, CURVES };

static const char *const keys[CURVES] = { "loss", "valid_loss", "bleu", "chrf", "learning_rate" };

typedef struct {
    Point *point;
    size_t count, capacity;
} Points;

typedef struct {
    cJSON *run;             /* the first line, which describes the run; NULL: none */
    Points curve[CURVES];
} LogData;

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

/* Only the first line has options; it is kept. */
static void add_line(cJSON *line, LogData *data)
{
    if (!data->run && cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(line, "options"))) {
        data->run = line;
        return;
    }
    add_numbers(line, data->curve);
    cJSON_Delete(line);
}

static int read_log(const char *path, LogData *data, Err *e)
{
    Err ignored;
    char *text;
    size_t length;
    Lines *lines = lines_open(path, e);
    if (!lines) return -1;
    int rc;
    while ((rc = lines_next(lines, &text, &length, e)) > 0) {
        cJSON *line = json_parse(text, length, &ignored);
        if (line) add_line(line, data);
    }
    lines_close(lines);
    return rc;
}

static Curve curve_of(const char *name, const Points *points, int dots)
{
    return (Curve){ .name = name, .point = points->point, .count = points->count, .dots = dots };
}

/* ---- The page ---- */

/* "NAME VALUE, NAME VALUE" of an object; of other values the text alone. */
static void add_value(const cJSON *value, Buf *out)
{
    if (cJSON_IsObject(value)) {
        for (const cJSON *item = value->child; item; item = item->next) {
            buf_printf(out, "%s%s ", out->length ? ", " : "", item->string);
            add_value(item, out);
        }
        return;
    }
    char *text = cJSON_IsString(value) ? NULL : json_text(value, 0);
    buf_puts(out, text ? text : value->valuestring);
    free(text);
}

static void add_fact(const cJSON *value, Buf *out)
{
    Buf text = { 0 };
    buf_clear(&text);
    add_value(value, &text);
    html_fact(value->string, text.text, out);
    buf_free(&text);
}

/* What the first line says of the run, and in the end its options, by sections. */
static void describe(const cJSON *run, Buf *out)
{
    const cJSON *options = cJSON_GetObjectItemCaseSensitive(run, "options");
    for (const cJSON *member = run->child; member; member = member->next)
        if (member != options) add_fact(member, out);
    html_fold_begin("options", out);
    for (const cJSON *section = options->child; section; section = section->next)
        if (cJSON_IsObject(section)) add_fact(section, out);
    html_fold_end(out);
}

static void draw_page(const LogData *data, Buf *out)
{
    const Points *curves = data->curve;
    const Chart charts[] = {
        { .title = "Loss (nats a token)",
          .curve = { curve_of("training", &curves[LOSS], 0),
                     curve_of("validation", &curves[VALID_LOSS], 1) } },
        { .title = "Scores on validation",
          .curve = { curve_of("BLEU", &curves[BLEU], 1), curve_of("chrF", &curves[CHRF], 1) },
          .from_zero = 1 },
        { .title = "Learning rate",
          .curve = { curve_of("learning rate", &curves[LEARNING_RATE], 0) }, .from_zero = 1 },
    };
    html_begin("Training: loss, scores and learning rate", out);
    if (data->run) describe(data->run, out);
    for (size_t i = 0; i < sizeof charts / sizeof *charts; i++) {
        Svg svg;
        svg_init(&svg);
        Size size = chart_draw(&charts[i], &svg.canvas, 0);
        html_svg(&svg, size, out);
    }
    html_end(out);
}

int curves_draw(const char *page, const char *log, Err *e)
{
    LogData data = { 0 };
    Buf text = { 0 };
    Replace file;
    int rc = read_log(log, &data, e) || replace_open(&file, page, e) ? -1 : 0;
    if (!rc) {
        draw_page(&data, &text);
        fwrite(text.text, 1, text.length, file.stream);
        rc = replace_commit(&file, e);
    }
    for (int i = 0; i < CURVES; i++)
        free(data.curve[i].point);
    cJSON_Delete(data.run);
    buf_free(&text);
    return rc;
}
