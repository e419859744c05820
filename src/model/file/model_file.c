/* model_file.c - a model, as the safetensors file that holds it.
 *
 * Loading checks the file in this order: the format, the options and both tokenizers in the
 * metadata; then the table of parameters that follows from them. Every row of the table must be a
 * tensor of the file before the block is allocated, so options that require gigabytes are refused
 * unless the file has these gigabytes.
 */
#include "model/file/model_file.h"

#include "base/mem.h"
#include "base/real.h"
#include "model/file/safetensors.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define FORMAT "attn"

/* Models of formats 1 and 2 learned words that were cut in another way (text/words.h until November
 * 2026). Format 4 has more options of the network, and "search". */
enum { FORMAT_FIRST = 3, FORMAT_LAST = 4 };

/* ---- the model in memory ---- */

int model_networks(const Model *model)
{
    int count = 1;
    while (count < MOST_NETWORKS && model->further[count - 1])
        count++;
    return count;
}

real *model_weights(const Model *model, int network)
{
    return network ? model->further[network - 1] : model->weights;
}

Architecture model_architecture(const Model *model)
{
    return architecture_of(&model->network, tokenizer_size(model->source),
                           tokenizer_size(model->target));
}

ModelSearch model_search_copy(const ModelSearch *search)
{
    ModelSearch copy = *search;
    const size_t bytes = (size_t)copy.forbidden_count * sizeof *copy.forbidden;
    copy.forbidden = xmalloc((size_t)copy.forbidden_count, sizeof *copy.forbidden);
    if (bytes) memcpy(copy.forbidden, search->forbidden, bytes);
    return copy;
}

int model_format(const Model *model)
{
    const int is_recent = network_is_recent(&model->network) || text_is_plain(&model->text);
    return is_recent || model->search.is_known ? 4 : 3;
}

Language model_source(const Model *model)
{
    return (Language){ .tokenizer = model->source, .lexicon = model->source_lexicon };
}

Language model_target(const Model *model)
{
    return (Language){ .tokenizer = model->target, .lexicon = model->target_lexicon };
}

void model_free(Model *model)
{
    if (model->target != model->source) tokenizer_free(model->target);
    tokenizer_free(model->source);
    lexicon_free(model->source_lexicon);
    lexicon_free(model->target_lexicon);
    parameters_free(model->table);
    xfree(model->weights);
    for (int k = 0; k < MOST_NETWORKS - 1; k++)
        xfree(model->further[k]);
    xfree(model->search.forbidden);
    json_free(model->training);
    *model = (Model){ 0 };
}

/* ---- its tensors ---- */

/* Space for the name of a tensor: of a parameter or its scale, in one of the networks, with its
 * number. */
typedef struct {
    char text[16 + sizeof ((Parameter *)0)->name + sizeof "_scale"];
} TensorName;

/* A row of the table as a tensor of the network with this number, from 0, or the scales of such a
 * matrix of integers. The caller sets the data; the name must outlive the tensor. */
static Tensor tensor_of(const Parameter *p, int network, int is_scale, TensorName *name)
{
    char number[16] = "";
    if (network) snprintf(number, sizeof number, "%d.", network + 1);
    snprintf(name->text, sizeof name->text, "%s%s%s", number, p->name, is_scale ? "_scale" : "");
    return (Tensor){ .name = name->text, .dtype = DTYPE_F32,
                     .rank = p->columns && !is_scale ? 2 : 1,
                     .shape = { (size_t)p->rows, (size_t)p->columns } };
}

static int check_finite(const Parameter *p, const real *block, Err *e)
{
    const real *x = block + p->at;
    size_t i = 0;
    if (all_finite(x, parameter_count(p))) return 0;
    while (isfinite(x[i]))
        i++;
    return err(e, "tensor \"%s\" holds a value that is not finite (%g, number %zu)", p->name,
               (double)x[i], i);
}

/* ---- matrices of integers ---- */

enum { LARGEST = 127 };

/* A positive number rounded up to 16 significant bits: the last 8 of the 24 become 0. */
static float round_up(float x)
{
    enum { DROPPED = 0xFF };
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits + DROPPED) & ~(uint32_t)DROPPED;
    memcpy(&x, &bits, sizeof x);
    return x;
}

void quantise(const real *x, int rows, int columns, int8_t *q, real *scales)
{
    for (int i = 0; i < rows; i++, x += columns, q += columns) {
        float largest = 0;
        for (int j = 0; j < columns; j++)
            largest = fmaxf(largest, fabsf((float)x[j]));
        const float scale = round_up(largest / LARGEST);
        scales[i] = scale;
        for (int j = 0; j < columns; j++)
            q[j] = scale > 0 ? (int8_t)lrint((double)x[j] / scale) : 0;
    }
}

void dequantise(const int8_t *q, const real *scales, int rows, int columns, real *x)
{
    for (int i = 0; i < rows; i++, x += columns, q += columns)
        for (int j = 0; j < columns; j++)
            x[j] = scales[i] * (real)q[j];
}

/* ---- saving ---- */

static const Field search_fields_of_model[] = {
    { .name = "beam", .kind = FIELD_INT, .offset = offsetof(ModelSearch, beam), .low = 1,
      .high = 100 },
    { .name = "repeats", .kind = FIELD_INT, .offset = offsetof(ModelSearch, repeats), .low = 0,
      .high = 100 },
    { .name = "beam-threshold", .kind = FIELD_REAL,
      .offset = offsetof(ModelSearch, beam_threshold), .low = 0, .high = 1000 },
    { .name = "length-factor", .kind = FIELD_REAL,
      .offset = offsetof(ModelSearch, length_factor), .low = 0, .high = LENGTH_RATIO_MOST },
    { .name = NULL }
};

cJSON *model_search_to_json(const ModelSearch *search)
{
    cJSON *json = fields_to_json(search_fields_of_model, search);
    cJSON_AddItemToObject(json, "forbidden",
                          cJSON_CreateIntArray(search->forbidden, search->forbidden_count));
    return json;
}

static cJSON *metadata_of(const Model *model)
{
    cJSON *metadata = cJSON_CreateObject();
    cJSON_AddStringToObject(metadata, "format", FORMAT);
    json_add_as_text(metadata, "format_version", cJSON_CreateNumber(model_format(model)));
    if (model_networks(model) > 1)
        json_add_as_text(metadata, "networks", cJSON_CreateNumber(model_networks(model)));
    if (model->right_left)
        json_add_as_text(metadata, "right_left", cJSON_CreateNumber(model->right_left));
    if (model->normalize > 0) {
        char number[16];
        snprintf(number, sizeof number, "%.2f", model->normalize);
        cJSON_AddStringToObject(metadata, "normalize", number);
    }
    if (model->longest)
        json_add_as_text(metadata, "trained_length", cJSON_CreateNumber(model->longest));
    if (model->length_limit.ratio > 0) {
        cJSON *limit = cJSON_CreateObject();
        cJSON_AddItemToObject(limit, "ratio", json_rounded(model->length_limit.ratio, 4));
        cJSON_AddItemToObject(limit, "spread", json_rounded(model->length_limit.spread, 4));
        json_add_as_text(metadata, "length_limit", limit);
    }
    if (model->search.is_known)
        json_add_as_text(metadata, "search", model_search_to_json(&model->search));
    json_add_as_text(metadata, "network", network_to_json(&model->network));
    json_add_as_text(metadata, "text", fields_to_json(text_fields, &model->text));
    json_add_as_text(metadata, "source_tokenizer", tokenizer_to_json(model->source));
    if (!model->text.shared || model->target != model->source)
        json_add_as_text(metadata, "target_tokenizer", tokenizer_to_json(model->target));
    if (model->source_lexicon) {
        json_add_as_text(metadata, "source_lexicon", lexicon_to_json(model->source_lexicon));
        json_add_as_text(metadata, "target_lexicon", lexicon_to_json(model->target_lexicon));
    }
    json_add_as_text(metadata, "training", cJSON_Duplicate(model->training, 1));
    return metadata;
}

/* The tensors of a file, and the memory of what is not in the model. */
typedef struct {
    Tensor     *tensor;         /* (count) */
    TensorName *name;           /* (count) */
    size_t      count;
    int8_t     *values;         /* of matrices: a block like the weights for each network */
    real       *scales;         /* one behind the other */
} Tensors;

static void add_tensor(Tensors *t, const Parameter *p, int network, int is_scale, Dtype dtype,
                       const void *data)
{
    Tensor *tensor = &t->tensor[t->count];
    *tensor = tensor_of(p, network, is_scale, &t->name[t->count++]);
    tensor->dtype = dtype;
    tensor->data = data;
}

/* The tensors of SentencePiece models. */
static const char *const segmenter_names[] = { "source_tokenizer.model", "target_tokenizer.model" };

static void add_segmenter(Tensors *t, int side, const Tokenizer *tokenizer)
{
    if (!tokenizer->segmenter) return;
    const Slice bytes = sentencepiece_bytes(tokenizer->segmenter);
    t->tensor[t->count++] = (Tensor){ .name = segmenter_names[side], .dtype = DTYPE_U8, .rank = 1,
                                      .shape = { bytes.length }, .data = bytes.text };
}

/* Integers are behind the real numbers, which are aligned then, as other readers need it. */
static Tensors tensors_of(const Model *model)
{
    const ParameterTable *table = model->table;
    const int networks = model_networks(model), quantises = model->stored == PRECISION_INT8;
    const size_t most = 2 * (size_t)(table->count * networks) + 2;
    const size_t values = quantises ? (size_t)networks * table->size : 0;
    Tensors t = { .tensor = xmalloc(most, sizeof *t.tensor),
                  .name = xmalloc(most, sizeof *t.name),
                  .values = xmalloc(values, sizeof *t.values),
                  .scales = xmalloc(values, sizeof *t.scales) };
    real *scales = t.scales;
    for (int integers = 0; integers <= quantises; integers++)
        for (int i = 0; i < networks * table->count; i++) {
            const int network = i / table->count;
            const Parameter *p = &table->row[i % table->count];
            const real *x = model_weights(model, network) + p->at;
            int8_t *q = t.values + (quantises ? (size_t)network * table->size + p->at : 0);
            if (quantises && p->columns && integers) {
                add_tensor(&t, p, network, 0, DTYPE_I8, q);
            } else if (quantises && p->columns) {
                quantise(x, p->rows, p->columns, q, scales);
                add_tensor(&t, p, network, 1, DTYPE_F32, scales);
                scales += p->rows;
            } else if (!integers) {
                add_tensor(&t, p, network, 0, DTYPE_F32, x);
            }
        }
    add_segmenter(&t, 0, model->source);
    if (model->target != model->source) add_segmenter(&t, 1, model->target);
    return t;
}

int model_save(const Model *model, const char *path, Err *e)
{
    Err why;
    for (int k = 0; k < model_networks(model); k++)
        for (int i = 0; i < model->table->count; i++)
            if (check_finite(&model->table->row[i], model_weights(model, k), &why))
                return err(e, "%s: not written: %s", path, why.text);
    Tensors t = tensors_of(model);
    cJSON *metadata = metadata_of(model);
    const int rc = safetensors_write(path, t.tensor, t.count, metadata, e);
    cJSON_Delete(metadata);
    xfree(t.tensor);
    xfree(t.name);
    xfree(t.values);
    xfree(t.scales);
    return rc;
}

/* ---- loading: the metadata ---- */

static const char not_a_model[] =
    "is a safetensors file, but not a model that attn train has written";

static int is_model(const Safetensors *file)
{
    const char *format = safetensors_metadata(file, "format");
    return format && !strcmp(format, FORMAT);
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
    const int failed = fields_from_json(search_fields_of_model, search, m->json, &m->why);
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

/* ---- loading: the tensors ---- */

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

/* Fills a block with the weights of the network, and 0 between them. */
static int load_weights(const ParameterTable *table, real *weights, int network,
                        const Safetensors *file, Err *e)
{
    for (int i = 0; i < table->count; i++) {
        const Parameter *p = &table->row[i];
        const size_t end = p->at + parameter_count(p);
        const size_t next = i + 1 < table->count ? p[1].at : table->size;
        TensorName name;
        const Tensor wanted = tensor_of(p, network, 0, &name);
        const Tensor *found = safetensors_find(file, &wanted, e);
        real *x = weights + p->at;
        if (found->dtype == DTYPE_I8 ? load_integers(found, p, network, file, x, e)
                                     : safetensors_read(file, found, DTYPE_F32, x, e))
            return -1;
        memset(weights + end, 0, (next - end) * sizeof *weights);
        if (check_finite(p, weights, e)) return -1;
    }
    return 0;
}

static int load_all(Model *model, const Safetensors *file, Err *e)
{
    int networks = 1;
    if (check_format(file, e) || load_metadata(model, &networks, file, e)) return -1;
    model->table = parameters_new(&model->network, tokenizer_size(model->source),
                                  tokenizer_size(model->target));
    if (check_tensors(model, networks, file, e)) return -1;
    for (int k = 0; k < networks; k++) {
        real **weights = k ? &model->further[k - 1] : &model->weights;
        *weights = xaligned_raw(model->table->size, sizeof **weights);
        if (load_weights(model->table, *weights, k, file, e)) return -1;
    }
    return 0;
}

int model_load(Model *model, const char *path, Err *e)
{
    Err why;
    *model = (Model){ 0 };
    Safetensors *file = safetensors_open(path, e);
    if (!file) return -1;
    const int failed = load_all(model, file, &why);
    safetensors_close(file);
    if (!failed) return 0;
    model_free(model);
    return err(e, "%s: %s", path, why.text);
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
