/* train_report.c - the progress line, validation lines, and the log. */
#include "cmd/train_report.h"

#include <math.h>
#include <stdlib.h>

static void write_log(const TrainReport *r, cJSON *line)
{
    char *text = json_text(line, 0);
    fprintf(r->log, "%s\n", text);
    fflush(r->log);
    free(text);
    cJSON_Delete(line);
}

/* The keys that every line has. */
static cJSON *log_line(const Reached *reached, double epoch)
{
    cJSON *line = cJSON_CreateObject();
    cJSON_AddNumberToObject(line, "step", (double)reached->step);
    cJSON_AddNumberToObject(line, "epoch", epoch);
    cJSON_AddNumberToObject(line, "seconds", reached->seconds);
    cJSON_AddNumberToObject(line, "learning_rate", reached->rate);
    return line;
}

static void updated(void *context, const UpdateReport *u)
{
    TrainReport *r = context;
    const Reached *reached = u->reached;
    char rate[COUNT_TEXT];
    progress_update(&r->progress, u->share, "epoch %ld  loss %.3f  perplexity %.2f  %s tokens/s", reached->epoch + 1,
                    u->loss, exp(u->loss), progress_count(rate, u->tokens_per_second));
    if (!r->log || reached->step % r->log_every) return;
    cJSON *line = log_line(reached, u->epoch);
    cJSON_AddNumberToObject(line, "loss", u->loss);
    cJSON_AddNumberToObject(line, "target_tokens_per_second", round(u->tokens_per_second));
    cJSON_AddNumberToObject(line, "gflops", round(u->flops_per_second / 1e7) / 100);
    cJSON_AddNumberToObject(line, "gradient_norm", u->norm);
    write_log(r, line);
}

static void validated(void *context, const ValidationReport *v)
{
    TrainReport *r = context;
    const Reached *reached = v->reached;
    char metrics[64] = "";
    if (v->bleu >= 0) snprintf(metrics, sizeof metrics, "  BLEU %.2f  chrF %.2f", v->bleu, v->chrf);
    progress_line(&r->progress, "step %ld  valid loss %.4f  perplexity %.2f%s%s", reached->step, v->valid_loss,
                  exp(v->valid_loss), metrics, v->improved ? "  best so far, saved" : "");
    if (!r->log) return;
    cJSON *line = log_line(reached, v->epoch);
    cJSON_AddNumberToObject(line, "valid_loss", v->valid_loss);
    if (v->bleu >= 0) {
        cJSON_AddNumberToObject(line, "bleu", v->bleu);
        cJSON_AddNumberToObject(line, "chrf", v->chrf);
    }
    write_log(r, line);
}

TrainerEvents train_report_events(TrainReport *report)
{
    return (TrainerEvents){ .context = report, .updated = updated, .validated = validated };
}
