/* test_network.c - the whole network, of every kind: differences over every parameter (where real
 * is double); the law that a batch is the sum of its sentences, however it is divided; memory and
 * operations. test_network_noise.c tests the noise, test_network_torch.c compares with PyTorch.
 */
#include "base/random/rng.h"
#include "model/readout.h"
#include "network_case.h"

#include <math.h>
#include <string.h>

/* ---- every kind of network ---- */

/* All kinds of dropout. */
static Noise noise_of_all_kinds(int shared)
{
    const uint64_t key = rng_key(1, 1, RNG_DROPOUT);
    const Dropout some = { 0.125, key, shared }; /* more would amplify the differences' error */
    return (Noise){ .word = { some, some }, .embedding = some, .hidden = some, .recurrent = some,
                    .attention = { some.p, key, 0 } };
}

/* Self-attention on top of the recurrent encoder, instead of it, and over the words written so
 * far. */
static const NetworkOptions with_self_attention[] = {
    { .embedding = 4, .hidden = 3, .attention_width = 5, .layers = 1, .bidirectional = 1,
      .encoder_attention_layers = 2, .heads = 3 },
    { .embedding = 4, .hidden = 4, .layers = 2, .start = START_LAST, .encoder_attention_layers = 1,
      .heads = 2, .feed_forward = 3 },
    { .embedding = 6, .hidden = 3, .layers = 1, .encoder = ENCODER_SELF_ATTENTION,
      .encoder_attention_layers = 2, .heads = 2, .feed_forward = 5 },
    { .embedding = 6, .hidden = 3, .layers = 1, .decoder_attention_layers = 2, .heads = 1,
      .readout = READOUT_SIMPLE },
    { .embedding = 4, .hidden = 3, .layers = 1, .encoder = ENCODER_SELF_ATTENTION,
      .encoder_attention_layers = 1, .decoder_attention_layers = 1, .heads = 2,
      .decoder = DECODER_CONDITIONAL, .tie = TIE_ALL, .layer_norm = 1 },
    { .embedding = 4, .hidden = 3, .layers = 1, .encoder_attention_layers = 1,
      .decoder_attention_layers = 1, .heads = 1, .norm = NORM_PRE,
      .positions = POSITIONS_LEARNED, .attention_positions = 3 },
    { .embedding = 6, .hidden = 3, .layers = 1, .encoder = ENCODER_SELF_ATTENTION,
      .encoder_attention_layers = 1, .decoder = DECODER_SELF_ATTENTION,
      .decoder_attention_layers = 2, .heads = 2, .feed_forward = 3, .readout = READOUT_SIMPLE },
    { .embedding = 8, .hidden = 3, .layers = 1, .encoder = ENCODER_SELF_ATTENTION,
      .encoder_attention_layers = 1, .decoder = DECODER_SELF_ATTENTION,
      .decoder_attention_layers = 1, .heads = 4, .feed_forward = 3, .readout = READOUT_SIMPLE,
      .norm = NORM_PRE, .tie = TIE_ALL, .positions = POSITIONS_LEARNED, .attention_positions = 9 },
    { .embedding = 4, .hidden = 3, .layers = 2, .cell = 1, .bidirectional = 1,
      .decoder = DECODER_SELF_ATTENTION, .decoder_attention_layers = 1, .heads = 2,
      .feed_forward = 2, .readout = READOUT_SIMPLE, .tie = TIE_TARGET },
};
enum { WITH_SELF_ATTENTION = sizeof with_self_attention / sizeof *with_self_attention };

/* The choice of hard attention has no gradient: the estimators are tested in test_attention.c. */
static const NetworkOptions with_hard_attention[] = {
    { .embedding = 4, .hidden = 3, .layers = 1, .heads = 1, .hard_attention = HARD_TOP,
      .hard_positions = 2 },
    { .embedding = 4, .hidden = 3, .layers = 2, .heads = 1, .hard_attention = HARD_SAMPLED,
      .hard_positions = 3, .bidirectional = 1, .readout = READOUT_SIMPLE,
      .hard_gradient = HARD_REINFORCE },
    { .embedding = 4, .hidden = 3, .layers = 2, .heads = 1, .hard_attention = HARD_TOP,
      .hard_positions = 2, .decoder = DECODER_LUONG },
    { .embedding = 4, .hidden = 3, .layers = 2, .heads = 1, .hard_attention = HARD_SAMPLED,
      .hard_positions = 2, .decoder = DECODER_CONDITIONAL, .hard_gradient = HARD_REINFORCE },
};
enum { WITH_HARD_ATTENTION = sizeof with_hard_attention / sizeof *with_hard_attention };

static void for_every_hard_kind(Check check)
{
    for (int i = 0; i < WITH_HARD_ATTENTION; i++)
        check_kind(check, &with_hard_attention[i]);
}

/* All combinations of layers, directions, readouts and starts: with the default cell and decoder
 * type, and with the others. */
static void for_every_shape(Check check)
{
    for (int kind = 0; kind < 32; kind++) {
        NetworkOptions options = network_case_small(1 + (kind & 1));
        options.bidirectional = kind >> 1 & 1;
        options.readout = kind >> 2 & 1 ? READOUT_SIMPLE : READOUT_DEEP;
        options.start = kind >> 3 & 1 ? START_LAST : START_PROJECT;
        options.cell = kind >> 4;
        options.decoder = kind >> 4 ? DECODER_LUONG : DECODER_BAHDANAU;
        check_kind(check, &options);
    }
}

/* Ties and normalisation, which are independent of all other options. */
static void for_special_kinds(Check check)
{
    static const NetworkOptions special[] = {
        { .embedding = 4, .hidden = 3, .layers = 1, .bidirectional = 1, .tie = TIE_TARGET },
        { .embedding = 4, .hidden = 3, .layers = 1, .bidirectional = 1, .tie = TIE_ALL },
        { .embedding = 3, .hidden = 3, .layers = 1, .readout = READOUT_SIMPLE, .tie = TIE_TARGET },
        { .embedding = 4, .hidden = 3, .layers = 2, .bidirectional = 1, .layer_norm = 1 },
        { .embedding = 4, .hidden = 3, .layers = 2, .readout = READOUT_SIMPLE, .start = START_LAST,
          .layer_norm = 1 },
        { .embedding = 4, .hidden = 3, .layers = 2, .bidirectional = 1,
          .decoder = DECODER_CONDITIONAL, .layer_norm = 1, .residual = 1, .tie = TIE_TARGET },
        { .embedding = 4, .hidden = 3, .layers = 2, .cell = 1, .readout = READOUT_SIMPLE,
          .start = START_LAST, .decoder = DECODER_CONDITIONAL },
        { .embedding = 4, .hidden = 3, .layers = 3, .cell = 1, .readout = READOUT_SIMPLE,
          .bidirectional = 1, .bidirectional_layers = 1, .residual = 1, .residual_from = 3,
          .decoder = DECODER_GNMT },
        { .embedding = 4, .hidden = 3, .layers = 3, .bidirectional = 1, .bidirectional_layers = 2 },
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

static void check_differences_with_r_drop(Case *c)
{
    c->noise = noise_of_all_kinds(0);
    c->criterion.r_drop = 2;
    check_differences(c);
}

static void backward_should_be_the_gradient_of_every_parameter(void **state)
{
    if (!REAL_IS_DOUBLE) skip();
    for_every_kind(check_differences);
}

static void backward_should_be_the_gradient_of_every_parameter_under_dropout(void **state)
{
    if (!REAL_IS_DOUBLE) skip();
    for_every_kind(check_differences_with_dropout);
    for_special_kinds(check_differences_with_a_mask_a_sentence);
    for_special_kinds(check_differences_with_r_drop);
}

/* Without a choice REINFORCE has nothing to estimate. */
static void check_differences_without_choice(Case *c)
{
    if (c->net.hard.estimator != HARD_REINFORCE) return;
    c->noise.choice = (Dropout){ 1, rng_key(1, 1, RNG_DROPOUT), TOKEN_STEP_BITS };
    check_differences(c);
}

static void reinforce_should_be_soft_attention_where_the_choice_is_dropped(void **state)
{
    if (!REAL_IS_DOUBLE) skip();
    for_every_hard_kind(check_differences_without_choice);
}

static void check_loss_alone(Case *c)
{
    assert_same_loss(loss_of_all(c), gradient_of_all(c));
    c->criterion.smoothing = 0;
    Loss loss = loss_of_all(c);
    assert_true(loss.smoothed == loss.plain);
}

static void loss_without_gradient_should_be_that_of_the_gradient(void **state)
{
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
    c->noise.choice = (Dropout){ 0.5, rng_key(1, 1, RNG_DROPOUT), TOKEN_STEP_BITS };
    Loss whole = gradient_of_all(c);
    double *dwhole = heap_widened(&c->heap, c->dblock, c->table->size);
    for (int slices = 2; slices <= SENTENCES; slices++) {
        memset(c->dblock, 0, c->table->size * sizeof *c->dblock);
        assert_same_loss(gradient_by_slices(c, slices), whole);
        assert_near(c->dblock, dwhole, c->table->size, operations);
    }
}

static void check_slices_with_r_drop(Case *c)
{
    c->criterion.r_drop = 2;
    check_slices(c);
}

static void slices_down_to_one_sentence_should_add_up_to_the_whole_batch(void **state)
{
    for_every_kind(check_slices);
    for_special_kinds(check_slices_with_r_drop);
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
    for_every_kind(check_measure);
    for_every_hard_kind(check_measure);
}

/* ---- the count of operations ---- */

/* Multiply-adds of one tensor on a batch: each value once for each row that it is multiplied
 * with. */
static double products_of(const Architecture *net, const Parameter *p, BatchSize size)
{
    const double values = (double)parameter_count(p);
    if (p->touches != TOUCHES_ALL || !p->columns) return 0;
    if (!strcmp(p->name, "attention.score.weight") || !strcmp(p->name, "attention.centre.weight"))
        return 0;
    if (!strncmp(p->name, "bridge", 6)) return values * size.sentences;
    if (strstr(p->name, "positions")) return 0;
    if (strstr(p->name, "multihead_attn.k_") || strstr(p->name, "multihead_attn.v_"))
        return values * size.source_tokens;
    if (strstr(p->name, "multihead_attn.in"))           /* one third the query's */
        return values / 3 * (size.target_tokens + 2 * size.source_tokens);
    if (strstr(p->name, "embedding"))       /* tied: as the output layer's */
        return values * size.target_tokens;
    if (!strncmp(p->name, "encoder", 7) || !strcmp(p->name, "attention.key.weight"))
        return values * size.source_tokens;
    if (!strcmp(p->name, "attention.hidden.weight")     /* the query's columns, then the key's */
        || (!strcmp(p->name, "attention.score.weight") && p->columns == net->n.H + net->n.C))
        return (double)p->rows * (net->n.H * size.target_tokens + net->n.C * size.source_tokens);
    return values * size.target_tokens;
}

static void check_flops(Case *c)
{
    const BatchSize size = { 3, 7, 17, 5, 11 };
    double products = 0;
    for (int i = 0; i < c->table->count; i++)
        products += products_of(&c->net, &c->table->row[i], size);
    assert_true(network_flops(&c->net, size, 0) == 3 * 2 * products);
    assert_true(network_flops(&c->net, size, 1)
                == 3 * 2 * products - 2 * 2.0 * c->net.n.Vt * c->net.n.O * size.target_tokens);
}

static void operations_should_be_counted_as_the_table_of_parameters_says(void **state)
{
    for_every_kind(check_flops);
}

/* ---- chunks of logits ---- */

/* Up to so many words that 5, 3 and 1 rows of logits, of floats, would fill a chunk. */
static void chunks_should_be_of_pairs_of_rows_and_have_room(void **state)
{
    const NetworkOptions options = network_case_small(1);
    static const int words[] = { 1 << 10, 800000, 1400000, 3000000 };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const Architecture net = architecture_of(&options, SOURCE_WORDS, words[i]);
        for (int rows = 1; rows <= 9; rows++) {
            ReadoutState r = { 0 };
            Arena measure = { 0 };
            readout_layout(&r, &measure, &net, rows, 1);
            assert_true(r.chunk == rows || (r.chunk > 0 && r.chunk < rows && r.chunk % 2 == 0));
            assert_true(measure.used >= (size_t)r.chunk * (size_t)words[i] * sizeof(real));
        }
    }
}

/* ---- the first weights ---- */

/* The variance of a tensor whose mean is 0. */
static double variance_of(const Case *c, const char *name)
{
    for (int i = 0; i < c->table->count; i++) {
        const Parameter *p = &c->table->row[i];
        const real *x = c->block + p->at;
        double squares = 0;
        if (strcmp(p->name, name)) continue;
        for (size_t j = 0; j < parameter_count(p); j++) squares += (double)x[j] * (double)x[j];
        return squares / (double)parameter_count(p);
    }
    fail_msg("no parameter %s", name);
    return -1;
}

/* The variance of 8,000 normal values has a standard deviation of 1.6 % of itself; six of these are
 * allowed. */
static void embeddings_should_begin_with_the_variance_that_is_promised(void **state)
{
    enum { WORDS = 500, WIDTH = 16 };
    const double allowed = 6 * sqrt(2.0 / (WORDS * WIDTH));
    for (int tie = TIE_NONE; tie <= TIE_ALL; tie++) {
        const NetworkOptions options = { .embedding = WIDTH, .hidden = 3, .layers = 1, .heads = 1,
                                         .tie = tie };
        const double source = tie == TIE_ALL ? 1.0 / WIDTH : 1;
        const double target = tie == TIE_NONE ? 1 : 1.0 / WIDTH;
        Case c = network_case_new(&options, WORDS, WORDS);
        parameters_init(c.table, c.block, 1);
        assert_true(fabs(variance_of(&c, "encoder.embedding.weight") / source - 1) <= allowed);
        if (tie != TIE_ALL)
            assert_true(fabs(variance_of(&c, "decoder.embedding.weight") / target - 1) <= allowed);
        network_case_free(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(embeddings_should_begin_with_the_variance_that_is_promised),
        cmocka_unit_test(backward_should_be_the_gradient_of_every_parameter),
        cmocka_unit_test(backward_should_be_the_gradient_of_every_parameter_under_dropout),
        cmocka_unit_test(reinforce_should_be_soft_attention_where_the_choice_is_dropped),
        cmocka_unit_test(loss_without_gradient_should_be_that_of_the_gradient),
        cmocka_unit_test(slices_down_to_one_sentence_should_add_up_to_the_whole_batch),
        cmocka_unit_test(gradients_should_be_added_to_what_is_there),
        cmocka_unit_test(a_batch_should_take_the_memory_that_was_measured),
        cmocka_unit_test(operations_should_be_counted_as_the_table_of_parameters_says),
        cmocka_unit_test(chunks_should_be_of_pairs_of_rows_and_have_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
