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
static const char *const with_self_attention[] = {
    "bidirectional=on encoder-attention-layers=2 heads=3",
    "hidden=4 layers=2 start=last encoder-attention-layers=1 heads=2 feed-forward=3",
    "embedding=6 encoder=self-attention encoder-attention-layers=2 heads=2 feed-forward=5",
    "embedding=6 decoder-attention-layers=2 readout=simple",
    "encoder=self-attention encoder-attention-layers=1 decoder-attention-layers=1 heads=2 decoder=conditional tie=all "
        "layer-norm=on",
    "encoder-attention-layers=1 decoder-attention-layers=1 norm=pre positions=learned attention-positions=3",
    "embedding=6 encoder=self-attention encoder-attention-layers=1 decoder=self-attention decoder-attention-layers=2 "
        "heads=2 feed-forward=3 readout=simple",
    "embedding=8 encoder=self-attention encoder-attention-layers=1 decoder=self-attention decoder-attention-layers=1 "
        "heads=4 feed-forward=3 readout=simple norm=pre tie=all positions=learned attention-positions=9",
    "layers=2 cell=lstm bidirectional=on decoder=self-attention decoder-attention-layers=1 heads=2 feed-forward=2 "
        "readout=simple tie=target",
    NULL
};

/* The options of models of other programs. */
static const char *const foreign[] = {
    "embedding=8 encoder=self-attention encoder-attention-layers=1 decoder=self-attention decoder-attention-layers=1 "
        "heads=2 feed-forward=3 readout=simple tie=all activation=swish positions=marian zero-start=on "
        "decoder-recurrence=ssru norm-epsilon=0.001",
    "embedding=6 encoder=self-attention encoder-attention-layers=1 decoder=self-attention decoder-attention-layers=1 "
        "heads=2 feed-forward=5 readout=simple tie=target activation=gelu positions=hugging-face embedding-norm=on",
    "embedding=6 encoder=self-attention encoder-attention-layers=1 decoder=self-attention decoder-attention-layers=1 "
        "heads=2 feed-forward=4 readout=simple norm=pre activation=gelu-sigmoid positions=ctranslate2 "
        "embedding-scale=none decoder-recurrence=ssru source-end=none",
    "embedding=6 encoder=self-attention encoder-attention-layers=1 decoder=self-attention decoder-attention-layers=1 "
        "heads=2 feed-forward=3 readout=simple activation=gelu-tanh positions=learned attention-positions=3 "
        "embedding-norm=on",
    "embedding=4 tie=target zero-start=on embedding-norm=on norm-epsilon=0.01",
    NULL
};

/* The choice of hard attention has no gradient: the estimators are tested in test_attention.c. */
static const char *const with_hard_attention[] = {
    "hard-attention=top hard-positions=2",
    "layers=2 hard-attention=sampled hard-positions=3 bidirectional=on readout=simple hard-gradient=reinforce",
    "layers=2 hard-attention=top hard-positions=2 decoder=luong",
    "layers=2 hard-attention=sampled hard-positions=2 decoder=conditional hard-gradient=reinforce",
    NULL
};

/* Ties and normalisation, which are independent of all other options. */
static const char *const special[] = {
    "bidirectional=on tie=target",
    "bidirectional=on tie=all",
    "embedding=3 readout=simple tie=target",
    "layers=2 bidirectional=on layer-norm=on",
    "layers=2 readout=simple start=last layer-norm=on",
    "layers=2 bidirectional=on decoder=conditional layer-norm=on residual=on tie=target",
    "layers=2 cell=lstm readout=simple start=last decoder=conditional",
    "layers=3 cell=lstm readout=simple bidirectional=on bidirectional-layers=1 residual=on residual-from=3 decoder=gnmt",
    "layers=3 bidirectional=on bidirectional-layers=2",
    NULL
};

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

static void for_every_kind(Check check)
{
    check_kinds(check, special);
    check_kinds(check, with_self_attention);
    check_kinds(check, foreign);
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

UNIT_TEST(backward_should_be_the_gradient_of_every_parameter)
{
    if (!REAL_IS_DOUBLE) skip();
    for_every_kind(check_differences);
}

UNIT_TEST(backward_should_be_the_gradient_of_every_parameter_under_dropout)
{
    if (!REAL_IS_DOUBLE) skip();
    for_every_kind(check_differences_with_dropout);
    check_kinds(check_differences_with_a_mask_a_sentence, special);
    check_kinds(check_differences_with_r_drop, special);
}

/* Without a choice REINFORCE has nothing to estimate. */
static void check_differences_without_choice(Case *c)
{
    if (c->net.hard.estimator != HARD_REINFORCE) return;
    c->noise.choice = (Dropout){ 1, rng_key(1, 1, RNG_DROPOUT), TOKEN_STEP_BITS };
    check_differences(c);
}

UNIT_TEST(reinforce_should_be_soft_attention_where_the_choice_is_dropped)
{
    if (!REAL_IS_DOUBLE) skip();
    check_kinds(check_differences_without_choice, with_hard_attention);
}

static void check_loss_alone(Case *c)
{
    c->noise = noise_of_all_kinds(0);
    assert_same_loss(loss_of_all(c), gradient_of_all(c));
    c->noise = no_noise;
    assert_same_loss(loss_of_all(c), gradient_of_all(c));
    c->criterion.smoothing = 0;
    Loss loss = loss_of_all(c);
    assert_true(loss.smoothed == loss.plain);
}

UNIT_TEST(loss_without_gradient_should_be_that_of_the_gradient)
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

UNIT_TEST(slices_down_to_one_sentence_should_add_up_to_the_whole_batch)
{
    for_every_kind(check_slices);
    check_kinds(check_slices_with_r_drop, special);
    check_kinds(check_slices, with_hard_attention);
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

UNIT_TEST(gradients_should_be_added_to_what_is_there)
{
    for_every_kind(check_accumulation);
    check_kinds(check_accumulation, with_hard_attention);
}

/* All of it, but for the ends of sources that are not read. */
static void assert_measured(const Case *c)
{
    if (c->net.options.source_end) assert_true(c->memory.used <= c->memory.capacity);
    else assert_int_equal(c->memory.used, c->memory.capacity);
}

static void check_measure(Case *c)
{
    gradient_of_all(c);
    assert_measured(c);
    arena_free(&c->memory);
    loss_of_all(c);
    assert_measured(c);
    arena_free(&c->batch_memory);
    loss_of_all(c);
    assert_int_equal(c->batch_memory.used, c->batch_memory.capacity);
}

UNIT_TEST(a_batch_should_take_the_memory_that_was_measured)
{
    for_every_kind(check_measure);
    check_kinds(check_measure, with_hard_attention);
}

/* ---- the count of operations ---- */

/* Multiply-adds of one tensor on a batch: each value once for each row that it is multiplied
 * with. */
static double products_of(const Architecture *net, const Parameter *p, BatchSize size)
{
    const double values = (double)parameter_count(p);
    if (p->touches != TOUCHES_ALL || !p->columns || p->rows == 1) return 0;
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
    if (!strcmp(p->name, "attention.hidden.weight"))    /* the query's columns, then the key's */
        return (double)p->rows * (net->n.H * size.target_tokens + net->n.C * size.source_tokens);
    return values * size.target_tokens;
}

static void check_flops(Case *c)
{
    const BatchSize size = { 3, 7, 17, 5, 11 };
    double products = 0;
    for (int i = 0; i < c->table->count; i++)
        products += products_of(&c->net, &c->table->row[i], size);
    assert_true(network_flops(c->table, size, 0) == 3 * 2 * products);
    assert_true(network_flops(c->table, size, 1)
                == 3 * 2 * products - 2 * 2.0 * c->net.n.Vt * c->net.n.O * size.target_tokens);
}

UNIT_TEST(operations_should_be_counted_as_the_table_of_parameters_says)
{
    for_every_kind(check_flops);
}

/* ---- chunks of logits ---- */

/* Up to so many words that 5, 3 and 1 rows of logits, of floats, would fill a chunk. */
UNIT_TEST(chunks_should_be_of_pairs_of_rows_and_have_room)
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
UNIT_TEST(embeddings_should_begin_with_the_variance_that_is_promised)
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

int main(void) { return run_unit_tests(); }
