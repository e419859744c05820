/* network_options.c - the options of the network, their checks and sizes. */
#include "model/network_options.h"

#include "base/real.h"
#include "model/decoder/decoder_type.h"
#include "nn/cell.h"

#include <stddef.h>

static const char *const readouts[] = { "deep", "simple", NULL };
static const char *const encoders[] = { "recurrent", "self-attention", NULL };
const char *const hard_names[] = { "none", "top", "sampled", NULL };
static const char *const estimators[] = { "straight-through", "reinforce", NULL };
static const char *const starts[] = { "project", "last", NULL };
static const char *const ties[] = { "none", "target", "all", NULL };
static const char *const norms[] = { "post", "pre", NULL };
static const char *const position_kinds[] = { "sinusoidal", "learned", "marian", "hugging-face",
                                              "ctranslate2", NULL };
static const char *const activations[] = { "relu", "swish", "gelu", "gelu-sigmoid", "gelu-tanh",
                                           NULL };
static const char *const scales[] = { "root", "none", NULL };
static const char *const ends[] = { "eos", "none", NULL };
static const char *const recurrences[] = { "none", "ssru", NULL };

#define DECODER_TYPE_HELP(constant, type, name, help) "; " name ": " help
#define AT(member) .offset = offsetof(NetworkOptions, member)
const Field network_fields[] = {
    { .group = "Network", .name = "embedding", .kind = FIELD_INT, AT(embedding), .low = 1,
      .high = 16384, .automatic = 1, .value = "N", .help = "width of the word embeddings",
      .common = 1 },
    { .name = "hidden", .kind = FIELD_INT, AT(hidden), .low = 1, .high = 16384, .automatic = 1,
      .value = "N", .help = "width of a recurrent state", .common = 1 },
    { .name = "cell", .kind = FIELD_CHOICE, AT(cell), .choices = cell_names, .value = "CELL",
      .help = "recurrent cell of encoder and decoder" },
    { .name = "layers", .kind = FIELD_INT, AT(layers), .low = 1, .high = MAX_LAYERS, .automatic = 1,
      .value = "N",
      .help = "recurrent layers of encoder and decoder", .common = 1 },
    { .name = "residual", .kind = FIELD_FLAG, AT(residual),
      .help = "add the input of recurrent layers to their output, from --residual-from on" },
    { .name = "residual-from", .kind = FIELD_INT, AT(residual_from), .low = 2, .high = MAX_LAYERS,
      .value = "N", .help = "with --residual: the first layer that has one" },
    { .name = "bidirectional", .kind = FIELD_FLAG, AT(bidirectional),
      .help = "let the encoder read in both directions" },
    { .name = "bidirectional-layers", .kind = FIELD_INT, AT(bidirectional_layers), .low = 0,
      .high = MAX_LAYERS, .value = "N",
      .help = "with --bidirectional: how many layers do, from the bottom; the others read forward; "
              "0: all" },
    { .name = "encoder", .kind = FIELD_CHOICE, AT(encoder), .choices = encoders, .value = "KIND",
      .help = "recurrent, or self-attention alone over words and positions" },
    { .name = "encoder-attention-layers", .kind = FIELD_INT, AT(encoder_attention_layers), .low = 0,
      .high = MAX_ATTENTION_LAYERS, .value = "N",
      .help = "self-attention layers of the encoder, above the recurrent ones or in place of "
              "them" },
    { .name = "decoder-attention-layers", .kind = FIELD_INT, AT(decoder_attention_layers), .low = 0,
      .high = MAX_ATTENTION_LAYERS, .value = "N",
      .help = "self-attention layers of the decoder, over the words written so far, below the "
              "recurrent ones or in place of them" },
    { .name = "heads", .kind = FIELD_INT, AT(heads), .low = 1, .high = MAX_HEADS, .value = "N",
      .help = "heads of each self-attention layer, which share its width" },
    { .name = "feed-forward", .kind = FIELD_INT, AT(feed_forward), .low = 0, .high = 65536,
      .value = "N",
      .help = "width of the feed-forward layer after each self-attention; 0: 4 x its input in an "
              "encoder or decoder without recurrence, otherwise none" },
    { .name = "norm", .kind = FIELD_CHOICE, AT(norm), .choices = norms, .value = "WHERE",
      .help = "normalise after each part of a self-attention layer (post), which needs a long "
              "warm-up, or its input (pre)" },
    { .name = "positions", .kind = FIELD_CHOICE, AT(positions), .choices = position_kinds,
      .value = "KIND",
      .help = "positions of the words that self-attention reads: sinusoidal, or "
              "--attention-positions N learned vectors, the last for all words from there on; "
              "marian, hugging-face and ctranslate2: the sinusoids of models from there" },
    { .name = "decoder", .kind = FIELD_CHOICE, AT(decoder), .choices = decoder_type_names,
      .value = "TYPE", .help = "what a step does" DECODER_TYPE_TABLE(DECODER_TYPE_HELP) },
    { .name = "attention", .kind = FIELD_CHOICE, AT(attention), .choices = attention_score_names,
      .value = "SCORE", .help = "score of a query and a key", .common = 1 },
    { .name = "attention-width", .kind = FIELD_INT, AT(attention_width), .low = 0, .high = 16384,
      .value = "N", .help = "width of the attention's hidden layer; 0: as --hidden" },
    { .name = "attention-positions", .kind = FIELD_INT, AT(attention_positions), .low = 0,
      .high = 16384, .value = "N",
      .help = "with location and linear: the longest source that they cover, in tokens; with "
              "--positions learned: how many" },
    { .name = "attention-window", .kind = FIELD_INT, AT(attention_window), .low = 0, .high = 16384,
      .value = "D",
      .help = "with local-p and scaled-local-p: positions on each side of the predicted centre" },
    { .name = "hard-attention", .kind = FIELD_CHOICE, AT(hard_attention), .choices = hard_names,
      .value = "KIND",
      .help = "attend to a few positions only: the most probable (top), or sampled ones; none: to "
              "all" },
    { .name = "hard-positions", .kind = FIELD_INT, AT(hard_positions), .low = 1,
      .high = MAX_HARD_POSITIONS,
      .value = "K", .help = "positions of hard attention, each with the weight 1/K" },
    { .name = "hard-gradient", .kind = FIELD_CHOICE, AT(hard_gradient), .choices = estimators,
      .value = "KIND", .help = "gradient of hard attention; reinforce needs sampled positions" },
    { .name = "readout", .kind = FIELD_CHOICE, AT(readout), .choices = readouts, .automatic = 1,
      .value = "KIND",
      .help = "deep: a tanh layer over state, context and last word; simple: the state alone; "
              "auto: deep, of --decoder self-attention simple" },
    { .name = "start", .kind = FIELD_CHOICE, AT(start), .choices = starts, .value = "KIND",
      .help = "first state of the decoder: project the mean encoder state, or copy the last one" },
    { .name = "tie", .kind = FIELD_CHOICE, AT(tie), .choices = ties, .automatic = 1,
      .value = "WHICH",
      .help = "share the weights of the output layer with the target embedding, or with all "
              "embeddings; auto: all, where both sides share a vocabulary" },
    { .name = "layer-norm", .kind = FIELD_FLAG, AT(layer_norm),
      .help = "normalise the inputs of the gates and of the deep readout (layer normalisation)" },
    { .name = "activation", .kind = FIELD_CHOICE, AT(activation), .choices = activations,
      .value = "FUNCTION",
      .help = "function of the feed-forward layers: relu, swish (x times its sigmoid), or gelu "
              "(exact), gelu-sigmoid and gelu-tanh (approximations of it)" },
    { .name = "norm-epsilon", .kind = FIELD_REAL, AT(norm_epsilon), .low = 0, .high = 1,
      .value = "X",
      .help = "what the normalisations of self-attention layers and of embeddings add to the "
              "variance; 0: 0.00001" },
    { .name = "embedding-scale", .kind = FIELD_CHOICE, AT(embedding_scale), .choices = scales,
      .value = "KIND",
      .help = "root: embeddings that are output weights too, or of a decoder without recurrent "
              "layers, are read times the square root of their width; none: none are" },
    { .name = "embedding-norm", .kind = FIELD_FLAG, AT(embedding_norm),
      .help = "normalise the words, with their positions, before anything reads them" },
    { .name = "source-end", .kind = FIELD_CHOICE, AT(source_end), .choices = ends, .value = "WHAT",
      .help = "what the encoder reads behind a source: the token <eos> (eos), or nothing (none)" },
    { .name = "zero-start", .kind = FIELD_FLAG, AT(zero_start),
      .help = "the decoder reads a zero vector before the first word, not an embedding" },
    { .name = "decoder-recurrence", .kind = FIELD_CHOICE, AT(decoder_recurrence),
      .choices = recurrences, .value = "KIND",
      .help = "with --decoder self-attention: how a layer reads the words so far: by self-attention "
              "(none), or in its place by a simpler simple recurrent unit (ssru), which a search "
              "carries in one vector" },
    { .name = "alignment-layer", .kind = FIELD_INT, AT(alignment_layer), .low = 0,
      .high = MAX_ATTENTION_LAYERS, .value = "N",
      .help = "with --decoder self-attention: the layer whose attention is the alignment; 0: the "
              "mean of all" },
    { .name = "alignment-head", .kind = FIELD_INT, AT(alignment_head), .low = 0, .high = MAX_HEADS,
      .value = "N",
      .help = "with --decoder self-attention: the head whose attention is the alignment; 0: the "
              "mean of all" },
    { .name = NULL }
};

NetworkOptions network_original(void)
{
    return (NetworkOptions){ .embedding = 256, .hidden = 256, .layers = 1, .bidirectional = 1,
                             .heads = 4, .decoder = DECODER_ORIGINAL, .attention_window = 10,
                             .hard_positions = 1, .residual_from = 2 };
}

NetworkOptions network_defaults(void)
{
    NetworkOptions options = network_original();
    options.decoder = DECODER_DEFAULT;
    options.layer_norm = 1;
    return options;
}

static const char first_recent[] = "activation";    /* the rows from here on */
enum { ATTENTION_LAYERS_BEFORE = 6 };       /* the most of files of format 3 */

cJSON *network_to_json(const NetworkOptions *options)
{
    const NetworkOptions original = network_original();
    cJSON *json = fields_to_json(network_fields, options);
    cJSON *neutral = fields_to_json(network_fields, &original);
    const Field *recent = fields_find(network_fields, first_recent, sizeof first_recent - 1);
    for (; recent->name; recent++)
        if (cJSON_Compare(cJSON_GetObjectItemCaseSensitive(json, recent->name),
                          cJSON_GetObjectItemCaseSensitive(neutral, recent->name), 1))
            cJSON_DeleteItemFromObjectCaseSensitive(json, recent->name);
    json_free(neutral);
    return json;
}

int network_is_recent(const NetworkOptions *options)
{
    cJSON *json = network_to_json(options);
    int is_recent = options->positions > POSITIONS_LEARNED
                    || options->encoder_attention_layers > ATTENTION_LAYERS_BEFORE
                    || options->decoder_attention_layers > ATTENTION_LAYERS_BEFORE;
    for (const Field *field = fields_find(network_fields, first_recent, sizeof first_recent - 1);
         field->name; field++)
        is_recent |= cJSON_HasObjectItem(json, field->name);
    json_free(json);
    return is_recent;
}

static int attends_in_layers(const NetworkOptions *options)
{
    return !decoder_types[options->decoder]->step;
}

const AttentionScore *network_score(const NetworkOptions *options)
{
    return attends_in_layers(options) ? &score_none : attention_scores[options->attention];
}

int network_has_attention(const NetworkOptions *options)
{
    return attends_in_layers(options) || !network_score(options)->context_forward;
}

int network_can_tie(const NetworkOptions *options)
{
    const Sizes n = network_sizes(options, 0, 0);
    return n.O == n.E;
}

/* The number nearest to `heads` in the given direction that divides D, or 0. */
static int dividing(int heads, int direction, int D)
{
    for (; heads >= 1 && heads <= MAX_HEADS; heads += direction)
        if (D % heads == 0) return heads;
    return 0;
}

static int check_heads(const AttentionStack *stack, const char *side, Err *e)
{
    const int D = stack->sizes.attention.D, heads = stack->sizes.attention.heads;
    if (!stack->layers || D % heads == 0) return 0;
    const int fewer = dividing(heads, -1, D), more = dividing(heads, 1, D);
    if (!more)
        return err(e, "--heads %d does not divide the width %d of the %s's self-attention; take %d",
                   heads, D, side, fewer);
    return err(e, "--heads %d does not divide the width %d of the %s's self-attention; "
                  "take %d or %d", heads, D, side, fewer, more);
}

static int check_residual(const NetworkOptions *options, const Sizes *n, Err *e)
{
    if (options->layers < 2)
        return err(e, "--residual leads past the layers from the second on and needs "
                      "--layers 2 or more");
    if (n->first_residual >= options->layers)
        return err(e, "--residual-from %d is above the last of --layers %d; take %d or less",
                   options->residual_from, options->layers, options->layers);
    for (int l = n->first_residual; l < n->R; l++)
        if (encoder_width(n, l) != encoder_width(n, l - 1))
            return err(e, "--residual can't add the input of the encoder's layer %d, of both "
                          "directions, to its output of one (--bidirectional-layers %d); take "
                          "--residual-from %d", l + 1, options->bidirectional_layers, l + 2);
    return 0;
}

int network_check(const NetworkOptions *o, Err *e)
{
    const Sizes n = network_sizes(o, 0, 0);
    const int alone = attends_in_layers(o), reads_alone = o->encoder == ENCODER_SELF_ATTENTION;
    /* %s is the score's name */
    const struct { int is_broken; const char *message; } rules[] = {
        { alone && !o->decoder_attention_layers,
          "--decoder self-attention has no layers; give it some, for example "
          "--decoder-attention-layers 2" },
        { alone && attention_scores[o->attention] != &score_additive,
          "--decoder self-attention attends by the scaled dot products of its --heads and has no "
          "place for --attention %s; leave it out" },
        { alone && o->hard_attention,
          "--hard-attention chooses from one weight a position, and --decoder self-attention has "
          "one of each head and layer; leave it out" },
        { alone && o->readout == READOUT_DEEP,
          "--readout deep reads a context that --decoder self-attention has added to its state; "
          "use --readout simple" },
        { alone && o->start == START_LAST,
          "--start last sets the first state of a recurrent decoder, and --decoder self-attention "
          "has none; leave it out" },
        { o->hard_gradient == HARD_REINFORCE && o->hard_attention != HARD_SAMPLED,
          "--hard-gradient reinforce learns from sampled positions; it needs "
          "--hard-attention sampled" },
        { o->hard_attention && !network_has_attention(o),
          "--attention %s has no weights that --hard-attention could choose from; take another "
          "score" },
        { o->positions == POSITIONS_LEARNED && !o->attention_positions,
          "--positions learned needs --attention-positions N, how many: as many as the longest "
          "sentence has tokens" },
        { o->positions > POSITIONS_LEARNED && (o->embedding < 4 || o->embedding % 2),
          "--positions marian, hugging-face and ctranslate2 are sines beside as many cosines; make "
          "--embedding even, and at least 4" },
        { o->source_end && !(alone && reads_alone),
          "--source-end none is for --encoder self-attention with --decoder self-attention; add "
          "them" },
        { o->decoder_recurrence && !alone,
          "--decoder-recurrence ssru is for the layers of --decoder self-attention; add it" },
        { (o->alignment_layer || o->alignment_head) && !alone,
          "--alignment-layer and --alignment-head choose among the heads of --decoder "
          "self-attention; add it" },
        { o->alignment_layer > o->decoder_attention_layers,
          "--alignment-layer is above the last of --decoder-attention-layers" },
        { o->alignment_head > o->heads, "--alignment-head is above --heads" },
        { reads_alone && !o->encoder_attention_layers,
          "--encoder self-attention has no layers; give it some, for example "
          "--encoder-attention-layers 2" },
        { reads_alone && !network_has_attention(o),
          "--attention %s takes the encoder's last recurrent state, and --encoder self-attention "
          "has none; use another score" },
        { reads_alone && o->start == START_LAST,
          "--start last copies the encoder's last recurrent state, and --encoder self-attention "
          "has none; use --start project" },
        { o->start == START_LAST && o->bidirectional,
          "--start last copies the encoder's state and needs --no-bidirectional (with two "
          "directions its width is twice the decoder's); use --start project" },
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].is_broken)
            return err(e, rules[i].message, attention_score_names[o->attention]);
    if (o->tie != TIE_NONE && !network_can_tie(o))
        return err(e, "--tie needs an output layer as wide as the embeddings, and that of "
                      "--readout simple has --hidden %d where --embedding is %d; make them "
                      "equal or use --readout deep", o->hidden, o->embedding);
    if (check_heads(&n.self_attention[SIDE_SOURCE], "encoder", e)
        || check_heads(&n.self_attention[SIDE_TARGET], "decoder", e)
        || (o->residual && check_residual(o, &n, e)))
        return -1;
    const AttentionScore *score = network_score(o);
    const ScoreSizes sizes = network_score_sizes(o);
    return score->check ? score->check(&sizes, e) : 0;
}

static real epsilon_of(const NetworkOptions *o)
{
    return o->norm_epsilon > 0 ? (real)o->norm_epsilon : NORM_EPSILON;
}

/* alone: no recurrent layers beside it. */
static AttentionStack stack_of(const NetworkOptions *o, int layers, int D, int causal, int alone)
{
    return (AttentionStack){
        .sizes = { .attention = { .D = D, .heads = o->heads, .causal = causal },
                   .F = o->feed_forward ? o->feed_forward : alone ? 4 * D : 0,
                   .pre = o->norm == NORM_PRE, .activation = o->activation,
                   .recurrence = causal ? o->decoder_recurrence : RECURRENCE_NONE,
                   .epsilon = epsilon_of(o) },
        .layers = layers,
    };
}

int encoder_directions(const Sizes *n, int l)
{
    return l < n->two_way ? 2 : 1;
}

int encoder_width(const Sizes *n, int l)
{
    return encoder_directions(n, l) * n->H;
}

static int two_way_layers(const NetworkOptions *o)
{
    if (!o->bidirectional) return 0;
    return o->bidirectional_layers ? min_int(o->bidirectional_layers, o->layers) : o->layers;
}

Sizes network_sizes(const NetworkOptions *o, int source_vocabulary, int target_vocabulary)
{
    const int recurrent = o->encoder == ENCODER_RECURRENT, alone = attends_in_layers(o);
    const int two_way = two_way_layers(o), top = two_way == o->layers ? 2 : 1;
    const int C = recurrent ? top * o->hidden : o->embedding;
    const Cell *cell = cells[o->cell];
    Sizes n = {
        .E = o->embedding, .H = o->hidden, .C = C, .L = alone ? 0 : o->layers,
        .R = recurrent ? o->layers : 0, .D = alone ? o->embedding : o->hidden,
        .A = o->attention_width ? o->attention_width : o->hidden,
        .Vs = source_vocabulary, .Vt = target_vocabulary, .two_way = two_way,
        .first_residual = !o->residual ? MAX_LAYERS
                          : o->residual_from ? o->residual_from - 1 : 1,
        .G = cell->gates * o->hidden, .Z = cell->states * o->hidden,
        .self_attention = { stack_of(o, o->encoder_attention_layers, C, 0, !recurrent),
                            stack_of(o, o->decoder_attention_layers, o->embedding, 1, alone) },
        .P = o->positions == POSITIONS_LEARNED ? o->attention_positions : 0,
        .normalises_words = o->embedding_norm, .epsilon = epsilon_of(o),
    };
    n.O = o->readout == READOUT_DEEP ? n.E : n.D;
    if (alone) n.self_attention[SIDE_TARGET].sizes.M = C;
    const DecoderShape shape = decoder_types[o->decoder]->shape(&n);
    n.F = shape.fed;
    n.above = shape.context_above ? n.C : 0;
    return n;
}

ScoreSizes network_score_sizes(const NetworkOptions *options)
{
    const Sizes n = network_sizes(options, 0, 0);
    return (ScoreSizes){ .H = n.H, .C = n.C, .E = n.E, .A = n.A,
                         .positions = options->attention_positions,
                         .window = options->attention_window };
}
