/* hugging_face.c - the tensors of a file of safetensors as arrays, and MarianMT of the library
 * transformers as attn's network. */
#include "import/formats.h"

#include "base/mem.h"
#include "model/file/safetensors.h"

#include <math.h>

/* ---- The file ---- */

static int add_tensor(Arrays *all, const Safetensors *file, const Tensor *t, Err *e)
{
    static const ArrayType types[] = {
        [DTYPE_F32] = sizeof(real) > sizeof(float) ? ARRAY_F64 : ARRAY_F32, [DTYPE_I8] = ARRAY_I8,
        [DTYPE_U8] = ARRAY_U8, [DTYPE_F16] = ARRAY_F16, [DTYPE_BF16] = ARRAY_BF16
    };
    void *values = region_take(&all->memory, tensor_count(t), sizeof(real));
    Array a = { .type = types[t->dtype], .rank = t->rank, .values = values };
    memcpy(a.shape, t->shape, sizeof a.shape);
    arrays_add(all, slice_of(t->name), &a);
    return safetensors_read(file, t, t->dtype, values, e);
}

int safetensors_arrays(Arrays *all, const char *path, Err *e)
{
    Err why;
    Safetensors *file = safetensors_open(path, e);
    if (!file) return -1;
    int failed = 0;
    for (size_t i = 0; i < safetensors_count(file) && !failed; i++)
        failed = add_tensor(all, file, safetensors_at(file, i), &why);
    if (!failed) failed = arrays_end(all, &why);
    safetensors_close(file);
    return failed ? err(e, "%s: %s", path, why.text) : 0;
}

/* ---- The names ---- */

#define LAYER "model.{side}.layers.{n}."

static const Rule rules[] = {
    { "encoder.embedding.weight", { "model.shared.weight" }, 0 },
    { "encoder.embedding.weight", { "model.encoder.embed_tokens.weight" }, 0 },
    { "decoder.embedding.weight", { "model.decoder.embed_tokens.weight" }, 0 },
    { "decoder.embedding.weight", { "model.shared.weight" }, 0 },
    { "{side}.positions.weight", { "model.{side}.embed_positions.weight" }, 0 },
    { OWN_LAYER "self_attn.in_proj_{weight}",
      { LAYER "self_attn.q_proj.{weight}", LAYER "self_attn.k_proj.{weight}",
        LAYER "self_attn.v_proj.{weight}" }, 0 },
    { OWN_LAYER "self_attn.out_proj.{weight}", { LAYER "self_attn.out_proj.{weight}" }, 0 },
    { OWN_LAYER "norm1.{weight}", { LAYER "self_attn_layer_norm.{weight}" }, 0 },
    { OWN_LAYER "multihead_attn.in_proj_{weight}",
      { LAYER "encoder_attn.q_proj.{weight}", LAYER "encoder_attn.k_proj.{weight}",
        LAYER "encoder_attn.v_proj.{weight}" }, 0 },
    { OWN_LAYER "multihead_attn.out_proj.{weight}", { LAYER "encoder_attn.out_proj.{weight}" }, 0 },
    { "decoder.layers.{n}.norm2.{weight}", { LAYER "encoder_attn_layer_norm.{weight}" }, 0 },
    { OWN_LAYER "linear1.{weight}", { LAYER "fc1.{weight}" }, 0 },
    { OWN_LAYER "linear2.{weight}", { LAYER "fc2.{weight}" }, 0 },
    { "encoder.layers.{n}.norm2.{weight}", { LAYER "final_layer_norm.{weight}" }, 0 },
    { "decoder.layers.{n}.norm3.{weight}", { LAYER "final_layer_norm.{weight}" }, 0 },
    { "readout.output.weight", { "lm_head.weight" }, 0 },
    { "readout.output.bias", { "final_logits_bias" }, 0 },
    { NULL, { NULL }, 0 }
};

/* Tables of positions that are no part of the network's learned weights. */
static const char *const ignored[] = { "embed_positions.weight", NULL };

/* ---- config.json ---- */

static int read_activation(const cJSON *config, int *activation, Err *e)
{
    static const struct { const char *name; int activation; } known[] = {
        { "relu", ACTIVATION_RELU }, { "swish", ACTIVATION_SWISH }, { "silu", ACTIVATION_SWISH },
        { "gelu", ACTIVATION_GELU }, { "gelu_new", ACTIVATION_GELU_TANH },
        { "quick_gelu", ACTIVATION_GELU_SIGMOID }
    };
    const char *name;
    if (json_get_string(config, "activation_function", &name, e)) return -1;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i].name, name)) {
            *activation = known[i].activation;
            return 0;
        }
    return err(e, "its activation_function is '%.20s': relu, swish and the kinds of gelu are read",
               name);
}

static int read_config(const cJSON *config, NetworkOptions *o, Err *e)
{
    const char *type = config_text(config, "model_type", "marian");
    int width, inner, layers[2], heads[2];
    if (strcmp(type, "marian"))
        return err(e, "its model_type is '%.30s'; of Hugging Face's translators only marian is "
                      "read", type);
    if (config_flag(config, "normalize_before"))
        return err(e, "it normalises before each part; only normalisation behind it is read");
    if (json_get_int(config, "d_model", 1, 65536, &width, e)
        || json_get_int(config, "encoder_layers", 1, MAX_ATTENTION_LAYERS, &layers[0], e)
        || json_get_int(config, "decoder_layers", 1, MAX_ATTENTION_LAYERS, &layers[1], e)
        || json_get_int(config, "encoder_attention_heads", 1, MAX_HEADS, &heads[0], e)
        || json_get_int(config, "decoder_attention_heads", 1, MAX_HEADS, &heads[1], e)
        || json_get_int(config, "encoder_ffn_dim", 1, 1 << 20, &inner, e))
        return -1;
    if (heads[0] != heads[1])
        return err(e, "its encoder and decoder have another number of heads each, which is not "
                      "read");
    *o = network_of_layers(width, layers[0], layers[1]);
    o->heads = heads[0];
    o->feed_forward = inner;
    o->positions = POSITIONS_HUGGING_FACE;
    o->embedding_scale = config_flag(config, "scale_embedding") ? SCALE_ROOT : SCALE_NONE;
    o->alignment_layer = layers[1];
    o->alignment_head = 1;
    return read_activation(config, &o->activation, e);
}

/* ---- Vocabulary and search ---- */

/* The decoder begins with <pad>, whose embedding is 0, and which is never written. */
static void set_start(Vocabulary *v, const Array *embedding, const cJSON *config,
                      NetworkOptions *o)
{
    const double start = config_number(config, "decoder_start_token_id",
                                   config_number(config, "pad_token_id", v->special[ID_PAD]));
    const size_t width = array_columns(embedding);
    v->special[ID_BOS] = v->special[ID_PAD] = -1;
    if (!(start >= 0 && start < (double)array_rows(embedding))) return;
    SCOPED(xfree_at) real *x = xmalloc(array_count(embedding), sizeof *x);
    real largest = 0;
    array_reals(embedding, 0, x);
    for (size_t j = 0; j < width; j++)
        largest = REAL(fmax)(largest, REAL(fabs)(x[(size_t)start * width + j]));
    o->zero_start = !(largest > 0);
    if (!o->zero_start) v->rows.start = (int)start;
}

static void set_search(const cJSON *config, const cJSON *generation, Model *model)
{
    const double beam = config_number(generation, "num_beams",
                                      config_number(config, "num_beams", 4));
    const double power = config_number(generation, "length_penalty",
                                   config_number(config, "length_penalty", 1));
    const double longest = config_number(config, "max_position_embeddings", 512);
    model->search.beam = beam >= 1 && beam <= 100 ? (int)beam : 4;
    model->search.length_factor = 3;
    model->normalize = power >= 0 && power <= 10 ? power : 1;
    model->longest = longest >= 1 && longest <= LONGEST_MOST ? (int)longest : 512;
}

/* ---- The model ---- */

int import_hugging_face(Foreign *f, Model *model, Err *e)
{
    const Arrays *a = &f->arrays;
    const cJSON *config = package_json(f->package, "config.json");
    const cJSON *tokenizer = package_json(f->package, "tokenizer_config.json");
    NetworkOptions *o = &model->network;
    if (!config) return err(e, "its config.json is missing; name the folder that has both");
    if (read_config(config, o, e)) return -1;
    const Array *table = arrays_find(a, "model.encoder.embed_positions.weight");
    const Array *output = arrays_find(a, "lm_head.weight");
    const Array *source = arrays_matrix(a, "model.encoder.embed_tokens.weight",
                                        "model.shared.weight", e);
    const Array *target = arrays_matrix(a, "model.decoder.embed_tokens.weight",
                                        "model.shared.weight", e);
    if (!source || !target) return -1;
    if (table) read_positions(table, o);
    o->tie = tie_of(source, target, output ? output : target, f->vocabularies.is_shared);
    set_start(f->vocabularies.side[SIDE_TARGET], target, config, o);
    set_search(config, package_json(f->package, "generation_config.json"), model);
    model_language(config_text(tokenizer, "source_lang", NULL), model->text.from);
    model_language(config_text(tokenizer, "target_lang", NULL), model->text.to);
    Mapping mapping = { .rules = rules, .ignored = ignored };
    return model_finish(f, source, target, &mapping, model, e);
}
