/* test_segments.c - grouping against a naive twin, thinning, and what both leave alone. */
#include "base/random/rng.h"
#include "numbers.h"
#include "text/corpus/corpus.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 60 };

static const char *const words[] = { "a", "b", "ab", "é", "aa", "B", "z" };
enum { WORDS = sizeof words / sizeof *words };

/* A corpus that lives in arrays; it is not freed. */
typedef struct {
    const char *source[MOST], *target[MOST];
    size_t      chosen[MOST], count;
} Lines;

static Corpus corpus_of(Lines *lines)
{
    return (Corpus){ .source = lines->source, .target = lines->target, .count = lines->count };
}

static void random_lines(Lines *lines, uint64_t seed)
{
    const uint64_t key = rng_key(seed, 0, RNG_INIT);
    lines->count = MOST;
    for (size_t i = 0; i < MOST; i++) {
        lines->source[i] = words[rng_below(key, 2 * i, WORDS)];
        lines->target[i] = words[rng_below(key, 2 * i + 1, WORDS)];
    }
}

/* Takes the pairs in their order off the segments, where they must be found at the next place. */
static void assert_grouped(const Segments *segments, const Lines *lines)
{
    int taken[MOST] = { 0 };
    size_t distinct = 0;
    for (size_t i = 0; i < lines->count; i++) {
        const char *source = lines->source[i], *target = lines->target[i];
        size_t s = 0;
        while (s < distinct && strcmp(segments->source[s], source))
            s++;
        distinct += s == distinct;
        assert_true(distinct <= segments->count);
        assert_string_equal(segments->source[s], source);
        assert_ptr_equal(segments->reference[s][taken[s]++], target);
    }
    assert_int_equal(segments->count, distinct);
    for (size_t s = 0; s < distinct; s++) {
        assert_int_equal(segments->references[s], taken[s]);
        assert_null(segments->reference[s][taken[s]]);
    }
}

static void pairs_should_be_grouped_by_source_in_the_order_of_the_corpus(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        Lines lines;
        random_lines(&lines, seed);
        const Corpus corpus = corpus_of(&lines);
        Segments segments;
        segments_init(&segments, &corpus);
        assert_grouped(&segments, &lines);
        segments_free(&segments);
        assert_int_equal(segments.count, 0);
    }
}

static void no_pairs_should_make_no_segments(void **state)
{
    (void)state;
    const Corpus corpus = { .count = 0 };
    Segments segments;
    segments_init(&segments, &corpus);
    assert_int_equal(segments.count, 0);
    segments_thin(&segments, 3);
    assert_int_equal(segments.count, 0);
    segments_free(&segments);
}

/* One segment a word, thinned to `most`. */
static Segments thinned(Lines *lines, size_t count, size_t most)
{
    for (size_t i = 0; i < count; i++)
        lines->source[i] = lines->target[i] = words[i];
    lines->count = count;
    const Corpus corpus = corpus_of(lines);
    Segments segments;
    segments_init(&segments, &corpus);
    segments_thin(&segments, most);
    return segments;
}

static void thinning_should_keep_evenly_spread_segments(void **state)
{
    (void)state;
    for (size_t count = 0; count <= WORDS; count++)
        for (size_t most = 0; most <= WORDS + 1; most++) {
            Lines lines;
            Segments segments = thinned(&lines, count, most);
            const size_t kept = most < count ? most : count;
            assert_int_equal(segments.count, kept);
            for (size_t k = 0; k < kept; k++) {
                const char *expected = words[k * count / kept];
                assert_string_equal(segments.source[k], expected);
                assert_string_equal(segments.reference[k][0], expected);
                assert_int_equal(segments.references[k], 1);
            }
            segments_free(&segments);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_should_be_grouped_by_source_in_the_order_of_the_corpus),
        cmocka_unit_test(no_pairs_should_make_no_segments),
        cmocka_unit_test(thinning_should_keep_evenly_spread_segments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
