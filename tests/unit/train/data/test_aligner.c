/* test_aligner.c - samples of few pairs and of many; word alignments: against the model's formulas written down plainly, and what they
 * find in a small language. */
#include "train/data/phrases.h"

#include "base/random/rng.h"
#include "scratch.h"

#include <math.h>
#include <stdlib.h>

enum { WORDS = 12, LONGEST = 8, PAIRS = 60 };

typedef struct { int source[LONGEST], target[LONGEST], n, m; } Aligned;

static Record record_of(const Aligned *p)
{
    return (Record){ p->source, p->target, p->n, p->m };
}

static void add(PairSample *sample, const Record *pair)
{
    pair_sample_add(sample, pair, SIZE_MAX);
}

/* What the sample teaches; it is empty then. */
static Aligner *learn(PairSample *sample, int workers)
{
    Aligner *aligner = aligner_learn(&sample->pairs, workers);
    pair_sample_free(sample);
    return aligner;
}

static Aligner *learn_pairs(const Aligned *pair, int workers)
{
    PairSample sample = { 0 };
    for (int k = 0; k < PAIRS; k++) {
        const Record record = record_of(&pair[k]);
        add(&sample, &record);
    }
    return learn(&sample, workers);
}

/* Sentences of random words; the target's are their translations in an order of its own, with words
 * more and words less. */
static void random_pairs(uint64_t key, Aligned *pair, int count)
{
    uint64_t at = 0;
    for (int k = 0; k < count; k++) {
        Aligned *p = &pair[k];
        p->n = 1 + (int)rng_below(key, at++, LONGEST);
        p->m = 0;
        for (int i = 0; i < p->n; i++) {
            p->source[i] = (int)rng_below(key, at++, WORDS);
            if (rng_below(key, at++, 5)) p->target[p->m++] = (p->source[i] * 5 + 1) % WORDS;
        }
        if (!p->m) p->target[p->m++] = 0;
        const int i = (int)rng_below(key, at++, (uint64_t)p->m);
        const int moved = p->target[i];
        p->target[i] = p->target[0];
        p->target[0] = moved;
    }
}

/* ---- The twin: t(target | source), t[WORDS]: given none ---- */

typedef struct { double t[WORDS + 1][WORDS]; } Twin;

/* exp(-4 d), d rounded down to 1/256: in whole numbers, since d may be a whole number of steps. */
static double nearness(int i, int n, int j, int m)
{
    const int steps = abs((2 * i + 1) * m - (2 * j + 1) * n) * 256 / (2 * n * m);
    return exp(-4.0 * steps / 256);
}

/* The probability of each word of the source, and at n of none, for word j of the target. */
static void joint(const Twin *twin, const int *source, int n, const int *target, int m, int j,
                  double *p)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += nearness(i, n, j, m);
    for (int i = 0; i < n; i++)
        p[i] = 0.92 * nearness(i, n, j, m) / sum * twin->t[source[i]][target[j]];
    p[n] = 0.08 * twin->t[WORDS][target[j]];
}

/* One round over pairs, whose sides are exchanged if swapped. */
static void twin_round(Twin *twin, const Aligned *pair, int swapped)
{
    double count[WORDS + 1][WORDS] = { { 0 } }, p[LONGEST + 1];
    for (int k = 0; k < PAIRS; k++) {
        const Aligned *q = &pair[k];
        const int *source = swapped ? q->target : q->source, *target = swapped ? q->source : q->target;
        const int n = swapped ? q->m : q->n, m = swapped ? q->n : q->m;
        for (int j = 0; j < m; j++) {
            double sum = 0;
            joint(twin, source, n, target, m, j, p);
            for (int i = 0; i <= n; i++)
                sum += p[i];
            for (int i = 0; i <= n; i++)
                count[i < n ? source[i] : WORDS][target[j]] += p[i] / sum;
        }
    }
    for (int i = 0; i <= WORDS; i++) {
        double total = 0;
        for (int j = 0; j < WORDS; j++)
            total += count[i][j];
        for (int j = 0; j < WORDS; j++)
            twin->t[i][j] = total > 0 ? count[i][j] / total : 0;
    }
}

static Twin twin_learn(const Aligned *pair, int swapped)
{
    Twin twin;
    for (int i = 0; i <= WORDS; i++)
        for (int j = 0; j < WORDS; j++)
            twin.t[i][j] = 1.0 / WORDS;
    for (int round = 0; round < 5; round++)
        twin_round(&twin, pair, swapped);
    return twin;
}

/* Where word j comes from is as probable as anything else, but for the rounding of t to float, 2^-24
 * in each of five rounds. */
static void assert_best(const Twin *twin, const int *source, int n, const int *target, int m,
                        const int *from)
{
    double p[LONGEST + 1];
    for (int j = 0; j < m; j++) {
        double most = 0;
        joint(twin, source, n, target, m, j, p);
        for (int i = 0; i <= n; i++)
            most = fmax(most, p[i]);
        assert_true(p[from[j] < 0 ? n : from[j]] >= most * (1 - 1e-6));
    }
}

/* However many threads learn them. */
UNIT_TEST(alignments_should_be_those_of_the_formulas)
{
    static Aligned pair[PAIRS];
    random_pairs(rng_key(1, 0, RNG_SAMPLE), pair, PAIRS);
    Aligner *aligner = learn_pairs(pair, 2), *alone = learn_pairs(pair, 1);
    const Twin forward = twin_learn(pair, 0), backward = twin_learn(pair, 1);
    int linked = 0;
    for (int k = 0; k < PAIRS; k++) {
        const Aligned *p = &pair[k];
        const Record record = record_of(p);
        WordAlignment a, b;
        assert_true(aligner_align(aligner, &record, &a) && aligner_align(alone, &record, &b));
        assert_memory_equal(a.source, b.source, (size_t)p->n * sizeof(int));
        assert_memory_equal(a.target, b.target, (size_t)p->m * sizeof(int));
        assert_best(&forward, p->source, p->n, p->target, p->m, a.target);
        assert_best(&backward, p->target, p->m, p->source, p->n, a.source);
        for (int j = 0; j < p->m; j++)
            linked += a.target[j] >= 0
                   && p->target[j] == (p->source[a.target[j]] * 5 + 1) % WORDS;
    }
    assert_true(linked > 2 * PAIRS);        /* 3.6 words of a target are translations, in the mean */
    aligner_free(aligner);
    aligner_free(alone);
}

/* 0 1 are 1 0 in the other language, and its 2 has no word here. */
UNIT_TEST(unknown_words_should_be_aligned_with_none)
{
    static const int source[] = { 0, 1, 0, 1 }, target[] = { 1, 0, 2 };
    PairSample sample = { 0 };
    add(&sample, &(Record){ source, target, 2, 3 });
    add(&sample, &(Record){ source, target, 1, 1 });                /* 0: 1 */
    add(&sample, &(Record){ source + 1, target + 1, 1, 2 });        /* 1: 0 2 */
    add(&sample, &(Record){ source + 1, target + 1, 1, 1 });
    Aligner *aligner = learn(&sample, 1);
    WordAlignment a;
    assert_true(aligner_align(aligner, &(Record){ source, target, 2, 2 }, &a));
    assert_int_equal(a.target[0], 0);
    assert_int_equal(a.target[1], 1);
    assert_int_equal(a.source[0], 0);
    static const int unknown[] = { 77, 1 };
    assert_true(aligner_align(aligner, &(Record){ unknown, unknown, 2, 1 }, &a));
    assert_int_equal(a.target[0], -1);
    assert_int_equal(a.source[0], -1);
    aligner_free(aligner);
}

UNIT_TEST(what_is_too_long_or_empty_should_be_refused)
{
    static int words[ALIGNER_LONGEST + 1];
    WordAlignment a;
    PairSample sample = { 0 };
    add(&sample, &(Record){ words, words, ALIGNER_LONGEST + 1, 1 });
    add(&sample, &(Record){ words, words, 0, 1 });
    Aligner *aligner = learn(&sample, 2);                           /* of nothing */
    assert_false(aligner_align(aligner, &(Record){ words, words, 1, 1 }, &a));
    aligner_free(aligner);
    add(&sample, &(Record){ words, words, ALIGNER_LONGEST, ALIGNER_LONGEST });
    aligner = learn(&sample, 2);
    assert_true(aligner_align(aligner, &(Record){ words, words, ALIGNER_LONGEST, 1 }, &a));
    assert_false(aligner_align(aligner, &(Record){ words, words, 1, ALIGNER_LONGEST + 1 }, &a));
    assert_false(aligner_align(aligner, &(Record){ words, words, 1, 0 }, &a));
    aligner_free(aligner);
}

/* Word 0 stands beside all others, so that its translations are improbable and forgotten; each other
 * word k is 2 k + 1. */
UNIT_TEST(many_word_pairs_should_be_kept_apart)
{
    enum { MANY = 3000 };
    PairSample sample = { 0 };
    for (int times = 0; times < 2; times++)
        for (int k = 1; k < MANY; k++) {
            const int source[] = { 0, k }, target[] = { 0, 2 * k + 1 };
            add(&sample, &(Record){ source, target, 2, 2 });
            add(&sample, &(Record){ source + 1, target + 1, 1, 1 });
        }
    Aligner *aligner = learn(&sample, 2);
    for (int k = 1; k < MANY; k++) {
        const int source[] = { k, 0 }, target[] = { 0, 2 * k + 1 };
        WordAlignment a;
        assert_true(aligner_align(aligner, &(Record){ source, target, 2, 2 }, &a));
        assert_int_equal(a.source[0], 1);
        assert_int_equal(a.target[1], 0);
        assert_int_equal(a.target[0], 1);
    }
    aligner_free(aligner);
}

/* ---- The sample ---- */

/* Aligned k has k % 3 + 1 words k, and the same on the other side. */
static void add_words(PairSample *s, int k, size_t most)
{
    const int words[] = { k, k, k }, count = k % 3 + 1;
    pair_sample_add(s, &(Record){ words, words, count, count }, most);
}

UNIT_TEST(few_pairs_should_all_be_in_the_sample)
{
    PairSample s = { 0 };
    for (int k = 0; k < 6; k++)
        add_words(&s, k, 28);                         /* 1 + 4 + 9, twice */
    assert_int_equal(s.pairs.count, 6);
    assert_int_equal(s.word_pairs, 28);
    for (int k = 0; k < 6; k++) {
        const Record pair = shard_record(&s.pairs, (size_t)k);
        assert_int_equal(pair.source_count, k % 3 + 1);
        assert_int_equal(pair.target_count, k % 3 + 1);
        assert_int_equal(pair.source[0], k);
        assert_int_equal(pair.target[k % 3], k);
    }
    pair_sample_free(&s);
    add_words(&s, 2, 1);                              /* too large alone: it ends */
    assert_int_equal(s.pairs.count, 1);
    pair_sample_free(&s);
}

UNIT_TEST(many_pairs_should_leave_an_even_sample)
{
    enum { MANY = 5000, MOST = 1000 };
    PairSample s = { 0 };
    size_t word_pairs = 0;
    for (int k = 0; k < MANY; k++)
        add_words(&s, k, MOST);
    assert_int_equal(s.seen, MANY);
    assert_int_equal(s.pairs.count, (MANY + s.step - 1) / s.step);
    for (size_t i = 0; i < s.pairs.count; i++) {
        const Record pair = shard_record(&s.pairs, i);
        assert_int_equal(pair.source[0], i * s.step);
        word_pairs += (size_t)pair.source_count * (size_t)pair.target_count;
    }
    assert_int_equal(word_pairs, s.word_pairs);
    assert_in_range(word_pairs, (MOST - 9) / 2 - 9, MOST);      /* half of a full sample, but a pair */
    pair_sample_free(&s);
}

int main(void) { return run_unit_tests(); }
