/* state.c - the training state as a file. */
#include "train/checkpoint.h"

#include "base/mem.h"
#include "base/version.h"
#include "model/file/safetensors.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FORMAT "attn-state"
#define FORMAT_VERSION "8"

int state_may_differ(const char *name)
{
    static const char *const names[] = {
        "epochs", "steps", "time-limit", "patience", "threads", "workers", NULL
    };
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
    cJSON_AddNumberToObject(run, "workers",
                            processes_crew(training->processes, training->pool).all);
    add_hash(run, "corpus", training->corpus_hash);
    add_hash(run, "validation", training->valid_hash);
    add_hash(run, "vocabulary_hash", training->vocabulary_hash);
    cJSON_AddNumberToObject(run, "training_pairs", (double)training->train->count);
    cJSON_AddNumberToObject(run, "shards", store_shards(training->train->store));
    cJSON_AddNumberToObject(run, "validation_pairs", (double)training->valid->count);
    cJSON_AddItemToObject(run, "text", fields_to_json(text_fields, &training->model->text));
    cJSON_AddItemToObject(run, "network",
                          fields_to_json(network_fields, &training->model->network));
    cJSON_AddItemToObject(run, "recipe", fields_to_json(hyperparameter_fields, training->hyper));
    return run;
}

/* A value of the progress in the file: long, int or double. */
typedef struct {
    const char *key;
    size_t      at;
    enum { END, COUNT, INT, NUMBER, POSITIVE } kind;    /* POSITIVE: a NUMBER of 0 or more */
    int         most;           /* of an INT; 0: INT_MAX */
} Value;

#define AT(member) offsetof(TrainingProgress, member)
static const Value progress_values[] = {
    { "step", AT(step), COUNT, 0 },
    { "epoch", AT(epoch), COUNT, 0 },
    { "batch", AT(batch), INT, 0 },
    { "rate", AT(rate), POSITIVE, 0 },
    { "last_rate", AT(last_rate), POSITIVE, 0 },
    { "best_score", AT(best_score), NUMBER, 0 },
    { "best_loss", AT(best_loss), NUMBER, 0 },
    { "best_step", AT(best_step), COUNT, 0 },
    { "validated_step", AT(validated_step), COUNT, 0 },
    { "stalled", AT(stalled), INT, 0 },
    { "skipped", AT(skipped), COUNT, 0 },
    { "seconds", AT(seconds), POSITIVE, 0 },
    { "tokens", AT(tokens), POSITIVE, 0 },
    { "network", AT(network), INT, MOST_NETWORKS - 1 },
    { "earlier_seconds", AT(earlier_seconds), POSITIVE, 0 },
    { NULL, 0, END, 0 }
};
static const Value tally_values[] = {
    { "loss", AT(tally.loss), POSITIVE, 0 },
    { "tokens", AT(tally.tokens), POSITIVE, 0 },
    { "flops", AT(tally.flops), POSITIVE, 0 },
    { "seconds", AT(tally.seconds), POSITIVE, 0 },
    { "updates", AT(tally.updates), COUNT, 0 },
    { "skipped", AT(tally.skipped), COUNT, 0 },
    { NULL, 0, END, 0 }
};
#undef AT

static cJSON *values_to_json(const Value *values, const TrainingProgress *p)
{
    cJSON *json = cJSON_CreateObject();
    for (const Value *v = values; v->key; v++) {
        const void *value = (const char *)p + v->at;
        if (v->kind == COUNT) cJSON_AddNumberToObject(json, v->key, (double)*(const long *)value);
        else if (v->kind == INT) cJSON_AddNumberToObject(json, v->key, *(const int *)value);
        else json_add_exact(json, v->key, *(const double *)value);
    }
    return json;
}

static int value_from_json(const Value *v, const cJSON *json, void *value, Err *e)
{
    double number;
    if (v->kind == INT)
        return json_get_int(json, v->key, 0, v->most ? v->most : INT_MAX, value, e);
    if (json_get_number(json, v->key, &number, e)) return -1;
    if (v->kind == COUNT && !(number >= 0 && number <= 1e15 && number == floor(number)))
        return err(e, "'%s' is %g, not a count", v->key, number);
    if (v->kind == POSITIVE && !(number >= 0))
        return err(e, "'%s' is %g, below 0", v->key, number);
    if (v->kind == COUNT) *(long *)value = (long)number;
    else *(double *)value = number;
    return 0;
}

static int values_from_json(const Value *values, const cJSON *json, TrainingProgress *p, Err *e)
{
    for (const Value *v = values; v->key; v++)
        if (value_from_json(v, json, (char *)p + v->at, e)) return -1;
    return 0;
}

static int progress_from_json(const cJSON *json, TrainingProgress *p, Err *e)
{
    const cJSON *tally;
    if (values_from_json(progress_values, json, p, e) || json_get_object(json, "tally", &tally, e)
        || values_from_json(tally_values, tally, p, e))
        return -1;
    if (!p->best_step) {
        p->best_score = -INFINITY;
        p->best_loss = INFINITY;
    }
    if (p->best_step > p->step || p->validated_step > p->step)
        return err(e, "it knows of validations after its last step, %ld", p->step);
    return 0;
}

/* ---- comparing ---- */

/* Values that are no options. */
static const struct { const char *name, *text; int is_hash; } told[] = {
    { "run", "its record of the run", 1 },
    { "version", "the version of attn", 0 },
    { "corpus", "the text of the corpus, or of --replay,", 1 },
    { "validation", "the text of --valid", 1 },
    { "vocabulary_hash", "the vocabulary, which follows from the corpus,", 1 },
    { "training_pairs", "the number of training pairs", 0 },
    { "validation_pairs", "the number of validation pairs", 0 },
    { "shards", "the number of parts that --memory makes of the training pairs", 0 },
};

int state_refuse(const char *name, const char *was, const char *now, Err *e)
{
    /* Whether the weights of a run with one value can become those of a run with another. */
    const size_t length = strlen(name);
    const int may_change = strcmp(name, "vocabulary_hash")
                           && !fields_find(text_fields, name, length)
                           && !fields_find(network_fields, name, length);
    const char *advice = may_change
        ? "go on with the same; --init in place of --resume begins a training with another from "
          "the weights of a model"
        : "go on with the same, or begin anew with --force in place of --resume";
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        const char *text = told[i].text;
        if (strcmp(told[i].name, name)) continue;
        if (told[i].is_hash) return err(e, "%s is not the same as before; %s", text, advice);
        return err(e, "%s was %s and is %s now; %s", text, was, now, advice);
    }
    return err(e, "--%s was %s and is %s now; %s", name, was, now, advice);
}

static char *text_of(const cJSON *value)
{
    return cJSON_IsString(value) ? xstrdup(value->valuestring) : json_text(value, 0);
}

/* Finds the first value that differs; goes into objects, so that the message can name it. */
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
    SCOPED(xfree_at) char *before = text_of(was), *after = text_of(now);
    return state_refuse(name, before, after, e);
}

static int check_format(const Safetensors *file, Err *e)
{
    const char *format = safetensors_metadata(file, "format");
    const char *version = safetensors_metadata(file, "format_version");
    if (!format || strcmp(format, FORMAT) || !version) return err(e, "it is no training state");
    if (!strcmp(version, FORMAT_VERSION)) return 0;
    return err(e, "its format has version %s, not " FORMAT_VERSION, version);
}

static int check_run(const Safetensors *file, const Training *training, Hyperparameters *limits,
                     Err *e)
{
    const char *run = safetensors_metadata(file, "run");
    const cJSON *hyper;
    if (check_format(file, e)) return -1;
    cJSON *was = run ? json_parse(run, strlen(run), e) : NULL;
    if (!was) return run ? -1 : err(e, "it is no training state");
    cJSON *now = run_to_json(training);
    *limits = *training->hyper;
    const int rc = compare(was, now, "run", e) || json_get_object(was, "recipe", &hyper, e)
                   || fields_from_json(hyperparameter_fields, limits, hyper, e) ? -1 : 0;
    cJSON_Delete(now);
    cJSON_Delete(was);
    return rc;
}

/* ---- the file ---- */

enum { MOST_BLOCKS = 5 };
typedef struct {
    Tensor tensor[MOST_BLOCKS];
    real  *values[MOST_BLOCKS];
    size_t count, size;
} Blocks;

static void add_block(Blocks *b, const char *name, real *values)
{
    b->tensor[b->count] = (Tensor){ .name = name, .dtype = DTYPE_F32, .rank = 1,
                                      .shape = { b->size }, .data = values };
    b->values[b->count++] = values;
}

static Blocks blocks_of(const Training *training, Updater *updater)
{
    Blocks b = { .size = training->model->table->size };
    const UpdaterState state = updater_state(updater);
    add_block(&b, "weights", training->model->weights);
    add_block(&b, "adam.m", state.first);
    add_block(&b, "adam.v", state.second);
    add_block(&b, "kept", state.kept);
    if (training->hyper->average > 0) add_block(&b, "average", state.averaged);
    return b;
}

int state_save(const Training *training, Updater *updater, const TrainingProgress *progress,
               Err *e)
{
    const Blocks b = blocks_of(training, updater);
    cJSON *metadata = cJSON_CreateObject();
    cJSON_AddStringToObject(metadata, "format", FORMAT);
    cJSON_AddStringToObject(metadata, "format_version", FORMAT_VERSION);
    if (training->request) cJSON_AddStringToObject(metadata, "request", training->request);
    json_add_as_text(metadata, "run", run_to_json(training));
    TrainingProgress p = *progress;
    if (!p.best_step) p.best_score = p.best_loss = 0;           /* JSON has no infinity */
    cJSON *json = values_to_json(progress_values, &p);
    cJSON_AddItemToObject(json, "tally", values_to_json(tally_values, &p));
    json_add_exact(json, "baseline", *updater_state(updater).baseline);
    json_add_as_text(metadata, "reached", json);
    int rc = safetensors_write(training->state_path, b.tensor, b.count, metadata, e);
    cJSON_Delete(metadata);
    return rc;
}

static int read_progress(const Safetensors *file, TrainingProgress *progress, double *baseline,
                         Err *e)
{
    const char *text = safetensors_metadata(file, "reached");
    if (!text) return err(e, "it does not say how far the training has come");
    cJSON *json = json_parse(text, strlen(text), e);
    if (!json) return -1;
    int rc = progress_from_json(json, progress, e)
             || json_get_number(json, "baseline", baseline, e) ? -1 : 0;
    if (!rc && !(*baseline >= 0 && isfinite(*baseline)))
        rc = err(e, "the baseline of its losses is %g", *baseline);
    cJSON_Delete(json);
    return rc;
}

static int read_blocks(const Safetensors *file, const Blocks *b, const real *second_moment, Err *e)
{
    const Tensor *found[MOST_BLOCKS];
    for (size_t i = 0; i < b->count; i++)
        if (!(found[i] = safetensors_find(file, &b->tensor[i], e))) return -1;
    for (size_t i = 0; i < b->count; i++)
        if (safetensors_read(file, found[i], DTYPE_F32, b->values[i], e)) return -1;
    for (size_t i = 0; i < b->count; i++)
        for (size_t k = 0; k < b->size; k++)
            if (!isfinite(b->values[i][k])
                || (b->values[i] == second_moment && b->values[i][k] < 0))
                return err(e, "it holds a value that no training can reach");
    return 0;
}

/* The file, or NULL with a message. */
static Safetensors *open_state(const char *path, Err *e)
{
    if (!access(path, F_OK)) return safetensors_open(path, e);
    err(e, "%s: there is no such state to go on from, as no training was interrupted, or it has "
           "ended; leave out --resume to begin anew, or go on from a finished model with --init",
        path);
    return NULL;
}

int state_load(const Training *training, Updater *updater, TrainingProgress *progress,
               Hyperparameters *limits, Err *e)
{
    Err why;
    Safetensors *file = open_state(training->state_path, e);
    if (!file) return -1;
    const Blocks b = blocks_of(training, updater);
    int rc = check_run(file, training, limits, &why)
             || read_progress(file, progress, updater_state(updater).baseline, &why)
             || read_blocks(file, &b, updater_state(updater).second, &why) ? -1 : 0;
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
