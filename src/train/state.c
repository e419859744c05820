/* state.c - see state.h. */
#include "train/state.h"

#include "base/mem.h"
#include "base/version.h"
#include "model/safetensors.h"
#include "train/recovery.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FORMAT "attn-state"
#define FORMAT_VERSION "5"

int state_may_differ(const char *name)
{
    static const char *const names[] = { "epochs", "steps", "time-limit", "patience", "threads", "workers", NULL };
    for (const char *const *known = names; *known; known++)
        if (!strcmp(name, *known)) return 1;
    return 0;
}

/* ---- JSON ---- */

static void add_hash(cJSON *object, const char *key, uint64_t hash)
{
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    cJSON_AddStringToObject(object, key, text);
}

static cJSON *run_to_json(const Training *training)
{
    cJSON *run = cJSON_CreateObject();
    cJSON_AddStringToObject(run, "version", ATTN_VERSION);
    cJSON_AddNumberToObject(run, "workers", pool_workers(training->pool));
    add_hash(run, "corpus", training->corpus_hash);
    add_hash(run, "validation", training->valid_hash);
    add_hash(run, "vocabulary_hash", training->vocabulary_hash);
    cJSON_AddNumberToObject(run, "training_pairs", (double)training->train->count);
    cJSON_AddNumberToObject(run, "shards", store_shards(training->train->store));
    cJSON_AddNumberToObject(run, "validation_pairs", (double)training->valid->count);
    cJSON_AddItemToObject(run, "text", fields_to_json(text_fields, &training->model->text));
    cJSON_AddItemToObject(run, "network", fields_to_json(network_fields, &training->model->network));
    cJSON_AddItemToObject(run, "recipe", fields_to_json(hyperparameter_fields, training->hyper));
    return run;
}

static cJSON *tally_to_json(const Tally *t)
{
    cJSON *json = cJSON_CreateObject();
    json_add_exact(json, "loss", t->loss);
    json_add_exact(json, "tokens", t->tokens);
    json_add_exact(json, "flops", t->flops);
    json_add_exact(json, "seconds", t->seconds);
    cJSON_AddNumberToObject(json, "updates", (double)t->updates);
    cJSON_AddNumberToObject(json, "skipped", (double)t->skipped);
    return json;
}

static cJSON *progress_to_json(const TrainingProgress *r)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "step", (double)r->step);
    cJSON_AddNumberToObject(json, "epoch", (double)r->epoch);
    cJSON_AddNumberToObject(json, "batch", r->batch);
    json_add_exact(json, "rate", r->rate);
    json_add_exact(json, "last_rate", r->last_rate);
    json_add_exact(json, "best_score", r->best_step ? r->best_score : 0);
    json_add_exact(json, "best_loss", r->best_step ? r->best_loss : 0);
    cJSON_AddNumberToObject(json, "best_step", (double)r->best_step);
    cJSON_AddNumberToObject(json, "validated_step", (double)r->validated_step);
    cJSON_AddNumberToObject(json, "stalled", r->stalled);
    cJSON_AddNumberToObject(json, "skipped", (double)r->skipped);
    cJSON_AddNumberToObject(json, "skipped_in_row", r->skipped_in_row);
    cJSON_AddNumberToObject(json, "recoveries", r->recoveries);
    cJSON_AddNumberToObject(json, "recovered_step", (double)r->recovered_step);
    json_add_exact(json, "seconds", r->seconds);
    json_add_exact(json, "tokens", r->tokens);
    cJSON_AddItemToObject(json, "tally", tally_to_json(&r->tally));
    return json;
}

static int count_from_json(const cJSON *json, const char *key, long *out, Err *e)
{
    double number;
    if (json_get_number(json, key, &number, e)) return -1;
    if (!(number >= 0 && number <= 1e15) || number != floor(number))
        return err(e, "'%s' is %g, not a count", key, number);
    *out = (long)number;
    return 0;
}

static int tally_from_json(const cJSON *progress, Tally *t, Err *e)
{
    const cJSON *json;
    if (json_get_object(progress, "tally", &json, e) || json_get_number(json, "loss", &t->loss, e)
        || json_get_number(json, "tokens", &t->tokens, e) || json_get_number(json, "flops", &t->flops, e)
        || json_get_number(json, "seconds", &t->seconds, e) || count_from_json(json, "updates", &t->updates, e)
        || count_from_json(json, "skipped", &t->skipped, e))
        return -1;
    const int is_sum = t->loss >= 0 && t->tokens >= 0 && t->flops >= 0 && t->seconds >= 0;
    return is_sum ? 0 : err(e, "the sums over its last %ld updates are below 0", t->updates);
}

static int progress_from_json(const cJSON *json, TrainingProgress *r, Err *e)
{
    if (count_from_json(json, "step", &r->step, e) || count_from_json(json, "epoch", &r->epoch, e)
        || json_get_int(json, "batch", 0, INT_MAX, &r->batch, e) || json_get_number(json, "rate", &r->rate, e)
        || json_get_number(json, "last_rate", &r->last_rate, e)
        || json_get_number(json, "best_score", &r->best_score, e)
        || json_get_number(json, "best_loss", &r->best_loss, e) || count_from_json(json, "best_step", &r->best_step, e)
        || count_from_json(json, "validated_step", &r->validated_step, e)
        || json_get_int(json, "stalled", 0, INT_MAX, &r->stalled, e)
        || count_from_json(json, "skipped", &r->skipped, e)
        || json_get_int(json, "skipped_in_row", 0, MOST_SKIPPED - 1, &r->skipped_in_row, e)
        || json_get_int(json, "recoveries", 0, MOST_RECOVERIES, &r->recoveries, e)
        || count_from_json(json, "recovered_step", &r->recovered_step, e)
        || json_get_number(json, "seconds", &r->seconds, e) || json_get_number(json, "tokens", &r->tokens, e)
        || tally_from_json(json, &r->tally, e))
        return -1;
    if (!r->best_step) {
        r->best_score = -INFINITY;
        r->best_loss = INFINITY;
    }
    if (r->recovered_step > r->step) return err(e, "step %ld, of the last recovery, is to come", r->recovered_step);
    if (r->best_step > r->step || r->validated_step > r->step)
        return err(e, "it knows of validations after its last step, %ld", r->step);
    if (!(r->seconds >= 0) || !(r->tokens >= 0)) return err(e, "it has taken %g s for %g tokens", r->seconds, r->tokens);
    if (!(r->last_rate >= 0)) return err(e, "the learning rate of its last update is %g", r->last_rate);
    return r->rate >= 0 ? 0 : err(e, "the learning rate is %g", r->rate);
}

/* ---- comparing ---- */

/* Finds the first value that differs; descends into objects so that the message can name it. */
static int compare(const cJSON *was, const cJSON *now, const char *name, Err *e)
{
    if (cJSON_IsObject(was) && cJSON_IsObject(now)) {
        const cJSON *item;
        cJSON_ArrayForEach(item, now) {
            const cJSON *other = cJSON_GetObjectItemCaseSensitive(was, item->string);
            if (state_may_differ(item->string)) continue;
            if (!other) return err(e, "it knows no '%s'", item->string);
            if (compare(other, item, item->string, e)) return -1;
        }
        return 0;
    }
    if (cJSON_Compare(was, now, 1)) return 0;
    char *before = json_text(was, 0), *after = json_text(now, 0);
    err(e, "%s was %s and is %s now", name, before, after);
    free(before);
    free(after);
    return -1;
}

static int check_format(const Safetensors *file, Err *e)
{
    const char *format = safetensors_metadata(file, "format"), *version = safetensors_metadata(file, "format_version");
    if (!format || strcmp(format, FORMAT) || !version) return err(e, "it is no training state");
    return strcmp(version, FORMAT_VERSION) ? err(e, "its format has version %s, not " FORMAT_VERSION, version) : 0;
}

static int read_limits(const cJSON *run, Hyperparameters *was, Err *e)
{
    const cJSON *hyper;
    *was = (Hyperparameters){ 0 };
    return json_get_object(run, "recipe", &hyper, e) || json_get_int(hyper, "epochs", 1, INT_MAX, &was->epochs, e)
           || json_get_int(hyper, "steps", 0, INT_MAX, &was->steps, e)
           || json_get_int(hyper, "patience", 0, INT_MAX, &was->patience, e)
           || json_get_number(hyper, "time-limit", &was->time_limit, e) ? -1 : 0;
}

static int check_run(const Safetensors *file, const Training *training, Hyperparameters *limits, Err *e)
{
    const char *run = safetensors_metadata(file, "run");
    if (check_format(file, e)) return -1;
    cJSON *was = run ? json_parse(run, strlen(run), e) : NULL;
    if (!was) return run ? -1 : err(e, "it is no training state");
    cJSON *now = run_to_json(training);
    int rc = compare(was, now, "run", e) || read_limits(was, limits, e) ? -1 : 0;
    cJSON_Delete(now);
    cJSON_Delete(was);
    return rc;
}

/* ---- the file ---- */

enum { MOST_BLOCKS = 5 };
typedef struct { Tensor tensor[MOST_BLOCKS]; real *values[MOST_BLOCKS]; size_t count, size; } Blocks;

static void add_block(Blocks *b, const char *name, real *values)
{
    b->tensor[b->count] = (Tensor){ name, DTYPE_REAL, 1, { b->size }, values };
    b->values[b->count++] = values;
}

static Blocks blocks_of(const Training *training, Updater *updater)
{
    Blocks b = { .size = training->model->table->size };
    add_block(&b, "weights", training->model->weights);
    add_block(&b, "adam.m", updater_first_moment(updater));
    add_block(&b, "adam.v", updater_second_moment(updater));
    add_block(&b, "kept", updater_kept(updater));
    if (training->hyper->average > 0) add_block(&b, "average", updater_averaged(updater));
    return b;
}

int state_save(const Training *training, Updater *updater, const TrainingProgress *progress, Err *e)
{
    const Blocks b = blocks_of(training, updater);
    cJSON *metadata = cJSON_CreateObject();
    cJSON_AddStringToObject(metadata, "format", FORMAT);
    cJSON_AddStringToObject(metadata, "format_version", FORMAT_VERSION);
    if (training->request) cJSON_AddStringToObject(metadata, "request", training->request);
    json_add_as_text(metadata, "run", run_to_json(training));
    cJSON *json = progress_to_json(progress);
    json_add_exact(json, "baseline", *updater_baseline(updater));
    json_add_as_text(metadata, "reached", json);
    int rc = safetensors_write(training->state_path, b.tensor, b.count, DTYPE_REAL, metadata, e);
    cJSON_Delete(metadata);
    return rc;
}

static int read_progress(const Safetensors *file, TrainingProgress *progress, double *baseline, Err *e)
{
    const char *text = safetensors_metadata(file, "reached");
    if (!text) return err(e, "it does not say how far the training has come");
    cJSON *json = json_parse(text, strlen(text), e);
    if (!json) return -1;
    int rc = progress_from_json(json, progress, e) || json_get_number(json, "baseline", baseline, e) ? -1 : 0;
    if (!rc && !(*baseline >= 0 && isfinite(*baseline))) rc = err(e, "the baseline of its losses is %g", *baseline);
    cJSON_Delete(json);
    return rc;
}

static int can_be_reached(const real *values, size_t count, double lowest)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]) || values[i] < lowest) return 0;
    return 1;
}

static int read_state(const Safetensors *file, const Training *training, Updater *updater, TrainingProgress *progress, Hyperparameters *limits,
                      Err *e)
{
    const Blocks b = blocks_of(training, updater);
    const Tensor *found[MOST_BLOCKS];
    if (check_run(file, training, limits, e) || read_progress(file, progress, updater_baseline(updater), e)) return -1;
    for (size_t i = 0; i < b.count; i++)
        if (!(found[i] = safetensors_find(file, &b.tensor[i], e))) return -1;
    for (size_t i = 0; i < b.count; i++) {
        tensor_read(found[i], b.values[i]);
        safetensors_forget(found[i]);
    }
    for (size_t i = 0; i < b.count; i++)
        if (!can_be_reached(b.values[i], tensor_count(&b.tensor[i]),
                            b.values[i] == updater_second_moment(updater) ? 0 : -INFINITY))
            return err(e, "it holds a value that no training can reach");
    return 0;
}

/* The file, or NULL with a message. */
static Safetensors *open_state(const char *path, Err *e)
{
    if (!access(path, F_OK)) return safetensors_open(path, e);
    err(e, "%s: there is no such state to go on from; leave out --resume to begin anew", path);
    return NULL;
}

int state_load(const Training *training, Updater *updater, TrainingProgress *progress, Hyperparameters *limits, Err *e)
{
    Err why;
    Safetensors *file = open_state(training->state_path, e);
    if (!file) return -1;
    int rc = read_state(file, training, updater, progress, limits, &why);
    safetensors_close(file);
    return rc ? err(e, "cannot resume from '%s': %s", training->state_path, why.text) : 0;
}

int state_peek(const char *path, TrainingProgress *progress, char **request, Err *e)
{
    Err why;
    double baseline;
    *request = NULL;
    Safetensors *file = open_state(path, e);
    if (!file) return -1;
    const char *text = safetensors_metadata(file, "request");
    int rc = check_format(file, &why) || read_progress(file, progress, &baseline, &why) ? -1 : 0;
    if (!rc && text) *request = xstrdup(text);
    safetensors_close(file);
    return rc ? err(e, "cannot resume from '%s': %s", path, why.text) : 0;
}
