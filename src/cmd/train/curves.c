/* curves.c - reading a log into curves, and drawing them one below another. */
#include "cmd/train/curves.h"

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

/* The contents of a log. */
typedef struct {
    /* its first line, which describes the run (cmd/train/train.c); NULL: none */
    cJSON *run;
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
    if (!data->run && cJSON_HasObjectItem(line, "options")) {
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

static void add_value(const cJSON *value, Buf *out)
{
    char *text = cJSON_IsString(value) ? NULL : json_text(value, 0);
    buf_puts(out, text ? text : value->valuestring);
    free(text);
}

/* "NAME VALUE, NAME VALUE" */
static void fact_of_section(const cJSON *section, Buf *out)
{
    Buf text = { 0 };
    const cJSON *option;
    cJSON_ArrayForEach(option, section) {
        buf_printf(&text, "%s%s ", text.length ? ", " : "", option->string);
        add_value(option, &text);
    }
    html_fact(section->string, text.length ? text.text : "", out);
    buf_free(&text);
}

static void fact_of_run(const cJSON *run, const char *key, Buf *out)
{
    Err ignored;
    const char *text;
    if (!json_get_string(run, key, &text, &ignored)) html_fact(key, text, out);
}

static void fact_of_pairs(const cJSON *run, Buf *out)
{
    Err ignored;
    double all, learned;
    char text[128];
    if (json_get_number(run, "corpus_pairs", &all, &ignored)
        || json_get_number(run, "training_pairs", &learned, &ignored))
        return;
    snprintf(text, sizeof text, "%.0f, of which %.0f for training", all, learned);
    html_fact("pairs", text, out);
}

static void describe(const cJSON *run, Buf *out)
{
    const cJSON *options = cJSON_GetObjectItemCaseSensitive(run, "options"), *section;
    fact_of_run(run, "model", out);
    fact_of_run(run, "corpus", out);
    fact_of_pairs(run, out);
    fact_of_run(run, "command", out);
    fact_of_run(run, "program", out);
    html_fold_begin("options", out);
    cJSON_ArrayForEach(section, options)
        if (cJSON_IsObject(options) && cJSON_IsObject(section)) fact_of_section(section, out);
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

static int write_page(const char *path, const Buf *page, Err *e)
{
    Replace file;
    if (replace_open(&file, path, e)) return -1;
    fwrite(page->text, 1, page->length, file.stream);
    return replace_commit(&file, e);
}

int curves_draw(const char *page, const char *log, Err *e)
{
    LogData data = { 0 };
    Buf text = { 0 };
    int rc = read_log(log, &data, e);
    if (!rc) {
        draw_page(&data, &text);
        rc = write_page(page, &text, e);
    }
    for (int i = 0; i < CURVES; i++)
        free(data.curve[i].point);
    cJSON_Delete(data.run);
    buf_free(&text);
    return rc;
}
