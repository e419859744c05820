/* model_file.c - a model in memory, and as the safetensors file that is written of it; model_load.c
 * reads that.
 */
#include "model/file/model_tensors.h"

#include "base/mem.h"
#include "base/real.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

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
    for (int k = 0; k < MOST_NETWORKS; k++) {
        prepacked_weights_free(model->packed[k].copies);
        xfree(model->packed[k].w);
    }
    xfree(model->weights);
    for (int k = 0; k < MOST_NETWORKS - 1; k++)
        xfree(model->further[k]);
    xfree(model->search.forbidden);
    json_free(model->training);
    *model = (Model){ 0 };
}

/* ---- its tensors ---- */

Tensor tensor_of(const Parameter *p, int network, int is_scale, TensorName *name)
{
    char number[16] = "";
    if (network) snprintf(number, sizeof number, "%d.", network + 1);
    snprintf(name->text, sizeof name->text, "%s%s%s", number, p->name, is_scale ? "_scale" : "");
    return (Tensor){ .name = name->text, .dtype = DTYPE_F32,
                     .rank = p->columns && !is_scale ? 2 : 1,
                     .shape = { (size_t)p->rows, (size_t)p->columns } };
}

int tensor_check(const Parameter *p, const real *x, Err *e)
{
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

const char *const segmenter_names[] = { "source_tokenizer.model", "target_tokenizer.model" };

const Field model_search_fields[] = {
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
    cJSON *json = fields_to_json(model_search_fields, search);
    cJSON_AddItemToObject(json, "forbidden",
                          cJSON_CreateIntArray(search->forbidden, search->forbidden_count));
    return json;
}

static cJSON *metadata_of(const Model *model)
{
    cJSON *metadata = cJSON_CreateObject();
    cJSON_AddStringToObject(metadata, "format", MODEL_FORMAT);
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
            if (tensor_check(&model->table->row[i],
                             model_weights(model, k) + model->table->row[i].at, &why))
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
