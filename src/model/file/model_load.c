/* model_load.c - a safetensors file as a model.
 *
 * Loading checks the file in this order: the format, the options and both tokenizers in the
 * metadata; then the table of parameters that follows from them. Every row of the table must be a
 * tensor of the file before the block is allocated, so options that require gigabytes are refused
 * unless the file has these gigabytes.
 */
#include "model/file/model_file.h"

#include "base/mem.h"
#include "model/file/model_tensors.h"
#include "model/file/quantised.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int check_format(const Safetensors *file, Err *e)
{
    const char *format = safetensors_metadata(file, "format");
    const char *version = safetensors_metadata(file, "format_version");
    if (!format || strcmp(format, FORMAT) || !version)
        return err(e, "is a safetensors file, but not a model that attn train has written");
    if (strcmp(version, FORMAT_VERSION))
        return err(e, "is a model of format %.20s, and this version of attn reads format " FORMAT_VERSION "; learn it "
                      "anew with attn train, or go on with the attn that wrote it", version);
    return 0;
}

/* Returns the JSON under that key; the caller deletes it. */
static cJSON *parse_metadata(const Safetensors *file, const char *key, Err *e)
{
    const char *text = safetensors_metadata(file, key);
    if (text) return json_parse(text, strlen(text), e);
    err(e, "is missing");
    return NULL;
}

static int load_fields(const Field *fields, void *object, const Safetensors *file, const char *key,
                       Err *e)
{
    Err why;
    cJSON *json = parse_metadata(file, key, &why);
    int failed = !json || fields_from_json(fields, object, json, &why);
    cJSON_Delete(json);
    const Field *unsettled = failed ? NULL : fields_unsettled(fields, object);
    if (unsettled)
        failed = err(&why, "\"%s\" is \"auto\", no value of a finished model", unsettled->name);
    return failed ? err(e, "metadata \"%s\": %s", key, why.text) : 0;
}

static Tokenizer *load_tokenizer(const Safetensors *file, const char *key, Err *e)
{
    Err why;
    cJSON *json = parse_metadata(file, key, &why);
    Tokenizer *tokenizer = json ? tokenizer_from_json(json, &why) : NULL;
    cJSON_Delete(json);
    if (!tokenizer) err(e, "metadata \"%s\": %s", key, why.text);
    return tokenizer;
}

static Lexicon *load_lexicon(const Safetensors *file, const char *key, const char *language, Err *e)
{
    Err why;
    cJSON *json = parse_metadata(file, key, &why);
    Lexicon *lexicon = json ? lexicon_from_json(json, language, &why) : NULL;
    cJSON_Delete(json);
    if (!lexicon) err(e, "metadata \"%s\": %s", key, why.text);
    return lexicon;
}

static int load_lexicons(Model *model, const Safetensors *file, Err *e)
{
    if (!text_needs_lexicon(&model->text)) return 0;
    const TextOptions *text = &model->text;
    if (!(model->source_lexicon = load_lexicon(file, "source_lexicon", text->from, e))) return -1;
    return (model->target_lexicon = load_lexicon(file, "target_lexicon", text->to, e)) ? 0 : -1;
}

/* The record of the training may be missing. */
static cJSON *load_training(const Safetensors *file, Err *e)
{
    Err why;
    if (!safetensors_metadata(file, "training")) return cJSON_CreateObject();
    cJSON *json = parse_metadata(file, "training", &why);
    if (cJSON_IsObject(json)) return json;
    err(e, "metadata \"training\": %s", json ? "is not an object" : why.text);
    cJSON_Delete(json);
    return NULL;
}

static int load_network(NetworkOptions *network, const Safetensors *file, Err *e)
{
    Err why;
    *network = network_original();
    if (load_fields(network_fields, network, file, "network", e)) return -1;
    return network_check(network, &why) ? err(e, "metadata \"network\": %s", why.text) : 0;
}

static int load_text(TextOptions *text, const Safetensors *file, Err *e)
{
    Err why;
    if (load_fields(text_fields, text, file, "text", e)) return -1;
    return text_languages(text, &why) ? err(e, "metadata \"text\": %s", why.text) : 0;
}

/* The tokenizers store the text options too; a file with contradictory options is refused. */
static int check_text(const Model *model, Err *e)
{
    const TextOptions *source = tokenizer_options(model->source);
    const TextOptions *target = tokenizer_options(model->target);
    if (text_is_same(source, &model->text) && text_is_same(target, &model->text)) return 0;
    return err(e, "metadata \"text\" contradicts the tokenizers");
}

static int load_configuration(Model *model, const Safetensors *file, Err *e)
{
    model->text = text_defaults();
    if (check_format(file, e)) return -1;
    if (load_network(&model->network, file, e)) return -1;
    if (load_text(&model->text, file, e)) return -1;
    if (model->network.tie == TIE_ALL && !model->text.shared)
        return err(e, "metadata \"network\": all embeddings are tied, but "
                      "metadata \"text\" describes two vocabularies");
    if (!(model->source = load_tokenizer(file, "source_tokenizer", e))) return -1;
    model->target = model->text.shared ? model->source
                                       : load_tokenizer(file, "target_tokenizer", e);
    if (!model->target) return -1;
    if (check_text(model, e) || load_lexicons(model, file, e)) return -1;
    return (model->training = load_training(file, e)) ? 0 : -1;
}

/* Returns how many tensors of the file belong to the network: every row of the table, with its
 * scales if it is of integers. -1 with a message if one is missing. */
static int count_tensors(Model *model, int network, const Safetensors *file, Err *e)
{
    int count = 0;
    for (int i = 0; i < model->table->count; i++) {
        const Parameter *p = &model->table->row[i];
        TensorName name;
        const Tensor wanted = parameter_tensor(p, network, &name);
        const Tensor *found = safetensors_find(file, &wanted, e);
        if (!found) return -1;
        count++;
        if (found->dtype != DTYPE_I8) continue;
        const Tensor scale = scale_tensor(p, network, &name);
        if (!safetensors_find(file, &scale, e)) return -1;
        count++;
        model->stored = PRECISION_INT8;
    }
    return count;
}

/* The file has all tensors of all networks, and no others. */
static int check_tensors(Model *model, int networks, const Safetensors *file, Err *e)
{
    size_t others = safetensors_count(file);
    for (int k = 0; k < networks; k++) {
        const int count = count_tensors(model, k, file, e);
        if (count < 0) return -1;
        others -= (size_t)count;
    }
    return others ? err(e, "tensors that are no part of the network: %zu", others) : 0;
}

/* Its scales are in the file too. */
static int read_quantised(const Tensor *matrix, const Parameter *p, int network,
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

/* Fills a block with the weights of the network. */
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
        const int rc = found->dtype == DTYPE_I8
            ? read_quantised(found, p, network, file, x, e)
            : safetensors_read(file, found, DTYPE_REAL, x, e);
        if (rc) return -1;
        memset(weights + end, 0, (next - end) * sizeof *weights);
        if (check_finite(p, weights, e)) return -1;
    }
    return 0;
}

static real *new_weights(const ParameterTable *table)
{
    return xaligned_raw(table->size, sizeof(real));
}

static int load_networks(Model *model, int networks, const Safetensors *file, Err *e)
{
    model->weights = new_weights(model->table);
    if (load_weights(model->table, model->weights, 0, file, e)) return -1;
    for (int k = 1; k < networks; k++) {
        model->further[k - 1] = new_weights(model->table);
        if (load_weights(model->table, model->further[k - 1], k, file, e)) return -1;
    }
    return 0;
}

/* The number under that key; `missing` where there is none, NAN where it is no number. */
static double load_number(const Safetensors *file, const char *key, double missing)
{
    Err ignored;
    if (!safetensors_metadata(file, key)) return missing;
    cJSON *json = parse_metadata(file, key, &ignored);
    const double number = cJSON_IsNumber(json) ? json->valuedouble : NAN;
    cJSON_Delete(json);
    return number;
}

/* The number of networks in the file; -1 with a message. */
static int count_networks(const Safetensors *file, Err *e)
{
    const double count = load_number(file, "networks", 1);
    if (!safetensors_metadata(file, "networks")) return 1;
    if (count >= 2 && count <= MOST_NETWORKS && count == floor(count)) return (int)count;
    return err(e, "metadata \"networks\": is no number from 2 to %d", MOST_NETWORKS);
}

/* Sets how many of the networks write from right to left: some write from left to right. */
static int load_right_left(Model *model, int networks, const Safetensors *file, Err *e)
{
    const double count = load_number(file, "right_left", 0);
    const int is_count = count >= 0 && count < networks && count == floor(count);
    model->right_left = is_count ? (int)count : 0;
    return is_count ? 0 : err(e, "metadata \"right_left\": is no number from 0 to %d, fewer than "
                                 "the networks", networks - 1);
}

static int load_normalize(Model *model, const Safetensors *file, Err *e)
{
    const double most = 10;
    model->normalize = load_number(file, "normalize", 0);
    if (model->normalize >= 0 && model->normalize <= most) return 0;
    return err(e, "metadata \"normalize\": is no number from 0 to %g", most);
}

static int load_longest(Model *model, const Safetensors *file, Err *e)
{
    const double longest = load_number(file, "trained_length", 0);
    const int is_length = longest >= 0 && longest <= LONGEST_MOST && longest == floor(longest);
    model->longest = is_length ? (int)longest : 0;
    return is_length ? 0 : err(e, "metadata \"trained_length\": is no whole number from 0 to %d", LONGEST_MOST);
}

/* The number of an object; NAN where it is none from 0 to `most`. */
static double number_to(const cJSON *json, const char *key, double most)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, key);
    return cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble <= most ? item->valuedouble : NAN;
}

static int load_length_limit(Model *model, const Safetensors *file, Err *e)
{
    Err ignored;
    if (!safetensors_metadata(file, "length_limit")) return 0;
    cJSON *json = parse_metadata(file, "length_limit", &ignored);
    model->length_limit = (LengthLimit){ number_to(json, "ratio", LENGTH_RATIO_MOST),
                                         number_to(json, "spread", LENGTH_SPREAD_MOST) };
    cJSON_Delete(json);
    if (!isnan(model->length_limit.ratio) && !isnan(model->length_limit.spread)) return 0;
    return err(e, "metadata \"length_limit\": has no ratio from 0 to %d and spread from 0 to %d", LENGTH_RATIO_MOST,
               LENGTH_SPREAD_MOST);
}

static int load_all(Model *model, const Safetensors *file, Err *e)
{
    if (load_configuration(model, file, e) || load_normalize(model, file, e) || load_longest(model, file, e)
        || load_length_limit(model, file, e))
        return -1;
    const int networks = count_networks(file, e);
    if (networks < 0 || load_right_left(model, networks, file, e)) return -1;
    model->table = parameters_new(&model->network, tokenizer_size(model->source),
                                  tokenizer_size(model->target));
    return check_tensors(model, networks, file, e) ? -1 : load_networks(model, networks, file, e);
}

int model_load(Model *model, const char *path, Err *e)
{
    Err why;
    *model = (Model){ 0 };
    Safetensors *file = safetensors_open(path, e);
    if (!file) return -1;
    int failed = load_all(model, file, &why);
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
    const char *format = safetensors_metadata(file, "format");
    cJSON *story = NULL;
    if (!format || strcmp(format, FORMAT))
        err(e, "%s: is a safetensors file, but not a model that attn train has written", path);
    else if (!(story = load_training(file, &why)))
        story = cJSON_CreateObject();
    safetensors_close(file);
    return story;
}
