/* ctranslate2.c - CTranslate2's encoder and decoder as attn's network: models of OpenNMT, Argos
 * packages, and what was converted from other programs. */
#include "import/formats.h"

#include "base/mem.h"
#include "base/strings.h"

#include <limits.h>
#include <math.h>

#define LAYER "{side}/layer_{n}/"

static const Rule rules[] = {
    { "encoder.embedding.weight", { "encoder/embeddings_0/weight" }, 0 },
    { "encoder.embedding.weight", { "encoder/embeddings/weight" }, 0 },
    { "decoder.embedding.weight", { "decoder/embeddings/weight" }, 0 },
    { "{side}.positions.weight", { "{side}/position_encodings/encodings" }, 0 },
    { "{side}.embedding_norm.{weight}", { "{side}/layernorm_embedding/{gamma}" }, 0 },
    { "{side}.layers.{n}.self_attn.in_proj_{weight}",
      { LAYER "self_attention/linear_0/{weight}" }, 0 },
    { "{side}.layers.{n}.self_attn.out_proj.{weight}",
      { LAYER "self_attention/linear_1/{weight}" }, 0 },
    { "{side}.layers.{n}.norm1.{weight}", { LAYER "self_attention/layer_norm/{gamma}" }, 0 },
    { "{side}.layers.{n}.multihead_attn.in_proj_{weight}",
      { LAYER "attention/linear_0/{weight}", LAYER "attention/linear_1/{weight}" }, 0 },
    { "{side}.layers.{n}.multihead_attn.out_proj.{weight}",
      { LAYER "attention/linear_2/{weight}" }, 0 },
    { "decoder.layers.{n}.norm2.{weight}",
      { "decoder/layer_{n}/attention/layer_norm/{gamma}" }, 0 },
    { "{side}.layers.{n}.linear1.{weight}", { LAYER "ffn/linear_0/{weight}" }, 0 },
    { "{side}.layers.{n}.linear2.{weight}", { LAYER "ffn/linear_1/{weight}" }, 0 },
    { "encoder.layers.{n}.norm2.{weight}", { "encoder/layer_{n}/ffn/layer_norm/{gamma}" }, 0 },
    { "decoder.layers.{n}.norm3.{weight}", { "decoder/layer_{n}/ffn/layer_norm/{gamma}" }, 0 },
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
    array_reals(array, &value);
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

static int read_activation(int number, int *activation, Err *e)
{
    static const int known[] = { ACTIVATION_RELU, ACTIVATION_GELU_TANH, ACTIVATION_SWISH,
                                 ACTIVATION_GELU, ACTIVATION_GELU_SIGMOID };
    if (number < 0 || number >= (int)(sizeof known / sizeof *known))
        return err(e, "its activation has the number %d, which is unknown", number);
    *activation = known[number];
    return 0;
}

/* Both sides have the same in attn. */
static int check_sides(const Arrays *a, Err *e)
{
    static const struct { const char *name; int by_default; } same[] = {
        { "num_heads", 8 }, { "pre_norm", 1 }, { "activation", 0 }, { "scale_embeddings", 1 }
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        char encoder[40], decoder[40];
        snprintf(encoder, sizeof encoder, "encoder/%s", same[i].name);
        snprintf(decoder, sizeof decoder, "decoder/%s", same[i].name);
        if (setting(a, encoder, same[i].by_default) != setting(a, decoder, same[i].by_default))
            return err(e, "its encoder and decoder have another %s each, which is not read",
                       same[i].name);
    }
    if (setting(a, "decoder/alibi", 0) || setting(a, "decoder/multi_query_attention", 0)
        || setting(a, "encoder/multi_query_attention", 0))
        return err(e, "its attention is of a kind that is not read (alibi, multi-query)");
    return 0;
}

/* The kind of positions, of a table or, without one, of the program. */
static void read_positions(const Arrays *a, NetworkOptions *o)
{
    const Array *table = arrays_find(a, "encoder/position_encodings/encodings");
    o->positions = table ? positions_of(table, o->embedding) : POSITIONS_CTRANSLATE2;
    if (o->positions == POSITIONS_LEARNED) o->attention_positions = (int)array_rows(table);
}

static int read_network(const Arrays *a, size_t width, const cJSON *config, NetworkOptions *o,
                        Err *e)
{
    const int encoder = layers_of(a, "encoder"), decoder = layers_of(a, "decoder");
    const Array *inner = arrays_matrix(a, "encoder/layer_0/ffn/linear_0/weight", e);
    if (!inner || check_sides(a, e)) return -1;
    if (!encoder || !decoder || encoder > MAX_ATTENTION_LAYERS || decoder > MAX_ATTENTION_LAYERS)
        return err(e, "it has not from 1 to %d layers a side: only translators with an encoder and "
                      "a decoder are read", MAX_ATTENTION_LAYERS);
    if (!arrays_find(a, "encoder/layer_0/ffn/layer_norm/beta"))
        return err(e, "its normalisation is by the root mean square alone, which is not read");
    *o = network_of_layers((int)width, encoder, decoder);
    const int layer = setting(a, "decoder/alignment_layer", -1);
    const double epsilon = config_number(config, "layer_norm_epsilon", 0);
    o->heads = setting(a, "encoder/num_heads", 8);
    if (o->heads < 1 || o->heads > MAX_HEADS) return err(e, "it has %d heads", o->heads);
    o->feed_forward = (int)inner->shape[0];
    o->norm = setting(a, "encoder/pre_norm", 1) ? NORM_PRE : NORM_POST;
    if (epsilon > 0 && epsilon < 1) o->norm_epsilon = epsilon;
    o->embedding_scale = setting(a, "decoder/scale_embeddings", 1) ? SCALE_ROOT : SCALE_NONE;
    o->embedding_norm = arrays_find(a, "encoder/layernorm_embedding/gamma") != NULL;
    o->zero_start = setting(a, "decoder/start_from_zero_embedding", 0) != 0;
    o->alignment_layer = layer < 0 ? decoder : min_int(layer + 1, decoder);
    o->alignment_head = setting(a, "decoder/alignment_heads", 1) == 1;
    read_positions(a, o);
    return read_activation(setting(a, "encoder/activation", 0), &o->activation, e);
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
            vocabulary_name(vocabularies_side(v, (PassSide)side), named[i].id,
                            config_text(config, named[i].key, NULL));
    Vocabulary *target = vocabularies_side(v, SIDE_TARGET);
    const char *start = config_text(config, "decoder_start_token", NULL);
    if (start) vocabulary_start(target, start);
    if (target->special[ID_BOS] < 0 && target->rows.start < 0 && !model->network.zero_start)
        return err(e, "%s: the token <s>, which the decoder begins with, is missing",
                   target->file->path);
    if (config_flag(config, "add_source_bos"))
        return err(e, "its config.json puts a token before each source (add_source_bos), which is "
                      "not read");
    return 0;
}

/* An Argos package is searched as Argos Translate does, another as CTranslate2 does by default. */
static void set_search(const cJSON *metadata, Model *model)
{
    model->search.beam = metadata ? 4 : 2;
    model->normalize = metadata ? 0.2 : 1;
    model_language(config_text(metadata, "from_code", NULL), model->text.from);
    model_language(config_text(metadata, "to_code", NULL), model->text.to);
}

/* ---- The model ---- */

int import_ctranslate2(Foreign *f, Model *model, Err *e)
{
    const Arrays *a = &f->arrays;
    const cJSON *config = f->config[CONFIG];
    const Array *source = arrays_find(a, "encoder/embeddings/weight");
    const Array *target = arrays_matrix(a, "decoder/embeddings/weight", e);
    const Array *output = arrays_find(a, "decoder/projection/weight");
    if (!source) source = arrays_matrix(a, "encoder/embeddings_0/weight", e);
    if (!source || !target) return -1;
    if (read_network(a, array_columns(source), config, &model->network, e)
        || set_tokens(&f->vocabularies, config, model, e))
        return -1;
    model->network.tie = tie_of(source, target, output ? output : target,
                                f->vocabularies.is_shared);
    if (!config_flag(config, "add_source_eos")) model->network.source_end = SOURCE_END_NONE;
    set_search(f->config[CONFIG_METADATA], model);
    const size_t rows[] = { array_rows(source), array_rows(target) };
    Mapping mapping = { .rules = rules, .ignored = ignored };
    return model_finish(f, rows, &mapping, model, e);
}
