/* train_report.c - the progress line, validation lines, and the log. */
#include "cmd/train_report.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { SHOWN_UPDATES = 20 };        /* the screen shows means over so many updates: steady enough to read */

static void window_add(Window *w, const UpdateReport *u)
{
    w->seconds += u->seconds;
    w->updates++;
    w->skipped += u->skipped;
    if (u->skipped) return;
    w->loss += u->loss;
    w->tokens += u->tokens;
    w->flops += u->flops;
}

static double rounded(double x, double unit)
{
    return round(x / unit) * unit;
}

/* ---- the log ---- */

static void write_log(TrainReport *r, cJSON *line)
{
    char *text = json_text(line, 0);
    if ((fprintf(r->log, "%s\n", text) < 0 || fflush(r->log)) && !r->log_error) r->log_error = errno;
    free(text);
    cJSON_Delete(line);
}

/* The keys that every line has. */
static cJSON *log_line(const Reached *reached, double epoch, double rate)
{
    cJSON *line = cJSON_CreateObject();
    cJSON_AddNumberToObject(line, "step", (double)reached->step);
    cJSON_AddNumberToObject(line, "epoch", rounded(epoch, 1e-4));
    cJSON_AddNumberToObject(line, "seconds", rounded(reached->seconds, 1e-6));
    cJSON_AddNumberToObject(line, "learning_rate", rate);
    return line;
}

static void log_updates(TrainReport *r, const UpdateReport *u)
{
    Window *w = &r->logged;
    cJSON *line = log_line(u->reached, u->epoch, u->rate);
    if (w->tokens > 0) cJSON_AddNumberToObject(line, "loss", rounded(w->loss / w->tokens, 1e-6));
    cJSON_AddNumberToObject(line, "target_tokens_per_second", round(w->tokens / fmax(w->seconds, DBL_MIN)));
    cJSON_AddNumberToObject(line, "gflops", rounded(w->flops / fmax(w->seconds, DBL_MIN) / 1e9, 1e-2));
    if (isfinite(u->norm)) cJSON_AddNumberToObject(line, "gradient_norm", rounded(u->norm, 1e-6));
    if (w->skipped) cJSON_AddNumberToObject(line, "skipped", w->skipped);
    write_log(r, line);
    *w = (Window){ 0 };
}

/* ---- events ---- */

static void show(TrainReport *r, const UpdateReport *u)
{
    char rate[COUNT_TEXT];
    window_add(&r->shown, u);
    if (r->shown.tokens > 0 && (r->shown.updates >= SHOWN_UPDATES || r->rate == 0)) {
        r->loss = r->shown.loss / r->shown.tokens;
        r->rate = r->shown.tokens / fmax(r->shown.seconds, DBL_MIN);
        r->shown = (Window){ 0 };
    }
    progress_update(&r->progress, u->share, "epoch %ld  loss %.3f  perplexity %.2f  %s tokens/s", u->reached->epoch + 1,
                    r->loss, exp(r->loss), progress_count(rate, r->rate));
}

static void updated(void *context, const UpdateReport *u)
{
    TrainReport *r = context;
    show(r, u);
    if (!r->log) return;
    window_add(&r->logged, u);
    if (u->reached->step % r->log_every == 0) log_updates(r, u);
}

static void validated(void *context, const ValidationReport *v)
{
    TrainReport *r = context;
    char metrics[64] = "";
    if (v->bleu >= 0) snprintf(metrics, sizeof metrics, "  BLEU %.2f  chrF %.2f", v->bleu, v->chrf);
    progress_line(&r->progress, "epoch %.2f  step %ld  valid loss %.4f  perplexity %.2f%s%s", v->epoch,
                  v->reached->step, v->valid_loss, exp(v->valid_loss), metrics,
                  v->improved ? "  best so far, saved" : "");
    if (!r->log) return;
    cJSON *line = log_line(v->reached, v->epoch, v->rate);
    cJSON_AddNumberToObject(line, "valid_loss", rounded(v->valid_loss, 1e-6));
    if (v->bleu >= 0) {
        cJSON_AddNumberToObject(line, "bleu", rounded(v->bleu, 1e-4));
        cJSON_AddNumberToObject(line, "chrf", rounded(v->chrf, 1e-4));
    }
    write_log(r, line);
}

static void troubled(void *context, const char *text)
{
    TrainReport *r = context;
    progress_clear(&r->progress);
    warn("%s; training goes on", text);
}

TrainerEvents train_report_events(TrainReport *report)
{
    return (TrainerEvents){ .context = report, .updated = updated, .validated = validated, .troubled = troubled };
}
