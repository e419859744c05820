/* test_deferral.c - a search that defers normalisers against one by all logits: the same words in
 * the same order, and the same scores, in thousands of random networks and hostile ones. */
#include "base/random/rng.h"
#include "linalg/prepacked.h"
#include "search_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NETWORKS = CASES(600), WIDEST_OUTPUT = 43, PREFIX_WORDS = 3 };
static const double largest_weight = 20;

/* One of the numbers of a network: below `count`. */
static int pick(uint64_t seed, int which, int count)
{
    return (int)(rng_uniform(rng_key(seed, 1, RNG_SAMPLE), (uint64_t)which) * count);
}

static double sized(uint64_t seed, int which, double least, double most)
{
    return least * pow(most / least, rng_uniform(rng_key(seed, 2, RNG_SAMPLE), (uint64_t)which));
}

static void fill(real *x, size_t count, uint64_t seed, double size)
{
    const uint64_t key = rng_key(seed, 3, RNG_SAMPLE);
    for (size_t i = 0; i < count; i++)
        x[i] = (real)(size * (2 * rng_uniform(key, i) - 1));
}

/* A network of its own for each seed; large weights in the output layer make large errors in 8
 * bits. */
static Case random_case(uint64_t seed)
{
    const NetworkOptions options = { .embedding = 3 + pick(seed, 0, WIDEST_OUTPUT - 3),
                                     .hidden = 3, .layers = 1, .readout = pick(seed, 1, 2),
                                     .bidirectional = 1 };
    Case c = case_of(&options, ID_SPECIALS + PREFIX_WORDS + pick(seed, 2, seed % 4 ? 30 : 300));
    real *weights = heap_zeros(&c.heap, c.table->size);
    fill(weights, c.table->size, seed, sized(seed, 3, 0.3, 3));
    c.scorer.w = weights_at(c.table, weights);
    const Sizes *n = &c.scorer.net.n;
    fill(c.scorer.w.output.weights, (size_t)n->Vt * (size_t)n->O, seed + 99,
         sized(seed, 4, 0.01, largest_weight));
    c.scorer.w.output_bias[ID_EOS] += (real)sized(seed, 5, 0.1, 5);
    c.options.beam = 2 + pick(seed, 6, 7);
    c.options.nbest = 1 + pick(seed, 7, c.options.beam);
    c.options.extra = pick(seed, 17, 1 + c.options.beam - c.options.nbest);
    c.options.beam_threshold = 0;
    c.options.normalize = pick(seed, 8, 3) / 2.0;
    c.options.repeats = pick(seed, 9, 3);
    c.copy = pick(seed, 10, 2) ? COPY_UNKNOWN : COPY_NONE;
    if (pick(seed, 11, 3) == 0) give_prefix(&c, pick(seed, 16, 2));
    return c;
}

/* With gemm the same numbers; with OpenBLAS the last bits of states may depend on the order of the
 * rows, and logits are sums of WIDEST_OUTPUT products of a weight and an output of at most 1. */
static void assert_same_score(double a, double b)
{
    const double logit = WIDEST_OUTPUT * largest_weight, epsilon = ldexp(1, -24);
    const double slack = gemm_is_fastest() ? 0 : LIMIT * 2 * WIDEST_OUTPUT * epsilon * logit;
    assert_true(fabs(a - b) <= slack || (isnan(a) && isnan(b)));
}

static void assert_same(const Hypothesis *a, const Hypothesis *b)
{
    assert_true(same_ids(a, b));
    assert_same_score(a->score, b->score);
    assert_same_score(a->log_probability, b->log_probability);
    for (int i = 0; i < a->length; i++)
        assert_same_score(a->log_probabilities[i], b->log_probabilities[i]);
}

static void assert_no_probability(const Hypothesis *a)
{
    assert_true(a->score == 0 && a->log_probability == 0 && a->error == 0);
}

static int bounded;             /* probabilities that were found to be within bounds */

static void assert_within_bounds(const Hypothesis *a, double log_probability)
{
    const double rounding = 1e-9 * (1 + fabs(log_probability));
    assert_true(fabs(a->log_probability - log_probability) <= a->error + rounding);
    bounded += a->log_probability != log_probability;
}

/* The hypothesis in place k of another search; beside the nbest the order may be another one. */
static const Hypothesis *same_place(const SearchResult *r, int source, int k, int nbest,
                                    const Hypothesis *h)
{
    if (k >= nbest)
        for (k = nbest; k + 1 < r->counts[source]; k++)
            if (same_ids(hypothesis_at(r, source, k), h)) break;
    return hypothesis_at(r, source, k);
}

/* Where no exact probabilities are wanted there are the same words. */
static void assert_inexact(Case *c, const SearchResult *all, Probabilities probabilities)
{
    c->options.probabilities = probabilities;
    SearchResult plain = search(c, c->source, SOURCES);
    for (int i = 0; i < SOURCES; i++)
        for (int k = 0; k < all->counts[i]; k++) {
            const Hypothesis *b = hypothesis_at(all, i, k);
            const Hypothesis *a = same_place(&plain, i, k, c->options.nbest, b);
            assert_true(same_ids(a, b));
            if (isnan(b->score)) assert_true(isnan(a->score) && a->error == 0);
            else if (probabilities == PROBABILITIES_NONE) assert_no_probability(a);
            else assert_within_bounds(a, b->log_probability);
        }
    result_free(&plain);
    c->options.probabilities = PROBABILITIES_EXACT;
}

/* A copy of the output layer, so that gemm computes all logits on every CPU. */
static void pack_output(Case *c, Prepacked *copy)
{
    Linear *w = &c->scorer.w.output;
    copy->forward = xaligned(gemm_packed_size(w->precision, w->columns, w->rows), sizeof(real));
    copy->backward = NULL;
    gemm_pack(w->precision, copy->forward, transposed(w->weights, w->ld), w->columns, w->rows,
              (Portion){ 0, 1 });
    atomic_init(&copy->state, PREPACKED_READY);
    w->prepacked = copy;
}

static void check(Case *c)
{
    Prepacked copy;
    pack_output(c, &copy);
    SearchResult all = search(c, c->source, SOURCES);
    c->scorer.screen = screen_new_anywhere(&c->scorer.w.output, c->scorer.w.output_bias);
    SearchResult deferred = search(c, c->source, SOURCES);
    for (int i = 0; i < SOURCES; i++) {
        assert_int_equal(all.counts[i], deferred.counts[i]);
        for (int k = 0; k < all.counts[i]; k++)
            assert_same(hypothesis_at(&deferred, i, k), hypothesis_at(&all, i, k));
    }
    if (c->scorer.screen && gemm_is_fastest()) assert_inexact(c, &all, PROBABILITIES_BOUNDED);
    if (c->scorer.screen && c->options.beam > 1) assert_inexact(c, &all, PROBABILITIES_NONE);
    result_free(&all);
    result_free(&deferred);
    screen_free(c->scorer.screen);
    c->scorer.screen = NULL;
    free(copy.forward);
}

static void random_networks_should_translate_as_by_all_logits(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < NETWORKS; seed++) {
        Case c = random_case(seed);
        check(&c);
        case_free(&c);
    }
    assert_true(bounded > NETWORKS || !gemm_is_fastest());
}

/* A probability that is only bounded does not ask for several hypotheses. */
static void given_translations_should_have_bounds_of_their_probability(void **state)
{
    (void)state;
    bounded = 0;
    for (uint64_t seed = 0; seed < NETWORKS / 4; seed++) {
        Case c = random_case(seed);
        c.options.beam = c.options.nbest = 1;
        c.options.extra = 0;
        give_prefix(&c, 1);
        check(&c);
        case_free(&c);
    }
    assert_true(bounded > NETWORKS || !gemm_is_fastest());
}

/* ---- the threshold, which results in 8 bits decide ---- */

static Case threshold_case(uint64_t seed, double weights)
{
    Case c = random_case(seed);
    const Sizes *n = &c.scorer.net.n;
    fill(c.scorer.w.output.weights, (size_t)n->Vt * (size_t)n->O, seed + 98, weights);
    fill(c.scorer.w.output_bias, (size_t)n->Vt, seed + 97, 3);
    c.options.nbest = 1 + pick(seed, 13, 2);
    c.options.extra = pick(seed, 18, 1 + c.options.beam - c.options.nbest);
    c.options.beam_threshold = sized(seed, 12, 0.1, 2);
    return c;
}

static int same_results(const SearchResult *a, const SearchResult *b)
{
    for (int i = 0; i < SOURCES; i++) {
        if (a->counts[i] != b->counts[i]) return 0;
        for (int k = 0; k < a->counts[i]; k++)
            if (!same_ids(hypothesis_at(a, i, k), hypothesis_at(b, i, k))) return 0;
    }
    return 1;
}

static SearchResult search_at(Case *c, double threshold)
{
    const double before = c->options.beam_threshold;
    c->options.beam_threshold = threshold;
    SearchResult result = search(c, c->source, SOURCES);
    c->options.beam_threshold = before;
    return result;
}

/* Where a little more and a little less than the threshold leave the same translations by all
 * logits, the threshold does so in 8 bits. With weights up to a tenth, O outputs up to 1 and units
 * of a 127th of both, a logit is off by 0.2 O^(1/2) / (12^(1/2) 127) at most in the mean square, 0.003,
 * and what two hypotheses of 20 words are apart by 0.03: `little` is twice that. A hypothesis more at
 * an early step may still make another one win: that happens in one network of 900. */
static void a_threshold_should_be_that_of_all_logits_but_for_rounding(void **state)
{
    (void)state;
    static const double little = 0.06;
    int compared = 0, different = 0, matters = 0;
    for (uint64_t seed = 0; seed < NETWORKS; seed++) {
        Case c = threshold_case(seed, 0.1);
        const double threshold = c.options.beam_threshold;
        SearchResult less = search_at(&c, fmax(threshold - little, 1e-9)), none = search_at(&c, 0);
        SearchResult exact = search(&c, c.source, SOURCES), more = search_at(&c, threshold + little);
        c.scorer.screen = screen_new_anywhere(&c.scorer.w.output, c.scorer.w.output_bias);
        SearchResult deferred = search(&c, c.source, SOURCES);
        if (same_results(&less, &exact) && same_results(&more, &exact)) {
            different += !same_results(&deferred, &exact);
            compared++;
            matters += !same_results(&none, &exact);
        }
        SearchResult *all[] = { &less, &none, &exact, &more, &deferred };
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) result_free(all[i]);
        screen_free(c.scorer.screen);
        case_free(&c);
    }
    assert_true(compared > NETWORKS / 2);
    assert_true(matters > NETWORKS / 20);
    assert_true(different <= NETWORKS / 400);
}

/* Once Gram matrices bound the errors more tightly, fewer normalisers are computed, of the same
 * hypotheses; also where there are no bounds, or too many words within them. */
static void a_threshold_should_not_depend_on_how_tight_bounds_are(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < NETWORKS / 2; seed++) {
        Case c = threshold_case(seed, sized(seed, 14, 0.01, largest_weight));
        c.options.beam_threshold = sized(seed, 15, 0.001, 1);
        c.scorer.screen = screen_new_anywhere(&c.scorer.w.output, c.scorer.w.output_bias);
        SearchResult loose = search(&c, c.source, SOURCES);
        if (c.scorer.screen) screen_tighten(c.scorer.screen);
        SearchResult tight = search(&c, c.source, SOURCES);
        for (int i = 0; i < SOURCES; i++) {
            assert_int_equal(loose.counts[i], tight.counts[i]);
            for (int k = 0; k < loose.counts[i]; k++)
                assert_same(hypothesis_at(&tight, i, k), hypothesis_at(&loose, i, k));
        }
        result_free(&loose);
        result_free(&tight);
        screen_free(c.scorer.screen);
        case_free(&c);
    }
}

static void precisions_should_translate_as_by_all_logits(void **state)
{
    (void)state;
    if (!gemm_has(PRECISION_BF16)) skip();
    for (uint64_t seed = 0; seed < NETWORKS / 4; seed++) {
        Case c = random_case(seed);
        c.scorer.w.output.precision = PRECISION_BF16;
        check(&c);
        case_free(&c);
    }
}

/* Words that are equal, in groups of `same`: ties within rows and between them. Elsewhere their
 * logits would depend on their places. */
static void ties_should_be_broken_as_by_all_logits(void **state)
{
    (void)state;
    if (!gemm_is_fastest()) skip();
    for (uint64_t seed = 0; seed < NETWORKS / 4; seed++) {
        Case c = random_case(seed);
        const int same = seed % 3 ? 2 + pick(seed, 20, 5) : c.scorer.net.n.Vt;
        const size_t O = (size_t)c.scorer.net.n.O, E = (size_t)c.scorer.net.n.E;
        for (int id = 0; id < c.scorer.net.n.Vt; id++) {
            const size_t like = (size_t)(id - id % same);
            real *w = c.scorer.w.output.weights, *words = c.scorer.w.target_embedding;
            memcpy(w + (size_t)id * O, w + like * O, O * sizeof *w);
            memcpy(words + (size_t)id * E, words + like * E, E * sizeof *words);
            c.scorer.w.output_bias[id] = c.scorer.w.output_bias[like];
        }
        check(&c);
        case_free(&c);
    }
}

/* More equal words than a step has room for. */
static void many_equal_words_should_be_found(void **state)
{
    (void)state;
    if (!gemm_is_fastest()) skip();
    const NetworkOptions options = { .embedding = 4, .hidden = 3, .layers = 1, .bidirectional = 1 };
    for (int beam = 2; beam < 8; beam++) {
        Case c = case_of(&options, 500);
        memset(c.scorer.w.output.weights, 0,
               500 * (size_t)c.scorer.net.n.O * sizeof *c.scorer.w.output.weights);
        memset(c.scorer.w.output_bias, 0, 500 * sizeof *c.scorer.w.output_bias);
        c.scorer.w.output_bias[ID_EOS] = 1;
        c.options.beam = c.options.nbest = beam;
        check(&c);
        case_free(&c);
    }
}

/* So many rows with so wide outputs that a search can't keep them all. */
static void memory_should_be_given_up(void **state)
{
    (void)state;
    const NetworkOptions options = { .embedding = 1024, .hidden = 3, .layers = 1,
                                     .readout = READOUT_DEEP, .bidirectional = 1 };
    Case c = case_of(&options, 12);
    for (size_t i = 0; i < 12 * 1024; i++)
        c.scorer.w.output.weights[i] /= 64;
    c.scorer.w.output_bias[ID_EOS] = -1;
    c.options.beam = 80;
    c.options.nbest = 3;
    check(&c);
    case_free(&c);
}

/* Numbers that overflow, in the states of some sources, in the output layer, or in all logits. */
static void what_is_no_number_should_be_reported(void **state)
{
    (void)state;
    const real wrong[] = { (real)NAN, (real)INFINITY, (real)1e20, (real)1e30 };
    for (uint64_t seed = 0; seed < 40; seed++) {
        Case c = random_case(seed);
        const Sizes *n = &c.scorer.net.n;
        const size_t word = (size_t)c.source[0].source[0], last = (size_t)n->Vt - 1;
        real *const places[] = { c.scorer.w.source_embedding + word * (size_t)n->E,
                                 c.scorer.w.target_embedding + last * (size_t)n->E,
                                 c.scorer.w.output.weights + last * (size_t)n->O,
                                 c.scorer.w.output_bias + last };
        *places[seed / 4 % 4] = wrong[seed % 4];
        check(&c);
        case_free(&c);
    }
}

/* Words that are forbidden and would have most of the probability. */
static void forbidden_words_should_never_be_written(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < NETWORKS / 8; seed++) {
        Case c = random_case(seed);
        c.copy = COPY_UNKNOWN;
        c.scorer.w.output_bias[ID_UNK] = c.scorer.w.output_bias[ID_PAD] = 20;
        c.scorer.w.output_bias[ID_SPECIALS] = (real)sized(seed, 30, 1, 50);
        c.options.repeats = 1;
        check(&c);
        case_free(&c);
    }
}

static void a_sentence_should_not_depend_on_the_others(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < NETWORKS / 8; seed++) {
        Case c = seed % 2 ? random_case(seed) : threshold_case(seed, 1);
        c.scorer.screen = screen_new_anywhere(&c.scorer.w.output, c.scorer.w.output_bias);
        SearchResult together = search(&c, c.source, SOURCES);
        for (int i = 0; i < SOURCES; i++) {
            SearchResult alone = search(&c, &c.source[i], 1);
            assert_int_equal(alone.counts[0], together.counts[i]);
            for (int k = 0; k < alone.counts[0] && gemm_is_fastest(); k++)
                assert_same(hypothesis_at(&alone, 0, k), hypothesis_at(&together, i, k));
            result_free(&alone);
        }
        result_free(&together);
        screen_free(c.scorer.screen);
        case_free(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_networks_should_translate_as_by_all_logits),
        cmocka_unit_test(given_translations_should_have_bounds_of_their_probability),
        cmocka_unit_test(a_threshold_should_be_that_of_all_logits_but_for_rounding),
        cmocka_unit_test(a_threshold_should_not_depend_on_how_tight_bounds_are),
        cmocka_unit_test(precisions_should_translate_as_by_all_logits),
        cmocka_unit_test(ties_should_be_broken_as_by_all_logits),
        cmocka_unit_test(many_equal_words_should_be_found),
        cmocka_unit_test(memory_should_be_given_up),
        cmocka_unit_test(what_is_no_number_should_be_reported),
        cmocka_unit_test(forbidden_words_should_never_be_written),
        cmocka_unit_test(a_sentence_should_not_depend_on_the_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
