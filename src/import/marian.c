/* marian.c - Marian's transformer as attn's network.
 *
 * Only post-norm is taken. Marian before 1.11 (2022) normalises the queries alone where it
 * normalises before a part, and later versions the keys and values of old words not; a file doesn't
 * say which it is.
 */
#include "import/formats.h"

#include "base/mem.h"
#include "import/yaml.h"

#include <stdlib.h>
#include <string.h>

#define TRANSPOSED 1

#define LAYER "{side}_l{N}_"

static const Rule rules[] = {
    { "encoder.embedding.weight", { "Wemb" }, 0 },
    { "encoder.embedding.weight", { "encoder_Wemb" }, 0 },
    { "decoder.embedding.weight", { "decoder_Wemb" }, 0 },
    { "decoder.embedding.weight", { "Wemb" }, 0 },
    { "{side}.embedding_norm.{weight}", { "{side}_emb_ln_{scale}_pre" }, 0 },
    { OWN_LAYER "self_attn.in_proj_{weight}",
      { LAYER "self_{W}q", LAYER "self_{W}k", LAYER "self_{W}v" }, TRANSPOSED },
    { OWN_LAYER "self_attn.out_proj.{weight}", { LAYER "self_{W}o" }, TRANSPOSED },
    { OWN_LAYER "norm1.{weight}", { LAYER "self_Wo_ln_{scale}" }, 0 },
    { OWN_LAYER "ssru.weight", { LAYER "rnn_W", LAYER "rnn_Wf" }, TRANSPOSED },
    { OWN_LAYER "ssru.bias", { LAYER "rnn_bf" }, 0 },
    { OWN_LAYER "norm1.{weight}", { LAYER "rnn_ffn_ln_{scale}" }, 0 },
    { OWN_LAYER "multihead_attn.in_proj_{weight}",
      { LAYER "context_{W}q", LAYER "context_{W}k", LAYER "context_{W}v" }, TRANSPOSED },
    { OWN_LAYER "multihead_attn.out_proj.{weight}", { LAYER "context_{W}o" }, TRANSPOSED },
    { "decoder.layers.{n}.norm2.{weight}", { LAYER "context_Wo_ln_{scale}" }, 0 },
    { OWN_LAYER "linear1.{weight}", { LAYER "ffn_{W}1" }, TRANSPOSED },
    { OWN_LAYER "linear2.{weight}", { LAYER "ffn_{W}2" }, TRANSPOSED },
    { "encoder.layers.{n}.norm2.{weight}", { LAYER "ffn_ffn_ln_{scale}" }, 0 },
    { "decoder.layers.{n}.norm3.{weight}", { LAYER "ffn_ffn_ln_{scale}" }, 0 },
    { "readout.output.weight", { "decoder_ff_logit_out_Wt" }, 0 },
    { "readout.output.weight", { "decoder_ff_logit_out_W" }, TRANSPOSED },
    { "readout.output.bias", { "decoder_ff_logit_out_b" }, 0 },
    { NULL, { NULL }, 0 }
};

/* Bergamot's scales of activations: attn has its own. */
static const char *const ignored[] = { "special:model.yml", "_QuantMultA", NULL };

/* ---- Options ---- */

static const char *option(const YamlMap *yaml, const char *key, const char *by_default)
{
    const char *text = yamlmap_text(yaml, key);
    return text ? text : by_default;
}

static int read_number(const YamlMap *yaml, const char *key, int by_default, int most, int *number,
                       Err *e)
{
    char *end;
    const char *text = option(yaml, key, "");
    const long x = *text ? strtol(text, &end, 10) : by_default;
    if (x < 1 || x > most || (*text && *end))
        return err(e, "its option %s is '%.20s', which is no number from 1 to %d", key, text, most);
    *number = (int)x;
    return 0;
}

/* The layers whose arrays each layer has. Returns how many the option lists; -1: others than there
 * are. */
static int read_tied(const YamlMap *yaml, int layers, int layer[MAX_ATTENTION_LAYERS])
{
    int found = 0;
    for (size_t i = 0; i < yaml->count; i++) {
        const YamlEntry *entry = &yaml->entry[i];
        if (entry->item < 0 || strcmp(entry->key.text, "transformer-tied-layers"))
            continue;
        const long x = strtol(entry->value.text, NULL, 10);
        if (x < 1 || x > layers || found == layers) return -1;
        layer[found++] = (int)x - 1;
    }
    return found;
}

/* Options of networks that attn lacks and whose arrays do not tell, and what they may be. */
static const struct { const char *key, *allowed, *reason; } limits[] = {
    { "type", "|transformer|", "only transformers are read" },
    { "transformer-postprocess", "|dan|an|", "only normalisation behind each part is read" },
    { "transformer-postprocess-emb", "||d|n|nd|dn|", "only their normalisation is read" },
    { "transformer-postprocess-top", "||d|", "nothing behind the last layer is read" },
    { "transformer-ffn-activation", "|relu|swish|gelu|", "relu, swish and gelu are read" },
    { "transformer-decoder-autoreg", "|self-attention|rnn|", "average attention is not read" },
    { "transformer-disable-position-embeddings", "|false|", "positions are read" },
    { "right-left", "|false|", "targets from right to left are not read by themselves" },
    { "lemma-dim-emb", "|0|", "factors are not read" },
};

static int is_allowed(const char *value, const char *allowed)
{
    SCOPED(buf_free) Buf wanted = { 0 };
    buf_printf(&wanted, "|%s|", value);
    return strstr(allowed, wanted.text) != NULL;
}

static int check_options(const YamlMap *yaml, Err *e)
{
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const char *value = yamlmap_text(yaml, limits[i].key);
        if (value && !is_allowed(value, limits[i].allowed))
            return err(e, "its option %s is '%.40s': %s", limits[i].key, value, limits[i].reason);
    }
    if (strpbrk(option(yaml, "transformer-preprocess", ""), "nr"))
        return err(e, "it normalises before each part (transformer-preprocess: n), which versions "
                      "of Marian do differently, and a file does not say which one made it; take a "
                      "model with the usual transformer-postprocess dan, or convert it to Hugging "
                      "Face or CTranslate2 with the program that trained it");
    if (!strcmp(option(yaml, "transformer-decoder-autoreg", ""), "rnn")
        && strcmp(option(yaml, "dec-cell", "gru"), "ssru"))
        return err(e, "its option dec-cell is '%.20s': of recurrent decoders only ssru is read",
                   option(yaml, "dec-cell", "gru"));
    return 0;
}

static int read_options(const YamlMap *yaml, NetworkOptions *o, Err *e)
{
    int width = 0, encoder = 0, decoder = 0;
    if (read_number(yaml, "dim-emb", 512, 65536, &width, e)
        || read_number(yaml, "enc-depth", 1, MAX_ATTENTION_LAYERS, &encoder, e)
        || read_number(yaml, "dec-depth", 1, MAX_ATTENTION_LAYERS, &decoder, e))
        return -1;
    *o = network_of_layers(width, encoder, decoder);
    if (read_number(yaml, "transformer-heads", 8, MAX_HEADS, &o->heads, e)
        || read_number(yaml, "transformer-dim-ffn", 2048, 1 << 20, &o->feed_forward, e))
        return -1;
    const char *activation = option(yaml, "transformer-ffn-activation", "swish");
    const char *guided = option(yaml, "transformer-guided-alignment-layer", "last");
    o->activation = *activation == 'r' ? ACTIVATION_RELU : *activation == 's' ? ACTIVATION_SWISH
                                                           : ACTIVATION_GELU_SIGMOID;
    o->norm_epsilon = 1e-6;
    o->positions = POSITIONS_MARIAN;
    o->zero_start = 1;
    o->embedding_norm = strchr(option(yaml, "transformer-postprocess-emb", "d"), 'n') != NULL;
    if (!strcmp(option(yaml, "transformer-decoder-autoreg", "self-attention"), "rnn"))
        o->decoder_recurrence = RECURRENCE_SSRU;
    o->alignment_layer = !strcmp(guided, "last") ? decoder : (int)strtol(guided, NULL, 10);
    if (o->alignment_layer < 1 || o->alignment_layer > decoder) o->alignment_layer = decoder;
    o->alignment_head = 1;
    return 0;
}

/* ---- Search ---- */

/* The options of a decoder.yml or the like; none where the package has no such file. A vocabulary
 * may have their names as tokens. */
static const YamlMap *decoder_options(const Package *package)
{
    static const YamlMap none = { 0 };
    for (size_t i = 0; i < package->count; i++) {
        const PackageFile *file = &package->file[i];
        if (file->kind == FILE_YAML && (yamlmap_text(&file->yaml, "beam-size")
                                        || yamlmap_text(&file->yaml, "normalize")))
            return &file->yaml;
    }
    return &none;
}

/* Otherwise what the programs take that run such models: a student with an SSRU is Firefox's. */
static void set_search(const Package *package, Model *model)
{
    const int is_student = model->network.decoder_recurrence == RECURRENCE_SSRU;
    const YamlMap *yaml = decoder_options(package);
    const int beam = atoi(option(yaml, "beam-size", is_student ? "1" : "4"));
    const double factor = atof(option(yaml, "max-length-factor", is_student ? "2" : "3"));
    const double normalize = atof(option(yaml, "normalize", "1"));
    const int longest = atoi(option(yaml, "max-length-break", is_student ? "128" : "512"));
    model->search.beam = beam >= 1 && beam <= 100 ? beam : 4;
    model->search.length_factor = factor > 0 && factor <= LENGTH_RATIO_MOST ? factor : 3;
    model->normalize = normalize >= 0 && normalize <= 10 ? normalize : 1;
    model->longest = longest > 1 && longest <= LONGEST_MOST ? longest - 1 : 511;
    if (!strcmp(option(yaml, "allow-unk", "false"), "true")) return;
    model->search.forbidden = xmalloc(1, sizeof *model->search.forbidden);
    *model->search.forbidden = ID_UNK;
    model->search.forbidden_count = 1;
}

/* ---- The model ---- */

int import_marian(Foreign *f, Model *model, Err *e)
{
    const Arrays *a = &f->arrays;
    const Array *options = arrays_find(a, "special:model.yml");
    SCOPED(yamlmap_free) YamlMap yaml = { 0 };
    if (!options)
        return err(e, "it has no special:model.yml with its options, as files of amun and nematus; "
                      "load and save it with a newer Marian");
    if (yamlmap_read(&yaml, array_text(options), e)) return -1;
    const Array *source = arrays_matrix(a, "Wemb", "encoder_Wemb", e);
    const Array *target = arrays_matrix(a, "decoder_Wemb", "Wemb", e);
    const Array *output = arrays_find(a, "decoder_ff_logit_out_Wt");
    int layer[MAX_ATTENTION_LAYERS];
    NetworkOptions *o = &model->network;
    if (!source || !target || check_options(&yaml, e) || read_options(&yaml, o, e)) return -1;
    if (!output) output = arrays_find(a, "decoder_ff_logit_out_W");
    o->tie = tie_of(source, target, output ? output : target, f->vocabularies.is_shared);
    const int tied = read_tied(&yaml, o->decoder_attention_layers, layer);
    if (tied < 0 || (tied && tied != o->decoder_attention_layers))
        return err(e, "its option transformer-tied-layers does not fit its layers");
    Mapping mapping = { .rules = rules, .ignored = ignored,
                        .layer = { NULL, tied ? layer : NULL } };
    set_search(f->package, model);
    /* a vocabulary beside SentencePiece is OPUS-MT's */
    if (f->vocabularies.side[SIDE_SOURCE]->file->kind == FILE_VOCABULARY
        && package_side(f->package, FILE_SENTENCEPIECE, 0))
        f->vocabularies.preparation = PREPARATION_OPUS;
    return model_finish(f, source, target, &mapping, model, e);
}
