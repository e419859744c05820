/* model_load.c - a model from its safetensors file.
 *
 * The file is checked in this order: the format, the options and both tokenizers in the metadata;
 * then the table of parameters that follows from them. Every row of the table must be a tensor of
 * the file before the block is allocated, so options that require gigabytes are refused unless the
 * file has these gigabytes.
 */
#include "model/file/model_tensors.h"

#include "base/mem.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Models of formats 1 and 2 learned words that were cut in another way (text/words.h until November
 * 2026). Format 4 has more options of the network, and "search". */
enum { FORMAT_FIRST = 3, FORMAT_LAST = 4 };

/* ---- the metadata ---- */

static const char not_a_model[] =
    "is a safetensors file, but not a model that attn train has written";

static int is_model(const Safetensors *file)
{
    const char *format = safetensors_metadata(file, "format");
    return format && !strcmp(format, MODEL_FORMAT);
}

static int check_format(const Safetensors *file, Err *e)
{
    const char *version = safetensors_metadata(file, "format_version");
    if (!is_model(file) || !version) return err(e, "%s", not_a_model);
    if (strlen(version) == 1 && *version >= '0' + FORMAT_FIRST && *version <= '0' + FORMAT_LAST)
        return 0;
    return err(e, "is a model of format %.20s, and this version of attn reads formats %d and %d; "
                  "learn it anew with attn train, or go on with the attn that wrote it", version,
               FORMAT_FIRST, FORMAT_LAST);
}

/* The metadata that is read, one key after the other. */
typedef struct {
    const Safetensors *file;
    const char        *key;
    cJSON             *json;        /* under that key */
    Err                why;         /* what is wrong with it */
} Metadata;

static void let_go(Metadata *m)
{
    json_free(m->json);
    m->json = NULL;
}

static int take(Metadata *m, const char *key)
{
    const char *text = safetensors_metadata(m->file, key);
    let_go(m);
    m->key = key;
    if (!text) return err(&m->why, "is missing");
    return (m->json = json_parse(text, strlen(text), &m->why)) ? 0 : -1;
}

static int take_fields(Metadata *m, const char *key, const Field *fields, void *object)
{
    if (take(m, key) || fields_from_json(fields, object, m->json, &m->why)) return -1;
    const Field *unsettled = fields_unsettled(fields, object);
    return !unsettled ? 0 : err(&m->why, "\"%s\" is \"auto\", no value of a finished model",
                                unsettled->name);
}

/* Sets *x to the number under that key, from `low` to `high`; it stays where there is none. */
static int take_number(Metadata *m, const char *key, double low, double high, int is_whole,
                       double *x)
{
    if (!safetensors_metadata(m->file, key)) return 0;
    *x = take(m, key) || !cJSON_IsNumber(m->json) ? NAN : m->json->valuedouble;
    if (*x >= low && *x <= high && (!is_whole || *x == floor(*x))) return 0;
    return err(&m->why, "is no %snumber from %g to %g", is_whole ? "whole " : "", low, high);
}

/* A SentencePiece model is a tensor. */
static int take_segmenter(Metadata *m, int side, Tokenizer *tokenizer)
{
    const Tensor *tensor = safetensors_bytes(m->file, segmenter_names[side]);
    if (!tensor) return err(&m->why, "its SentencePiece model is missing");
    const size_t size = tensor_count(tensor);
    SCOPED(xfree_at) uint8_t *bytes = xmalloc(size, 1);
    return safetensors_read(m->file, tensor, DTYPE_U8, bytes, &m->why)
           || tokenizer_set_segmenter(tokenizer, bytes, size, &m->why) ? -1 : 0;
}

static int take_tokenizer(Metadata *m, int side, Tokenizer **tokenizer)
{
    if (take(m, side ? "target_tokenizer" : "source_tokenizer")
        || !(*tokenizer = tokenizer_from_json(m->json, &m->why)))
        return -1;
    if ((*tokenizer)->options.tokens != TOKENS_SENTENCEPIECE) return 0;
    return take_segmenter(m, side, *tokenizer);
}

static int take_lexicon(Metadata *m, const char *key, const char *language, Lexicon **lexicon)
{
    return take(m, key) || !(*lexicon = lexicon_from_json(m->json, language, &m->why)) ? -1 : 0;
}

/* The record of the training may be missing. */
static int take_training(Metadata *m, cJSON **training)
{
    if (safetensors_metadata(m->file, "training")) {
        if (take(m, "training")) return -1;
    } else {
        let_go(m);
        m->json = cJSON_CreateObject();
    }
    if (!cJSON_IsObject(m->json)) return err(&m->why, "is not an object");
    *training = m->json;
    m->json = NULL;
    return 0;
}

static const Field length_fields[] = {
    { .name = "ratio", .kind = FIELD_REAL, .offset = offsetof(LengthLimit, ratio), .low = 0,
      .high = LENGTH_RATIO_MOST },
    { .name = "spread", .kind = FIELD_REAL, .offset = offsetof(LengthLimit, spread), .low = 0,
      .high = LENGTH_SPREAD_MOST },
    { .name = NULL }
};

/* Ids are checked with the vocabularies, which are read later. */
static int take_search(Metadata *m, ModelSearch *search)
{
    if (!safetensors_metadata(m->file, "search")) return 0;
    if (take(m, "search")) return -1;
    *search = (ModelSearch){ .beam = 1 };
    cJSON *ids = cJSON_DetachItemFromObjectCaseSensitive(m->json, "forbidden");
    const int failed = fields_from_json(model_search_fields, search, m->json, &m->why);
    const int count = cJSON_IsArray(ids) ? cJSON_GetArraySize(ids) : 0;
    search->is_known = 1;
    search->forbidden = xcalloc((size_t)count, sizeof *search->forbidden);
    for (const cJSON *id = count ? ids->child : NULL; id; id = id->next)
        search->forbidden[search->forbidden_count++] =
            cJSON_IsNumber(id) && id->valuedouble == id->valueint ? id->valueint : -1;
    json_free(ids);
    return failed;
}

static int check_search(Metadata *m, const Model *model)
{
    for (int i = 0; i < model->search.forbidden_count; i++) {
        const int id = model->search.forbidden[i];
        m->key = "search";
        if (id < 0 || id == ID_EOS || id >= tokenizer_size(model->target))
            return err(&m->why, "forbids what is no token of the target, or <eos>");
    }
    return 0;
}

/* Sets also how many networks there are. Some of them write from left to right. */
static int take_numbers(Metadata *m, Model *model, int *networks)
{
    double longest = 0, count = 1, right_left = 0;
    if (take_number(m, "normalize", 0, 10, 0, &model->normalize)
        || take_number(m, "trained_length", 0, LONGEST_MOST, 1, &longest)
        || take_number(m, "networks", 2, MOST_NETWORKS, 1, &count)
        || take_number(m, "right_left", 0, count - 1, 1, &right_left)
        || (safetensors_metadata(m->file, "length_limit")
            && take_fields(m, "length_limit", length_fields, &model->length_limit)))
        return -1;
    if (take_search(m, &model->search)) return -1;
    model->longest = (int)longest;
    model->right_left = (int)right_left;
    *networks = (int)count;
    return 0;
}

/* The tokenizers store the text options too; a file with contradictory options is refused. */
static int take_all(Metadata *m, Model *model, int *networks)
{
    const TextOptions *text = &model->text;
    model->network = network_original();
    model->text = text_defaults();
    if (take_fields(m, "network", network_fields, &model->network)
        || network_check(&model->network, &m->why)
        || take_fields(m, "text", text_fields, &model->text)
        || text_languages(&model->text, &m->why))
        return -1;
    if (model->network.tie == TIE_ALL && !text->shared)
        return err(&m->why, "describes two vocabularies, but in metadata \"network\" all "
                            "embeddings are tied");
    if (take_tokenizer(m, 0, &model->source)) return -1;
    if (text->shared && !safetensors_bytes(m->file, segmenter_names[1]))
        model->target = model->source;
    else if (take_tokenizer(m, 1, &model->target)) return -1;
    if (text->shared && !vocabularies_are_same(model->source, model->target))
        return err(&m->why, "is not the vocabulary of the source, but both are to be one");
    if (!text_is_same(&model->source->options, text)
        || !text_is_same(&model->target->options, text))
        return err(&m->why, "contradicts metadata \"text\"");
    if (text_needs_lexicon(text)
        && (take_lexicon(m, "source_lexicon", text->from, &model->source_lexicon)
            || take_lexicon(m, "target_lexicon", text->to, &model->target_lexicon)))
        return -1;
    return take_training(m, &model->training) || take_numbers(m, model, networks)
           || check_search(m, model) ? -1 : 0;
}

static int load_metadata(Model *model, int *networks, const Safetensors *file, Err *e)
{
    Metadata m = { .file = file };
    const int failed = take_all(&m, model, networks);
    let_go(&m);
    return failed ? err(e, "metadata \"%s\": %s", m.key, m.why.text) : 0;
}

/* ---- the tensors ---- */

/* The file has all tensors of all networks, and no others. A matrix of integers has scales. */
static int check_tensors(Model *model, int networks, const Safetensors *file, Err *e)
{
    const ParameterTable *table = model->table;
    size_t known = (model->source->segmenter != NULL)
                   + (model->target != model->source && model->target->segmenter);
    for (int i = 0; i < networks * table->count; i++) {
        const Parameter *p = &table->row[i % table->count];
        TensorName name;
        Tensor wanted = tensor_of(p, i / table->count, 0, &name);
        const Tensor *found = safetensors_find(file, &wanted, e);
        if (!found) return -1;
        known++;
        if (found->dtype != DTYPE_I8) continue;
        wanted = tensor_of(p, i / table->count, 1, &name);
        if (!safetensors_find(file, &wanted, e)) return -1;
        known++;
        model->stored = PRECISION_INT8;
    }
    const size_t others = safetensors_count(file) - known;
    return others ? err(e, "tensors that are no part of the network: %zu", others) : 0;
}

static int load_integers(const Tensor *matrix, const Parameter *p, int network,
                         const Safetensors *file, real *x, Err *e)
{
    TensorName name;
    const Tensor wanted = tensor_of(p, network, 1, &name);
    const Tensor *scale = safetensors_find(file, &wanted, e);
    SCOPED(xfree_at) real *scales = xmalloc((size_t)p->rows, sizeof *scales);
    SCOPED(xfree_at) int8_t *values = xmalloc(tensor_count(matrix), sizeof *values);
    if (safetensors_read(file, matrix, DTYPE_I8, values, e)
        || safetensors_read(file, scale, DTYPE_F32, scales, e))
        return -1;
    dequantise(values, scales, p->rows, p->columns ? p->columns : 1, x);
    return 0;
}

/* Sets x to a parameter of the network. */
static int load_parameter(const Parameter *p, int network, const Safetensors *file, real *x, Err *e)
{
    TensorName name;
    const Tensor wanted = tensor_of(p, network, 0, &name);
    const Tensor *found = safetensors_find(file, &wanted, e);
    if (found->dtype == DTYPE_I8 ? load_integers(found, p, network, file, x, e)
                                 : safetensors_read(file, found, DTYPE_F32, x, e))
        return -1;
    return tensor_check(p, x, e);
}

/* Fills a block with the weights of the network, and 0 between them. */
static int load_weights(const ParameterTable *table, real *weights, int network,
                        const Safetensors *file, Err *e)
{
    for (int i = 0; i < table->count; i++) {
        const Parameter *p = &table->row[i];
        const size_t end = p->at + parameter_count(p);
        const size_t next = i + 1 < table->count ? p[1].at : table->size;
        if (load_parameter(p, network, file, weights + p->at, e)) return -1;
        memset(weights + end, 0, (next - end) * sizeof *weights);
    }
    return 0;
}

/* Of the table of all parameters, those that the model's lacks are packed, one after another; the
 * others are the network's block. */
static int load_packed(Model *model, const ParameterTable *all, int network, const Safetensors *file,
                       Err *e)
{
    real *weights = model_weights(model, network);
    Weights *w = model->packed[network].w = xmalloc(1, sizeof *w);
    *w = weights_in(model->table, weights, PRECISION_INT8);
    model->packed[network].copies = prepacked_weights_new(model->table, w, PREPACKED_TO_USE);
    for (int i = 0; i < all->count; i++) {
        const Parameter *p = &all->row[i];
        const int is_packed = prepacked_weights_suffice(all, i, PRECISION_INT8);
        SCOPED(xfree_at) real *one = xmalloc(is_packed ? parameter_count(p) : 0, sizeof *one);
        real *x = is_packed ? one : weights + model->table->row[i].at;
        if (load_parameter(p, network, file, x, e)) return -1;
        if (is_packed) prepacked_weights_write_row(w, all, i, x);
    }
    return 0;
}

static int load_all(Model *model, const Safetensors *file, int is_packed, Err *e)
{
    int networks = 1;
    if (check_format(file, e) || load_metadata(model, &networks, file, e)) return -1;
    model->table = parameters_new(&model->network, tokenizer_size(model->source),
                                  tokenizer_size(model->target));
    if (check_tensors(model, networks, file, e)) return -1;
    ParameterTable *all = is_packed ? model->table : NULL;
    if (all) model->table = prepacked_weights_rest(all, PRECISION_INT8);
    int failed = 0;
    for (int k = 0; k < networks && !failed; k++) {
        real **weights = k ? &model->further[k - 1] : &model->weights;
        *weights = xaligned_raw(model->table->size, sizeof **weights);
        failed = all ? load_packed(model, all, k, file, e)
                     : load_weights(model->table, *weights, k, file, e);
    }
    parameters_free(all);
    return failed;
}

static int load(Model *model, const char *path, int is_packed, Err *e)
{
    Err why;
    *model = (Model){ 0 };
    Safetensors *file = safetensors_open(path, e);
    if (!file) return -1;
    const int failed = load_all(model, file, is_packed, &why);
    safetensors_close(file);
    if (!failed) return 0;
    model_free(model);
    return err(e, "%s: %s", path, why.text);
}

int model_load(Model *model, const char *path, Err *e)
{
    return load(model, path, 0, e);
}

int model_load_packed(Model *model, const char *path, Err *e)
{
    return load(model, path, gemm_multiplies(PRECISION_INT8), e);
}

cJSON *model_load_training(const char *path, Err *e)
{
    Safetensors *file = safetensors_open(path, e);
    Metadata m = { .file = file };
    cJSON *training = NULL;
    if (!file) return NULL;
    if (!is_model(file)) err(e, "%s: %s", path, not_a_model);
    else if (take_training(&m, &training)) training = cJSON_CreateObject();
    let_go(&m);
    safetensors_close(file);
    return training;
}
