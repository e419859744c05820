/* report.c - what a training shows while it runs: the progress line, validations, the log, and the
 * page of curves that is drawn from the log. */
#include "base/files/files.h"
#include "base/files/lines.h"
#include "base/mem.h"
#include "cmd/train/train.h"
#include "picture/canvas.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The screen shows means over so many updates, which are steady enough to read. */
enum { SHOWN_UPDATES = 20 };

static void troubled(void *context, const char *text)
{
    TrainReport *r = context;
    if (r->is_mute) return;
    progress_clear(&r->progress);
    warn("%s; training continues", text);
}

/* ---- The log ---- */

static void add_rounded(cJSON *line, const char *key, double x, int digits)
{
    cJSON_AddItemToObject(line, key, json_rounded(x, digits));
}

/* Warns of a failure at once; the run ends with an error too. */
static void write_log(TrainReport *r, cJSON *line)
{
    SCOPED(xfree_at) char *text = json_text(line, 0);
    if ((fprintf(r->log, "%s\n", text) < 0 || fflush(r->log)) && !r->log_error) {
        r->log_error = errno;
        progress_clear(&r->progress);
        warn("the log cannot be written: %s; training continues", strerror(r->log_error));
    }
    cJSON_Delete(line);
}

/* The keys that every line has. */
static cJSON *log_line(const TrainReport *r, const TrainingProgress *progress, double epoch)
{
    cJSON *line = cJSON_CreateObject();
    if (r->networks > 1) cJSON_AddNumberToObject(line, "network", progress->network + 1);
    cJSON_AddNumberToObject(line, "step", (double)progress->step);
    add_rounded(line, "epoch", epoch, 4);
    add_rounded(line, "seconds", progress->earlier_seconds + progress->seconds, 6);
    cJSON_AddItemToObject(line, "learning_rate", json_significant(progress->last_rate, 6));
    return line;
}

static void log_tally(TrainReport *r, const UpdateReport *u)
{
    const Tally *t = u->tally;
    const double seconds = fmax(t->seconds, DBL_MIN);
    cJSON *line = log_line(r, u->progress, u->epoch);
    if (t->tokens > 0) add_rounded(line, "loss", t->loss / t->tokens, 6);
    cJSON_AddNumberToObject(line, "target_tokens_per_second", round(t->tokens / seconds));
    add_rounded(line, "gflops", t->flops / seconds / 1e9, 2);
    if (isfinite(u->norm)) add_rounded(line, "gradient_norm", u->norm, 6);
    if (t->skipped) cJSON_AddNumberToObject(line, "skipped", (double)t->skipped);
    write_log(r, line);
}

/* A validation, and the page with it. */
static void log_validation(TrainReport *r, const ValidationReport *v)
{
    Err e;
    if (!r->log) return;
    cJSON *line = log_line(r, v->progress, v->epoch);
    add_rounded(line, "valid_loss", v->valid_loss, 6);
    add_rounded(line, "valid_unknown", v->valid_unknown, 6);
    if (v->bleu >= 0) {
        add_rounded(line, "bleu", v->bleu, 4);
        add_rounded(line, "chrf", v->chrf, 4);
        if (v->exact >= 0) add_rounded(line, "exact", v->exact, 4);
    }
    write_log(r, line);
    if (!r->curves || r->undrawn || !curves_draw(r->curves, r->log_path, &e)) return;
    r->undrawn = 1;
    troubled(r, e.text);
}

/* Whether a line tells what came after this progress: a later network, a later step, or the
 * validation of this step that is still due. */
static int is_later(const char *line, size_t length, const TrainingProgress *progress)
{
    Err ignored;
    double step, network = 1;
    const double current = progress->network + 1, now = (double)progress->step;
    cJSON *json = json_parse(line, length, &ignored);
    const int has_step = json && !json_get_number(json, "step", &step, &ignored);
    if (has_step && json_get_number(json, "network", &network, &ignored)) network = 1;
    const int is_due = progress->validated_step != progress->step
                       && cJSON_HasObjectItem(json, "valid_loss");
    cJSON_Delete(json);
    return has_step && (network > current
                        || (network == current && (step > now || (step == now && is_due))));
}

/* Cuts off an unfinished last line, and the lines that will be written again. A pipe cannot be
 * cut. */
static int cut_log(const char *path, const TrainingProgress *progress, Err *e)
{
    Content log;
    struct stat status;
    if (stat(path, &status) || !S_ISREG(status.st_mode)) return 0;
    if (content_read(&log, path, e)) return -1;
    const size_t size = log.size;
    size_t kept = 0;
    for (const char *end; (end = memchr(log.data + kept, '\n', size - kept));) {
        const size_t length = (size_t)(end - log.data) - kept;
        if (is_later(log.data + kept, length, progress)) break;
        kept += length + 1;
    }
    content_free(&log);
    if (kept == size || !truncate(path, (off_t)kept)) return 0;
    return err(e, "%s: cannot be cut to what came before step %ld: %s", path, progress->step + 1,
               strerror(errno));
}

/* A log that is empty gets its first line again; the reader of a pipe has it from the first run. */
static void resumed(void *context, const TrainingProgress *progress)
{
    TrainReport *r = context;
    Err e;
    struct stat status;
    if (!r->log) return;
    if (cut_log(r->log_path, progress, &e)) troubled(r, e.text);
    if (!fstat(fileno(r->log), &status) && S_ISREG(status.st_mode) && !status.st_size)
        write_log(r, cJSON_Duplicate(r->run, 1));
}

void train_report_begin(TrainReport *r)
{
    if (!r->log) return;
    if (!file_is_at(STDOUT_FILENO, r->log_path))
        (void)!ftruncate(fileno(r->log), 0);    /* a device or a pipe has nothing to lose */
    write_log(r, cJSON_Duplicate(r->run, 1));
}

/* ---- The screen ---- */

/* The first updates tell how long all will take, one of them alone where it takes long; said where
 * that is minutes. */
static void report_pace(TrainReport *r, const UpdateReport *u)
{
    const double enough = 20, seconds = u->progress->seconds, epoch = seconds / u->epoch;
    if (r->is_paced || (++r->updates < SHOWN_UPDATES && seconds < enough)) return;
    r->is_paced = 1;
    if (epoch >= 60)
        progress_line(&r->progress, "time        an epoch takes about %s, the whole run at most %s",
                      progress_time(epoch).text, progress_time(seconds / u->share).text);
}

static void updated(void *context, const UpdateReport *u)
{
    TrainReport *r = context;
    tally_add(&r->shown, u);
    report_pace(r, u);
    if (r->shown.tokens > 0 && (r->shown.updates >= SHOWN_UPDATES || r->rate == 0)) {
        r->loss = r->shown.loss / r->shown.tokens;
        r->rate = r->shown.tokens / fmax(r->shown.seconds, DBL_MIN);
        r->shown = (Tally){ 0 };
    }
    progress_update(&r->progress, u->share, "%sepoch %ld  loss %.3f  perplexity %.2f  %s tokens/s",
                    r->name, u->progress->epoch + 1, r->loss, exp(r->loss),
                    progress_count(r->rate).text);
    if (r->log && u->tally) log_tally(r, u);
}

static void describe_scores(const ValidationReport *v, Buf *out)
{
    if (v->exact >= 0) buf_printf(out, "  exact %.1f %%", v->exact);
    else if (v->bleu >= 0) buf_printf(out, "  BLEU %.2f  chrF %.2f", v->bleu, v->chrf);
}

/* The share of unknown words stands beside the perplexity, which a frequent <unk> makes small. */
static void validated(void *context, const ValidationReport *v)
{
    TrainReport *r = context;
    SCOPED(buf_free) Buf fields = { 0 };
    buf_printf(&fields, "%sepoch %.2f  step %ld  valid loss %.4f  perplexity %.2f",
               r->name, v->epoch, v->progress->step, v->valid_loss,
               exp(v->valid_loss));
    if (v->valid_unknown >= 0.0005)
        buf_printf(&fields, " (%.1f %% unknown)", 100 * v->valid_unknown);
    describe_scores(v, &fields);
    if (v->saved) buf_puts(&fields, v->chosen ? "  best so far, saved" : "  saved");
    else if (v->improved && v->chosen) buf_puts(&fields, "  best so far");
    progress_line(&r->progress, "%s", fields.text);
    log_validation(r, v);
}

/* The log has its validations and no line of its own for this. */
static void joined(void *context, const ValidationReport *v)
{
    TrainReport *r = context;
    SCOPED(buf_free) Buf scores = { 0 };
    describe_scores(v, &scores);
    if (scores.length)
        progress_line(&r->progress, "%d networks together%s", r->network + 1, scores.text);
}

TrainingEvents train_report_events(TrainReport *report)
{
    return (TrainingEvents){ .context = report, .updated = updated, .validated = validated,
                             .troubled = troubled, .resumed = resumed, .joined = joined };
}

/* ---- The page of curves ---- */

enum { LOSS, VALID_LOSS, BLEU, CHRF, LEARNING_RATE, CURVES };

static const char *const keys[CURVES] = { "loss", "valid_loss", "bleu", "chrf", "learning_rate" };

typedef struct {
    Point *point;
    size_t count, capacity;
} Points;

typedef struct {
    Buf    command;         /* of the first line, which describes the run */
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

static int read_log(const char *path, LogData *data, Err *e)
{
    Err ignored;
    char *text;
    size_t length;
    Lines *lines = lines_open(path, e);
    if (!lines) return -1;
    int rc;
    while ((rc = lines_next(lines, &text, &length, e)) > 0) {
        const char *command;
        cJSON *line = json_parse(text, length, &ignored);
        if (!data->command.length && !json_get_string(line, "command", &command, &ignored))
            buf_puts(&data->command, command);
        add_numbers(line, data->curve);
        cJSON_Delete(line);
    }
    lines_close(lines);
    return rc;
}

static Curve curve_of(const char *name, const Points *points, int dots)
{
    return (Curve){ .name = name, .point = points->point, .count = points->count, .dots = dots };
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
    if (data->command.length) html_element("p", data->command.text, out);
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
    SCOPED(buf_free) Buf text = { 0 };
    Replace file;
    int rc = read_log(log, &data, e) || replace_open(&file, page, e) ? -1 : 0;
    if (!rc) {
        draw_page(&data, &text);
        fwrite(text.text, 1, text.length, file.stream);
        rc = replace_commit(&file, e);
    }
    for (int i = 0; i < CURVES; i++)
        free(data.curve[i].point);
    buf_free(&data.command);
    return rc;
}
