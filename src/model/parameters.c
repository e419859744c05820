/* parameters.c - the options of the network and the table of its parameters. */
#include "model/parameters.h"

#include "base/mem.h"
#include "base/rng.h"
#include "model/decoder_type.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const readouts[] = { "deep", "simple", NULL };
static const char *const encoders[] = { "recurrent", "self-attention", NULL };
const char *const hard_names[] = { "none", "top", "sampled", NULL };
static const char *const estimators[] = { "straight-through", "reinforce", NULL };
static const char *const starts[] = { "project", "last", NULL };
static const char *const ties[] = { "none", "target", "all", NULL };

#define DECODER_TYPE_HELP(constant, type, name, help) "; " name ": " help
#define AT(member) .offset = offsetof(NetworkOptions, member)
const Field network_fields[] = {
    { .group = "Network", .name = "embedding", .kind = FIELD_INT, AT(embedding), .low = 1, .high = 16384, .automatic = 1,
      .value = "N", .help = "width of the word embeddings" },
    { .name = "hidden", .kind = FIELD_INT, AT(hidden), .low = 1, .high = 16384, .automatic = 1,
      .value = "N", .help = "width of a recurrent state; the encoder has one for each direction" },
    { .name = "cell", .kind = FIELD_CHOICE, AT(cell), .choices = cell_names, .value = "CELL",
      .help = "recurrent cell of encoder and decoder" },
    { .name = "layers", .kind = FIELD_INT, AT(layers), .low = 1, .high = MAX_LAYERS, .automatic = 1,
      .value = "N", .help = "recurrent layers of the encoder and of the decoder" },
    { .name = "residual", .kind = FIELD_FLAG, AT(residual),
      .help = "add the input of each recurrent layer but the first to its output" },
    { .name = "bidirectional", .kind = FIELD_FLAG, AT(bidirectional),
      .help = "let the encoder read in both directions" },
    { .name = "encoder", .kind = FIELD_CHOICE, AT(encoder), .choices = encoders, .value = "KIND",
      .help = "recurrent, or self-attention alone over words and positions" },
    { .name = "encoder-attention-layers", .kind = FIELD_INT, AT(encoder_attention_layers), .low = 0,
      .high = MAX_ATTENTION_LAYERS, .value = "N",
      .help = "self-attention layers of the encoder, above the recurrent ones or in place of "
              "them" },
    { .name = "decoder-attention-layers", .kind = FIELD_INT, AT(decoder_attention_layers), .low = 0,
      .high = MAX_ATTENTION_LAYERS, .value = "N",
      .help = "self-attention layers of the decoder, over the words written so far" },
    { .name = "heads", .kind = FIELD_INT, AT(heads), .low = 1, .high = MAX_HEADS, .value = "N",
      .help = "heads of each self-attention layer" },
    { .name = "feed-forward", .kind = FIELD_INT, AT(feed_forward), .low = 0, .high = 65536, .value = "N",
      .help = "width of the feed-forward layer after each self-attention; 0: 4 x its input in an "
              "encoder without recurrence, otherwise none" },
    { .name = "decoder", .kind = FIELD_CHOICE, AT(decoder), .choices = decoder_type_names, .value = "TYPE",
      .help = "what a step does" DECODER_TYPE_TABLE(DECODER_TYPE_HELP) },
    { .name = "attention", .kind = FIELD_CHOICE, AT(attention), .choices = attention_score_names, .value = "SCORE",
      .help = "score of a query and a key" },
    { .name = "attention-width", .kind = FIELD_INT, AT(attention_width), .low = 0, .high = 16384, .value = "N",
      .help = "width of the attention's hidden layer; 0: as --hidden" },
    { .name = "attention-positions", .kind = FIELD_INT, AT(attention_positions), .low = 0, .high = 16384, .value = "N",
      .help = "with location: the longest source that it covers, in tokens" },
    { .name = "attention-window", .kind = FIELD_INT, AT(attention_window), .low = 0, .high = 16384, .value = "D",
      .help = "with local-p: positions on each side of the predicted centre" },
    { .name = "hard-attention", .kind = FIELD_CHOICE, AT(hard_attention), .choices = hard_names, .value = "KIND",
      .help = "attend to a few positions only: the most probable (top), or sampled ones; none: to "
              "all" },
    { .name = "hard-positions", .kind = FIELD_INT, AT(hard_positions), .low = 1, .high = MAX_HARD_POSITIONS,
      .value = "K", .help = "positions of hard attention, each with the weight 1/K" },
    { .name = "hard-gradient", .kind = FIELD_CHOICE, AT(hard_gradient), .choices = estimators, .value = "KIND",
      .help = "gradient of hard attention; reinforce needs sampled positions" },
    { .name = "readout", .kind = FIELD_CHOICE, AT(readout), .choices = readouts, .value = "KIND",
      .help = "deep: a tanh layer over state, context and last word; simple: the state alone" },
    { .name = "start", .kind = FIELD_CHOICE, AT(start), .choices = starts, .value = "KIND",
      .help = "first state of the decoder: project the mean encoder state, or copy the last one" },
    { .name = "tie", .kind = FIELD_CHOICE, AT(tie), .choices = ties, .automatic = 1, .value = "WHICH",
      .help = "share the weights of the output layer with the target embedding, or with all "
              "embeddings; auto: all, where both sides share a vocabulary" },
    { .name = "layer-norm", .kind = FIELD_FLAG, AT(layer_norm),
      .help = "normalise the inputs of the gates and of the deep readout (layer normalisation)" },
    { .name = NULL }
};

NetworkOptions network_original(void)
{
    return (NetworkOptions){ .embedding = 256, .hidden = 256, .layers = 1, .bidirectional = 1,
                             .heads = 4, .decoder = DECODER_ORIGINAL, .attention_window = 10,
                             .hard_positions = 1 };
}

NetworkOptions network_defaults(void)
{
    NetworkOptions options = network_original();
    options.decoder = DECODER_DEFAULT;
    options.layer_norm = 1;
    return options;
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
        return err(e, "--heads %d does not divide the width %d of the %s's self-attention; take %d", heads, D, side,
                   fewer);
    return err(e, "--heads %d does not divide the width %d of the %s's self-attention; take %d or %d", heads, D, side,
               fewer, more);
}

static int check_self_attention(const NetworkOptions *options, Err *e)
{
    const Sizes n = network_sizes(options, 0, 0);
    if (check_heads(&n.encoder_attention, "encoder", e) || check_heads(&n.decoder_attention, "decoder", e)) return -1;
    if (options->encoder != ENCODER_SELF_ATTENTION) return 0;
    if (!options->encoder_attention_layers)
        return err(e, "--encoder self-attention has no layers; give it some, for example --encoder-attention-layers 2");
    if (!network_has_attention(options))
        return err(e, "--attention %s takes the encoder's last recurrent state, and --encoder self-attention has none; "
                      "use another score", attention_score_names[options->attention]);
    if (options->start == START_LAST)
        return err(e, "--start last copies the encoder's last recurrent state, and --encoder self-attention has none; "
                      "use --start project");
    return 0;
}

static int check_hard(const NetworkOptions *options, Err *e)
{
    if (options->hard_gradient == HARD_REINFORCE && options->hard_attention != HARD_SAMPLED)
        return err(e, "--hard-gradient reinforce learns from what is drawn; it needs --hard-attention sampled");
    if (options->hard_attention && !network_has_attention(options))
        return err(e, "--attention %s has no weights that --hard-attention could choose from; take another score",
                   attention_score_names[options->attention]);
    return 0;
}

int network_has_attention(const NetworkOptions *options)
{
    return !attention_scores[options->attention]->context_forward;
}

int network_check(const NetworkOptions *options, Err *e)
{
    if (check_hard(options, e)) return -1;
    if (check_self_attention(options, e)) return -1;
    if (options->start == START_LAST && options->bidirectional)
        return err(e, "--start last copies the encoder's state and needs --no-bidirectional "
                      "(with two directions its width is twice the decoder's); use --start project");
    if (options->tie != TIE_NONE && options->readout == READOUT_SIMPLE && options->embedding != options->hidden)
        return err(e, "--tie needs an output layer as wide as the embeddings, and that of --readout simple has "
                      "--hidden %d where --embedding is %d; make them equal or use --readout deep", options->hidden,
                   options->embedding);
    if (options->residual && options->layers < 2)
        return err(e, "--residual leads past the layers from the second on and needs --layers 2 or more");
    const AttentionScore *score = attention_scores[options->attention];
    const ScoreSizes sizes = network_score_sizes(options);
    return score->check ? score->check(&sizes, e) : 0;
}

static AttentionStack stack_of(const NetworkOptions *o, int layers, int D, int causal, int default_feed_forward)
{
    return (AttentionStack){ { { .D = D, .heads = o->heads, .causal = causal },
                               .F = o->feed_forward ? o->feed_forward : default_feed_forward }, layers };
}

Sizes network_sizes(const NetworkOptions *o, int source_vocabulary, int target_vocabulary)
{
    const int directions = o->bidirectional ? 2 : 1;
    const int recurrent = o->encoder == ENCODER_RECURRENT, C = recurrent ? directions * o->hidden : o->embedding;
    const Cell *cell = cells[o->cell];
    Sizes n = {
        .E = o->embedding, .H = o->hidden, .C = C, .L = o->layers, .R = recurrent ? o->layers : 0,
        .A = o->attention_width ? o->attention_width : o->hidden,
        .Vs = source_vocabulary, .Vt = target_vocabulary, .directions = directions,
        .G = cell->gates * o->hidden, .Z = cell->states * o->hidden,
        .encoder_attention = stack_of(o, o->encoder_attention_layers, C, 0, recurrent ? 0 : 4 * C),
        .decoder_attention = stack_of(o, o->decoder_attention_layers, o->embedding, 1, 0),
        .O = o->readout == READOUT_DEEP ? o->embedding : o->hidden,
    };
    n.F = decoder_types[o->decoder]->shape(&n).fed;
    return n;
}

ScoreSizes network_score_sizes(const NetworkOptions *options)
{
    const Sizes n = network_sizes(options, 0, 0);
    return (ScoreSizes){ .H = n.H, .C = n.C, .A = n.A, .positions = options->attention_positions,
                         .window = options->attention_window };
}

/* ---- the table ---- */

enum { TENSOR_ALIGNMENT = 16 };     /* reals: a cache line of floats */

/* Adds one row; the name is formatted. The caller fills what is special. */
__attribute__((format(printf, 5, 6)))
static Parameter *add(ParameterTable *t, size_t field, int rows, int columns, const char *format, ...)
{
    Parameter *p = &t->row[t->count++];
    *p = (Parameter){ .rows = rows, .columns = columns, .init = columns ? INIT_XAVIER : INIT_ZERO,
                      .at = t->size, .field = field };
    va_list args;
    va_start(args, format);
    vsnprintf(p->name, sizeof p->name, format, args);
    va_end(args);
    size_t count = parameter_count(p);
    t->size += (count + TENSOR_ALIGNMENT - 1) / TENSOR_ALIGNMENT * TENSOR_ALIGNMENT;
    t->values += count;
    return p;
}

/* The output layer touches all rows of an embedding that is tied to it. */
static void add_embedding(ParameterTable *t, size_t field, int V, int E, const char *side, Touches touches, int is_tied)
{
    Parameter *p = add(t, field, V, E, "%s.embedding.weight", side);
    p->init = is_tied ? INIT_TIED : INIT_EMBEDDING;
    p->touches = is_tied ? TOUCHES_ALL : touches;
}

/* Some columns of p, or all, become a weight. */
static void read_columns(ParameterTable *t, size_t field, const Parameter *p, int first, int columns, Reads reads)
{
    t->block[t->blocks++] = (WeightBlock){ .at = p->at + (size_t)first, .ld = p->columns, .rows = p->rows,
                                           .columns = columns, .reads = reads, .field = field };
}

static void read_all(ParameterTable *t, size_t field, const Parameter *p, Reads reads)
{
    read_columns(t, field, p, 0, p->columns, reads);
}

static void add_norm(ParameterTable *t, size_t norm, int n, const char *name)
{
    add(t, norm + offsetof(NormWeights, gain), n, 0, "%s.weight", name)->init = INIT_ONE;
    add(t, norm + offsetof(NormWeights, bias), n, 0, "%s.bias", name);
}

/* rnn: the module of PyTorch that has such a cell; suffix: which of its cells. */
static void add_cell_norm(ParameterTable *t, size_t cell, const char *rnn, const char *suffix, int G)
{
    char input[sizeof t->row->name - 8], state[sizeof input];
    snprintf(input, sizeof input, "%s_norm.ih%s", rnn, suffix);
    snprintf(state, sizeof state, "%s_norm.hh%s", rnn, suffix);
    add_norm(t, cell + offsetof(CellWeights, input_norm), G, input);
    add_norm(t, cell + offsetof(CellWeights, state_norm), G, state);
}

/* Returns the weight of the input, which is the caller's to be read. */
static const Parameter *add_cell(ParameterTable *t, size_t cell, const char *rnn, const char *suffix, int I,
                                 const Sizes *n)
{
    const Parameter *W = add(t, NO_FIELD, n->G, I, "%s.weight_ih%s", rnn, suffix);
    const Parameter *U = add(t, NO_FIELD, n->G, n->H, "%s.weight_hh%s", rnn, suffix);
    read_all(t, cell + offsetof(CellWeights, U), U, READS_EACH_STEP);
    add(t, cell + offsetof(CellWeights, b), n->G, 0, "%s.bias_ih%s", rnn, suffix);
    add(t, cell + offsetof(CellWeights, c), n->G, 0, "%s.bias_hh%s", rnn, suffix);
    if (t->layer_norm) add_cell_norm(t, cell, rnn, suffix, n->G);
    return W;
}

static void add_encoder_layer(ParameterTable *t, int l, int direction, const Sizes *n)
{
    const size_t cell = offsetof(Weights, encoder) + (size_t)(2 * l + direction) * sizeof(CellWeights);
    char suffix[24];
    snprintf(suffix, sizeof suffix, "_l%d%s", l, direction ? "_reverse" : "");
    const Parameter *W = add_cell(t, cell, "encoder.rnn", suffix, l ? n->C : n->E, n);
    read_all(t, cell + offsetof(CellWeights, W), W, READS_ONCE);
}

/* Layer 0 reads the words of all steps at once, and in each step what is fed. */
static void add_decoder_layer(ParameterTable *t, int l, const Sizes *n)
{
    const size_t cell = offsetof(Weights, decoder) + (size_t)l * sizeof(CellWeights);
    char suffix[24];
    snprintf(suffix, sizeof suffix, "_l%d", l);
    const Parameter *W = add_cell(t, cell, "decoder.rnn", suffix, l ? n->H : n->E + n->F, n);
    read_columns(t, cell + offsetof(CellWeights, W), W, 0, l ? n->H : n->E, l ? READS_EACH_STEP : READS_ONCE);
    if (!l && n->F) read_columns(t, offsetof(Weights, feed), W, n->E, n->F, READS_EACH_STEP);
}

/* A decoder type's own cell, which reads in each step. */
static void add_type_cell(ParameterTable *t, const DecoderShape *shape, const Sizes *n)
{
    const size_t cell = offsetof(Weights, type.cell);
    char rnn[sizeof t->row->name - 24];
    snprintf(rnn, sizeof rnn, "decoder.%s", shape->cell.name);
    const Parameter *W = add_cell(t, cell, rnn, "", shape->cell.input, n);
    read_all(t, cell + offsetof(CellWeights, W), W, READS_EACH_STEP);
}

static void add_layer_norm(ParameterTable *t, size_t norm, const char *side, int layer, int number, int D)
{
    char name[sizeof t->row->name - 8];
    snprintf(name, sizeof name, "%s.layers.%d.norm%d", side, layer, number);
    add_norm(t, norm, D, name);
}

static void add_self_attention(ParameterTable *t, size_t weights, const char *side, int l, const SelfAttentionSizes *n)
{
    const int D = n->attention.D, F = n->F;
#define MEMBER(member) weights + offsetof(SelfAttentionWeights, member)
    const Parameter *in = add(t, NO_FIELD, 3 * D, D, "%s.layers.%d.self_attn.in_proj_weight", side, l);
    add(t, MEMBER(in_bias), 3 * D, 0, "%s.layers.%d.self_attn.in_proj_bias", side, l);
    const Parameter *out = add(t, NO_FIELD, D, D, "%s.layers.%d.self_attn.out_proj.weight", side, l);
    add(t, MEMBER(out_bias), D, 0, "%s.layers.%d.self_attn.out_proj.bias", side, l);
    add_layer_norm(t, MEMBER(norm1), side, l, 1, D);
    read_all(t, MEMBER(in), in, READS_ONCE);
    read_all(t, MEMBER(out), out, READS_ONCE);
    if (!F) return;
    read_all(t, MEMBER(linear1), add(t, NO_FIELD, F, D, "%s.layers.%d.linear1.weight", side, l), READS_ONCE);
    add(t, MEMBER(bias1), F, 0, "%s.layers.%d.linear1.bias", side, l);
    read_all(t, MEMBER(linear2), add(t, NO_FIELD, D, F, "%s.layers.%d.linear2.weight", side, l), READS_ONCE);
    add(t, MEMBER(bias2), D, 0, "%s.layers.%d.linear2.bias", side, l);
    add_layer_norm(t, MEMBER(norm2), side, l, 2, D);
#undef MEMBER
}

static void add_attention_stack(ParameterTable *t, size_t first, const char *side, const AttentionStack *stack)
{
    for (int l = 0; l < stack->layers; l++)
        add_self_attention(t, first + (size_t)l * sizeof(SelfAttentionWeights), side, l, &stack->sizes);
}

static void add_encoder(ParameterTable *t, const Sizes *n)
{
    add_embedding(t, offsetof(Weights, source_embedding), n->Vs, n->E, "encoder", TOUCHES_SOURCE_ROWS,
                  t->tie == TIE_ALL);
    for (int l = 0; l < n->R; l++)
        for (int d = 0; d < n->directions; d++)
            add_encoder_layer(t, l, d, n);
    add_attention_stack(t, offsetof(Weights, encoder_attention), "encoder", &n->encoder_attention);
}

/* The rows of each layer are a weight. */
static void add_bridge(ParameterTable *t, const Sizes *n)
{
    const Parameter *p = add(t, NO_FIELD, n->L * n->Z, n->C, "bridge.weight");
    add(t, offsetof(Weights, bridge_bias), n->L * n->Z, 0, "bridge.bias");
    for (int l = 0; l < n->L; l++)
        t->block[t->blocks++] = (WeightBlock){ .at = p->at + (size_t)l * n->Z * n->C, .ld = n->C, .rows = n->Z,
                                               .columns = n->C, .reads = READS_ONCE,
                                               .field = offsetof(Weights, bridge) + (size_t)l * sizeof(Linear) };
}

/* The parameter's blocks of columns of these widths become the Linears from `field` on; 0 ends them. Returns the field
 * of the next. */
static size_t read_blocks(ParameterTable *t, size_t field, const Parameter *p, const int *width, Reads reads)
{
    for (int first = 0; *width; first += *width++, field += sizeof(Linear))
        read_columns(t, field, p, first, *width, reads);
    return field;
}

static void add_type_matrices(ParameterTable *t, const DecoderShape *shape)
{
    size_t field = offsetof(Weights, type.linear);
    for (const DecoderMatrix *m = shape->matrix; m->name; m++) {
        int columns = 0;
        for (const int *width = m->block; *width; width++)
            columns += *width;
        const Parameter *p = add(t, NO_FIELD, m->rows, columns, "decoder.%s.weight", m->name);
        field = read_blocks(t, field, p, m->block, READS_EACH_STEP);
    }
}

static void add_decoder(ParameterTable *t, const NetworkOptions *o, const Sizes *n)
{
    const DecoderShape shape = decoder_types[o->decoder]->shape(n);
    if (o->start == START_PROJECT) add_bridge(t, n);
    if (t->tie != TIE_ALL)
        add_embedding(t, offsetof(Weights, target_embedding), n->Vt, n->E, "decoder", TOUCHES_TARGET_ROWS,
                      t->tie == TIE_TARGET);
    for (int l = 0; l < n->L; l++)
        add_decoder_layer(t, l, n);
    if (shape.cell.name) add_type_cell(t, &shape, n);
    add_attention_stack(t, offsetof(Weights, decoder_attention), "decoder", &n->decoder_attention);
    add_type_matrices(t, &shape);
}

/* Returns where the next one's weights begin. */
static size_t add_score_parameter(ParameterTable *t, size_t field, const ScoreParameter *p)
{
    const Parameter *row = add(t, NO_FIELD, p->rows, p->columns, "%s", p->name);
    if (p->query) {
        read_columns(t, field, row, 0, p->query, READS_EACH_STEP);
        field += sizeof(Linear);
    }
    if (p->query < p->columns) {
        read_columns(t, field, row, p->query, p->columns - p->query, READS_ONCE);
        field += sizeof(Linear);
    }
    return field;
}

static void add_score(ParameterTable *t, const NetworkOptions *o)
{
    const ScoreSizes n = network_score_sizes(o);
    const ScoreShape shape = attention_scores[o->attention]->shape(&n);
    size_t field = offsetof(Weights, score);
    for (const ScoreParameter *p = shape.parameter; p->name; p++)
        field = add_score_parameter(t, field, p);
}

/* The embedding that is the weight of the output layer, too. */
static const Parameter *tied_embedding(const ParameterTable *t)
{
    const size_t field = t->tie == TIE_ALL ? offsetof(Weights, source_embedding) : offsetof(Weights, target_embedding);
    const Parameter *p = t->row;
    while (p->field != field) p++;
    return p;
}

static void add_readout(ParameterTable *t, const NetworkOptions *o, const Sizes *n)
{
    if (o->readout == READOUT_DEEP) {
        const Parameter *p = add(t, NO_FIELD, n->E, n->H + n->C + n->E, "readout.hidden.weight");
        read_blocks(t, offsetof(Weights, hidden), p, (int[]){ n->H, n->C, n->E, 0 }, READS_ONCE);
        add(t, offsetof(Weights, hidden_bias), n->E, 0, "readout.hidden.bias");
        if (t->layer_norm) add_norm(t, offsetof(Weights, hidden_norm), n->E, "readout.norm");
    }
    const Parameter *output = t->tie == TIE_NONE ? add(t, NO_FIELD, n->Vt, n->O, "readout.output.weight")
                                                 : tied_embedding(t);
    read_all(t, offsetof(Weights, output), output, READS_EACH_CHUNK);
    add(t, offsetof(Weights, output_bias), n->Vt, 0, "readout.output.bias");
}

ParameterTable *parameters_new(const NetworkOptions *options, int source_vocabulary, int target_vocabulary)
{
    enum { MOST = 2 + 8 * (3 * MAX_LAYERS + 1) + 12 * 2 * MAX_ATTENTION_LAYERS + 2 + DECODER_LINEARS
                  + SCORE_PARAMETERS + 6 };
    const Sizes n = network_sizes(options, source_vocabulary, target_vocabulary);
    ParameterTable *t = xcalloc(1, sizeof *t);
    t->row = xcalloc(MOST, sizeof *t->row);
    t->block = xcalloc(MOST + MAX_LAYERS + HIDDEN_BLOCKS, sizeof *t->block);
    t->tie = options->tie;
    t->layer_norm = options->layer_norm;
    add_encoder(t, &n);
    add_decoder(t, options, &n);
    add_score(t, options);
    add_readout(t, options, &n);
    return t;
}

void parameters_free(ParameterTable *table)
{
    if (!table) return;
    free(table->row);
    free(table->block);
    free(table);
}

size_t parameter_count(const Parameter *p)
{
    return (size_t)p->rows * (p->columns ? (size_t)p->columns : 1);
}

_Static_assert(offsetof(Weights, precision) == NO_FIELD, "NO_FIELD would be a pointer's");

Weights weights_in(const ParameterTable *table, real *block, Precision precision)
{
    Weights w = { .precision = precision };
    for (int i = 0; i < table->count; i++)
        if (table->row[i].field != NO_FIELD)
            *(real **)((char *)&w + table->row[i].field) = block + table->row[i].at;
    for (int i = 0; i < table->blocks; i++) {
        const WeightBlock *b = &table->block[i];
        *(Linear *)((char *)&w + b->field) = linear_of(block + b->at, b->ld, b->rows, b->columns, precision);
    }
    if (table->tie == TIE_ALL) w.target_embedding = w.source_embedding;
    return w;
}

Weights weights_at(const ParameterTable *table, real *block)
{
    return weights_in(table, block, PRECISION_FLOAT);
}

/* Box and Muller (1958): two uniform numbers make a normal one. */
static double normal(uint64_t key, uint64_t counter)
{
    double u = 1 - rng_uniform(key, 2 * counter), v = rng_uniform(key, 2 * counter + 1);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

static void init_one(const Parameter *p, real *x, uint64_t key)
{
    double bound = sqrt(6.0 / (p->rows + p->columns)), deviation = p->columns ? 1 / sqrt(p->columns) : 0;
    for (size_t i = 0; i < parameter_count(p); i++) {
        switch (p->init) {
        case INIT_ZERO:      x[i] = 0; break;
        case INIT_ONE:       x[i] = 1; break;
        case INIT_XAVIER:    x[i] = (real)(bound * (2 * rng_uniform(key, i) - 1)); break;
        case INIT_EMBEDDING: x[i] = (real)normal(key, i); break;
        case INIT_TIED:      x[i] = (real)(deviation * normal(key, i)); break;
        }
    }
}

void parameters_init(const ParameterTable *table, real *block, uint64_t seed)
{
    for (int i = 0; i < table->count; i++)
        init_one(&table->row[i], block + table->row[i].at, rng_key(seed, (uint64_t)i, RNG_INIT));
}
