/* test_attention_maps.c - what heads look at: rows of weights that sum to one over what they may
 * see, whose mean over heads and layers is that of all, and is what a search shows.
 */
#include "model/decoder/decoder.h"
#include "model/encoder.h"
#include "model/network.h"
#include "network_case.h"

#include <stdlib.h>
#include <string.h>

enum { LAYERS = 2, HEADS = 2, BEGIN = 2 };

static const NetworkOptions transformer = {
    .embedding = 4, .hidden = 3, .layers = 1, .encoder = ENCODER_SELF_ATTENTION,
    .encoder_attention_layers = LAYERS, .decoder = DECODER_SELF_ATTENTION,
    .decoder_attention_layers = LAYERS, .heads = HEADS, .readout = READOUT_SIMPLE,
};

static Sentence first_sentence(void)
{
    Sentence all[SENTENCES];
    choose(all, 1, 1);
    return all[0];
}

static int rows_of(const Sentence *pair, MapKind of)
{
    return of == MAP_SOURCE ? pair->source_length : pair->target_length;
}

static int columns_of(const Sentence *pair, MapKind of)
{
    return of == MAP_TARGET ? pair->target_length : pair->source_length;
}

static void assert_rows_sum_to_one(const float *map, int rows, int columns, int causal)
{
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int j = 0; j < columns; j++) {
            assert_true(map[i * columns + j] >= 0);
            assert_true(!causal || j <= i || map[i * columns + j] == 0);
            sum += (double)map[i * columns + j];
        }
        assert_true(sum > 1 - 1e-5 && sum < 1 + 1e-5);
    }
}

static void assert_maps(Case *c, MapKind of)
{
    const Sentence pair = first_sentence();
    const int rows = rows_of(&pair, of), columns = columns_of(&pair, of);
    const size_t count = (size_t)(rows * columns);
    double *mean = heap_doubles(&c->heap, count);
    float *all = attention_map(&c->net, &c->w, &pair, BEGIN, (MapChoice){ of, { 0, 0 } });
    assert_rows_sum_to_one(all, rows, columns, of == MAP_TARGET);
    for (int layer = 1; layer <= LAYERS; layer++)
        for (int head = 1; head <= HEADS; head++) {
            const MapChoice choice = { of, { layer, head } };
            float *one = attention_map(&c->net, &c->w, &pair, BEGIN, choice);
            assert_rows_sum_to_one(one, rows, columns, of == MAP_TARGET);
            assert_memory_not_equal(one, all, count * sizeof *one);
            for (size_t i = 0; i < count; i++)
                mean[i] += (double)one[i] / (LAYERS * HEADS);
            free(one);
        }
    for (size_t i = 0; i < count; i++)
        assert_true(mean[i] - (double)all[i] < 1e-6 && (double)all[i] - mean[i] < 1e-6);
    free(all);
}

static void heads_should_average_to_the_mean_of_all(void **state)
{
    Case c = network_case_new(&transformer, SOURCE_WORDS, TARGET_WORDS);
    for (int of = MAP_CROSS; of <= MAP_TARGET; of++)
        assert_maps(&c, (MapKind)of);
    network_case_free(&c);
}

/* The search, step by step along the same words: so many that its caches grow twice. */
static void the_mean_of_all_should_be_what_a_search_shows(void **state)
{
    enum { STEPS = 70 };
    Case c = network_case_new(&transformer, SOURCE_WORDS, TARGET_WORDS);
    Sentence pair = first_sentence();
    int target[STEPS];
    for (int t = 0; t < STEPS; t++) target[t] = t * t % TARGET_WORDS;
    pair.target = target;
    pair.target_length = STEPS;
    float *map = attention_map(&c.net, &c.w, &pair, BEGIN, (MapChoice){ MAP_CROSS, { 0, 0 } });
    const BatchSize size = batch_size(&pair, 1);
    Batch batch;
    EncoderState encoder = { 0 };
    DecoderState search = { 0 };
    Arena arena = { 0 };
    BatchSize step = size;
    step.target_steps = 0;
    step.target_tokens = 1;
    for (int measured = 0; measured < 2; measured++) {
        encoder_layout(&encoder, &arena, &c.net, size, 0);
        decoder_layout(&search, &arena, &c.net, step, 0);
        if (!measured) arena_reserve(&arena, arena.used);
    }
    arena_reserve(&c.batch_memory, batch_measure(size));
    batch_build(&batch, &c.batch_memory, &pair, 1, BEGIN);
    Pass pass = pass_of_batch(&c.net, &c.w, &batch);
    encoder_forward(&encoder, &pass);
    const AttentionSource memory = encoder_memory(&encoder, &batch.source);
    pass.memory = &memory;
    decoder_begin(&search, &pass, encoder.start);
    for (int t = 0; t < pair.target_length; t++) {
        const int one = 1, start[] = { 0, 1 };
        const TargetBatch word = { .packed = { 1, 1, &one, start },
                                   .input = batch.target.input + t };
        pass.target = &word;
        decoder_step(&search, &pass);
        for (int s = 0; s < pair.source_length; s++) {
            const double off = (double)search.alpha[s] - (double)map[t * pair.source_length + s];
            assert_true(off < 1e-6 && off > -1e-6);
        }
    }
    decoder_end(&search);
    arena_free(&arena);
    free(map);
    network_case_free(&c);
}

static void assert_refused(const NetworkOptions *options, MapChoice choice, const char *message)
{
    Err e = { "" };
    assert_int_equal(attention_map_check(options, choice, &e), -1);
    assert_non_null(strstr(e.text, message));
}

static void heads_that_are_not_there_should_be_refused(void **state)
{
    Err e;
    const NetworkOptions recurrent = network_original();
    assert_int_equal(attention_map_check(&recurrent, (MapChoice){ MAP_CROSS, { 0, 0 } }, &e), 0);
    assert_int_equal(attention_map_check(&transformer, (MapChoice){ MAP_TARGET, { 2, 2 } }, &e), 0);
    assert_refused(&recurrent, (MapChoice){ MAP_CROSS, { 0, 1 } }, "in one place");
    assert_refused(&recurrent, (MapChoice){ MAP_SOURCE, { 0, 0 } }, "encoder has none");
    assert_refused(&recurrent, (MapChoice){ MAP_TARGET, { 0, 0 } }, "decoder has none");
    assert_refused(&transformer, (MapChoice){ MAP_SOURCE, { 3, 0 } }, "has 2 self-attention");
    assert_refused(&transformer, (MapChoice){ MAP_CROSS, { 0, 3 } }, "have 2 heads");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_should_average_to_the_mean_of_all),
        cmocka_unit_test(the_mean_of_all_should_be_what_a_search_shows),
        cmocka_unit_test(heads_that_are_not_there_should_be_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
