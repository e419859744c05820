/* metadata.c - see metadata.h. */
#include "cmd/train/metadata.h"

#include "base/hash.h"
#include "base/version.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* How many pairs of a part that others hold out this model knows, with those of the model it goes on
 * from. */
static void add_learned(cJSON *json, const char *key, const Config *c, size_t learned)
{
    Err ignored;
    double before = 0;
    if (c->init) json_get_number(c->init->model.training, key, &before, &ignored);
    cJSON_AddNumberToObject(json, key, before + (double)learned);
}

cJSON *metadata_of_training(const Config *c, const char *command, const Data *d,
                            const DataOptions *options, int workers)
{
    char hash[17];
    Buf files = { 0 };
    snprintf(hash, sizeof hash, "%016" PRIx64, d->report.hash);
    for (int i = 0; i < options->files.count; i++)
        buf_printf(&files, "%s%s", i ? " " : "", base_name(options->files.name[i]));
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "program", "attn " ATTN_VERSION);
    json_add_bytes(json, "command", command);
    json_add_bytes(json, "corpus", files.text);
    cJSON_AddStringToObject(json, "corpus_hash", hash);
    cJSON_AddNumberToObject(json, "corpus_pairs", (double)d->report.pairs);
    cJSON_AddNumberToObject(json, "training_pairs", (double)d->train.count);
    cJSON_AddBoolToObject(json, "holdout", options->holdout);
    add_learned(json, "learned_test_pairs", c, d->trained[PART_TEST]);
    add_learned(json, "learned_valid_pairs", c, d->trained[PART_VALID]);
    if (c->init) json_add_bytes(json, "init", base_name(c->own.init));
    if (c->own.replay) {
        json_add_bytes(json, "replay", base_name(c->own.replay));
        cJSON_AddNumberToObject(json, "replayed_pairs", (double)d->replayed);
    }
    cJSON_AddNumberToObject(json, "workers", workers);
    cJSON_AddItemToObject(json, "recipe", fields_to_json(hyperparameter_fields, &c->hyper));
    buf_free(&files);
    return json;
}

uint64_t metadata_vocabulary_hash(const Model *m)
{
    const Tokenizer *const side[] = { m->source, m->target };
    uint64_t hash = FNV1A64_START;
    for (int i = 0; i < 2; i++) {
        cJSON *json = tokenizer_to_json(side[i]);
        char *text = json_text(json, 0);
        hash = fnv1a64(hash, text, strlen(text));
        free(text);
        cJSON_Delete(json);
    }
    return hash;
}

uint64_t metadata_corpus_hash(const Data *d)
{
    const uint64_t replay = d->replay_report.hash;
    return d->replay_report.pairs ? fnv1a64(d->report.hash, &replay, sizeof replay)
                                  : d->report.hash;
}
