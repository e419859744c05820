/* report.c - the progress line, validation lines, and the log. */
#include "cmd/train/report.h"

#include "base/files/files.h"
#include "base/files/content.h"
#include "cmd/train/curves.h"
#include "text/unicode.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The screen shows means over so many updates, which are steady enough to read. */
enum { SHOWN_UPDATES = 20 };

/* The nearest double to a decimal, so that it is written with the digits of that alone. */
static double rounded(double x, double unit)
{
    const double parts = round(1 / unit);
    return round(x * parts) / parts;
}

/* ---- The log ---- */

/* Warns of a failure at once; the run ends with an error too. */
static void write_log(TrainReport *r, cJSON *line)
{
    char *text = json_text(line, 0);
    if ((fprintf(r->log, "%s\n", text) < 0 || fflush(r->log)) && !r->log_error) {
        r->log_error = errno;
        progress_clear(&r->progress);
        warn("the log cannot be written: %s; training continues", strerror(r->log_error));
    }
    free(text);
    cJSON_Delete(line);
}

/* The keys that every line has. */
static cJSON *log_line(const TrainReport *r, const TrainingProgress *progress, double epoch)
{
    cJSON *line = cJSON_CreateObject();
    if (r->networks > 1) cJSON_AddNumberToObject(line, "network", progress->network + 1);
    cJSON_AddNumberToObject(line, "step", (double)progress->step);
    cJSON_AddNumberToObject(line, "epoch", rounded(epoch, 1e-4));
    cJSON_AddNumberToObject(line, "seconds",
                            rounded(progress->earlier_seconds + progress->seconds, 1e-6));
    cJSON_AddItemToObject(line, "learning_rate", json_significant(progress->last_rate, 6));
    return line;
}

static void log_tally(TrainReport *r, const UpdateReport *u)
{
    const Tally *t = u->tally;
    cJSON *line = log_line(r, u->progress, u->epoch);
    if (t->tokens > 0) cJSON_AddNumberToObject(line, "loss", rounded(t->loss / t->tokens, 1e-6));
    cJSON_AddNumberToObject(line, "target_tokens_per_second",
                            round(t->tokens / fmax(t->seconds, DBL_MIN)));
    cJSON_AddNumberToObject(line, "gflops",
                            rounded(t->flops / fmax(t->seconds, DBL_MIN) / 1e9, 1e-2));
    if (isfinite(u->norm)) cJSON_AddNumberToObject(line, "gradient_norm", rounded(u->norm, 1e-6));
    if (t->skipped) cJSON_AddNumberToObject(line, "skipped", (double)t->skipped);
    write_log(r, line);
}

/* The scores of a validation, or of a report between two validations; nothing where there are
 * none. */
static void add_scores(cJSON *line, const ValidationReport *v)
{
    if (v->bleu < 0) return;
    cJSON_AddNumberToObject(line, "bleu", rounded(v->bleu, 1e-4));
    cJSON_AddNumberToObject(line, "chrf", rounded(v->chrf, 1e-4));
    if (v->exact >= 0) cJSON_AddNumberToObject(line, "exact", rounded(v->exact, 1e-4));
}

/* The same on the screen. */
static void describe_scores(const ValidationReport *v, Buf *out)
{
    if (v->exact >= 0) buf_printf(out, "  exact %.1f %%", v->exact);
    else if (v->bleu >= 0) buf_printf(out, "  BLEU %.2f  chrF %.2f", v->bleu, v->chrf);
}

/* The lines of one step, in this order. */
typedef enum { LINE_UPDATE, LINE_VALIDATION, LINE_SAMPLES, LINE_KINDS } LineKind;

static double place(double network, double step, LineKind kind)
{
    const double most_steps = 1e9;
    return LINE_KINDS * (network * most_steps + step) + kind;
}

/* The place of a line in the log; -1 for a line without a step. */
static double place_of(const char *line, size_t length)
{
    Err e;
    double step, network;
    cJSON *json = json_parse(line, length, &e);
    if (!json || json_get_number(json, "network", &network, &e)) network = 1;
    const int has_step = json && !json_get_number(json, "step", &step, &e);
    const LineKind kind = cJSON_HasObjectItem(json, "valid_loss") ? LINE_VALIDATION
                          : cJSON_HasObjectItem(json, "bleu") ? LINE_SAMPLES : LINE_UPDATE;
    cJSON_Delete(json);
    return has_step ? place(network, step, kind) : -1;
}

/* Where the last line of these bytes begins. */
static size_t line_start(const char *bytes, size_t end)
{
    while (end > 0 && bytes[end - 1] != '\n')
        end--;
    return end;
}

/* The bytes of a log that a run resumed at `last` keeps: all but the lines after it, and an
 * unfinished last line. */
static size_t kept_bytes(const Content *log, double last)
{
    size_t end = line_start(log->data, log->size);
    while (end > 0) {
        size_t start = line_start(log->data, end - 1);
        if (place_of(log->data + start, end - 1 - start) <= last) break;
        end = start;
    }
    return end;
}

/* Cuts off the lines that will be written again: those after the last saved state, also a
 * validation that was logged but not saved. A pipe cannot be cut. */
static int cut_log(const char *path, const TrainingProgress *progress, Err *e)
{
    const LineKind last = progress->validated_step == progress->step
        ? LINE_VALIDATION : LINE_UPDATE;
    Content log;
    struct stat status;
    if (stat(path, &status) || !S_ISREG(status.st_mode)) return 0;
    if (content_read(&log, path, e)) return -1;
    const double end = place(progress->network + 1, (double)progress->step, last);
    size_t kept = kept_bytes(&log, end), size = log.size;
    content_free(&log);
    if (kept == size || !truncate(path, (off_t)kept)) return 0;
    return err(e, "%s: cannot be cut to what came before step %ld: %s", path, progress->step + 1,
               strerror(errno));
}

/* A pipe never is: its reader got the first line from the first run. */
static int is_empty(FILE *log)
{
    struct stat status;
    return !fstat(fileno(log), &status) && S_ISREG(status.st_mode) && status.st_size == 0;
}

/* ---- Events ---- */

/* "network 2 of 3  ", or nothing where there is one. */
enum { NETWORK_TEXT = 48 };

static void name_network(const TrainReport *r, char text[NETWORK_TEXT])
{
    *text = '\0';
    if (r->networks > 1)
        snprintf(text, NETWORK_TEXT, "network %d of %d  ", r->network + 1, r->networks);
}

static void show(TrainReport *r, const UpdateReport *u)
{
    char rate[COUNT_TEXT], network[NETWORK_TEXT];
    tally_add(&r->shown, u);
    if (r->shown.tokens > 0 && (r->shown.updates >= SHOWN_UPDATES || r->rate == 0)) {
        r->loss = r->shown.loss / r->shown.tokens;
        r->rate = r->shown.tokens / fmax(r->shown.seconds, DBL_MIN);
        r->shown = (Tally){ 0 };
    }
    name_network(r, network);
    progress_update(&r->progress, u->share, "%sepoch %ld  loss %.3f  perplexity %.2f  %s tokens/s",
                    network, u->progress->epoch + 1, r->loss, exp(r->loss),
                    progress_count(rate, r->rate));
}

static void updated(void *context, const UpdateReport *u)
{
    TrainReport *r = context;
    show(r, u);
    if (r->log && u->tally) log_tally(r, u);
}

static void troubled(void *context, const char *text)
{
    TrainReport *r = context;
    progress_clear(&r->progress);
    warn("%s; training continues", text);
}

static void draw_curves(TrainReport *r)
{
    Err e;
    if (!r->curves || r->undrawn || !curves_draw(r->curves, r->log_path, &e)) return;
    r->undrawn = 1;
    troubled(r, e.text);
}

static void show_line(TrainReport *r, const char *what, const char *text)
{
    progress_line(&r->progress, "    %-10s%s", what, text);
}

static void show_samples(TrainReport *r, const ValidationReport *v)
{
    for (int i = 0; i < v->samples; i++) {
        const Sample *s = &v->sample[i];
        show_line(r, "source", s->source);
        show_line(r, "reference", s->reference);
        show_line(r, "attn", s->translation);
    }
}

static void shown(void *context, const ValidationReport *v)
{
    TrainReport *r = context;
    Buf fields = { 0 };
    char network[NETWORK_TEXT];
    name_network(r, network);
    buf_printf(&fields, "%sepoch %.2f  step %ld  loss %.4f", network, v->epoch, v->progress->step, r->loss);
    describe_scores(v, &fields);
    progress_fields(&r->progress, fields.text);
    buf_free(&fields);
    show_samples(r, v);
    if (!r->log) return;
    cJSON *line = log_line(r, v->progress, v->epoch);
    add_scores(line, v);
    write_log(r, line);
    draw_curves(r);
}

/* Beside the perplexity, which a frequent <unk> makes small. */
static void add_unknown(double share, Buf *out)
{
    if (share >= 0.0005) buf_printf(out, " (%.1f %% unknown)", 100 * share);
}

/* in_short: without the perplexity, which follows from the loss. */
static void describe_validation(const TrainReport *r, const ValidationReport *v, int in_short,
                                Buf *out)
{
    char network[NETWORK_TEXT];
    name_network(r, network);
    buf_clear(out);
    buf_printf(out, "%sepoch %.2f  step %ld", network, v->epoch, v->progress->step);
    buf_printf(out, "  valid loss %.4f", v->valid_loss);
    if (!in_short) {
        buf_printf(out, "  perplexity %.2f", exp(v->valid_loss));
        add_unknown(v->valid_unknown, out);
    }
    describe_scores(v, out);
    if (v->saved) buf_puts(out, in_short || !v->chosen ? "  saved" : "  best so far, saved");
    else if (v->improved && v->chosen) buf_puts(out, "  best so far");
}

static void show_validation(TrainReport *r, const ValidationReport *v)
{
    Buf fields = { 0 };
    describe_validation(r, v, 0, &fields);
    if (unicode_columns(fields.text) > progress_columns(&r->progress))
        describe_validation(r, v, 1, &fields);
    progress_fields(&r->progress, fields.text);
    buf_free(&fields);
}

static void validated(void *context, const ValidationReport *v)
{
    TrainReport *r = context;
    show_validation(r, v);
    show_samples(r, v);
    if (!r->log) return;
    cJSON *line = log_line(r, v->progress, v->epoch);
    cJSON_AddNumberToObject(line, "valid_loss", rounded(v->valid_loss, 1e-6));
    cJSON_AddNumberToObject(line, "valid_unknown", rounded(v->valid_unknown, 1e-6));
    add_scores(line, v);
    write_log(r, line);
    draw_curves(r);
}

/* The log has its validations and no line of its own for this. */
static void joined(void *context, const ValidationReport *v)
{
    TrainReport *r = context;
    Buf scores = { 0 };
    describe_scores(v, &scores);
    if (scores.length) progress_line(&r->progress, "%d networks together%s", r->network + 1, scores.text);
    buf_free(&scores);
}

static void advised(void *context, const char *text)
{
    TrainReport *r = context;
    progress_line(&r->progress, "advice: %s", text);
}

static void resumed(void *context, const TrainingProgress *progress)
{
    TrainReport *r = context;
    Err e;
    if (!r->log) return;
    if (cut_log(r->log_path, progress, &e)) troubled(r, e.text);
    if (is_empty(r->log)) write_log(r, cJSON_Duplicate(r->run, 1));
}

TrainingEvents train_report_events(TrainReport *report)
{
    return (TrainingEvents){ .context = report, .updated = updated, .validated = validated,
                            .troubled = troubled,
                            .resumed = resumed, .shown = shown, .joined = joined,
                            .advised = advised };
}

void train_report_begin(TrainReport *r)
{
    if (!r->log) return;
    if (!file_is_at(STDOUT_FILENO, r->log_path))
        (void)!ftruncate(fileno(r->log), 0);    /* a device or a pipe has nothing to lose */
    write_log(r, cJSON_Duplicate(r->run, 1));
}
