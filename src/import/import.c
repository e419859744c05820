/* import.c - reads the network of a package, hands it to its format, and keeps where it is from. */
#include "import/import.h"

#include "base/mem.h"
#include "import/formats.h"
#include "model/decoder/decoder_type.h"
#include "model/file/safetensors.h"
#include "text/unicode.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

/* ---- What the formats share ---- */

int config_flag(const cJSON *config, const char *key)
{
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(config, key));
}

double config_number(const cJSON *config, const char *key, double by_default)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(config, key);
    return cJSON_IsNumber(item) ? item->valuedouble : by_default;
}

const char *config_text(const cJSON *config, const char *key, const char *by_default)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(config, key));
    return text ? text : by_default;
}

NetworkOptions network_of_layers(int width, int encoder_layers, int decoder_layers)
{
    NetworkOptions o = network_original();
    o.embedding = o.hidden = width;
    o.encoder = ENCODER_SELF_ATTENTION;
    o.encoder_attention_layers = encoder_layers;
    o.decoder = DECODER_SELF_ATTENTION;
    o.decoder_attention_layers = decoder_layers;
    o.readout = READOUT_SIMPLE;
    return o;
}

int tie_of(const Array *source, const Array *target, const Array *output, int is_shared)
{
    if (!arrays_are_same(target, output)) return TIE_NONE;
    return is_shared && arrays_are_same(source, target) ? TIE_ALL : TIE_TARGET;
}

/* Whether the first positions of a table are these sinusoids. */
static int has_sinusoids(const Array *table, const real *x, int width, int kind)
{
    const int is_exact = table->type == ARRAY_F32 || table->type == ARRAY_F64;
    const double tolerance = is_exact ? 1e-4 : 1e-2;
    const int rows = array_rows(table) < 64 ? (int)array_rows(table) : 64;
    for (int i = 0; i < rows * width; i++)
        if (!(fabs(x[i] - embedding_sinusoid(kind, i / width, i % width, width)) <= tolerance))
            return 0;
    return rows > 1;
}

void read_positions(const Array *table, NetworkOptions *o)
{
    static const int kinds[] = { POSITIONS_SINUSOIDAL, POSITIONS_MARIAN, POSITIONS_HUGGING_FACE,
                                 POSITIONS_CTRANSLATE2 };
    const int width = o->embedding, is_pair = width >= 4 && width % 2 == 0;
    o->positions = POSITIONS_LEARNED;
    o->attention_positions = (int)array_rows(table);
    if (!is_pair || array_columns(table) != (size_t)width) return;
    SCOPED(xfree_at) real *x = xmalloc(array_count(table), sizeof *x);
    array_reals(table, 0, x);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (has_sinusoids(table, x, width, kinds[i])) {
            o->positions = kinds[i];
            o->attention_positions = 0;
        }
}

void model_language(const char *code, char tag[FIELD_WORD_BYTES])
{
    char usual[LANGUAGE_BYTES];
    if (code && !unicode_language(code, usual)) snprintf(tag, FIELD_WORD_BYTES, "%s", usual);
}

/* Whether a model file can hold these options, and they fit together. */
static int check_network(const NetworkOptions *o, Err *e)
{
    NetworkOptions same = *o;
    cJSON *json = fields_to_json(network_fields, o);
    const int failed = fields_from_json(network_fields, &same, json, e);
    json_free(json);
    return failed || network_check(o, e) ? -1 : 0;
}

int model_finish(Foreign *foreign, const Array *source, const Array *target, Mapping *mapping,
                 Model *model, Err *e)
{
    Vocabularies *v = &foreign->vocabularies;
    const size_t rows[] = { array_rows(source), array_rows(target) };
    if (check_network(&model->network, e)
        || vocabularies_tokenizers(v, rows, foreign->package, model, e))
        return -1;
    mapping->arrays = &foreign->arrays;
    for (int side = 0; side < 2; side++)
        mapping->vocabulary[side] = v->side[side]->rows;
    model->search.is_known = 1;
    return mapping_apply(mapping, model, e);
}

/* ---- One package ---- */

/* Of each kind of network: who reads its arrays, who knows them, and its name in attn info. */
static const struct {
    int (*read)(Arrays *all, Slice file, Err *e);       /* NULL: from its path */
    int (*import)(Foreign *foreign, Model *model, Err *e);
    const char *name;
} formats[FILE_KINDS] = {
    [FILE_NPZ] = { npz_read, import_marian, "Marian" },
    [FILE_MARIAN_BIN] = { marian_bin_read, import_marian, "Marian" },
    [FILE_CTRANSLATE2] = { ctranslate2_read, import_ctranslate2, "CTranslate2" },
    [FILE_SAFETENSORS] = { NULL, import_hugging_face, "Hugging Face" }
};

static int read_arrays(Arrays *arrays, const PackageFile *network, Err *e)
{
    Err why;
    if (formats[network->kind].read)
        return formats[network->kind].read(arrays, network->bytes, &why)
               ? err(e, "%s: %s", network->path, why.text) : 0;
    if (network->bytes.length)
        return err(e, "%s: is in an archive; unpack that, and name the folder", network->path);
    return safetensors_arrays(arrays, network->path, e);
}

static int read_network(Foreign *f, const PackageFile *network, Model *model, Err *e)
{
    model->training = cJSON_CreateObject();
    json_add_bytes(model->training, "imported_from", network->name);
    cJSON_AddStringToObject(model->training, "imported_format", formats[network->kind].name);
    if (read_arrays(&f->arrays, network, e) || vocabularies_read(&f->vocabularies, f->package, e))
        return -1;
    return formats[network->kind].import(f, model, e);
}

/* Whether a message begins with the path of one of the files. */
static int names_file(const Package *p, const char *message)
{
    for (size_t i = 0; i < p->count; i++)
        if (!strncmp(message, p->file[i].path, strlen(p->file[i].path))) return 1;
    return 0;
}

int import_is_foreign(const char *path)
{
    Err ignored;
    Safetensors *file = safetensors_open(path, &ignored);
    const char *format = file ? safetensors_metadata(file, "format") : NULL;
    const int is_own = format && !strcmp(format, "attn");
    safetensors_close(file);
    return !is_own && !access(path, F_OK);
}

int import_package(Model *model, const Package *package, Err *e)
{
    Foreign foreign = { .package = package };
    Err why;
    int failed = 0;
    *model = (Model){ .text = text_defaults(), .stored = PRECISION_FLOAT };
    const PackageFile *network = package_network(package, e);
    if (network) {
        failed = read_network(&foreign, network, model, &why);
        if (failed && names_file(package, why.text)) *e = why;
        else if (failed) err(e, "%s: %s", network->path, why.text);
    }
    vocabularies_free(&foreign.vocabularies);
    arrays_free(&foreign.arrays);
    if (network && !failed) return 0;
    model_free(model);
    return -1;
}

int import_model(Model *model, const char *const *paths, int count, Err *e)
{
    SCOPED(package_free) Package package = { 0 };
    return package_open(&package, paths, count, e) || import_package(model, &package, e) ? -1 : 0;
}
