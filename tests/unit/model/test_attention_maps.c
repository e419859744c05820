/* test_attention_maps.c - what heads look at: rows of weights that sum to one over what they may
 * see, whose mean over heads and layers is that of all. test_decoder.c shows that a search has it, too.
 */
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

static void assert_rows_sum_to_one(const real *map, int rows, int columns, int causal)
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
    const int rows = of == MAP_SOURCE ? pair.source_length : pair.target_length;
    const int columns = of == MAP_TARGET ? pair.target_length : pair.source_length;
    const size_t count = (size_t)(rows * columns);
    double *mean = heap_doubles(&c->heap, count);
    real *all = attention_map(&c->net, &c->w, &pair, BEGIN, (MapChoice){ of, { 0, 0 } });
    assert_rows_sum_to_one(all, rows, columns, of == MAP_TARGET);
    for (int layer = 1; layer <= LAYERS; layer++)
        for (int head = 1; head <= HEADS; head++) {
            const MapChoice choice = { of, { layer, head } };
            real *one = attention_map(&c->net, &c->w, &pair, BEGIN, choice);
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

UNIT_TEST(heads_should_average_to_the_mean_of_all)
{
    Case c = network_case_new(&transformer, SOURCE_WORDS, TARGET_WORDS);
    for (int of = MAP_CROSS; of <= MAP_TARGET; of++)
        assert_maps(&c, (MapKind)of);
    network_case_free(&c);
}

static void assert_refused(const NetworkOptions *options, MapChoice choice, const char *message)
{
    Err e = { "" };
    assert_int_equal(attention_map_check(options, choice, &e), -1);
    assert_non_null(strstr(e.text, message));
}

UNIT_TEST(heads_that_are_not_there_should_be_refused)
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
    NetworkOptions unit = transformer;
    unit.decoder_recurrence = RECURRENCE_SSRU;
    assert_refused(&unit, (MapChoice){ MAP_TARGET, { 0, 0 } }, "--decoder-recurrence in its place");
    assert_int_equal(attention_map_check(&unit, (MapChoice){ MAP_CROSS, { 1, 1 } }, &e), 0);
}

int main(void) { return run_unit_tests(); }
