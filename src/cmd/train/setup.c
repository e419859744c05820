/* setup.c - what a run has before its first step: the right to write its model, training state, log
 * and curves; and the model, its parts and its metadata, with the first weights of each of its
 * networks. */
#include "base/files/files.h"
#include "base/files/replace.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/version.h"
#include "cmd/command_files.h"
#include "cmd/models.h"
#include "cmd/train/train.h"
#include "train/checkpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- The claim ---- */

/* Whether a file can be made there, and take the place of what is there. A model replaces a file by
 * renaming, which a device or a pipe does not allow. */
static int check_writable(const char *path, int is_model, Err *e)
{
    struct stat status;
    Replace file;
    if (is_model && !stat(path, &status) && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return err(e, "%s: is a device or a pipe, where no model can be kept; name a file with -o",
                   path);
    if (replace_open(&file, path, e)) return -1;
    replace_abort(&file);
    return 0;
}

/* Whether all outputs can be written, so that this fails now rather than after hours; no input is
 * an output, and no two outputs are one file. Creates the folder models/. */
static int check_outputs(const Config *c, const char *state, const char *lock,
                         const BitextFiles *files, Err *e)
{
    const TrainOptions *own = &c->own;
    const Output outputs[] = {
        { own->output, "model", "-o" }, { state, "training state", "-o" },
        { lock, "lock of the model", "-o" }, { own->log, "log", "--log" },
        { own->curves, "curves", "--curves" }
    };
    const char *const options[] = { own->valid, own->config, own->init, own->replay,
                                    c->vocabulary.path[0], c->vocabulary.path[1] };
    enum { OPTIONS = sizeof options / sizeof *options };
    const size_t count = OPTIONS + (size_t)files->count;
    struct stat log;
    if (!strncmp(own->output, "models/", 7) && mkdir("models", 0777) && errno != EEXIST)
        return err(e, "cannot make the folder 'models': %s", strerror(errno));
    SCOPED(xfree_at) const char **inputs = xmalloc(count, sizeof *inputs);
    memcpy(inputs, options, sizeof options);
    memcpy(inputs + OPTIONS, files->name, (size_t)files->count * sizeof *inputs);
    /* existing ones are checked under the lock */
    if (outputs_check(outputs, sizeof outputs / sizeof *outputs, inputs, count, 1, e)) return -1;
    if (own->curves && !stat(own->log, &log) && !S_ISREG(log.st_mode))
        return err(e, "%s: curves are drawn from the log, which must be a file for that", own->log);
    return (own->curves && check_writable(own->curves, 0, e)) || check_writable(own->output, 1, e)
           || check_writable(state, 1, e) ? -1 : 0;
}

static int check_old_state(const TrainOptions *own, const char *path, Err *e)
{
    Err why;
    TrainingProgress progress;
    SCOPED(xfree_at) char *request = NULL;
    if (own->resume || !output_exists(path)) return 0;        /* a resumed run has read it */
    if (state_peek(path, &progress, &request, &why))
        return err(e, "%s: is there already and is no training state of this version, so it is not "
                      "replaced; move it away, or name another model with -o", path);
    if (own->force) return 0;
    return err(e, "%s: is of a training that was interrupted after step %ld; --resume continues "
                  "it, --force begins again, -o names another model", path, progress.step);
}

static int check_old_model(const TrainOptions *own, Err *e)
{
    if (!output_exists(own->output)) return 0;
    if (model_check_replaceable(own->output, e)) return -1;
    if (own->force || own->resume) return 0;
    return err(e, "%s: a model is there already; --force replaces it, -o names another",
               own->output);
}

/* A log or its page. The resumed run may write the file that it named before, if it begins like
 * one. */
static int check_old(const Output *output, const char *own, int first, Err *e)
{
    FILE *file = own && output->path && file_same(own, output->path) ? fopen(own, "r") : NULL;
    const int is_own = file && getc(file) == first;
    if (file) fclose(file);
    return is_own ? 0 : output_refuse_existing(output, e);
}

/* Existing files are checked under the lock, which all names of one output share: no other run
 * writes them now. */
int claim_outputs(const Config *c, const char *state, const BitextFiles *files, Lock *lock, Err *e)
{
    const TrainOptions *own = &c->own;
    const Output log = { own->log, "log", "--log" };
    const Output curves = { own->curves, "curves", "--curves" };
    SCOPED(xfree_at) char *real_name = file_behind_links(own->output);
    SCOPED(buf_free) Buf name = { 0 };
    buf_printf(&name, "%s.lock", real_name);
    if (check_outputs(c, state, name.text, files, e)) return -1;
    const int locked = lock_take(lock, name.text, e);
    if (locked > 0)
        warn("%s: no locks here: see to it that no other attn train writes the same file",
             name.text);
    if (locked < 0 || check_old_state(own, state, e) || check_old_model(own, e)) return -1;
    return !own->force && (check_old(&log, c->saved.log, '{', e)
                           || check_old(&curves, c->saved.curves, '<', e)) ? -1 : 0;
}

/* ---- The model ---- */

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

/* What a model could read and write before it still can. */
static void keep_lengths(Model *m, const Model *base)
{
    m->longest = base->longest > m->longest ? base->longest : m->longest;
    m->length_limit = length_limit_wider(base->length_limit, m->length_limit);
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
    if (c->init) {
        const cJSON *about = cJSON_GetObjectItem(c->init->model.training, "about");
        json_add_bytes(json, "init", base_name(c->own.init));
        if (about) cJSON_AddItemToObject(json, "about", cJSON_Duplicate(about, 1));
    }
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
    if (c->init) {
        m.search = model_search_copy(&c->init->model.search);
        keep_lengths(&m, &c->init->model);
    }
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
        SCOPED(xfree_at) char *text = json_text(json, 0);
        hash = fnv1a64(hash, text, strlen(text));
        const Slice model = side[i]->segmenter ? sentencepiece_bytes(side[i]->segmenter)
                                               : (Slice){ "", 0 };
        hash = fnv1a64(hash, model.text, model.length);
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
