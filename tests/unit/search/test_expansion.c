/* test_expansion.c - what must not follow a hypothesis, word by word; the best words of a row, and words drawn, against
 * sorting. In a search: test_search_rules.c.
 */
#include "base/random/rng.h"
#include "linalg/vector.h"
#include "numbers.h"
#include "search/expansion.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- forbidden words ---- */

enum { A = ID_SPECIALS, B, C, WORDS = ID_SPECIALS + PLACEHOLDERS + 2 };

/* The words that are forbidden behind ids (length), but for <pad> and <bos>, as a bit each. */
static uint64_t forbidden_after(const int *ids, int length, WordLimits most)
{
    Node node[8];
    real logits[WORDS] = { 0 };
    uint64_t bits = 0;
    WordsWritten written = { 0 };
    for (int i = 0; i < length; i++) {
        node[i] = (Node){ .parent = i ? &node[i - 1] : NULL, .id = ids[i] };
        written.unknowns += ids[i] == ID_UNK;
        written.copies |= placeholder_bit(ids[i]);
    }
    forbid_words(logits, length ? &node[length - 1] : NULL, written, &most);
    for (int id = 0; id < WORDS; id++)
        if (logits[id] == FORBIDDEN) bits |= UINT64_C(1) << id;
    assert_true(bits & 1u << ID_PAD && bits & 1u << ID_BOS);
    return bits & ~(UINT64_C(1) << ID_PAD | UINT64_C(1) << ID_BOS);
}

UNIT_TEST(a_word_should_be_forbidden_that_would_continue_a_loop)
{
    static const struct { int ids[7], length, repeats; uint64_t forbidden; } cases[] = {
        { { B, A, A, A }, 3, 3, 0 },
        { { B, A, A, A }, 4, 3, 1u << A },
        { { B, A, A, A }, 4, 0, 0 },
        { { C, A, B, A, B, A }, 5, 2, 0 },
        { { C, A, B, A, B, A }, 6, 2, 1u << B },
        { { ID_UNK, ID_UNK, ID_UNK }, 3, 1, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const WordLimits most = { .unknowns = INT_MAX, .repeats = cases[i].repeats };
        assert_int_equal(forbidden_after(cases[i].ids, cases[i].length, most), cases[i].forbidden);
    }
}

/* The repeats that are allowed for a source, if else there is one. */
static int repeats_of(const int *ids, int length)
{
    const SearchOptions options = { .repeats = 1 };
    const Sentence source = { .source = ids, .source_length = length };
    return word_limits_of(&source, &(SearchRules){ .options = &options }).repeats;
}

/* However often it repeats a word, the search looks back only so far. */
UNIT_TEST(what_the_source_repeats_may_be_repeated)
{
    int many[REPEATS_MOST + 40];
    for (int i = 0; i < REPEATS_MOST + 40; i++)
        many[i] = A;
    assert_int_equal(repeats_of((int[]){ C, A, B, A, B, A, B, ID_EOS }, 8), 3);
    assert_int_equal(repeats_of((int[]){ A, A, C, B, B, ID_EOS }, 6), 2);       /* not four: they are apart */
    assert_int_equal(repeats_of(many, 60), 60);
    assert_int_equal(repeats_of(many, REPEATS_MOST + 40), REPEATS_MOST);
}

UNIT_TEST(limits_should_follow_from_the_source)
{
    SearchOptions options = { .repeats = 5 };
    SearchRules rules = { .options = &options, .copy = COPY_UNKNOWN };
    const int ids[] = { ID_UNK, A, B, A, B, A, B, ID_UNK, ID_EOS };
    const Sentence source = { .source = ids, .source_length = sizeof ids / sizeof *ids };
    const WordLimits copied = word_limits_of(&source, &rules);
    options.repeats = 0;
    rules.copy = COPY_ANY;
    rules.placeholders = 1;
    const WordLimits written = word_limits_of(&source, &rules);
    assert_int_equal(copied.unknowns, 2);
    assert_int_equal(copied.repeats, 5);
    assert_int_equal(copied.copies, 0);
    assert_int_equal(written.unknowns, INT_MAX);
    assert_int_equal(written.repeats, 0);
    assert_int_equal(written.copies, placeholder_bit(A) | placeholder_bit(B));
}

/* ---- the best words ---- */

enum { MOST_WORDS = 300, MOST_KEPT = 40 };

/* Values that are often equal. */
static void fill(real *logit, int V, uint64_t seed)
{
    for (int id = 0; id < V; id++)
        logit[id] = (real)rng_below(seed | 1, (uint64_t)id, 40) / 4;
}

static int best_first(const void *a, const void *b)
{
    const Candidate *x = a, *y = b;
    if (x->log_probability != y->log_probability)
        return x->log_probability > y->log_probability ? -1 : 1;
    if (x->row != y->row) return x->row - y->row;
    return x->id - y->id;
}

static void check_best(int V, int most, uint64_t seed)
{
    Candidate kept[MOST_KEPT], all[3 * MOST_WORDS];
    Candidates list = { .candidate = kept, .most = most };
    int count = 0;
    for (int row = 2; row >= 0; row--) {
        real logit[MOST_WORDS], largest[MOST_WORDS / VECTOR_BLOCK + 1];
        fill(logit, V, rng_key(seed, (uint64_t)row, RNG_WORDS));
        vector_log_sum_exp(largest, logit, V);
        for (int id = 0; id < V; id += 5)
            logit[id] = FORBIDDEN;
        for (int id = 0; id < V; id++)
            if (id % 5)
                all[count++] = (Candidate){ .log_probability = (double)logit[id] - row,
                                            .row = row, .id = id };
        candidates_offer(&list, &(LogitRow){ logit, largest, V }, row, -row);
    }
    qsort(all, (size_t)count, sizeof *all, best_first);
    assert_int_equal(list.count, count < most ? count : most);
    for (int i = 0; i < list.count; i++) {
        assert_int_equal(kept[i].id, all[i].id);
        assert_int_equal(kept[i].row, all[i].row);
        assert_true(kept[i].log_probability == all[i].log_probability);
    }
}

UNIT_TEST(the_best_should_be_those_that_sorting_finds)
{
    const int sizes[] = { 4, 63, 64, 65, 128, 129, MOST_WORDS };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int most = 1; most <= MOST_KEPT; most += 13)
            for (uint64_t seed = 0; seed < 5; seed++)
                check_best(sizes[i], most, seed);
}

/* ---- a word drawn ---- */

/* Which words can be drawn at all: uniform numbers in fine steps. */
static int drawn(const real *logit, int V, const Sampling *how, char *is_drawn)
{
    real p[MOST_WORDS];
    int count = 0;
    memset(is_drawn, 0, (size_t)V);
    for (int i = 0; i < 20000; i++)
        is_drawn[sample_word(logit, p, V, how, i / 20000.)] = 1;
    for (int id = 0; id < V; id++)
        count += is_drawn[id];
    return count;
}

/* p = 2^-1, 2^-2, ... 2^-9, 2^-9 of words in mixed order */
enum { HALVES = 10 };
static const int place[HALVES] = { 3, 0, 9, 5, 1, 8, 2, 7, 4, 6 };

static void halving(real *logit)
{
    for (int i = 0; i < HALVES; i++)
        logit[place[i]] = (real)(-log(2) * (i < HALVES - 1 ? i : i - 1));
}

UNIT_TEST(top_k_should_leave_the_k_most_probable)
{
    real logit[HALVES];
    char is_drawn[HALVES];
    halving(logit);
    for (int k = 1; k <= 8; k++) {
        assert_int_equal(drawn(logit, HALVES, &(Sampling){ 1, k, 1 }, is_drawn), k);
        for (int i = 0; i < k; i++)
            assert_true(is_drawn[place[i]]);
    }
    /* the last two are equally probable */
    assert_int_equal(drawn(logit, HALVES, &(Sampling){ 1, 9, 1 }, is_drawn), HALVES);
    assert_int_equal(drawn(logit, HALVES, &(Sampling){ 1, 0, 1 }, is_drawn), HALVES);
}

/* The first n have 1 - 2^-n together; of the first three alone one has 4/7, two 6/7. */
UNIT_TEST(top_p_should_leave_the_fewest_that_have_so_much)
{
    real logit[HALVES];
    char is_drawn[HALVES];
    halving(logit);
    for (int n = 1; n <= 7; n++) {
        const double p = 1 - pow(2, -n);
        assert_int_equal(drawn(logit, HALVES, &(Sampling){ 1, 0, p - 1e-4 }, is_drawn), n);
        assert_int_equal(drawn(logit, HALVES, &(Sampling){ 1, 0, p + 1e-4 }, is_drawn), n + 1);
    }
    assert_int_equal(drawn(logit, HALVES, &(Sampling){ 1, 3, 0.56 }, is_drawn), 1);
    assert_int_equal(drawn(logit, HALVES, &(Sampling){ 1, 3, 0.58 }, is_drawn), 2);
    assert_int_equal(drawn(logit, HALVES, &(Sampling){ 1, 3, 0.86 }, is_drawn), 3);
    assert_int_equal(drawn(logit, HALVES, &(Sampling){ 1, 3, 1 - 1e-12 }, is_drawn), 3);
    assert_int_equal(drawn(logit, HALVES, &(Sampling){ 1, 2, 0 }, is_drawn), 1);
    assert_true(is_drawn[place[0]]);
}

/* exp(logit / T) of two words: T = 0.5 squares the odds 3 : 1. */
UNIT_TEST(temperature_should_change_the_odds)
{
    const real logit[] = { (real)log(3), 0 };
    const double temperature[] = { 0.5, 1, 2 }, share[] = { 0.9, 0.75, 0.6339746 };
    real p[2];
    for (int i = 0; i < 3; i++) {
        const Sampling how = { temperature[i], 0, 1 };
        assert_int_equal(sample_word(logit, p, 2, &how, share[i] - 1e-4), 0);
        assert_int_equal(sample_word(logit, p, 2, &how, share[i] + 1e-4), 1);
    }
}

/* The first three have 4, 2 and 1 of 7 parts of what is left; drawn in the order of their ids. */
UNIT_TEST(what_is_left_should_be_drawn_in_its_own_proportion)
{
    enum { DRAWS = 7000 };
    const Sampling left[] = { { 1, 3, 1 }, { 1, 0, 0.8 } };
    real logit[HALVES], p[HALVES];
    halving(logit);
    for (int how = 0; how < 2; how++) {
        int times[HALVES] = { 0 };
        for (int i = 0; i < DRAWS; i++)
            times[sample_word(logit, p, HALVES, &left[how], (i + 0.5) / DRAWS)]++;
        for (int i = 0; i < 3; i++)
            assert_in_range(times[place[i]], (DRAWS / 7 << (2 - i)) - 1,
                            (DRAWS / 7 << (2 - i)) + 1);
    }
}

int main(void) { return run_unit_tests(); }
