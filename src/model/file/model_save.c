/* model_save.c - a model as a safetensors file. */
#include "model/file/model_file.h"

#include "base/mem.h"
#include "model/file/model_tensors.h"
#include "model/file/quantised.h"

#include <stdlib.h>

static int check_weights(const ParameterTable *table, const real *weights, Err *e)
{
    for (int i = 0; i < table->count; i++)
        if (check_finite(&table->row[i], weights, e)) return -1;
    return 0;
}

static cJSON *length_limit_to_json(LengthLimit limit)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddItemToObject(json, "ratio", json_rounded(limit.ratio, 4));
    cJSON_AddItemToObject(json, "spread", json_rounded(limit.spread, 4));
    return json;
}

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
        Buf number = { 0 };
        buf_printf(&number, "%.2f", model->normalize);
        cJSON_AddStringToObject(metadata, "normalize", number.text);
        buf_free(&number);
    }
    if (model->longest) json_add_as_text(metadata, "trained_length", cJSON_CreateNumber(model->longest));
    if (model->length_limit.ratio > 0)
        json_add_as_text(metadata, "length_limit", length_limit_to_json(model->length_limit));
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
    Tensor    *tensor;          /* (count) */
    size_t     count;
    TensorName *name;           /* (names) */
    size_t     names;
    int8_t    *values;          /* of matrices: a block like the weights for each network */
    float     *scales;
} Tensors;

static int is_quantised(const Model *model, const Parameter *p)
{
    return model->stored == PRECISION_INT8 && p->columns;
}

static int8_t *values_of(const Tensors *t, const Model *model, int network, const Parameter *p)
{
    return t->values + (size_t)network * model->table->size + p->at;
}

static void add_tensor(Tensors *t, Tensor tensor, const void *data)
{
    tensor.data = data;
    t->tensor[t->count++] = tensor;
}

/* The real numbers of a network: all parameters, or the scales of those that become integers,
 * which begin at `scales`. Returns where the next scales begin. */
static float *add_reals(Tensors *t, const Model *model, int network, float *scales)
{
    for (int i = 0; i < model->table->count; i++) {
        const Parameter *p = &model->table->row[i];
        const real *x = model_weights(model, network) + p->at;
        TensorName *name = &t->name[t->names++];
        if (is_quantised(model, p)) {
            quantise(x, p->rows, p->columns, values_of(t, model, network, p), scales);
            add_tensor(t, scale_tensor(p, network, name), scales);
            scales += p->rows;
        } else {
            add_tensor(t, parameter_tensor(p, network, name), x);
        }
    }
    return scales;
}

static void add_integers(Tensors *t, const Model *model, int network)
{
    for (int i = 0; i < model->table->count; i++) {
        const Parameter *p = &model->table->row[i];
        if (!is_quantised(model, p)) continue;
        Tensor matrix = parameter_tensor(p, network, &t->name[t->names++]);
        matrix.dtype = DTYPE_I8;
        add_tensor(t, matrix, values_of(t, model, network, p));
    }
}

/* Integers are behind the real numbers, which are aligned then, as other readers need it. */
static Tensors tensors_of(const Model *model)
{
    const int networks = model_networks(model);
    const size_t most = 2 * (size_t)(model->table->count * networks);
    Tensors t = { .tensor = xmalloc(most, sizeof *t.tensor),
                  .name = xmalloc(most, sizeof *t.name) };
    if (model->stored == PRECISION_INT8) {
        t.values = xmalloc((size_t)networks * model->table->size, sizeof *t.values);
        t.scales = xmalloc((size_t)networks * model->table->size, sizeof *t.scales);
    }
    float *scales = t.scales;
    for (int k = 0; k < networks; k++)
        scales = add_reals(&t, model, k, scales);
    for (int k = 0; k < networks; k++)
        add_integers(&t, model, k);
    return t;
}

static void tensors_free(Tensors *t)
{
    xfree(t->tensor);
    xfree(t->name);
    xfree(t->values);
    xfree(t->scales);
}

int model_save(const Model *model, const char *path, Err *e)
{
    Err why;
    for (int k = 0; k < model_networks(model); k++)
        if (check_weights(model->table, model_weights(model, k), &why))
            return err(e, "%s: not written: %s", path, why.text);
    Tensors tensors = tensors_of(model);
    cJSON *metadata = metadata_of(model);
    int rc = safetensors_write(path, tensors.tensor, tensors.count, DTYPE_F32, metadata, e);
    cJSON_Delete(metadata);
    tensors_free(&tensors);
    return rc;
}
