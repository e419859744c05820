/* test_network.c - the whole network: differences over every parameter for every kind of network (where real is
 * double), PyTorch's losses and gradients, and the law that a batch is the sum of its sentences, however divided.
 */
#include "base/mem.h"
#include "base/rng.h"
#include "gradient.h"
#include "model/network.h"
#include "reference.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BEGIN = 2, END = 3, SOURCE_WORDS = 8, TARGET_WORDS = 7 };

/* ---- batches ---- */

enum { SENTENCES = 4, LONGEST = 5 };

typedef struct { int source_length, target_length, source[LONGEST], target[LONGEST]; } Pair;

/* In the order batch_build expects; the sources' order is another. */
static const Pair pairs[SENTENCES] = {
    { 2, 4, { 4, END }, { 6, 4, 6, END } },
    { 4, 3, { 5, 7, 5, END }, { 5, 4, END } },
    { 1, 3, { END }, { 5, 0, END } },
    { 5, 1, { 6, 4, 1, 6, END }, { END } },
};

static Sentence sentence_of(int i)
{
    return (Sentence){ pairs[i].source, pairs[i].target, pairs[i].source_length, pairs[i].target_length, i };
}

static int target_tokens(void)
{
    int count = 0;
    for (int i = 0; i < SENTENCES; i++)
        count += pairs[i].target_length;
    return count;
}

/* ---- a network with its weights and gradients ---- */

typedef struct {
    Heap            heap;
    Net             net;
    ParameterTable *table;
    real           *block, *dblock;
    Weights         w, dw;
    Noise           noise;
    double          smoothing, scale;
    Arena           batch_memory, memory;
} Case;

static Case case_new(const NetworkOptions *options, int source_words, int target_words)
{
    Case c = { .net = net_new(options, source_words, target_words),
               .table = parameters_new(options, source_words, target_words) };
    c.block = heap_random(&c.heap, c.table->size);
    c.dblock = heap_zeros(&c.heap, c.table->size);
    c.w = weights_at(c.table, c.block);
    c.dw = weights_at(c.table, c.dblock);
    c.scale = 1.0 / target_tokens();
    return c;
}

static void case_free(Case *c)
{
    arena_free(&c->memory);
    arena_free(&c->batch_memory);
    parameters_free(c->table);
    heap_free(&c->heap);
}

static Batch batch_of(Case *c, const Sentence *sentences, int count)
{
    Batch batch;
    BatchSize size = batch_size(sentences, count);
    arena_reserve(&c->batch_memory, batch_measure(size));
    batch_build(&batch, &c->batch_memory, sentences, count, BEGIN);
    return batch;
}

/* Adds the gradient of these sentences to dblock. */
static Loss gradient(Case *c, const Sentence *sentences, int count)
{
    Batch batch = batch_of(c, sentences, count);
    arena_reserve(&c->memory, network_measure(&c->net, batch.size, 1));
    return network_gradient(&c->net, &c->w, &c->dw, &batch, &c->noise, c->smoothing, c->scale, &c->memory);
}

/* Sentences first, first + step, ... ; how many. */
static int choose(Sentence *sentences, int first, int step)
{
    int count = 0;
    for (int i = first; i < SENTENCES; i += step)
        sentences[count++] = sentence_of(i);
    return count;
}

static Loss gradient_of_all(Case *c)
{
    Sentence sentences[SENTENCES];
    return gradient(c, sentences, choose(sentences, 0, 1));
}

static Loss loss_of_all(Case *c)
{
    Sentence sentences[SENTENCES];
    Batch batch = batch_of(c, sentences, choose(sentences, 0, 1));
    arena_reserve(&c->memory, network_measure(&c->net, batch.size, 0));
    return network_loss(&c->net, &c->w, &batch, c->smoothing, &c->memory);
}

static Noise noise_of(double embedding, double hidden)
{
    const uint64_t key = rng_key(1, 1, RNG_DROPOUT);
    return (Noise){ .embedding = { embedding, key, 0 }, .hidden = { hidden, key, 0 }, .attention = { hidden, key, 0 } };
}

/* Every dropout there is. */
static Noise noise_of_all_kinds(int shared)
{
    const uint64_t key = rng_key(1, 1, RNG_DROPOUT);
    const Dropout some = { 0.125, key, shared };        /* more would scale up the differences' own error */
    return (Noise){ .word = { some, some }, .embedding = some, .hidden = some, .recurrent = some,
                    .attention = { some.p, key, 0 } };
}

/* ---- every kind of network ---- */

/* A value comes out of some ten layers and steps whose sums are up to 16 long. */
static const double operations = 160;

typedef void (*Check)(Case *c);

static void check_kind(Check check, const NetworkOptions *options)
{
    Err e;
    if (network_check(options, &e)) return;
    Case c = case_new(options, SOURCE_WORDS, options->tie == TIE_ALL ? SOURCE_WORDS : TARGET_WORDS);
    c.smoothing = 0.1;
    check(&c);
    case_free(&c);
}

/* Self-attention above the recurrent encoder, instead of it, and over the words written so far. */
static const NetworkOptions with_self_attention[] = {
    { .embedding = 4, .hidden = 3, .attention_width = 5, .layers = 1, .bidirectional = 1,
      .encoder_attention_layers = 2, .heads = 3 },
    { .embedding = 4, .hidden = 4, .layers = 2, .start = START_LAST, .encoder_attention_layers = 1, .heads = 2,
      .feed_forward = 3 },
    { .embedding = 6, .hidden = 3, .layers = 1, .encoder = ENCODER_SELF_ATTENTION, .encoder_attention_layers = 2,
      .heads = 2, .feed_forward = 5 },
    { .embedding = 6, .hidden = 3, .layers = 1, .decoder_attention_layers = 2, .heads = 1, .readout = READOUT_SIMPLE },
};
enum { WITH_SELF_ATTENTION = sizeof with_self_attention / sizeof *with_self_attention };

/* The choice of hard attention has no gradient: the estimators are tested in test_attention.c. */
static const NetworkOptions with_hard_attention[] = {
    { .embedding = 4, .hidden = 3, .layers = 1, .heads = 1, .hard_attention = HARD_TOP, .hard_positions = 2 },
    { .embedding = 4, .hidden = 3, .layers = 2, .heads = 1, .hard_attention = HARD_SAMPLED, .hard_positions = 3,
      .bidirectional = 1, .readout = READOUT_SIMPLE, .hard_gradient = HARD_REINFORCE },
};
enum { WITH_HARD_ATTENTION = sizeof with_hard_attention / sizeof *with_hard_attention };

static void for_every_hard_kind(Check check)
{
    for (int i = 0; i < WITH_HARD_ATTENTION; i++)
        check_kind(check, &with_hard_attention[i]);
}

/* The smallest of each width, and sentences longer than the positions and the window. */
static NetworkOptions small(int layers)
{
    return (NetworkOptions){ .embedding = 4, .hidden = 3, .attention_width = 5, .attention_positions = 4,
                             .attention_window = 1, .layers = layers };
}

/* Layers, directions, readouts and starts in all combinations: with the default cell and order, and with the others. */
static void for_every_shape(Check check)
{
    for (int kind = 0; kind < 32; kind++) {
        NetworkOptions options = small(1 + (kind & 1));
        options.bidirectional = kind >> 1 & 1;
        options.readout = kind >> 2 & 1 ? READOUT_SIMPLE : READOUT_DEEP;
        options.start = kind >> 3 & 1 ? START_LAST : START_PROJECT;
        options.cell = kind >> 4;
        options.decoder = kind >> 4 ? DECODER_LUONG : DECODER_BAHDANAU;
        check_kind(check, &options);
    }
}

/* Each score in each order, with the cell that goes with the other order above. */
static void for_every_score(Check check)
{
    for (int score = 0; scores[score]; score++)
        for (int luong = 0; luong < 2; luong++) {
            NetworkOptions options = small(1);
            options.attention = score;
            options.cell = !luong;
            options.decoder = luong ? DECODER_LUONG : DECODER_BAHDANAU;
            check_kind(check, &options);
            options.bidirectional = 1;          /* none sees both directions' ends */
            if (!strcmp(score_names[score], "none")) check_kind(check, &options);
        }
}

static void for_residual_layers(Check check)
{
    for (int luong = 0; luong < 2; luong++) {
        NetworkOptions options = small(3);
        options.residual = 1;
        options.bidirectional = !luong;
        options.decoder = luong ? DECODER_LUONG : DECODER_BAHDANAU;
        check_kind(check, &options);
    }
}

/* Ties, normalisation and the conditional decoder, which are apart from all the rest. */
static void for_special_kinds(Check check)
{
    static const NetworkOptions special[] = {
        { .embedding = 4, .hidden = 3, .layers = 1, .bidirectional = 1, .tie = TIE_TARGET },
        { .embedding = 4, .hidden = 3, .layers = 1, .bidirectional = 1, .tie = TIE_ALL },
        { .embedding = 3, .hidden = 3, .layers = 1, .readout = READOUT_SIMPLE, .tie = TIE_TARGET },
        { .embedding = 4, .hidden = 3, .layers = 2, .bidirectional = 1, .layer_norm = 1 },
        { .embedding = 4, .hidden = 3, .layers = 2, .readout = READOUT_SIMPLE, .start = START_LAST, .layer_norm = 1 },
        { .embedding = 4, .hidden = 3, .layers = 1, .bidirectional = 1, .decoder = DECODER_CONDITIONAL },
        { .embedding = 4, .hidden = 3, .layers = 2, .bidirectional = 1, .decoder = DECODER_CONDITIONAL, .layer_norm = 1,
          .residual = 1, .tie = TIE_TARGET },
        { .embedding = 4, .hidden = 3, .layers = 2, .cell = 1, .readout = READOUT_SIMPLE, .start = START_LAST,
          .decoder = DECODER_CONDITIONAL },
    };
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        check_kind(check, &special[i]);
}

static void for_every_kind(Check check)
{
    for_special_kinds(check);
    for (int i = 0; i < WITH_SELF_ATTENTION; i++)
        check_kind(check, &with_self_attention[i]);
    for_every_shape(check);
    for_every_score(check);
    for_residual_layers(check);
}

/* With dropout: the masks are functions of key, place and token, so this is a function like any other. */
static double objective(void *context)
{
    Case *c = context;
    return c->scale * gradient_of_all(c).smoothed;
}

static void check_differences(Case *c)
{
    gradient_of_all(c);
    c->dw = weights_at(c->table, heap_zeros(&c->heap, c->table->size));     /* for what the objective makes */
    for (int i = 0; i < c->table->count; i++) {
        const Parameter *p = &c->table->row[i];
        assert_central_differences(p->name, c->dblock + p->at, c->block + p->at, parameter_count(p), objective, c,
                                   operations, __FILE__, __LINE__);
    }
}

static void check_differences_with_dropout(Case *c)
{
    c->noise = noise_of_all_kinds(0);
    check_differences(c);
}

static void check_differences_with_a_mask_a_sentence(Case *c)
{
    c->noise = noise_of_all_kinds(TOKEN_STEP_BITS);
    check_differences(c);
}

static void backward_should_be_the_gradient_of_every_parameter(void **state)
{
    (void)state;
    if (!REAL_IS_DOUBLE) skip();
    for_every_kind(check_differences);
}

static void backward_should_be_the_gradient_of_every_parameter_under_dropout(void **state)
{
    (void)state;
    if (!REAL_IS_DOUBLE) skip();
    for_every_kind(check_differences_with_dropout);
    for_special_kinds(check_differences_with_a_mask_a_sentence);
}

static void assert_same_loss(Loss got, Loss expected)
{
    const double numbers[] = { expected.smoothed, expected.plain };
    const real both[] = { (real)got.smoothed, (real)got.plain };
    assert_near(both, numbers, 2, operations);
}

static void check_loss_alone(Case *c)
{
    assert_same_loss(loss_of_all(c), gradient_of_all(c));
    c->smoothing = 0;
    Loss loss = loss_of_all(c);
    assert_true(loss.smoothed == loss.plain);
}

static void loss_without_gradient_should_be_that_of_the_gradient(void **state)
{
    (void)state;
    for_every_kind(check_loss_alone);
}

/* Each slice by itself, as workers do it. */
static Loss gradient_by_slices(Case *c, int slices)
{
    Loss sum = { 0 };
    for (int slice = 0; slice < slices; slice++) {
        Sentence sentences[SENTENCES];
        Loss loss = gradient(c, sentences, choose(sentences, slice, slices));
        sum.smoothed += loss.smoothed;
        sum.plain += loss.plain;
    }
    return sum;
}

static void check_slices(Case *c)
{
    c->noise = noise_of_all_kinds(TOKEN_STEP_BITS);
    Loss whole = gradient_of_all(c);
    double *dwhole = heap_widened(&c->heap, c->dblock, c->table->size);
    for (int slices = 2; slices <= SENTENCES; slices++) {
        memset(c->dblock, 0, c->table->size * sizeof *c->dblock);
        assert_same_loss(gradient_by_slices(c, slices), whole);
        assert_near(c->dblock, dwhole, c->table->size, operations);
    }
}

static void slices_down_to_one_sentence_should_add_up_to_the_whole_batch(void **state)
{
    (void)state;
    for_every_kind(check_slices);
    for_every_hard_kind(check_slices);
}

static void check_accumulation(Case *c)
{
    gradient_of_all(c);
    double *twice = heap_widened(&c->heap, c->dblock, c->table->size);
    for (size_t i = 0; i < c->table->size; i++)
        twice[i] *= 2;
    gradient_of_all(c);
    assert_near(c->dblock, twice, c->table->size, operations);
}

static void gradients_should_be_added_to_what_is_there(void **state)
{
    (void)state;
    for_every_kind(check_accumulation);
    for_every_hard_kind(check_accumulation);
}

static void check_measure(Case *c)
{
    gradient_of_all(c);
    assert_int_equal(c->memory.used, c->memory.capacity);
    arena_free(&c->memory);
    loss_of_all(c);
    assert_int_equal(c->memory.used, c->memory.capacity);
    arena_free(&c->batch_memory);
    loss_of_all(c);
    assert_int_equal(c->batch_memory.used, c->batch_memory.capacity);
}

static void a_batch_should_take_the_memory_that_was_measured(void **state)
{
    (void)state;
    for_every_kind(check_measure);
    for_every_hard_kind(check_measure);
}

/* ---- reinforce ---- */

/* The gradient of the attention's weights alone depends on the advantage. */
static double baseline_moves(Case *c, const char *name)
{
    double *before = NULL, moved = 0;
    gradient_of_all(c);
    before = heap_widened(&c->heap, c->dblock, c->table->size);
    memset(c->dblock, 0, c->table->size * sizeof *c->dblock);
    c->noise.baseline = 8;
    gradient_of_all(c);
    c->noise.baseline = 0;
    for (int i = 0; i < c->table->count; i++) {
        const Parameter *p = &c->table->row[i];
        for (size_t j = p->at; !strcmp(p->name, name) && j < p->at + parameter_count(p); j++)
            moved += fabs((double)c->dblock[j] - before[j]);
    }
    return moved;
}

static void a_baseline_should_change_what_attention_learns_and_not_what_the_words_do(void **state)
{
    (void)state;
    Case c = case_new(&with_hard_attention[1], SOURCE_WORDS, TARGET_WORDS);
    assert_true(baseline_moves(&c, "readout.output.weight") == 0);
    memset(c.dblock, 0, c.table->size * sizeof *c.dblock);
    assert_true(baseline_moves(&c, "attention.query.weight") > 1e-3);
    case_free(&c);
}

/* ---- the places of dropout: what can't come through gives no gradient ---- */

static const double nearly_all = 0.99999;

/* The share of these columns of a tensor's gradient that is not zero. */
static double learned(const Case *c, const char *name, int column, int columns)
{
    for (int i = 0; i < c->table->count; i++) {
        const Parameter *p = &c->table->row[i];
        if (strcmp(p->name, name)) continue;
        int count = 0;
        for (int row = 0; row < p->rows; row++)
            for (int j = column; j < column + columns; j++)
                count += c->dblock[p->at + (size_t)(row * p->columns + j)] != 0;
        return (double)count / (p->rows * columns);
    }
    fail_msg("no parameter %s", name);
    return -1;
}

static Case two_layers(int readout, Noise noise)
{
    const NetworkOptions options = { .embedding = 4, .hidden = 3, .layers = 2, .readout = readout };
    Case c = case_new(&options, SOURCE_WORDS, TARGET_WORDS);
    c.noise = noise;
    gradient_of_all(&c);
    return c;
}

static void dropped_embeddings_should_reach_neither_encoder_nor_decoder_nor_readout(void **state)
{
    (void)state;
    Case c = two_layers(READOUT_DEEP, noise_of(nearly_all, 0));
    const int E = c.net.n.E, H = c.net.n.H, C = c.net.n.C;
    assert_true(learned(&c, "encoder.embedding.weight", 0, E) == 0);
    assert_true(learned(&c, "encoder.rnn.weight_ih_l0", 0, E) == 0);
    assert_true(learned(&c, "decoder.embedding.weight", 0, E) == 0);
    assert_true(learned(&c, "decoder.rnn.weight_ih_l0", 0, E) == 0);
    assert_true(learned(&c, "readout.hidden.weight", H + C, E) == 0);

    assert_true(learned(&c, "encoder.rnn.weight_ih_l1", 0, C) == 1);
    assert_true(learned(&c, "decoder.rnn.weight_ih_l0", E, C) == 1);
    assert_true(learned(&c, "readout.hidden.weight", 0, H + C) == 1);
    case_free(&c);
}

static void dropped_states_should_not_reach_the_next_layer(void **state)
{
    (void)state;
    Case c = two_layers(READOUT_SIMPLE, noise_of(0, nearly_all));
    const int H = c.net.n.H, C = c.net.n.C;
    assert_true(learned(&c, "encoder.rnn.weight_ih_l1", 0, C) == 0);
    assert_true(learned(&c, "decoder.rnn.weight_ih_l1", 0, H) == 0);

    assert_true(learned(&c, "encoder.rnn.weight_hh_l1", 0, H) == 1);
    assert_true(learned(&c, "decoder.rnn.weight_hh_l1", 0, H) == 1);
    assert_true(learned(&c, "readout.output.weight", 0, H) == 1);
    case_free(&c);
}

static void a_dropped_deep_readout_should_not_reach_the_words(void **state)
{
    (void)state;
    Case c = two_layers(READOUT_DEEP, noise_of(0, nearly_all));
    assert_true(learned(&c, "readout.output.weight", 0, c.net.n.E) == 0);
    case_free(&c);
}

/* ---- the count of operations ---- */

/* Multiply-adds of one tensor on a batch: each value once a row that it is multiplied with. */
static double products_of(const Net *net, const Parameter *p, BatchSize size)
{
    const double values = (double)parameter_count(p);
    if (p->touches != TOUCHES_ALL || !p->columns) return 0;
    if (!strcmp(p->name, "attention.score.weight") || !strcmp(p->name, "attention.centre.weight")) return 0;
    if (!strncmp(p->name, "bridge", 6)) return values * size.sentences;
    if (strstr(p->name, "embedding")) return values * size.target_tokens;      /* tied: as the output layer's */
    if (!strncmp(p->name, "encoder", 7) || !strcmp(p->name, "attention.key.weight")) return values * size.source_tokens;
    if (!strcmp(p->name, "attention.hidden.weight"))        /* the query's columns, then the key's */
        return (double)p->rows * (net->n.H * size.target_tokens + net->n.C * size.source_tokens);
    return values * size.target_tokens;
}

static void check_flops(Case *c)
{
    const BatchSize size = { 3, 7, 17, 5, 11 };
    double products = 0;
    for (int i = 0; i < c->table->count; i++)
        products += products_of(&c->net, &c->table->row[i], size);
    assert_true(network_flops(&c->net, size) == 3 * 2 * products);
}

static void operations_should_be_counted_as_the_table_of_parameters_says(void **state)
{
    (void)state;
    for_every_kind(check_flops);
}

/* ---- PyTorch ---- */

/* The pairs of a reference; the ids stay in its arrays. */
static Sentence *torch_sentences(Heap *heap, const cJSON *reference, int *count, int *tokens)
{
    *count = reference_int(reference, "sentences");
    const int *source_length = reference_ints(heap, reference, "source_lengths", (size_t)*count);
    const int *target_length = reference_ints(heap, reference, "target_lengths", (size_t)*count);
    Sentence *sentences = heap_take(heap, (size_t)*count, sizeof *sentences);
    int source = 0;
    *tokens = 0;
    for (int i = 0; i < *count; i++) {
        sentences[i] = (Sentence){ .source_length = source_length[i], .target_length = target_length[i], .number = i };
        source += source_length[i];
        *tokens += target_length[i];
    }
    const int *source_ids = reference_ints(heap, reference, "source", (size_t)source);
    const int *target_ids = reference_ints(heap, reference, "target", (size_t)*tokens);
    for (int i = 0; i < *count; i++) {
        sentences[i].source = source_ids;
        sentences[i].target = target_ids;
        source_ids += source_length[i];
        target_ids += target_length[i];
    }
    return sentences;
}

static NetworkOptions torch_options(const cJSON *reference)
{
    Err e = { "" };
    NetworkOptions options = network_defaults();
    const cJSON *json = NULL;
    if (json_get_object(reference, "network", &json, &e) || fields_from_json(network_fields, &options, json, &e) ||
        network_check(&options, &e))
        fail_msg("%s", e.text);
    return options;
}

static void assert_torch_gradients(Case *c, const cJSON *reference)
{
    for (int i = 0; i < c->table->count; i++) {
        const Parameter *p = &c->table->row[i];
        char name[1 + sizeof p->name];
        snprintf(name, sizeof name, "d%s", p->name);
        const double *expected = reference_doubles(&c->heap, reference, name, parameter_count(p));
        assert_all_near(name, c->dblock + p->at, expected, parameter_count(p), operations, 0, __FILE__, __LINE__);
    }
}

static void assert_matches_torch(const char *name)
{
    int count, tokens;
    cJSON *reference = reference_open(name);
    const NetworkOptions options = torch_options(reference);
    Case c = case_new(&options, reference_int(reference, "source_vocabulary"),
                      reference_int(reference, "target_vocabulary"));
    for (int i = 0; i < c.table->count; i++) {
        const Parameter *p = &c.table->row[i];
        const real *values = reference_reals(&c.heap, reference, p->name, parameter_count(p));
        memcpy(c.block + p->at, values, parameter_count(p) * sizeof *values);
    }
    const Sentence *sentences = torch_sentences(&c.heap, reference, &count, &tokens);
    c.smoothing = reference_number(reference, "smoothing");
    c.scale = 1.0 / tokens;
    Loss loss = gradient(&c, sentences, count);
    assert_same_loss(loss, (Loss){ reference_number(reference, "smoothed"), reference_number(reference, "plain") });
    assert_torch_gradients(&c, reference);
    cJSON_Delete(reference);
    case_free(&c);
}

static void losses_and_all_gradients_should_match_pytorch(void **state)
{
    (void)state;
    assert_matches_torch("network-deep-project");
    assert_matches_torch("network-simple-project");
    assert_matches_torch("network-deep-last");
    assert_matches_torch("network-simple-last");
    assert_matches_torch("network-tie-target");
    assert_matches_torch("network-tie-all");
    assert_matches_torch("network-layer-norm");
    assert_matches_torch("network-layer-norm-lstm");
    assert_matches_torch("network-conditional");
    assert_matches_torch("network-conditional-all");
    assert_matches_torch("network-attention-above");
    assert_matches_torch("network-attention-alone");
    assert_matches_torch("network-hard");
    assert_matches_torch("network-lstm-project");
    assert_matches_torch("network-lstm-last");
    assert_matches_torch("network-luong");
    assert_matches_torch("network-luong-deep");
    assert_matches_torch("network-residual");
    assert_matches_torch("network-residual-luong");
    assert_matches_torch("network-none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backward_should_be_the_gradient_of_every_parameter),
        cmocka_unit_test(backward_should_be_the_gradient_of_every_parameter_under_dropout),
        cmocka_unit_test(loss_without_gradient_should_be_that_of_the_gradient),
        cmocka_unit_test(slices_down_to_one_sentence_should_add_up_to_the_whole_batch),
        cmocka_unit_test(gradients_should_be_added_to_what_is_there),
        cmocka_unit_test(a_batch_should_take_the_memory_that_was_measured),
        cmocka_unit_test(a_baseline_should_change_what_attention_learns_and_not_what_the_words_do),
        cmocka_unit_test(dropped_embeddings_should_reach_neither_encoder_nor_decoder_nor_readout),
        cmocka_unit_test(dropped_states_should_not_reach_the_next_layer),
        cmocka_unit_test(a_dropped_deep_readout_should_not_reach_the_words),
        cmocka_unit_test(operations_should_be_counted_as_the_table_of_parameters_says),
        cmocka_unit_test(losses_and_all_gradients_should_match_pytorch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
