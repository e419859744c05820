/* test_reranking.c - networks from right to left choose, by the probabilities that network_loss gives
 * each translation in that order.
 */
#include "search/reranking.h"
#include "search_case.h"

#include <math.h>
#include <string.h>

enum { WORDS = 9, BEAM = 4 };

/* Two networks: one searches, one chooses. */
typedef struct { Case left, right; } Both;

static Both both_new(void)
{
    Both both = { case_new(WORDS, 1), case_new(WORDS, 2) };
    for (size_t i = 0; i < both.right.table->size; i++)
        *(real *)(both.right.scorer.w.source_embedding + i) *= (real)-3;
    both.left.options.beam = both.left.options.nbest = BEAM;
    return both;
}

static void both_free(Both *both)
{
    case_free(&both->left);
    case_free(&both->right);
}

static void choose(Both *both, const SearchResult *r, int left)
{
    const SearchRules rules = { .options = &both->left.options };
    const Reranker by = { &both->right.scorer, 1, left };
    Arena arena = { 0 };
    rerank(r->best, r->counts, &by, both->left.source, SOURCES, &rules, &arena);
    arena_free(&arena);
}

/* log P of the words in the other order, and <eos> behind them. */
static double log_probability_right_left(Both *both, int source, const Hypothesis *h)
{
    int ids[LIMIT + 1], count = 0;
    for (int t = h->length; t-- > 0; )
        if (h->ids[t] != ID_EOS) ids[count++] = h->ids[t];
    ids[count++] = ID_EOS;
    return log_probability(&both->right, &both->left.source[source], ids, count);
}

static void a_score_should_be_the_mean_of_all_networks(void **state)
{
    (void)state;
    int exchanged = 0;
    for (int left = 1; left <= 3; left++) {
        Both both = both_new();
        SearchResult r = search(&both.left, both.left.source, SOURCES);
        choose(&both, &r, left);
        for (int i = 0; i < SOURCES; i++)
            for (int k = 0; k < r.counts[i]; k++) {
                const Hypothesis *h = hypothesis_at(&r, i, k);
                const double right = log_probability_right_left(&both, i, h);
                const double mean = (left * h->log_probability + right) / (left + 1) / h->length;
                assert_near(&(real){ (real)h->score }, &mean, 1, operations);
                if (k) assert_true(h[-1].score >= h->score);
                if (k) exchanged += h[-1].log_probability / h[-1].length
                                    < h->log_probability / h->length;
            }
        result_free(&r);
        both_free(&both);
    }
    assert_true(exchanged > 0);
}

static void the_same_translations_should_be_there_as_before(void **state)
{
    (void)state;
    Both both = both_new();
    SearchResult before = search(&both.left, both.left.source, SOURCES);
    SearchResult after = search(&both.left, both.left.source, SOURCES);
    choose(&both, &after, 1);
    for (int i = 0; i < SOURCES; i++) {
        int found = 0;
        assert_int_equal(before.counts[i], after.counts[i]);
        for (int k = 0; k < before.counts[i]; k++)
            for (int n = 0; n < after.counts[i]; n++)
                found += same_ids(hypothesis_at(&before, i, k), hypothesis_at(&after, i, n));
        assert_int_equal(found, before.counts[i]);
    }
    result_free(&before);
    result_free(&after);
    both_free(&both);
}

static void what_is_no_number_should_stay_where_it_is(void **state)
{
    (void)state;
    Both both = both_new();
    ((real *)both.right.scorer.w.output_bias)[5] = (real)NAN;
    SearchResult before = search(&both.left, both.left.source, SOURCES);
    SearchResult after = search(&both.left, both.left.source, SOURCES);
    choose(&both, &after, 1);
    for (int i = 0; i < SOURCES; i++)
        for (int k = 0; k < before.counts[i]; k++)
            assert_true(same_ids(hypothesis_at(&before, i, k), hypothesis_at(&after, i, k)));
    result_free(&before);
    result_free(&after);
    both_free(&both);
}

static void a_hypothesis_should_be_reversed_with_all_that_is_known_of_its_words(void **state)
{
    (void)state;
    int ids[] = { 7, 8, 9, ID_EOS };
    double p[] = { -1, -2, -3, -4 };
    float attention[] = { 0.1f, 0.9f, 0.2f, 0.8f, 0.3f, 0.7f, 0.4f, 0.6f };
    Alternative alternatives[] = { { 1, -1 }, { 2, -2 }, { 3, -3 }, { 4, -4 } };
    Hypothesis h = { .length = 4, .ids = ids, .log_probabilities = p, .attention = attention,
                     .alternatives = alternatives };
    hypothesis_reverse(&h, 2, 1);
    assert_memory_equal(ids, ((int[]){ 9, 8, 7, ID_EOS }), sizeof ids);
    assert_memory_equal(p, ((double[]){ -3, -2, -1, -4 }), sizeof p);
    assert_memory_equal(attention,
                        ((float[]){ 0.3f, 0.7f, 0.2f, 0.8f, 0.1f, 0.9f, 0.4f, 0.6f }),
                        sizeof attention);
    for (int i = 0; i < 4; i++)
        assert_int_equal(alternatives[i].id, ((int[]){ 3, 2, 1, 4 })[i]);
    h = (Hypothesis){ .length = 2, .ids = ids, .log_probabilities = p };
    hypothesis_reverse(&h, 2, 1);           /* without <eos>; nothing else is kept */
    assert_memory_equal(ids, ((int[]){ 8, 9, 7, ID_EOS }), sizeof ids);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_score_should_be_the_mean_of_all_networks),
        cmocka_unit_test(the_same_translations_should_be_there_as_before),
        cmocka_unit_test(what_is_no_number_should_stay_where_it_is),
        cmocka_unit_test(a_hypothesis_should_be_reversed_with_all_that_is_known_of_its_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
