/* test_search_batches.c - what the results of a search must not depend on: the other sentences of its
 * batch, and what saves it work; and a request to stop.
 */
#include "linalg/gemm.h"
#include "model/prepacked_weights.h"
#include "search_case.h"

#include <stdlib.h>
#include <string.h>

static void a_batch_should_translate_as_its_sentences_one_by_one(void **state)
{
    (void)state;
    Case c = case_new(9, 2);
    c.options.beam = 4;
    c.options.nbest = 3;
    SearchResult together = search(&c, c.source, SOURCES);
    for (int i = 0; i < SOURCES; i++) {
        SearchResult alone = search(&c, &c.source[i], 1);
        assert_int_equal(alone.counts[0], together.counts[i]);
        for (int k = 0; k < alone.counts[0]; k++)
            assert_same_hypothesis(hypothesis_at(&together, i, k), hypothesis_at(&alone, 0, k),
                                   c.source[i].source_length);
        result_free(&alone);
    }
    result_free(&together);
    case_free(&c);
}

/* A thousand words; loops and <unk> to forbid, and a prefix. Where
 * the decoder attends to its own words, what it makes of one depends on its place and on those
 * before. */
static void translations_should_not_depend_on_projection_caches(void **state)
{
    (void)state;
    static const int prefix[] = { ID_SPECIALS + 3 };
    static const NetworkOptions kinds[] = {
        { .embedding = 4, .hidden = 3, .layers = 1, .bidirectional = 1, .readout = READOUT_SIMPLE },
        { .embedding = 4, .hidden = 3, .layers = 2, .bidirectional = 1, .readout = READOUT_DEEP },
        { .embedding = 4, .hidden = 3, .layers = 1, .bidirectional = 1, .readout = READOUT_DEEP,
          .decoder_attention_layers = 1, .heads = 2 },
        { .embedding = 4, .hidden = 3, .layers = 1, .decoder = DECODER_SELF_ATTENTION,
          .decoder_attention_layers = 1, .heads = 2, .readout = READOUT_SIMPLE },
    };
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        Case c = case_of(&kinds[kind], 1000);
        c.options.probabilities = 0;
        c.copy = COPY_UNKNOWN;
        c.options.repeats = 2;
        c.source[1].target = prefix;
        c.source[1].target_length = 1;
        SearchResult all = search(&c, c.source, SOURCES);
        word_projections_init(&c.scorer.w.words, &c.scorer.net);
        for (int times = 0; times < 2; times++) {
            SearchResult cached = search(&c, c.source, SOURCES);
            for (int i = 0; i < SOURCES; i++) {
                const Hypothesis *a = hypothesis_at(&all, i, 0), *b = hypothesis_at(&cached, i, 0);
                const size_t weights = (size_t)(a->length * c.source[i].source_length);
                assert_int_equal(a->length, b->length);
                assert_memory_equal(a->ids, b->ids, (size_t)a->length * sizeof *a->ids);
                if (gemm_is_fastest())
                    assert_memory_equal(a->attention, b->attention,
                                        weights * sizeof *a->attention);
            }
            result_free(&cached);
        }
        result_free(&all);
        word_projections_free(&c.scorer.w.words);
        case_free(&c);
    }
}

static void a_search_that_is_stopped_should_take_no_step(void **state)
{
    (void)state;
    atomic_int stop;
    Case c = case_new(9, 1);
    c.options.stop = &stop;
    for (atomic_init(&stop, 1); stop >= 0; stop--) {
        SearchResult a = search(&c, c.source, SOURCES);
        for (int i = 0; i < SOURCES; i++)
            assert_int_equal(a.counts[i], !stop);
        result_free(&a);
    }
    case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_should_translate_as_its_sentences_one_by_one),
        cmocka_unit_test(translations_should_not_depend_on_projection_caches),
        cmocka_unit_test(a_search_that_is_stopped_should_take_no_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
