/* test_embedding_layer.c - from words to vectors: scale, positions, and which words are dropped.
 * test_network.c checks the gradients.
 */
#include "base/random/rng.h"
#include "base/real.h"
#include "model/batch.h"
#include "model/decoder/decoder_type.h"
#include "model/pass.h"
#include "naive.h"
#include "numbers.h"

#include <math.h>

enum { WORDS = 50, E = 16, SENTENCES = 400, STEPS = 6, TOKENS = SENTENCES * STEPS };

/* Each sentence has one word three times: a b a c d a. */
typedef struct {
    Heap      heap;
    Architecture       net;
    Weights   w;
    int      *id;
    uint64_t *token;
    real     *x;
} Case;

static Case case_new(int tie)
{
    const NetworkOptions options = { .embedding = E, .hidden = E, .layers = 1, .tie = tie };
    Case c = { .net = architecture_of(&options, WORDS, WORDS) };
    c.w.embedding[SIDE_SOURCE] = heap_zeros(&c.heap, WORDS * E);
    c.w.embedding[SIDE_TARGET] = tie == TIE_ALL ? c.w.embedding[SIDE_SOURCE] : heap_zeros(&c.heap, WORDS * E);
    for (int i = 0; i < WORDS * E; i++)
        c.w.embedding[SIDE_SOURCE][i] = c.w.embedding[SIDE_TARGET][i] = 1;
    c.id = heap_take(&c.heap, TOKENS, sizeof *c.id);
    c.token = heap_take(&c.heap, TOKENS, sizeof *c.token);
    c.x = heap_zeros(&c.heap, TOKENS * E);
    const int distance[STEPS] = { 0, 1, 0, 2, 3, 0 };
    for (int i = 0; i < TOKENS; i++) {
        c.id[i] = (i / STEPS + distance[i % STEPS]) % WORDS;
        c.token[i] = (uint64_t)(i / STEPS) << TOKEN_STEP_BITS | (uint64_t)(i % STEPS);
    }
    return c;
}

static void embed(Case *c, PassSide side, const Noise *noise)
{
    const PackedSequence packed = { .total = TOKENS };
    const Batch batch = { .source = { .packed = packed, .ids = c->id, .token = c->token },
                          .target = { .packed = packed, .input = c->id, .token = c->token } };
    Pass pass = pass_of_batch(&c->net, &c->w, &batch);
    pass.noise = noise;
    embedding_layer_forward(c->x, NULL, &pass, side, 0);
}

static void assert_scale(int tie, PassSide side, real scale)
{
    Case c = case_new(tie);
    embed(&c, side, &(Noise){ 0 });
    for (int i = 0; i < TOKENS * E; i++)
        assert_true(c.x[i] == scale);
    heap_free(&c.heap);
}

UNIT_TEST(tied_embeddings_should_be_read_at_the_root_of_their_width)
{
    assert_scale(TIE_NONE, SIDE_SOURCE, 1);
    assert_scale(TIE_NONE, SIDE_TARGET, 1);
    assert_scale(TIE_TARGET, SIDE_SOURCE, 1);
    assert_scale(TIE_TARGET, SIDE_TARGET, 4);
    assert_scale(TIE_ALL, SIDE_SOURCE, 4);
    assert_scale(TIE_ALL, SIDE_TARGET, 4);
}

/* Two sentences of two and one words, from position `first` on, in a network without recurrence. */
static void embed_with(Case *c, PassSide side, NetworkOptions options, const Noise *noise, int first)
{
    const size_t positions = (size_t)options.attention_positions;
    const NormSave save = { heap_zeros(&c->heap, 3 * E), heap_zeros(&c->heap, 3) };
    options.embedding = E;
    options.hidden = 3;
    options.heads = 1;
    options.layers = options.encoder_attention_layers = options.decoder_attention_layers = 1;
    options.encoder = ENCODER_SELF_ATTENTION;
    options.decoder = DECODER_SELF_ATTENTION;
    options.readout = READOUT_SIMPLE;
    static const int rows[] = { 2, 1 }, start[] = { 0, 2, 3 };
    const PackedSequence packed = { 2, 3, rows, start };
    const Batch batch = { .source = { .packed = packed, .ids = c->id, .token = c->token },
                          .target = { .packed = packed, .input = c->id, .token = c->token } };
    c->net = architecture_of(&options, WORDS, WORDS);
    for (int i = 0; i < 2; i++) {
        c->w.positions[i] = heap_random(&c->heap, positions * E);
        c->w.embedding_norm[i] = (NormWeights){ heap_random(&c->heap, E), heap_random(&c->heap, E) };
    }
    Pass pass = pass_of_batch(&c->net, &c->w, &batch);
    pass.noise = noise;
    embedding_layer_forward(c->x, &save, &pass, side, first);
}

static void embed_in_place(Case *c, PassSide side, int positions, const Noise *noise, int first)
{
    embed_with(c, side, (NetworkOptions){ .positions = positions ? POSITIONS_LEARNED : POSITIONS_SINUSOIDAL,
                                          .attention_positions = positions }, noise, first);
}

/* Each word is 1 in all columns, so it is read as sqrt(E) = 4. */
UNIT_TEST(words_that_no_recurrent_layer_reads_should_be_scaled_and_have_positions)
{
    enum { ROWS = 3 };
    static const int step[ROWS] = { 0, 0, 1 };
    for (int side = 0; side < 2; side++)
        for (int first = 0; first < 3; first++) {
            Case c = case_new(TIE_NONE);
            embed_in_place(&c, (PassSide)side, 0, &(Noise){ 0 }, first);
            for (int i = 0; i < ROWS; i++) {
                double expected[E];
                for (int j = 0; j < E; j++) {
                    const double angle = (first + step[i]) / pow(10000, j / 2 * 2.0 / E);
                    expected[j] = 4 + (j % 2 ? cos(angle) : sin(angle));
                }
                assert_near(c.x + i * E, expected, E, 4);
            }
            embed_in_place(&c, (PassSide)side, 3, &(Noise){ 0 }, first);
            const real *learned = side == SIDE_SOURCE ? c.w.positions[SIDE_SOURCE]
                                                      : c.w.positions[SIDE_TARGET];
            for (int i = 0; i < ROWS; i++)
                for (int j = 0; j < E; j++)     /* the third is the last */
                    assert_true(c.x[i * E + j] == 4 + learned[min_int(first + step[i], 2) * E + j]);
            heap_free(&c.heap);
        }
}

/* sin and cos of t / 10000^(j / divisor), t from `origin` on, the sines before the cosines. */
static void assert_positions_beside(int kind, double divisor, int origin)
{
    for (int side = 0; side < 2; side++) {
        Case c = case_new(TIE_NONE);
        embed_with(&c, (PassSide)side, (NetworkOptions){ .positions = kind }, &(Noise){ 0 }, 5);
        for (int i = 0; i < 3; i++) {
            double expected[E];
            for (int j = 0; j < E / 2; j++) {
                const double angle = (5 + (i == 2) + origin) / pow(10000, j / divisor);
                expected[j] = 4 + sin(angle);
                expected[E / 2 + j] = 4 + cos(angle);
            }
            assert_near(c.x + i * E, expected, E, 4);
        }
        heap_free(&c.heap);
    }
}

UNIT_TEST(positions_of_other_programs_should_be_theirs)
{
    assert_positions_beside(POSITIONS_MARIAN, E / 2 - 1, 0);
    assert_positions_beside(POSITIONS_CTRANSLATE2, E / 2 - 1, 1);
    assert_positions_beside(POSITIONS_HUGGING_FACE, E / 2, 0);
}

/* The first word of the first sentence is <bos>. */
UNIT_TEST(the_first_word_of_the_decoder_may_be_zero)
{
    for (int side = 0; side < 2; side++) {
        Case c = case_new(TIE_NONE);
        const NetworkOptions options = { .positions = POSITIONS_LEARNED, .attention_positions = 2,
                                         .zero_start = 1, .embedding_scale = SCALE_NONE };
        c.id[0] = 2;
        embed_with(&c, (PassSide)side, options, &(Noise){ 0 }, 0);
        for (int j = 0; j < E; j++) {
            assert_true(c.x[j] == (side == SIDE_SOURCE) + c.w.positions[side][j]);
            assert_true(c.x[E + j] == 1 + c.w.positions[side][j]);
        }
        heap_free(&c.heap);
    }
}

UNIT_TEST(words_with_their_positions_may_be_normalised)
{
    for (int side = 0; side < 2; side++) {
        Case c = case_new(TIE_NONE);
        const NetworkOptions options = { .embedding_norm = 1, .norm_epsilon = 0.25 };
        embed_with(&c, (PassSide)side, options, &(Noise){ 0 }, 3);
        for (int i = 0; i < 3; i++) {
            double x[E];
            for (int j = 0; j < E; j++) {
                const double angle = (3 + (i == 2)) / pow(10000, j / 2 * 2.0 / E);
                x[j] = 4 + (j % 2 ? cos(angle) : sin(angle));
            }
            naive_layer_norm(x, x, &c.w.embedding_norm[side], 0.25, E);
            assert_near(c.x + i * E, x, E, 64);
        }
        heap_free(&c.heap);
    }
}

UNIT_TEST(a_dropped_word_should_keep_its_position_and_a_dropped_value_nothing)
{
    const uint64_t key = rng_key(1, 2, RNG_DROPOUT);
    const Noise word = { .word = { { 0.99999, key, 0 }, { 0.99999, key, 0 } } };
    const Noise value = { .embedding = { 0.99999, key, 0 } };
    Case c = case_new(TIE_NONE);
    embed_in_place(&c, SIDE_TARGET, 2, &word, 0);
    for (int j = 0; j < E; j++)
        assert_true(c.x[2 * E + j] == c.w.positions[SIDE_TARGET][E + j]);
    embed_in_place(&c, SIDE_TARGET, 2, &value, 0);
    for (int j = 0; j < E; j++)
        assert_true(c.x[2 * E + j] == 0);
    heap_free(&c.heap);
}

/* A word is dropped whole, by a mask of its position, or of its id where a sentence has one mask;
 * then single values. Each side has masks of its own. */
UNIT_TEST(words_and_values_should_be_dropped_by_their_own_masks)
{
    const uint64_t key = rng_key(1, 2, RNG_DROPOUT);
    const Dropout half = { 0.5, key, 0 }, some = { 0.25, key, 0 };
    for (int side = 0; side < 2; side++)
        for (int shared = 0; shared <= TOKEN_STEP_BITS; shared += TOKEN_STEP_BITS) {
            Case c = case_new(TIE_NONE);
            real *expected = heap_zeros(&c.heap, TOKENS * E);
            const Noise noise = { .word = { { 0.5, key, shared }, { 0.5, key, shared } },
                                  .embedding = some };
            for (int i = 0; i < TOKENS; i++) {
                const uint64_t sentence = (uint64_t)(i / STEPS) << TOKEN_STEP_BITS;
                const uint64_t name = shared ? sentence | (uint64_t)c.id[i] : c.token[i];
                for (int j = 0; j < E; j++)
                    expected[i * E + j] = dropout_factor(&half, PLACE_WORD + side, name);
            }
            dropout_apply(expected, &some, PLACE_SOURCE + side, c.token, TOKENS, E);
            embed(&c, (PassSide)side, &noise);
            assert_memory_equal(c.x, expected, TOKENS * E * sizeof(real));
            heap_free(&c.heap);
        }
}

int main(void) { return run_unit_tests(); }
