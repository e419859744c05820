/* test_search_batches.c - what the results of a search must not depend on: what saves it work, and
 * sentences of its batch whose numbers fail. */
#include "linalg/matmul.h"
#include "model/prepacked_weights.h"
#include "search/expansion.h"
#include "search_case.h"

#include <math.h>
#include <string.h>

/* A thousand words; loops and <unk> to forbid, and a prefix. Where
 * the decoder attends to its own words, what it makes of one depends on its place and on those
 * before. */
UNIT_TEST(translations_should_not_depend_on_projection_caches)
{
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
        c.rules.copy = COPY_UNKNOWN;
        c.options.repeats = 2;
        c.source[1].target = prefix;
        c.source[1].target_length = 1;
        Found all = search_all(&c);
        word_projections_init(&c.scorer.w.words, &c.scorer.net);
        for (int times = 0; times < 2; times++) {
            Found cached = search_all(&c);
            for (int i = 0; i < SOURCES; i++) {
                const Hypothesis *a = hypothesis_at(&all, i, 0), *b = hypothesis_at(&cached, i, 0);
                const size_t weights = (size_t)(a->length * c.source[i].source_length);
                assert_int_equal(a->length, b->length);
                assert_memory_equal(a->ids, b->ids, (size_t)a->length * sizeof *a->ids);
                if (gemm_is_fastest())
                    assert_memory_equal(a->attention, b->attention,
                                        weights * sizeof *a->attention);
            }
        }
        word_projections_free(&c.scorer.w.words);
        case_free(&c);
    }
}

/* By their number, their place and their position alone. */
UNIT_TEST(what_hard_attention_draws_should_not_depend_on_the_batch)
{
    static const NetworkOptions network = { .embedding = 4, .hidden = 3, .layers = 1, .bidirectional = 1,
                                            .hard_attention = HARD_SAMPLED, .hard_positions = 1 };
    Case c = case_of(&network, 9);
    c.options.beam = c.options.nbest = 3;
    for (int i = 0; i < SOURCES; i++)
        c.source[i].number = i;
    const Found together = search_all(&c);
    for (int i = 0; i < SOURCES; i++) {
        const Found alone = search(&c, &c.source[i], 1);
        for (int k = 0; k < together.count[i]; k++)
            assert_same_hypothesis(hypothesis_at(&together, i, k), hypothesis_at(&alone, 0, k),
                                   c.source[i].source_length);
    }
    case_free(&c);
}

/* ---- states and logits that are no numbers, of some sentences of a batch or of all ---- */

/* The sources whose first word is that of source 0 overflow, and no others. */
static void spoil_first_word(Case *c)
{
    const int E = c->scorer.net.n.E, word = c->source[0].source[0];
    for (int j = 0; j < E; j++)
        ((real *)c->scorer.w.embedding[SIDE_SOURCE])[word * E + j] = (real)NAN;
}

static int has_word(const Sentence *source, int word)
{
    for (int i = 0; i < source->source_length; i++)
        if (source->source[i] == word) return 1;
    return 0;
}

static void assert_void(const Found *a, int source)
{
    const Hypothesis *h = hypothesis_at(a, source, 0);
    assert_int_equal(a->count[source], 1);
    assert_true(isnan(h->log_probability) && isnan(h->score));
}

/* The other sentences of the batch are translated as before. */
static void assert_first_word_void(Case *c)
{
    const int word = c->source[0].source[0];
    int voids = 0;
    Found sound = search_all(c);
    spoil_first_word(c);
    Found a = search_all(c);
    for (int i = 0; i < SOURCES; i++) {
        if (has_word(&c->source[i], word)) {
            assert_void(&a, i);
            voids++;
            continue;
        }
        assert_int_equal(a.count[i], sound.count[i]);
        for (int k = 0; k < a.count[i]; k++)
            assert_true(hypothesis_same_ids(hypothesis_at(&a, i, k), hypothesis_at(&sound, i, k)));
    }
    assert_in_range(voids, 1, SOURCES - 1);
}

UNIT_TEST(what_is_no_number_should_be_reported_for_the_sentences_that_have_it)
{
    static const SearchOptions cases[] = {
        { .beam = 1, .nbest = 1, .probabilities = 1 },
        { .beam = 1, .nbest = 1 },
        { .beam = 4, .nbest = 3, .probabilities = 1 },
        { .beam = 2, .nbest = 1, .alternatives = 3, .probabilities = 1 },
        { .beam = 3, .nbest = 3, .sample = 1, .sampling = { 1, 0, 1 }, .probabilities = 1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Case c = case_new(12, 1);
        c.options.beam = cases[i].beam;
        c.options.nbest = cases[i].nbest;
        c.options.probabilities = cases[i].probabilities;
        c.options.alternatives = cases[i].alternatives;
        c.options.sample = cases[i].sample;
        c.options.sampling = cases[i].sampling;
        assert_first_word_void(&c);
        case_free(&c);
    }
}

UNIT_TEST(what_is_no_number_should_be_reported_for_a_prefix)
{
    Case c = case_new(12, 1);
    give_prefix(&c, 1);
    assert_first_word_void(&c);
    case_free(&c);
}

/* Only one word leads to it, and all words are kept: what the others lead to no longer counts. */
UNIT_TEST(a_row_that_is_no_number_should_be_reported_instead_of_all_others)
{
    enum { WORDS = ID_SPECIALS + 3 };
    for (int word = ID_SPECIALS; word < WORDS; word++) {
        Case c = case_new(WORDS, 1);
        c.options.beam = c.options.nbest = WIDEST;      /* these words, <unk> and <eos> */
        const int E = c.scorer.net.n.E;
        for (int j = 0; j < E; j++)
            ((real *)c.scorer.w.embedding[SIDE_TARGET])[word * E + j] = (real)NAN;
        Found a = search_all(&c);
        for (int i = 0; i < SOURCES; i++)
            assert_void(&a, i);
        case_free(&c);
    }
}

/* Logits that overflow, of states that don't; or that all say that their word may not be
 * written. */
UNIT_TEST(logits_that_are_no_numbers_should_be_reported)
{
    static const struct { real bias; int probabilities; } cases[] = {
        { (real)INFINITY, 1 }, { (real)INFINITY, 0 }, { FORBIDDEN, 1 }, { FORBIDDEN, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Case c = case_new(12, 1);
        const Sizes *n = &c.scorer.net.n;
        real *weight = c.scorer.w.output.weights, *bias = (real *)c.scorer.w.output_bias;
        memset(weight, 0, (size_t)n->Vt * (size_t)n->O * sizeof *weight);
        for (int j = 0; j < n->Vt; j++)
            bias[j] = cases[i].bias;
        c.options.probabilities = cases[i].probabilities;
        Found a = search_all(&c);
        for (int k = 0; k < SOURCES; k++)
            assert_void(&a, k);
        case_free(&c);
    }
}

int main(void) { return run_unit_tests(); }
