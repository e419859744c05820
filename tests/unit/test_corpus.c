/* test_corpus.c - what is read and what is skipped, the split by source sentence, and pairs as ids. */
#include "text/corpus.h"

#include "base/mem.h"
#include "learn_lines.h"
#include "scratch.h"

#define MESSY "tests/data/text/messy.tsv"

static const CorpusOptions lenient = { .max_bytes = 60 };

static Corpus read_corpus(const char *first, const char *second, const CorpusOptions *options)
{
    Err e = { "" };
    Corpus corpus;
    if (corpus_read(&corpus, first, second, options, &e)) fail_msg("%s", e.text);
    return corpus;
}

static void assert_pair(const Corpus *corpus, size_t i, const char *source, const char *target)
{
    assert_true(i < corpus->count);
    assert_string_equal(corpus->source[i], source);
    assert_string_equal(corpus->target[i], target);
}

/* The message behind the path that `text` is written to. */
static void assert_refused(Scratch *s, const char *text, size_t length, const CorpusOptions *options,
                           const char *expected)
{
    Err e = { "" };
    Corpus corpus;
    const char *path = scratch_write(s, "corpus.tsv", text, length);
    assert_int_equal(corpus_read(&corpus, path, NULL, options, &e), -1);
    assert_memory_equal(e.text, path, strlen(path));
    assert_string_equal(e.text + strlen(path), expected);
}

/* ---- Reading ---- */

static void usable_pairs_should_be_kept(void **state)
{
    (void)state;
    Corpus corpus = read_corpus(MESSY, NULL, &lenient);
    assert_int_equal(corpus.lines, 11);
    assert_int_equal(corpus.count, 5);
    assert_pair(&corpus, 0, "The soup is hot.", "La soupe est chaude.");
    assert_pair(&corpus, 1, "Who knocked?", "Qui a frappé\u00A0?");
    assert_pair(&corpus, 2, "More columns.", "Plus de colonnes.");
    assert_pair(&corpus, 3, "Blank behind ", "Un blanc derrière");
    assert_pair(&corpus, 4, "Last line without an end.", "Dernière ligne sans fin.");
    corpus_free(&corpus);
}

static void skipped_lines_should_be_counted_with_their_numbers(void **state)
{
    (void)state;
    static const struct { SkipReason reason; long count, first, second; } expected[] = {
        { SKIP_NO_TAB, 2, 3, 8 }, { SKIP_EMPTY, 2, 4, 5 }, { SKIP_INVALID_UTF8, 1, 6, 0 }, { SKIP_TOO_LONG, 1, 9, 0 },
    };
    Corpus corpus = read_corpus(MESSY, NULL, &lenient);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_int_equal(corpus.skipped[expected[i].reason], expected[i].count);
        assert_int_equal(corpus.skipped_at[expected[i].reason][0], expected[i].first);
        assert_int_equal(corpus.skipped_at[expected[i].reason][1], expected[i].second);
    }
    corpus_free(&corpus);
}

static void only_the_first_examples_should_be_remembered(void **state)
{
    Corpus corpus = read_corpus(scratch_puts(*state, "c", "a\tb\n1\n2\n3\n4\n5\n"), NULL, &lenient);
    assert_int_equal(corpus.skipped[SKIP_NO_TAB], 5);
    assert_int_equal(corpus.skipped_at[SKIP_NO_TAB][SKIP_EXAMPLES - 1], 4);
    assert_int_equal(corpus.skipped_at[SKIP_NO_TAB + 1][0], 0);
    corpus_free(&corpus);
}

static void two_files_should_be_read_line_by_line(void **state)
{
    (void)state;
    Corpus corpus = read_corpus("tests/data/text/parallel.en", "tests/data/text/parallel.fr", &lenient);
    assert_int_equal(corpus.count, 3);
    assert_pair(&corpus, 0, "The bread is fresh.", "Le pain est frais.");
    assert_pair(&corpus, 2, "Nobody answered.", "Personne ne répondit.");
    corpus_free(&corpus);
}

static void two_files_should_keep_their_tabs_and_skip_in_step(void **state)
{
    const char *first = scratch_puts(*state, "a", "\xEF\xBB\xBF" "a\tA\n\nc\n");
    const char *second = scratch_puts(*state, "b", "\xEF\xBB\xBF" "1\n2\n3\t\n");
    Corpus corpus = read_corpus(first, second, &lenient);
    assert_int_equal(corpus.count, 2);
    assert_pair(&corpus, 0, "a\tA", "1");
    assert_pair(&corpus, 1, "c", "3");
    assert_int_equal(corpus.skipped_at[SKIP_EMPTY][0], 2);
    corpus_free(&corpus);
}

static void files_of_different_length_should_be_refused(void **state)
{
    Scratch *s = *state;
    Err e = { "" };
    Corpus corpus;
    char expected[600];
    const char *two = scratch_puts(s, "two", "a\nb\n"), *three = scratch_puts(s, "three", "a\nb\nc\n");
    snprintf(expected, sizeof expected,
             "%s: ends after line 2, but %s goes on: the lines of both files must belong together", two, three);
    assert_int_equal(corpus_read(&corpus, two, three, &lenient, &e), -1);
    assert_string_equal(e.text, expected);
    assert_int_equal(corpus_read(&corpus, three, two, &lenient, &e), -1);
    assert_string_equal(e.text, expected);
}

static void reading_should_stop_at_the_limit_of_pairs(void **state)
{
    (void)state;
    CorpusOptions options = lenient;
    options.max_pairs = 2;
    Corpus corpus = read_corpus(MESSY, NULL, &options);
    assert_int_equal(corpus.count, 2);
    assert_int_equal(corpus.lines, 2);
    corpus_free(&corpus);
    corpus = read_corpus("tests/data/text/parallel.en", "tests/data/text/parallel.fr", &options);
    assert_int_equal(corpus.count, 2);
    corpus_free(&corpus);
}

static void length_limit_should_count_bytes_and_zero_be_none(void **state)
{
    Scratch *s = *state;
    const char *path = scratch_puts(s, "c", "éé\ta\nééé\ta\na\tééé\n");
    Corpus corpus = read_corpus(path, NULL, &(CorpusOptions){ .max_bytes = 4 });
    assert_int_equal(corpus.count, 1);
    corpus_free(&corpus);
    corpus = read_corpus(path, NULL, &(CorpusOptions){ .max_bytes = 0 });
    assert_int_equal(corpus.count, 3);
    corpus_free(&corpus);
}

static void strict_should_make_the_first_bad_line_an_error(void **state)
{
    static const struct { const char *text, *message; } cases[] = {
        { "a\tb\nab\n", ":2: no tab between source and target" },
        { "a\t \n", ":1: an empty side" },
        { "a\xFF\tb\n", ":1: invalid UTF-8" },
        { "a\tbbbbbb\n", ":1: too long" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(*state, cases[i].text, strlen(cases[i].text), &(CorpusOptions){ .max_bytes = 5, .strict = 1 },
                       cases[i].message);
}

static void what_is_no_corpus_should_be_an_error(void **state)
{
    assert_refused(*state, "a\tb\nc\0d\te\n", 10, &lenient, ":2: a NUL byte: this is not a text file");
    assert_refused(*state, "", 0, &lenient, ": is empty: a sentence pair a line is needed");
    assert_refused(*state, "a\nb\t\n", 5, &lenient,
                   ":1: no tab between source and target; and none of its 2 lines is a sentence pair");
    assert_refused(*state, "\tb\nb\n", 5, &lenient, ":1: an empty side; and none of its 2 lines is a sentence pair");
}

static void sources_that_cannot_be_opened_should_be_refused(void **state)
{
    (void)state;
    Err e = { "" };
    Corpus corpus;
    assert_int_equal(corpus_read(&corpus, "-", "-", &lenient, &e), -1);
    assert_true(strstr(e.text, "standard input cannot be both sides"));
    assert_int_equal(corpus_read(&corpus, "/nowhere.tsv", NULL, &lenient, &e), -1);
    assert_true(strstr(e.text, "/nowhere.tsv: cannot be opened"));
    assert_int_equal(corpus_read(&corpus, MESSY, "/nowhere.fr", &lenient, &e), -1);
    assert_true(strstr(e.text, "/nowhere.fr: cannot be opened"));
}

/* Texts are kept in blocks of 1 MiB: targets that with the source before them and the NULs just fit, and just don't. */
static void long_lines_should_find_room(void **state)
{
    enum { MEBIBYTE = 1 << 20 };
    static const size_t lengths[] = { MEBIBYTE - 4, MEBIBYTE - 3, MEBIBYTE - 2, MEBIBYTE - 1, 3 * MEBIBYTE };
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        char *text = xmalloc(lengths[i] + 2, 1);
        memset(text, 'x', lengths[i] + 2);
        text[1] = '\t';
        Corpus corpus = read_corpus(scratch_write(*state, "long", text, lengths[i] + 2), NULL, &(CorpusOptions){ 0 });
        assert_string_equal(corpus.source[0], "x");
        assert_int_equal(strlen(corpus.target[0]), lengths[i]);
        corpus_free(&corpus);
        free(text);
    }
}

static void byte_order_mark_should_count_only_at_the_start(void **state)
{
    Corpus corpus = read_corpus(scratch_puts(*state, "c", "\uFEFFa\tb\n\uFEFFa\t\uFEFFb\n"), NULL, &lenient);
    assert_pair(&corpus, 0, "a", "b");
    assert_pair(&corpus, 1, "\uFEFFa", "\uFEFFb");
    corpus_free(&corpus);
}

/* ---- Hash and split ---- */

/* From the test vectors of the inventors, http://www.isthe.com/chongo/src/fnv/test_fnv.c */
static void hash_should_be_fnv1a(void **state)
{
    (void)state;
    assert_true(fnv1a64(FNV1A64_START, "", 0) == 0xcbf29ce484222325u);
    assert_true(fnv1a64(FNV1A64_START, "a", 1) == 0xaf63dc4c8601ec8cu);
    assert_true(fnv1a64(FNV1A64_START, "foobar", 6) == 0x85944171f73967e8u);
    assert_true(fnv1a64(fnv1a64(FNV1A64_START, "foo", 3), "bar", 3) == 0x85944171f73967e8u);
}

static void hash_should_be_of_the_kept_lines_only(void **state)
{
    Corpus one = read_corpus(scratch_puts(*state, "one", "a\tb\nc\td\n"), NULL, &lenient);
    Corpus two = read_corpus(scratch_puts(*state, "two", "a\tb\r\nno tab\nc\td \tmore"), NULL, &lenient);
    Corpus three = read_corpus(scratch_puts(*state, "three", "a\tbc\td\n"), NULL, &lenient);
    assert_true(one.hash == fnv1a64(FNV1A64_START, "a\tb\nc\td\n", 8));
    assert_true(one.hash == two.hash);
    assert_true(one.hash != three.hash);
    corpus_free(&one);
    corpus_free(&two);
    corpus_free(&three);
}

/* Hashes modulo 100, computed outside of this program: 0, 1, 59. */
static void part_should_be_the_hash_of_the_source(void **state)
{
    (void)state;
    assert_int_equal(corpus_part("The dog."), PART_TEST);
    assert_int_equal(corpus_part("The spring."), PART_VALID);
    assert_int_equal(corpus_part("Go."), PART_TRAIN);
}

static void real_corpus_should_split_as_it_always_did(void **state)
{
    (void)state;
    const char *path = getenv("ATTN_CORPUS");
    if (!path) skip();
    Corpus corpus = read_corpus(path, NULL, &(CorpusOptions){ 0 });
    int count[3] = { 0 };
    for (size_t i = 0; i < corpus.count; i++)
        count[corpus_part(corpus.source[i])]++;
    assert_int_equal(corpus.count, 167130);
    assert_int_equal(count[PART_TRAIN], 163783);
    assert_int_equal(count[PART_VALID], 1701);
    assert_int_equal(count[PART_TEST], 1646);
    corpus_free(&corpus);
}

/* ---- Pairs as ids ---- */

/* Words as tokens: lengths with <eos> are (3, 2), (6, 4), (2, 3). */
typedef struct {
    Corpus     corpus;
    Tokenizer *source, *target;
} Learned;

static Learned learned_from(Scratch *s)
{
    TextOptions options = { .tokens = TOKENS_WORD, .min_frequency = 1 };
    Learned l = { .corpus = read_corpus(scratch_puts(s, "c", "a b\tx\nb c d e f\ty x z\nc\tz z\n"), NULL, &lenient) };
    l.source = learn_lines(&options, l.corpus.source, l.corpus.count);
    l.target = learn_lines(&options, l.corpus.target, l.corpus.count);
    return l;
}

static void learned_free(Learned *l)
{
    corpus_free(&l->corpus);
    tokenizer_free(l->source);
    tokenizer_free(l->target);
}

static void assert_ids(const Tokenizer *t, const int *ids, size_t from, size_t to, const char *expected)
{
    Buf out = { 0 };
    buf_clear(&out);
    for (size_t i = from; i < to; i++)
        buf_printf(&out, "%s%s", i > from ? " " : "", tokenizer_piece(t, ids[i]));
    assert_string_equal(out.text, expected);
    buf_free(&out);
}

static void assert_pair_ids(const Learned *l, const Pairs *pairs, size_t i, const char *source, const char *target)
{
    assert_ids(l->source, pairs->source, pairs->source_at[i], pairs->source_at[i + 1], source);
    assert_ids(l->target, pairs->target, pairs->target_at[i], pairs->target_at[i + 1], target);
}

static void chosen_pairs_should_be_encoded_in_their_order(void **state)
{
    Learned l = learned_from(*state);
    Pairs pairs;
    long dropped = -1;
    pairs_encode(&pairs, &l.corpus, (size_t[]){ 2, 0 }, 2, l.source, l.target, 3, 0, &dropped);
    assert_int_equal(pairs.count, 2);
    assert_int_equal(dropped, 0);
    assert_pair_ids(&l, &pairs, 0, "c <eos>", "z z <eos>");
    assert_pair_ids(&l, &pairs, 1, "a b <eos>", "x <eos>");
    pairs_free(&pairs);
    learned_free(&l);
}

static void pairs_beyond_the_limit_should_be_dropped_and_counted(void **state)
{
    Learned l = learned_from(*state);
    Pairs pairs;
    long dropped = -1;
    pairs_encode(&pairs, &l.corpus, (size_t[]){ 0, 1, 2 }, 3, l.source, l.target, 5, 0, &dropped);
    assert_int_equal(pairs.count, 2);
    assert_int_equal(dropped, 1);
    assert_pair_ids(&l, &pairs, 1, "c <eos>", "z z <eos>");
    pairs_free(&pairs);
    pairs_encode(&pairs, &l.corpus, (size_t[]){ 0, 1, 2 }, 3, l.source, l.target, 2, 0, &dropped);
    assert_int_equal(pairs.count, 0);
    assert_int_equal(dropped, 3);
    pairs_free(&pairs);
    learned_free(&l);
}

static void pairs_beyond_the_limit_should_be_cut_if_asked(void **state)
{
    Learned l = learned_from(*state);
    Pairs pairs;
    long dropped = -1;
    pairs_encode(&pairs, &l.corpus, (size_t[]){ 1, 0 }, 2, l.source, l.target, 4, 1, &dropped);
    assert_int_equal(pairs.count, 2);
    assert_int_equal(dropped, 0);
    assert_pair_ids(&l, &pairs, 0, "b c d e", "y x z <eos>");
    assert_pair_ids(&l, &pairs, 1, "a b <eos>", "x <eos>");
    pairs_free(&pairs);
    learned_free(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usable_pairs_should_be_kept),
        cmocka_unit_test(skipped_lines_should_be_counted_with_their_numbers),
        in_scratch(only_the_first_examples_should_be_remembered),
        cmocka_unit_test(two_files_should_be_read_line_by_line),
        in_scratch(two_files_should_keep_their_tabs_and_skip_in_step),
        in_scratch(files_of_different_length_should_be_refused),
        cmocka_unit_test(reading_should_stop_at_the_limit_of_pairs),
        in_scratch(length_limit_should_count_bytes_and_zero_be_none),
        in_scratch(strict_should_make_the_first_bad_line_an_error),
        in_scratch(what_is_no_corpus_should_be_an_error),
        cmocka_unit_test(sources_that_cannot_be_opened_should_be_refused),
        in_scratch(long_lines_should_find_room),
        in_scratch(byte_order_mark_should_count_only_at_the_start),
        cmocka_unit_test(hash_should_be_fnv1a),
        in_scratch(hash_should_be_of_the_kept_lines_only),
        cmocka_unit_test(part_should_be_the_hash_of_the_source),
        cmocka_unit_test(real_corpus_should_split_as_it_always_did),
        in_scratch(chosen_pairs_should_be_encoded_in_their_order),
        in_scratch(pairs_beyond_the_limit_should_be_dropped_and_counted),
        in_scratch(pairs_beyond_the_limit_should_be_cut_if_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
