/* test_corpus.c - the parts of a corpus, its pairs as ids, and its sources with several references. */
#include "text/corpus/corpus.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/random/rng.h"
#include "learn_lines.h"
#include "numbers.h"
#include "read_corpus.h"
#include "scratch.h"

#include <stdlib.h>
#include <string.h>

/* ---- Hash and split ---- */

/* From the test vectors of the inventors, http://www.isthe.com/chongo/src/fnv/test_fnv.c */
UNIT_TEST(hash_should_be_fnv1a)
{
    assert_true(fnv1a64(FNV1A64_START, "", 0) == 0xcbf29ce484222325u);
    assert_true(fnv1a64(FNV1A64_START, "a", 1) == 0xaf63dc4c8601ec8cu);
    assert_true(fnv1a64(FNV1A64_START, "foobar", 6) == 0x85944171f73967e8u);
    assert_true(fnv1a64(fnv1a64(FNV1A64_START, "foo", 3), "bar", 3) == 0x85944171f73967e8u);
}

TEST_IN_SCRATCH(hash_should_be_of_the_kept_lines_only)
{
    Read one = read_corpus(scratch_puts(*state, "one", "a\tb\nc\td\n"), NULL, &lenient);
    Read two = read_corpus(scratch_puts(*state, "two", "a\tb\r\nno tab\nc\td \tmore"), NULL,
                           &lenient);
    Read three = read_corpus(scratch_puts(*state, "three", "a\tbc\td\n"), NULL, &lenient);
    assert_true(one.report.hash == fnv1a64(FNV1A64_START, "a\tb\nc\td\n", 8));
    assert_true(one.report.hash == two.report.hash);
    assert_true(one.report.hash != three.report.hash);
    corpus_free(&one.corpus);
    corpus_free(&two.corpus);
    corpus_free(&three.corpus);
}

static Part part_of(const char *source)
{
    return corpus_part(corpus_source_hash(source, strlen(source)));
}

/* Hashes modulo 100, computed outside of this program: 0, 1, 59. */
UNIT_TEST(part_should_be_the_hash_of_the_source)
{
    assert_int_equal(part_of("The dog."), PART_TEST);
    assert_int_equal(part_of("The spring."), PART_VALID);
    assert_int_equal(part_of("Go."), PART_TRAIN);
}

/* As the normal form is hashed, and case is not lowered in it: of "the dog." the hash is 40 modulo
 * 100. */
UNIT_TEST(part_should_be_that_of_every_spelling)
{
    static const char *const spellings[] = { "The\u00A0dog.", "The \u202F dog. ",
                                             "\tThe dog.\u3000", "T\u200Bhe do\u00ADg." };
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        assert_int_equal(part_of(spellings[i]), PART_TEST);
    assert_int_equal(part_of("the dog."), PART_TRAIN);
    assert_true(corpus_source_hash("e\u0301", 3) == corpus_source_hash("\u00E9", 2));
    assert_true(corpus_source_hash("e\u0301", 3) == fnv1a64(FNV1A64_START, "\u00E9", 2));
    assert_true(corpus_source_hash("", 0) == FNV1A64_START);
}

UNIT_TEST(real_corpus_should_split_as_it_always_did)
{
    const char *path = getenv("ATTN_CORPUS");
    if (!path) skip();
    Read read = read_corpus(path, NULL, &(BitextOptions){ 0 });
    int count[3] = { 0 };
    for (size_t i = 0; i < read.corpus.count; i++)
        count[part_of(read.corpus.source[i])]++;
    assert_int_equal(read.corpus.count, 167130);
    assert_int_equal(count[PART_TRAIN], 163783);
    assert_int_equal(count[PART_VALID], 1701);
    assert_int_equal(count[PART_TEST], 1646);
    corpus_free(&read.corpus);
}

/* ---- Pairs as ids ---- */

static void assert_ids(const Tokenizer *t, const int *ids, size_t from, size_t to,
                       const char *expected)
{
    SCOPED(buf_free) Buf out = { 0 };
    buf_clear(&out);
    for (size_t i = from; i < to; i++)
        buf_printf(&out, "%s%s", i > from ? " " : "", tokenizer_piece(t, ids[i]));
    assert_string_equal(out.text, expected);
}

/* Words as tokens: lengths with <eos> are (3, 2), (6, 4), (2, 3). */
TEST_IN_SCRATCH(pairs_should_be_encoded_in_their_order_and_cut_at_the_limit)
{
    static const char *const source[][3] = { { "a b <eos>", "b c d e", "c <eos>" },
                                             { "a b <eos>", "b c d e f <eos>", "c <eos>" } };
    const TextOptions options = { .tokens = TOKENS_WORD, .min_frequency = 1 };
    Read read = read_corpus(scratch_puts(*state, "c", "a b\tx\nb c d e f\ty x z\nc\tz z\n"), NULL,
                            &lenient);
    Tokenizer *s = learn_lines(&options, read.corpus.source, read.corpus.count);
    Tokenizer *t = learn_lines(&options, read.corpus.target, read.corpus.count);
    for (int whole = 0; whole < 2; whole++) {
        Pairs pairs;
        pairs_encode(&pairs, &read.corpus, (Language){ .tokenizer = s }, (Language){ .tokenizer = t },
                     whole ? 6 : 4);
        assert_int_equal(pairs.count, 3);
        for (size_t i = 0; i < 3; i++)
            assert_ids(s, pairs.source, pairs.source_at[i], pairs.source_at[i + 1],
                       source[whole][i]);
        assert_ids(t, pairs.target, pairs.target_at[1], pairs.target_at[2], "y x z <eos>");
        Pairs reversed = pairs_right_left(&pairs), none = pairs_right_left(&(Pairs){ 0 });
        assert_ids(t, reversed.target, reversed.target_at[1], reversed.target_at[2], "z x y <eos>");
        assert_ids(t, reversed.target, reversed.target_at[2], reversed.target_at[3], "z z <eos>");
        for (size_t i = 0; i < 3; i++)
            assert_ids(s, reversed.source, reversed.source_at[i], reversed.source_at[i + 1],
                       source[whole][i]);
        assert_int_equal(none.count, 0);
        pairs_free(&reversed);
        pairs_free(&none);
        pairs_free(&pairs);
    }
    tokenizer_free(s);
    tokenizer_free(t);
    corpus_free(&read.corpus);
}

TEST_IN_SCRATCH(only_the_wanted_part_should_be_kept)
{
    Err e;
    const char *path = scratch_puts(*state, "c", "The dog.\ta\nThe spring.\tb\nGo.\tc\nThe "
                                    "dog.\td\n");
    for (Part part = PART_TEST; part <= PART_TRAIN; part++) {
        Read read;
        const BitextFiles files = { .name = &path, .count = 1 };
        assert_int_equal(corpus_read(&read.corpus, &files, &lenient, (int)part, &read.report, &e),
                         0);
        assert_int_equal(read.report.pairs, 4);
        assert_int_equal(read.corpus.count, part == PART_TEST ? 2 : 1);
        assert_string_equal(read.corpus.target[0], part == PART_TEST ? "a" : part == PART_VALID
                            ? "b" : "c");
        corpus_free(&read.corpus);
    }
}

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

UNIT_TEST(pairs_should_be_grouped_by_source_in_the_order_of_the_corpus)
{
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

UNIT_TEST(thinning_should_keep_evenly_spread_segments)
{
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

int main(void) { return run_unit_tests(); }
