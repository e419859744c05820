/* new_model.c - the model that `attn train` trains: its parts and its metadata, and the first
 * weights of each of its networks. */
#include "base/hash.h"
#include "base/mem.h"
#include "base/version.h"
#include "cmd/train/train.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* How many pairs of a part that others hold out this model knows, with those of the model that it
 * goes on from. */
static void add_learned(cJSON *json, const char *key, const Config *c, size_t learned)
{
    Err ignored;
    double before = 0;
    if (c->init) json_get_number(c->init->model.training, key, &before, &ignored);
    cJSON_AddNumberToObject(json, key, before + (double)learned);
}

/* How a model is trained, for Model.training. */
static cJSON *metadata(const Config *c, const char *command, const Data *d,
                       const DataOptions *options, int workers)
{
    char hash[17];
    SCOPED(buf_free) Buf files = { 0 };
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
    return json;
}

Model new_model(const Config *c, Data *d, const DataOptions *options, const char *command,
                int workers)
{
    Model m = { .network = c->network, .text = d->learned, .source = d->source,
                .target = d->target, .source_lexicon = d->lexicon[LANGUAGE_SOURCE],
                .target_lexicon = d->lexicon[LANGUAGE_TARGET],
                .length_limit = d->train.length_limit, .longest = d->train.longest,
                .normalize = c->init ? c->init->model.normalize : 0,
                .training = metadata(c, command, d, options, workers) };
    d->source = d->target = NULL;
    d->lexicon[LANGUAGE_SOURCE] = d->lexicon[LANGUAGE_TARGET] = NULL;
    m.table = parameters_new(&m.network, tokenizer_size(m.source), tokenizer_size(m.target));
    m.weights = xaligned_raw(m.table->size, sizeof *m.weights);
    return m;
}

uint64_t corpus_hash(const Data *d)
{
    const uint64_t replay = d->replay_report.hash;
    return d->replay_report.pairs ? fnv1a64(d->report.hash, &replay, sizeof replay)
                                  : d->report.hash;
}

uint64_t vocabulary_hash(const Model *m)
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

uint64_t network_seed(const Config *c, int network)
{
    return c->hyper.seed + (uint64_t)network;
}

void begin_network(const Config *c, Model *m, int network)
{
    const Model *base = c->init ? &c->init->model : NULL;
    const int reversed = network - (c->hyper.ensemble - c->hyper.right_left);   /* from 0 on */
    m->right_left = reversed >= 0;
    memset(m->weights, 0, m->table->size * sizeof *m->weights);
    if (base) {
        const int others = model_networks(base) - base->right_left;
        const int from = reversed < 0 ? network % others : others + reversed % base->right_left;
        parameters_extend(m->table, m->weights, base->table, model_weights(base, from));
    } else {
        parameters_init(m->table, m->weights, network_seed(c, network));
    }
}
