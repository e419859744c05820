/* ctranslate2.c - CTranslate2's encoder and decoder as attn's network: models of OpenNMT, Argos
 * packages, and what was converted from other programs. */
#include "import/formats.h"

#include "base/mem.h"

#include <limits.h>

#define LAYER "{side}/layer_{n}/"

static const Rule rules[] = {
    { "encoder.embedding.weight", { "encoder/embeddings_0/weight" }, 0 },
    { "encoder.embedding.weight", { "encoder/embeddings/weight" }, 0 },
    { "decoder.embedding.weight", { "decoder/embeddings/weight" }, 0 },
    { "{side}.positions.weight", { "{side}/position_encodings/encodings" }, 0 },
    { "{side}.embedding_norm.{weight}", { "{side}/layernorm_embedding/{gamma}" }, 0 },
    { OWN_LAYER "self_attn.in_proj_{weight}", { LAYER "self_attention/linear_0/{weight}" }, 0 },
    { OWN_LAYER "self_attn.out_proj.{weight}", { LAYER "self_attention/linear_1/{weight}" }, 0 },
    { OWN_LAYER "norm1.{weight}", { LAYER "self_attention/layer_norm/{gamma}" }, 0 },
    { OWN_LAYER "multihead_attn.in_proj_{weight}",
      { LAYER "attention/linear_0/{weight}", LAYER "attention/linear_1/{weight}" }, 0 },
    { OWN_LAYER "multihead_attn.out_proj.{weight}", { LAYER "attention/linear_2/{weight}" }, 0 },
    { "decoder.layers.{n}.norm2.{weight}", { LAYER "attention/layer_norm/{gamma}" }, 0 },
    { OWN_LAYER "linear1.{weight}", { LAYER "ffn/linear_0/{weight}" }, 0 },
    { OWN_LAYER "linear2.{weight}", { LAYER "ffn/linear_1/{weight}" }, 0 },
    { "encoder.layers.{n}.norm2.{weight}", { LAYER "ffn/layer_norm/{gamma}" }, 0 },
    { "decoder.layers.{n}.norm3.{weight}", { LAYER "ffn/layer_norm/{gamma}" }, 0 },
    { "{side}.norm.{weight}", { "{side}/layer_norm/{gamma}" }, 0 },
    { "readout.output.{weight}", { "decoder/projection/{weight}" }, 0 },
    { NULL, { NULL }, 0 }
};

/* Settings that are read below, or mean nothing where others are off; and tables of sinusoids. */
static const char *const ignored[] = {
    "/num_heads", "/pre_norm", "/activation", "/embeddings_merge", "/scale_embeddings",
    "/start_from_zero_embedding", "/alignment_layer", "/alignment_heads", "/alibi", "/scale_alibi",
    "/alibi_use_positive_positions", "/multi_query_attention", "/position_encodings/encodings", NULL
};

/* ---- Settings: numbers among the arrays ---- */

static int setting(const Arrays *a, const char *name, int by_default)
{
    const Array *array = arrays_find(a, name);
    real value;
    if (!array || array_count(array) != 1) return by_default;
    array_reals(array, 0, &value);
    return value >= -1 && value < INT_MAX / 2 ? (int)value : by_default;
}

/* How many layers a side has. */
static int layers_of(const Arrays *a, const char *side)
{
    for (int n = 0; n <= MAX_ATTENTION_LAYERS; n++) {
        SCOPED(buf_free) Buf name = { 0 };
        buf_printf(&name, "%s/layer_%d/ffn/linear_0/weight", side, n);
        if (!arrays_find(a, name.text)) return n;
    }
    return MAX_ATTENTION_LAYERS + 1;
}

/* A setting of both sides, which have the same in attn. */
static int read_setting(const Arrays *a, const char *name, int by_default, int *value, Err *e)
{
    SCOPED(buf_free) Buf encoder = { 0 }, decoder = { 0 };
    buf_printf(&encoder, "encoder/%s", name);
    buf_printf(&decoder, "decoder/%s", name);
    *value = setting(a, encoder.text, by_default);
    if (setting(a, decoder.text, by_default) == *value) return 0;
    return err(e, "its encoder and decoder have another %s each, which is not read", name);
}

static int read_network(const Arrays *a, size_t width, const cJSON *config, NetworkOptions *o,
                        Err *e)
{
    static const int activations[] = { ACTIVATION_RELU, ACTIVATION_GELU_TANH, ACTIVATION_SWISH,
                                       ACTIVATION_GELU, ACTIVATION_GELU_SIGMOID };
    const int encoder = layers_of(a, "encoder"), decoder = layers_of(a, "decoder");
    const Array *inner = arrays_matrix(a, "encoder/layer_0/ffn/linear_0/weight", "", e);
    const Array *table = arrays_find(a, "encoder/position_encodings/encodings");
    int is_pre, activation, scales, has_alibi;
    if (!inner) return -1;
    if (!encoder || !decoder || encoder > MAX_ATTENTION_LAYERS || decoder > MAX_ATTENTION_LAYERS)
        return err(e, "it has not from 1 to %d layers a side: only translators with an encoder and "
                      "a decoder are read", MAX_ATTENTION_LAYERS);
    if (!arrays_find(a, "encoder/layer_0/ffn/layer_norm/beta"))
        return err(e, "its normalisation is by the root mean square alone, which is not read");
    *o = network_of_layers((int)width, encoder, decoder);
    if (read_setting(a, "num_heads", 8, &o->heads, e) || read_setting(a, "pre_norm", 1, &is_pre, e)
        || read_setting(a, "activation", 0, &activation, e)
        || read_setting(a, "scale_embeddings", 1, &scales, e)
        || read_setting(a, "alibi", 0, &has_alibi, e))
        return -1;
    if (activation < 0 || activation >= (int)(sizeof activations / sizeof *activations))
        return err(e, "its activation has the number %d, which is unknown", activation);
    if (has_alibi) return err(e, "its attention is of a kind that is not read (alibi)");
    const int layer = setting(a, "decoder/alignment_layer", -1);
    const double epsilon = config_number(config, "layer_norm_epsilon", 0);
    o->feed_forward = (int)inner->shape[0];
    o->activation = activations[activation];
    o->norm = is_pre ? NORM_PRE : NORM_POST;
    if (epsilon > 0 && epsilon < 1) o->norm_epsilon = epsilon;
    o->embedding_scale = scales ? SCALE_ROOT : SCALE_NONE;
    o->embedding_norm = arrays_find(a, "encoder/layernorm_embedding/gamma") != NULL;
    o->zero_start = setting(a, "decoder/start_from_zero_embedding", 0) != 0;
    o->alignment_layer = layer < 0 ? decoder : min_int(layer + 1, decoder);
    o->alignment_head = setting(a, "decoder/alignment_heads", 1) == 1;
    o->positions = POSITIONS_CTRANSLATE2;
    if (table) read_positions(table, o);
    return 0;
}

/* ---- config.json and metadata.json ---- */

/* Special tokens by the names that the model has for them. */
static int set_tokens(Vocabularies *v, const cJSON *config, Model *model, Err *e)
{
    static const struct { const char *key; int id; } named[] = {
        { "unk_token", ID_UNK }, { "bos_token", ID_BOS }, { "eos_token", ID_EOS }
    };
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < sizeof named / sizeof *named; i++)
            vocabulary_name(v->side[side], named[i].id, config_text(config, named[i].key, NULL));
    Vocabulary *target = v->side[SIDE_TARGET];
    vocabulary_start(target, config_text(config, "decoder_start_token", NULL));
    if (target->special[ID_BOS] < 0 && target->rows.start < 0 && !model->network.zero_start)
        return err(e, "%s: the token <s>, which the decoder begins with, is missing",
                   target->file->path);
    if (config_flag(config, "add_source_bos"))
        return err(e, "its config.json puts a token before each source (add_source_bos), which is "
                      "not read");
    return 0;
}

/* An Argos package is searched as Argos Translate does, another as CTranslate2 does by default. */
static int set_search(const cJSON *metadata, Model *model, Err *e)
{
    model->search.beam = metadata ? 4 : 2;
    model->normalize = metadata ? 0.2 : 1;
    model_language(config_text(metadata, "from_code", NULL), model->text.from);
    model_language(config_text(metadata, "to_code", NULL), model->text.to);
    if (!*config_text(metadata, "target_prefix", "")) return 0;
    return err(e, "its metadata.json puts a token before each translation (target_prefix), which "
                  "is not read");
}

/* ---- The model ---- */

int import_ctranslate2(Foreign *f, Model *model, Err *e)
{
    const Arrays *a = &f->arrays;
    const cJSON *config = package_json(f->package, "config.json");
    const Array *source = arrays_matrix(a, "encoder/embeddings/weight",
                                        "encoder/embeddings_0/weight", e);
    const Array *target = arrays_matrix(a, "decoder/embeddings/weight", "", e);
    const Array *output = arrays_find(a, "decoder/projection/weight");
    if (!source || !target || read_network(a, source->shape[1], config, &model->network, e)
        || set_tokens(&f->vocabularies, config, model, e)
        || set_search(package_json(f->package, "metadata.json"), model, e))
        return -1;
    model->network.tie = tie_of(source, target, output ? output : target,
                                f->vocabularies.is_shared);
    if (!config_flag(config, "add_source_eos")) model->network.source_end = SOURCE_END_NONE;
    Mapping mapping = { .rules = rules, .ignored = ignored };
    return model_finish(f, source, target, &mapping, model, e);
}
