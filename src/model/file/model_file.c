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
#include <stdio.h>
#include <string.h>

#define FORMAT "attn"

/* Models of formats 1 and 2 learned words that were cut in another way (text/words.h until November
 * 2026). */
#define FORMAT_VERSION "3"

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
    json_free(model->training);
    *model = (Model){ 0 };
}

/* ---- its tensors ---- */

/* Space for the name of a tensor: of a parameter or its scale, in one of the networks, with its
 * number. */
typedef struct {
    char text[16 + sizeof ((Parameter *)0)->name + sizeof "_scale"];
} TensorName;

static void set_name(TensorName *name, int network, const Parameter *p, const char *ending)
{
    char number[16] = "";
    if (network) snprintf(number, sizeof number, "%d.", network + 1);
    snprintf(name->text, sizeof name->text, "%s%s%s", number, p->name, ending);
}

/* A row of the table as a tensor of the network with this number, from 0, and the scales of a
 * matrix of integers. The caller sets the data; the name must outlive the tensor. */
static Tensor parameter_tensor(const Parameter *p, int network, TensorName *name)
{
    set_name(name, network, p, "");
    return (Tensor){ .name = name->text, .dtype = DTYPE_REAL, .rank = p->columns ? 2 : 1,
                     .shape = { (size_t)p->rows, (size_t)p->columns } };
}

static Tensor scale_tensor(const Parameter *p, int network, TensorName *name)
{
    set_name(name, network, p, "_scale");
    return (Tensor){ .name = name->text, .dtype = DTYPE_F32, .rank = 1,
                     .shape = { (size_t)p->rows } };
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

static float largest_of(const real *x, int count)
{
    float largest = 0;
    for (int i = 0; i < count; i++)
        largest = fmaxf(largest, fabsf((float)x[i]));
    return largest;
}

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

void quantise(const real *x, int rows, int columns, int8_t *q, float *scales)
{
    for (int i = 0; i < rows; i++, x += columns, q += columns) {
        scales[i] = round_up(largest_of(x, columns) / LARGEST);
        for (int j = 0; j < columns; j++)
            q[j] = scales[i] > 0 ? (int8_t)lrint((double)x[j] / scales[i]) : 0;
    }
}

void dequantise(const int8_t *q, const real *scales, int rows, int columns, real *x)
{
    for (int i = 0; i < rows; i++, x += columns, q += columns)
        for (int j = 0; j < columns; j++)
            x[j] = scales[i] * (real)q[j];
}

/* ---- saving ---- */

static cJSON *metadata_of(const Model *model)
{
    cJSON *metadata = cJSON_CreateObject();
    cJSON_AddStringToObject(metadata, "format", FORMAT);
    cJSON_AddStringToObject(metadata, "format_version", FORMAT_VERSION);
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
    json_add_as_text(metadata, "network", fields_to_json(network_fields, &model->network));
    json_add_as_text(metadata, "text", fields_to_json(text_fields, &model->text));
    json_add_as_text(metadata, "source_tokenizer", tokenizer_to_json(model->source));
    if (!model->text.shared)
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
    float      *scales;
} Tensors;

/* Adds one whose name is in the next place of `name`. */
static void add_tensor(Tensors *t, Tensor tensor, Dtype dtype, const void *data)
{
    tensor.dtype = dtype;
    tensor.data = data;
    t->tensor[t->count++] = tensor;
}

/* Integers are behind the real numbers, which are aligned then, as other readers need it. */
static Tensors tensors_of(const Model *model)
{
    const ParameterTable *table = model->table;
    const int networks = model_networks(model), quantised = model->stored == PRECISION_INT8;
    const size_t most = 2 * (size_t)(table->count * networks);
    Tensors t = { .tensor = xmalloc(most, sizeof *t.tensor),
                  .name = xmalloc(most, sizeof *t.name) };
    if (quantised) {
        t.values = xmalloc((size_t)networks * table->size, sizeof *t.values);
        t.scales = xmalloc((size_t)networks * table->size, sizeof *t.scales);
    }
    float *scales = t.scales;
    for (int i = 0; i < networks * table->count; i++) {
        const int network = i / table->count;
        const Parameter *p = &table->row[i % table->count];
        const real *x = model_weights(model, network) + p->at;
        TensorName *name = &t.name[t.count];
        if (quantised && p->columns) {
            quantise(x, p->rows, p->columns, t.values + (size_t)network * table->size + p->at,
                     scales);
            add_tensor(&t, scale_tensor(p, network, name), DTYPE_F32, scales);
            scales += p->rows;
        } else {
            add_tensor(&t, parameter_tensor(p, network, name), DTYPE_REAL, x);
        }
    }
    for (int i = 0; quantised && i < networks * table->count; i++) {
        const int network = i / table->count;
        const Parameter *p = &table->row[i % table->count];
        if (p->columns)
            add_tensor(&t, parameter_tensor(p, network, &t.name[t.count]), DTYPE_I8,
                       t.values + (size_t)network * table->size + p->at);
    }
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
    const int rc = safetensors_write(path, t.tensor, t.count, DTYPE_F32, metadata, e);
    cJSON_Delete(metadata);
    xfree(t.tensor);
    xfree(t.name);
    xfree(t.values);
    xfree(t.scales);
    return rc;
}

/* ---- loading: the metadata ---- */

static int refuse(Err *e, const char *key, const Err *why)
{
    return err(e, "metadata \"%s\": %s", key, why->text);
}

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
    if (!strcmp(version, FORMAT_VERSION)) return 0;
    return err(e, "is a model of format %.20s, and this version of attn reads format "
                  FORMAT_VERSION "; learn it anew with attn train, or go on with the attn that "
                  "wrote it", version);
}

/* The JSON under that key, which the caller deletes; NULL with a message. */
static cJSON *load_json(const Safetensors *file, const char *key, Err *e)
{
    const char *text = safetensors_metadata(file, key);
    Err why = { "is missing" };
    cJSON *json = text ? json_parse(text, strlen(text), &why) : NULL;
    if (!json) refuse(e, key, &why);
    return json;
}

static int load_fields(const Field *fields, void *object, const Safetensors *file, const char *key,
                       Err *e)
{
    Err why;
    cJSON *json = load_json(file, key, e);
    if (!json) return -1;
    const int failed = fields_from_json(fields, object, json, &why);
    json_free(json);
    if (failed) return refuse(e, key, &why);
    const Field *unsettled = fields_unsettled(fields, object);
    return !unsettled ? 0 : err(e, "metadata \"%s\": \"%s\" is \"auto\", no value of a finished "
                                   "model", key, unsettled->name);
}

static Tokenizer *load_tokenizer(const Safetensors *file, const char *key, Err *e)
{
    Err why;
    cJSON *json = load_json(file, key, e);
    if (!json) return NULL;
    Tokenizer *tokenizer = tokenizer_from_json(json, &why);
    json_free(json);
    if (!tokenizer) refuse(e, key, &why);
    return tokenizer;
}

static Lexicon *load_lexicon(const Safetensors *file, const char *key, const char *language, Err *e)
{
    Err why;
    cJSON *json = load_json(file, key, e);
    if (!json) return NULL;
    Lexicon *lexicon = lexicon_from_json(json, language, &why);
    json_free(json);
    if (!lexicon) refuse(e, key, &why);
    return lexicon;
}

/* The record of the training may be missing. */
static cJSON *load_training(const Safetensors *file, Err *e)
{
    if (!safetensors_metadata(file, "training")) return json_parse("{}", 2, e);
    cJSON *json = load_json(file, "training", e);
    if (!json || cJSON_IsObject(json)) return json;
    err(e, "metadata \"training\": is not an object");
    json_free(json);
    return NULL;
}

/* Sets *x to the number under that key, from `low` to `high`; it stays where there is none. */
static int load_number(double *x, const Safetensors *file, const char *key, double low, double high,
                       int is_whole, Err *e)
{
    Err ignored;
    if (!safetensors_metadata(file, key)) return 0;
    cJSON *json = load_json(file, key, &ignored);
    *x = cJSON_IsNumber(json) ? json->valuedouble : NAN;
    json_free(json);
    if (*x >= low && *x <= high && (!is_whole || *x == floor(*x))) return 0;
    return err(e, "metadata \"%s\": is no %snumber from %g to %g", key, is_whole ? "whole " : "",
               low, high);
}

/* The number of an object; NAN where it is none from 0 to `most`. */
static double number_to(const cJSON *json, const char *key, double most)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, key);
    const int is_one = cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble <= most;
    return is_one ? item->valuedouble : NAN;
}

static int load_length_limit(LengthLimit *limit, const Safetensors *file, Err *e)
{
    Err ignored;
    if (!safetensors_metadata(file, "length_limit")) return 0;
    cJSON *json = load_json(file, "length_limit", &ignored);
    *limit = (LengthLimit){ number_to(json, "ratio", LENGTH_RATIO_MOST),
                            number_to(json, "spread", LENGTH_SPREAD_MOST) };
    json_free(json);
    if (!isnan(limit->ratio) && !isnan(limit->spread)) return 0;
    return err(e, "metadata \"length_limit\": has no ratio from 0 to %d and spread from 0 to %d",
               LENGTH_RATIO_MOST, LENGTH_SPREAD_MOST);
}

/* Sets also how many networks there are. Some of them write from left to right. */
static int load_numbers(Model *model, int *networks, const Safetensors *file, Err *e)
{
    double longest = 0, count = 1, right_left = 0;
    if (load_number(&model->normalize, file, "normalize", 0, 10, 0, e)
        || load_number(&longest, file, "trained_length", 0, LONGEST_MOST, 1, e)
        || load_length_limit(&model->length_limit, file, e)
        || load_number(&count, file, "networks", 2, MOST_NETWORKS, 1, e)
        || load_number(&right_left, file, "right_left", 0, count - 1, 1, e))
        return -1;
    model->longest = (int)longest;
    model->right_left = (int)right_left;
    *networks = (int)count;
    return 0;
}

static int load_options(Model *model, const Safetensors *file, Err *e)
{
    Err why;
    model->network = network_original();
    model->text = text_defaults();
    if (load_fields(network_fields, &model->network, file, "network", e)) return -1;
    if (network_check(&model->network, &why)) return refuse(e, "network", &why);
    if (load_fields(text_fields, &model->text, file, "text", e)) return -1;
    if (text_languages(&model->text, &why)) return refuse(e, "text", &why);
    if (model->network.tie == TIE_ALL && !model->text.shared)
        return err(e, "metadata \"network\": all embeddings are tied, but "
                      "metadata \"text\" describes two vocabularies");
    return 0;
}

/* The tokenizers store the text options too; a file with contradictory options is refused. */
static int load_words(Model *model, const Safetensors *file, Err *e)
{
    const TextOptions *text = &model->text;
    if (!(model->source = load_tokenizer(file, "source_tokenizer", e))) return -1;
    model->target = text->shared ? model->source : load_tokenizer(file, "target_tokenizer", e);
    if (!model->target) return -1;
    if (!text_is_same(tokenizer_options(model->source), text)
        || !text_is_same(tokenizer_options(model->target), text))
        return err(e, "metadata \"text\" contradicts the tokenizers");
    if (!text_needs_lexicon(text)) return 0;
    model->source_lexicon = load_lexicon(file, "source_lexicon", text->from, e);
    if (!model->source_lexicon) return -1;
    model->target_lexicon = load_lexicon(file, "target_lexicon", text->to, e);
    return model->target_lexicon ? 0 : -1;
}

/* ---- loading: the tensors ---- */

/* The file has all tensors of all networks, and no others. A matrix of integers has scales. */
static int check_tensors(Model *model, int networks, const Safetensors *file, Err *e)
{
    const ParameterTable *table = model->table;
    size_t known = 0;
    for (int i = 0; i < networks * table->count; i++) {
        const Parameter *p = &table->row[i % table->count];
        TensorName name;
        const Tensor wanted = parameter_tensor(p, i / table->count, &name);
        const Tensor *found = safetensors_find(file, &wanted, e);
        if (!found) return -1;
        known++;
        if (found->dtype != DTYPE_I8) continue;
        const Tensor scale = scale_tensor(p, i / table->count, &name);
        if (!safetensors_find(file, &scale, e)) return -1;
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
    const Tensor wanted = scale_tensor(p, network, &name);
    const Tensor *scale = safetensors_find(file, &wanted, e);
    real *scales = xmalloc((size_t)p->rows, sizeof *scales);
    int8_t *values = xmalloc(tensor_count(matrix), sizeof *values);
    const int rc = safetensors_read(file, matrix, DTYPE_I8, values, e)
                   || safetensors_read(file, scale, DTYPE_REAL, scales, e) ? -1 : 0;
    if (!rc) dequantise(values, scales, p->rows, p->columns ? p->columns : 1, x);
    xfree(values);
    xfree(scales);
    return rc;
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
        const Tensor wanted = parameter_tensor(p, network, &name);
        const Tensor *found = safetensors_find(file, &wanted, e);
        real *x = weights + p->at;
        if (found->dtype == DTYPE_I8 ? load_integers(found, p, network, file, x, e)
                                     : safetensors_read(file, found, DTYPE_REAL, x, e))
            return -1;
        memset(weights + end, 0, (next - end) * sizeof *weights);
        if (check_finite(p, weights, e)) return -1;
    }
    return 0;
}

/* ---- loading ---- */

static int load_all(Model *model, const Safetensors *file, Err *e)
{
    int networks;
    if (check_format(file, e) || load_options(model, file, e) || load_words(model, file, e)
        || !(model->training = load_training(file, e)) || load_numbers(model, &networks, file, e))
        return -1;
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
    Err why;
    Safetensors *file = safetensors_open(path, e);
    if (!file) return NULL;
    cJSON *training = NULL;
    if (!is_model(file)) err(e, "%s: %s", path, not_a_model);
    else if (!(training = load_training(file, &why))) training = json_parse("{}", 2, &why);
    safetensors_close(file);
    return training;
}
