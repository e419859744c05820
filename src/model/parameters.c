/* parameters.c - the table of the parameters. */
#include "model/parameters.h"

#include "base/mem.h"
#include "base/random/rng.h"
#include "model/decoder/decoder_type.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TENSOR_ALIGNMENT = 16 };     /* reals: a cache line of floats */

/* Adds one row with a formatted name and returns it; the caller sets what differs from the
 * default. */
__attribute__((format(printf, 5, 6)))
static Parameter *add(ParameterTable *t, size_t field, int rows, int columns, const char *format,
                      ...)
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

static const char *const sides[] = { "encoder", "decoder" };

/* A batch touches all rows of an embedding that is tied to the output layer. */
static void add_embedding(ParameterTable *t, PassSide side, int V, const Sizes *n, int is_tied)
{
    const size_t field = offsetof(Weights, embedding) + side * sizeof(real *);
    Parameter *p = add(t, field, V, n->E, "%s.embedding.weight", sides[side]);
    p->init = is_tied || !n->L ? INIT_SMALL : INIT_EMBEDDING;
    p->touches = is_tied ? TOUCHES_ALL : side ? TOUCHES_TARGET_ROWS : TOUCHES_SOURCE_ROWS;
}

static void add_positions(ParameterTable *t, PassSide side, const Sizes *n)
{
    const size_t field = offsetof(Weights, positions) + side * sizeof(real *);
    if (n->P) add(t, field, n->P, n->E, "%s.positions.weight", sides[side])->init = INIT_SMALL;
}

/* Makes a Linear of a block of p, which begins at this value of it. */
static void read_block(ParameterTable *t, size_t field, const Parameter *p, size_t begin, int rows,
                       int columns, Reads reads)
{
    t->block[t->blocks++] = (WeightBlock){ .at = p->at + begin, .ld = p->columns, .rows = rows,
                                           .columns = columns, .reads = reads, .per = t->per,
                                           .field = field };
}

static void read_columns(ParameterTable *t, size_t field, const Parameter *p, int first,
                         int columns, Reads reads)
{
    read_block(t, field, p, (size_t)first, p->rows, columns, reads);
}

static void read_all(ParameterTable *t, size_t field, const Parameter *p, Reads reads)
{
    read_columns(t, field, p, 0, p->columns, reads);
}

/* Makes the parameter's blocks of columns of these widths, ended by 0, the Linears from `field` on.
 * Returns the field after the last. */
static size_t read_blocks(ParameterTable *t, size_t field, const Parameter *p, const int *width,
                          Reads reads)
{
    for (int first = 0; *width; first += *width++, field += sizeof(Linear))
        read_columns(t, field, p, first, *width, reads);
    return field;
}

/* The name of a module, whose parameters have longer ones. */
typedef struct { char text[sizeof ((Parameter *)0)->name - 8]; } Name;

__attribute__((format(printf, 1, 2)))
static Name name_of(const char *format, ...)
{
    Name name;
    va_list args;
    va_start(args, format);
    vsnprintf(name.text, sizeof name.text, format, args);
    va_end(args);
    return name;
}

static void add_norm(ParameterTable *t, size_t norm, int n, Name name)
{
    add(t, norm + offsetof(NormWeights, gain), n, 0, "%s.weight", name.text)->init = INIT_ONE;
    add(t, norm + offsetof(NormWeights, bias), n, 0, "%s.bias", name.text);
}

/* A linear map that is read once. */
static void add_linear(ParameterTable *t, size_t weight, size_t bias, int rows, int columns,
                       Name name)
{
    read_all(t, weight, add(t, NO_FIELD, rows, columns, "%s.weight", name.text), READS_ONCE);
    add(t, bias, rows, 0, "%s.bias", name.text);
}

/* rnn: the PyTorch module with such a cell; suffix: which of its cells. Returns the weight of the
 * input; the caller makes its Linears. */
static const Parameter *add_cell(ParameterTable *t, size_t cell, const char *rnn,
                                 const char *suffix, int I, const Sizes *n)
{
    const Parameter *W = add(t, NO_FIELD, n->G, I, "%s.weight_ih%s", rnn, suffix);
    const Parameter *U = add(t, NO_FIELD, n->G, n->H, "%s.weight_hh%s", rnn, suffix);
    read_all(t, cell + offsetof(CellWeights, U), U, READS_EACH_STEP);
    add(t, cell + offsetof(CellWeights, b), n->G, 0, "%s.bias_ih%s", rnn, suffix);
    add(t, cell + offsetof(CellWeights, c), n->G, 0, "%s.bias_hh%s", rnn, suffix);
    if (t->layer_norm) {
        add_norm(t, cell + offsetof(CellWeights, input_norm), n->G,
                 name_of("%s_norm.ih%s", rnn, suffix));
        add_norm(t, cell + offsetof(CellWeights, state_norm), n->G,
                 name_of("%s_norm.hh%s", rnn, suffix));
    }
    return W;
}

/* Layer 0 reads the words of all steps at once, and what is fed to a layer in each step. */
static void add_decoder_layer(ParameterTable *t, int l, const Sizes *n)
{
    const size_t cell = offsetof(Weights, decoder) + (size_t)l * sizeof(CellWeights);
    const size_t feed = offsetof(Weights, feed) + (size_t)l * sizeof(Linear);
    const int below = l ? n->H : n->E, fed = l ? n->above : n->F;
    const Parameter *W = add_cell(t, cell, "decoder.rnn", name_of("_l%d", l).text, below + fed, n);
    read_columns(t, cell + offsetof(CellWeights, W), W, 0, below,
                 l ? READS_EACH_STEP : READS_ONCE);
    if (fed) read_columns(t, feed, W, below, fed, READS_EACH_STEP);
}

#define MEMBER(member) weights + offsetof(SelfAttentionWeights, member)

/* Queries, keys and values of the memory: one matrix if the memory has the layer's width, otherwise
 * three, as in nn.MultiheadAttention. */
static void add_source_attention(ParameterTable *t, size_t weights, const char *layer, int D, int M)
{
    static const char *const names[] = { "q", "k", "v" };
    const size_t fields[] = { MEMBER(source.query), MEMBER(source.key), MEMBER(source.value) };
    const Parameter *all = M == D ? add(t, NO_FIELD, 3 * D, D, "%s.multihead_attn.in_proj_weight",
                                        layer) : NULL;
    for (int i = 0; i < 3; i++) {
        const int columns = i ? M : D;
        t->per = i ? PER_SOURCE_TOKEN : PER_TARGET_TOKEN;
        const Parameter *own = all ? all : add(t, NO_FIELD, D, columns,
                                               "%s.multihead_attn.%s_proj_weight", layer, names[i]);
        read_block(t, fields[i], own, all ? (size_t)i * D * D : 0, D, columns, READS_ONCE);
    }
    t->per = PER_TARGET_TOKEN;
    add(t, MEMBER(source.in_bias), 3 * D, 0, "%s.multihead_attn.in_proj_bias", layer);
    add_linear(t, MEMBER(source.out), MEMBER(source.out_bias), D, D,
               name_of("%s.multihead_attn.out_proj", layer));
    add_norm(t, MEMBER(source.norm), D, name_of("%s.norm2", layer));
}

static void add_self_attention(ParameterTable *t, size_t weights, const char *layer,
                               const SelfAttentionSizes *n)
{
    const int D = n->attention.D;
    if (n->recurrence) {
        read_all(t, MEMBER(ssru.weight), add(t, NO_FIELD, 2 * D, D, "%s.ssru.weight", layer),
                 READS_ONCE);
        add(t, MEMBER(ssru.bias), D, 0, "%s.ssru.bias", layer);
    } else {
        read_all(t, MEMBER(in), add(t, NO_FIELD, 3 * D, D, "%s.self_attn.in_proj_weight", layer),
                 READS_ONCE);
        add(t, MEMBER(in_bias), 3 * D, 0, "%s.self_attn.in_proj_bias", layer);
        add_linear(t, MEMBER(out), MEMBER(out_bias), D, D, name_of("%s.self_attn.out_proj", layer));
    }
    add_norm(t, MEMBER(norm1), D, name_of("%s.norm1", layer));
    if (n->M) add_source_attention(t, weights, layer, D, n->M);
    if (!n->F) return;
    add_linear(t, MEMBER(linear1), MEMBER(bias1), n->F, D, name_of("%s.linear1", layer));
    add_linear(t, MEMBER(linear2), MEMBER(bias2), D, n->F, name_of("%s.linear2", layer));
    add_norm(t, MEMBER(norm2), D, name_of("%s.norm%d", layer, n->M ? 3 : 2));
}
#undef MEMBER

static void add_attention_stack(ParameterTable *t, PassSide side, const AttentionStack *stack)
{
    const size_t first = offsetof(Weights, self_attention)
                         + side * MAX_ATTENTION_LAYERS * sizeof(SelfAttentionWeights);
    for (int l = 0; l < stack->layers; l++)
        add_self_attention(t, first + (size_t)l * sizeof(SelfAttentionWeights),
                           name_of("%s.layers.%d", sides[side], l).text, &stack->sizes);
    if (stack->layers && stack->sizes.pre)
        add_norm(t, offsetof(Weights, attention_norm) + side * sizeof(NormWeights),
                 stack->sizes.attention.D, name_of("%s.norm", sides[side]));
}

static void add_embedding_norm(ParameterTable *t, PassSide side, const Sizes *n)
{
    if (n->normalises_words)
        add_norm(t, offsetof(Weights, embedding_norm) + side * sizeof(NormWeights), n->E,
                 name_of("%s.embedding_norm", sides[side]));
}

static void add_encoder(ParameterTable *t, const Sizes *n)
{
    add_embedding(t, SIDE_SOURCE, n->Vs, n, t->tie == TIE_ALL);
    if (!n->R) add_positions(t, SIDE_SOURCE, n);
    add_embedding_norm(t, SIDE_SOURCE, n);
    for (int l = 0; l < n->R; l++)
        for (int d = 0; d < encoder_directions(n, l); d++) {
            const size_t cell = offsetof(Weights, encoder)
                                + (size_t)(2 * l + d) * sizeof(CellWeights);
            const int below = l ? encoder_width(n, l - 1) : n->E;
            const Name suffix = name_of("_l%d%s", l, d ? "_reverse" : "");
            read_all(t, cell + offsetof(CellWeights, W),
                     add_cell(t, cell, "encoder.rnn", suffix.text, below, n), READS_ONCE);
        }
    add_attention_stack(t, SIDE_SOURCE, &n->self_attention[SIDE_SOURCE]);
}

/* The rows of each layer are one Linear. */
static void add_bridge(ParameterTable *t, const Sizes *n)
{
    const Parameter *p = add(t, NO_FIELD, n->L * n->Z, n->C, "bridge.weight");
    add(t, offsetof(Weights, bridge_bias), n->L * n->Z, 0, "bridge.bias");
    for (int l = 0; l < n->L; l++)
        read_block(t, offsetof(Weights, bridge) + (size_t)l * sizeof(Linear), p,
                   (size_t)l * n->Z * n->C, n->Z, n->C, READS_ONCE);
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
    t->per = PER_SENTENCE;
    if (n->L && o->start == START_PROJECT) add_bridge(t, n);
    t->per = PER_TARGET_TOKEN;
    if (t->tie != TIE_ALL)
        add_embedding(t, SIDE_TARGET, n->Vt, n, t->tie == TIE_TARGET);
    if (n->self_attention[SIDE_TARGET].layers)
        add_positions(t, SIDE_TARGET, n);
    add_embedding_norm(t, SIDE_TARGET, n);
    for (int l = 0; l < n->L; l++)
        add_decoder_layer(t, l, n);
    if (shape.cell.name) {      /* the decoder type's own, which reads its input in each step */
        const size_t cell = offsetof(Weights, type.cell);
        const Name rnn = name_of("decoder.%s", shape.cell.name);
        read_all(t, cell + offsetof(CellWeights, W),
                 add_cell(t, cell, rnn.text, "", shape.cell.input, n), READS_EACH_STEP);
    }
    add_attention_stack(t, SIDE_TARGET, &n->self_attention[SIDE_TARGET]);
    add_type_matrices(t, &shape);
}

/* Each part of a parameter that is read by itself is one Linear: that of the state and that of the
 * word in each step, that of the memory once. */
static void add_score(ParameterTable *t, const NetworkOptions *o)
{
    const ScoreSizes n = network_score_sizes(o);
    const ScoreShape shape = network_score(o)->shape(&n);
    size_t field = offsetof(Weights, score);
    for (const ScoreParameter *p = shape.parameter; p->name; p++) {
        const Parameter *row = add(t, NO_FIELD, p->rows, p->columns, "%s", p->name);
        const int width[] = { p->query, p->word, p->columns - p->query - p->word };
        for (int i = 0, first = 0; i < 3; first += width[i++])
            if (width[i]) {
                t->per = i < 2 ? PER_TARGET_TOKEN : PER_SOURCE_TOKEN;
                read_columns(t, field, row, first, width[i], i < 2 ? READS_EACH_STEP : READS_ONCE);
                field += sizeof(Linear);
            }
    }
}

/* Returns the embedding that is also the weight of the output layer. */
static const Parameter *tied_embedding(const ParameterTable *t)
{
    const size_t field = t->tie == TIE_ALL ? offsetof(Weights, embedding[SIDE_SOURCE])
                                             : offsetof(Weights, embedding[SIDE_TARGET]);
    const Parameter *p = t->row;
    while (p->field != field) p++;
    return p;
}

static void add_readout(ParameterTable *t, const NetworkOptions *o, const Sizes *n)
{
    t->per = PER_TARGET_TOKEN;
    if (o->readout == READOUT_DEEP) {
        const Parameter *p = add(t, NO_FIELD, n->E, n->D + n->C + n->E, "readout.hidden.weight");
        read_blocks(t, offsetof(Weights, hidden), p, (int[]){ n->D, n->C, n->E, 0 }, READS_ONCE);
        add(t, offsetof(Weights, hidden_bias), n->E, 0, "readout.hidden.bias");
        if (t->layer_norm) add_norm(t, offsetof(Weights, hidden_norm), n->E, name_of("readout.norm"));
    }
    const Parameter *output = t->tie == TIE_NONE
                            ? add(t, NO_FIELD, n->Vt, n->O, "readout.output.weight")
                            : tied_embedding(t);
    read_all(t, offsetof(Weights, output), output, READS_EACH_CHUNK);
    add(t, offsetof(Weights, output_bias), n->Vt, 0, "readout.output.bias");
}

ParameterTable *parameters_new(const NetworkOptions *options, int source_vocabulary,
                               int target_vocabulary)
{
    enum { MOST = 4 + 8 * (3 * MAX_LAYERS + 1) + (12 + 20) * MAX_ATTENTION_LAYERS + 8 + 2
                  + DECODER_LINEARS + SCORE_PARAMETERS + 6 };
    const Sizes n = network_sizes(options, source_vocabulary, target_vocabulary);
    ParameterTable *t = xcalloc(1, sizeof *t);
    t->row = xcalloc(MOST, sizeof *t->row);
    t->block = xcalloc(MOST + 2 * MAX_LAYERS + HIDDEN_BLOCKS, sizeof *t->block);
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
    xfree(table->row);
    xfree(table->block);
    xfree(table);
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
        *(Linear *)((char *)&w + b->field) = linear_of(block + b->at, b->ld, b->rows, b->columns,
                                                       precision);
    }
    if (table->tie == TIE_ALL) w.embedding[SIDE_TARGET] = w.embedding[SIDE_SOURCE];
    return w;
}

Weights weights_at(const ParameterTable *table, real *block)
{
    return weights_in(table, block, PRECISION_FLOAT);
}

/* Returns a normal number made of two uniform ones (Box and Muller 1958). */
static double normal(uint64_t key, uint64_t counter)
{
    double u = 1 - rng_uniform(key, 2 * counter), v = rng_uniform(key, 2 * counter + 1);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

static void init_one(const Parameter *p, real *x, uint64_t key)
{
    double bound = sqrt(6.0 / (p->rows + p->columns));
    double deviation = p->columns ? 1 / sqrt(p->columns) : 0;
    for (size_t i = 0; i < parameter_count(p); i++) {
        switch (p->init) {
        case INIT_ZERO:      x[i] = 0; break;
        case INIT_ONE:       x[i] = 1; break;
        case INIT_XAVIER:    x[i] = (real)(bound * (2 * rng_uniform(key, i) - 1)); break;
        case INIT_EMBEDDING: x[i] = (real)normal(key, i); break;
        case INIT_SMALL:     x[i] = (real)(deviation * normal(key, i)); break;
        }
    }
}

void parameters_init(const ParameterTable *table, real *block, uint64_t seed)
{
    for (int i = 0; i < table->count; i++)
        init_one(&table->row[i], block + table->row[i].at, rng_key(seed, (uint64_t)i, RNG_INIT));
}

/* Sets the rows of x (rows, columns) from `known` on to the mean of the rows before. */
static void fill_with_mean(real *x, int rows, int columns, int known)
{
    for (int j = 0; j < columns && known < rows; j++) {
        double sum = 0;
        for (int i = 0; i < known; i++)
            sum += x[(size_t)i * columns + j];
        for (int i = known; i < rows; i++)
            x[(size_t)i * columns + j] = (real)(sum / known);
    }
}

void parameters_extend(const ParameterTable *table, real *block, const ParameterTable *smaller,
                       const real *from)
{
    for (int i = 0; i < table->count; i++) {
        const Parameter *p = &table->row[i], *old = &smaller->row[i];
        real *x = block + p->at;
        memcpy(x, from + old->at, parameter_count(old) * sizeof *x);
        fill_with_mean(x, p->rows, p->columns ? p->columns : 1, old->rows);
    }
}
