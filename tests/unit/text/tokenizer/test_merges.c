/* test_merges.c - the table of merges, files of codes, and merges that see the ends of words. */
#include "text/tokenizer/bpe.h"

#include "base/random/rng.h"
#include "bpe_case.h"
#include "scratch.h"
#include "text/words.h"

#include <string.h>

static void assert_merge(const Merges *m, size_t rank, const char *expected)
{
    Buf line = { 0 };
    merges_line(m, rank, &line);
    assert_string_equal(line.text, expected);
    buf_free(&line);
}

static Merges read_codes(Scratch *s, const char *text)
{
    Err e = { "" };
    Merges m = { 0 };
    if (merges_read(&m, scratch_puts(s, "codes", text), &e)) fail_msg("%s", e.text);
    return m;
}

static int add(Merges *m, const char *left, const char *right)
{
    return merges_add_text(m, left, strlen(left), right, strlen(right));
}

static int symbol(const Merges *m, const char *text)
{
    return string_table_find(&m->symbols, text, strlen(text));
}

/* ---- The table ---- */

static void merge_should_make_the_symbol_of_both_texts(void **state)
{
    Merges m = { 0 };
    assert_int_equal(add(&m, "a", "b"), 0);
    assert_int_equal(add(&m, "ab", "c"), 0);
    assert_int_equal(add(&m, "b", "c"), 0);
    assert_int_equal(add(&m, "a", "bc"), 0);
    assert_int_equal(m.pairs.count, 4);
    assert_int_equal(m.product[1], symbol(&m, "abc"));
    assert_int_equal(m.product[3], m.product[1]);
    assert_int_equal(merges_rank(&m, symbol(&m, "b"), symbol(&m, "c")), 2);
    assert_int_equal(merges_rank(&m, symbol(&m, "c"), symbol(&m, "b")), -1);
    assert_int_equal(merges_rank(&m, -1, -1), -1);
    merges_free(&m);
}

static void merge_should_be_added_only_once(void **state)
{
    Merges m = { 0 };
    assert_int_equal(add(&m, "a", "b"), 0);
    assert_int_equal(add(&m, "b", "a"), 0);
    assert_int_equal(add(&m, "a", "b"), -1);
    assert_int_equal(m.pairs.count, 2);
    merges_free(&m);
}

static void table_should_know_whether_the_mark_is_in_it(void **state)
{
    Merges m = { 0 };
    add(&m, "a", "b");
    assert_false(m.marked);
    add(&m, "\u2581", "ab");
    assert_true(m.marked);
    merges_free(&m);
}

/* ---- Reading ---- */

static void first_line_should_tell_how_words_end(void **state)
{
    static const struct { const char *text; WordEnd end; } cases[] = {
        { "#version: 0.1\na b\nab </w>\n", WORD_END_SEPARATE },
        { "a b\nab </w>\n", WORD_END_SEPARATE },
        { "#version: 0.2\na b\nab c</w>\n", WORD_END_ATTACHED },
        { "#version:0.2\r\na b\r\nab c</w>", WORD_END_ATTACHED },
        { " #version: 0.2 \na b\nab c</w>", WORD_END_ATTACHED },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Merges m = read_codes(*state, cases[i].text);
        assert_int_equal(m.end, cases[i].end);
        assert_int_equal(m.pairs.count, 2);
        assert_merge(&m, 0, "a b");
        assert_merge(&m, 1, cases[i].end == WORD_END_SEPARATE ? "ab </w>" : "ab c</w>");
        merges_free(&m);
    }
}

static void of_a_pair_that_comes_twice_the_first_line_should_count(void **state)
{
    Merges m = read_codes(*state, "a b\n\n b c\na b \nc d\n");
    assert_int_equal(m.pairs.count, 3);
    assert_merge(&m, 0, "a b");
    assert_merge(&m, 1, "b c");
    assert_merge(&m, 2, "c d");
    merges_free(&m);
}

static void what_is_no_file_of_codes_should_be_refused_with_its_line(void **state)
{
    static const struct { const char *text, *message; } cases[] = {
        { "a b\nab\n", "codes:2: 'ab' is not a merge" },
        { "a b c\n", "codes:1: 'a b c' is not a merge" },
        { "a  b\n", "codes:1: 'a  b' is not a merge" },
        { "Go.\tVa !\n", "codes:1: 'Go.\tVa !' is not a merge" },
        { "a \xFF\n", "codes:1: 'a \xFF' is not a merge" },
        { "a b\n #version: 0.2 \nb c", "codes:2: a version belongs into the first line" },
        { "a b\n#version: 0.2\nb c", "codes:2: a version belongs into the first line" },
        { "#version: 0.3\na b\n", "codes:1: version '0.3' of subword-nmt's codes is not known" },
        { "#version: \na b\n", "codes:1: version ''" },
        { "#version: 0.2\n", "codes: no merges in it" }, { "", "codes: no merges in it" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Err e = { "" };
        Merges m = { 0 };
        int failed = merges_read(&m, scratch_puts(*state, "codes", cases[i].text), &e);
        if (!failed) fail_msg("accepted: %s", cases[i].text);
        if (!strstr(e.text, cases[i].message))
            fail_msg("'%s' does not say '%s'", e.text, cases[i].message);
        assert_null(m.pairs.slot);
    }
    Err e = { "" };
    Merges m = { 0 };
    assert_int_equal(merges_read(&m, scratch_path(*state, "missing"), &e), -1);
    assert_non_null(strstr(e.text, "missing"));
}

/* ---- Writing ---- */

static void what_was_read_should_be_written(void **state)
{
    static const char *const files[] = { "#version: 0.1\na b\nab </w>\n",
                                         "#version: 0.2\na b\nab \u00E9</w>\n",
                                         "#version: 0.1\n#version :\n#version: </w>\n" };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        Merges m = read_codes(*state, files[i]), copy = { 0 };
        Buf text = { 0 };
        merges_copy(&copy, &m);
        merges_write(&copy, &text);
        assert_string_equal(text.text, files[i]);
        buf_free(&text);
        merges_free(&copy);
        merges_free(&m);
    }
}

static void merges_without_word_ends_should_be_written_as_version_01(void **state)
{
    Merges m = { 0 };
    Buf text = { 0 };
    add(&m, "\u2581", "a");
    merges_write(&m, &text);
    assert_string_equal(text.text, "#version: 0.1\n\u2581 a\n");
    buf_free(&text);
    merges_free(&m);
}

/* Codes and words as texts, segmented slowly by the rules of the format: the characters of the
 * word, with its end behind them (version 0.1) or on the last one (0.2); the first line of the file
 * that fits anywhere merges at all its places, from left to right, until none fits; the end is no
 * part of the answer. */
enum { CODES = 40, SYMBOL_BYTES = 64, WORD_SYMBOLS = 16, POOL = 60, TEXTS = 400, MOST_WORDS = 40 };

typedef struct { char text[SYMBOL_BYTES]; } Symbol;
typedef struct { Symbol left, right; } Code;
typedef struct { Symbol symbol[WORD_SYMBOLS]; int count; } SlowWord;

static int slow_fits_at(const SlowWord *word, int i, const Code *code)
{
    return !strcmp(word->symbol[i].text, code->left.text)
        && !strcmp(word->symbol[i + 1].text, code->right.text);
}

static void slow_merge(SlowWord *word, const Code *code)
{
    for (int i = 0; i + 1 < word->count; i++) {
        if (!slow_fits_at(word, i, code)) continue;
        strcat(word->symbol[i].text, code->right.text);
        memmove(&word->symbol[i + 1], &word->symbol[i + 2],
                (size_t)(--word->count - i - 1) * sizeof *word->symbol);
    }
}

static int slow_fits(const SlowWord *word, const Code *code)
{
    for (int i = 0; i + 1 < word->count; i++)
        if (slow_fits_at(word, i, code)) return 1;
    return 0;
}

static void slow_end(SlowWord *word, WordEnd end)
{
    if (end == WORD_END_SEPARATE) strcpy(word->symbol[word->count++].text, "</w>");
    if (end == WORD_END_ATTACHED) strcat(word->symbol[word->count - 1].text, "</w>");
}

static void slow_segment(const Code *code, int codes, WordEnd end, const Symbol *letter,
                         int letters, Buf *out)
{
    SlowWord word = { .count = letters };
    memcpy(word.symbol, letter, (size_t)letters * sizeof *letter);
    slow_end(&word, end);
    for (int i = 0; i < codes;) {
        int fits = slow_fits(&word, &code[i]);
        if (fits) slow_merge(&word, &code[i]);
        i = fits ? 0 : i + 1;
    }
    char *last = word.symbol[word.count - 1].text;
    if (end != WORD_END_NONE) last[strlen(last) - WORD_END_LENGTH] = '\0';
    for (int i = 0; i < word.count; i++)
        if (*word.symbol[i].text) buf_printf(out, "%s%s", i ? "|" : "", word.symbol[i].text);
}

static const Symbol slow_letters[] = { { "a" }, { "b" }, { "\u00E9" }, { "\u4E2D" }, { "</w>" } };
enum { SLOW_LETTERS = 4 };

/* Random codes over symbols that codes made. Ends of words come in as letters do; what could never
 * apply is in it. */
static void random_codes(uint64_t key, WordEnd end, Code *code, Merges *merges)
{
    Symbol pool[POOL + CODES];
    int count = 0;
    for (int i = 0; i < SLOW_LETTERS; i++) {
        pool[count++] = slow_letters[i];
        if (end != WORD_END_ATTACHED) continue;
        pool[count] = slow_letters[i];
        strcat(pool[count++].text, WORD_END);
    }
    if (end == WORD_END_SEPARATE) pool[count++] = slow_letters[SLOW_LETTERS];
    merges->end = end;
    for (uint64_t n = 0; merges->pairs.count < CODES; n += 2) {
        Symbol left = pool[rng_below(key, n, (uint64_t)count)],
            right = pool[rng_below(key, n + 1, (uint64_t)count)];
        if (strlen(left.text) + strlen(right.text) >= SYMBOL_BYTES / 4) continue;
        if (merges_add_text(merges, left.text, strlen(left.text), right.text, strlen(right.text)))
            continue;
        code[merges->pairs.count - 1] = (Code){ left, right };
        strcat(left.text, right.text);
        pool[count++] = left;
    }
}

/* A word behind a blank carries the mark, which the codes don't know: the mark stays on the first
 * part. */
static void check_random_word(uint64_t key, const Merges *merges, const Code *code)
{
    Symbol letter[WORD_SYMBOLS - 1];
    int letters = 1 + (int)rng_below(key, 0, WORD_SYMBOLS - 1), marked = merges->end
        && rng_below(key, 1, 2);
    Buf word = { 0 }, expected = { 0 };
    if (marked) buf_puts(&word, WORD_MARK), buf_puts(&expected, WORD_MARK);
    for (int i = 0; i < letters; i++) {
        letter[i] = slow_letters[rng_below(key, 2 + (uint64_t)i, SLOW_LETTERS)];
        buf_puts(&word, letter[i].text);
    }
    slow_segment(code, CODES, merges->end, letter, letters, &expected);
    assert_parts(merges, word.text, NULL, expected.text);
    buf_free(&word);
    buf_free(&expected);
}

static void words_should_be_cut_as_subword_nmt_cuts_them(void **state)
{
    for (uint64_t i = 0; i < 3 * TEXTS; i++) {
        static Code code[CODES];
        Merges merges = { 0 };
        random_codes(rng_key(i, 3, RNG_INIT), (WordEnd)(i % WORD_END_KINDS), code, &merges);
        for (uint64_t w = 0; w < MOST_WORDS; w++)
            check_random_word(rng_key(i, 4 + w, RNG_INIT), &merges, code);
        merges_free(&merges);
    }
}

static void end_of_a_word_should_be_a_symbol_or_a_part_of_one(void **state)
{
    static const char *const separate[][2] = { { "t", "</w>" }, { "a", "t</w>" }, { "a", "t" },
                                               { "e", "</w>" } };
    static const char *const attached[][2] = { { "a", "t</w>" }, { "a", "t" } };
    Merges merges = merges_of(WORD_END_SEPARATE, separate, 4);
    assert_parts(&merges, "cat", NULL, "c|at");
    assert_parts(&merges, "catat", NULL, "c|at|at");
    assert_parts(&merges, "cate", NULL, "c|at|e");
    assert_parts(&merges, WORD_MARK "at", NULL, WORD_MARK "at");
    assert_parts(&merges, WORD_MARK, NULL, WORD_MARK);
    merges_free(&merges);
    merges = merges_of(WORD_END_ATTACHED, attached, 1);
    assert_parts(&merges, "catat", NULL, "c|a|t|at");
    assert_parts(&merges, WORD_MARK "cat", NULL, WORD_MARK "c|at");
    assert_parts(&merges, WORD_MARK "t", NULL, WORD_MARK "t");
    assert_parts(&merges, WORD_MARK, NULL, WORD_MARK);
    merges_free(&merges);
}

static void mark_should_be_a_character_where_merges_hold_it(void **state)
{
    static const char *const marked[][2] = { { WORD_MARK, "a" }, { "b", "c</w>" } };
    Merges merges = merges_of(WORD_END_ATTACHED, marked, 2);
    assert_parts(&merges, WORD_MARK "abc", NULL, WORD_MARK "a|bc");
    assert_parts(&merges, WORD_MARK "babc", NULL, WORD_MARK "|b|a|bc");
    merges_free(&merges);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merge_should_make_the_symbol_of_both_texts),
        cmocka_unit_test(merge_should_be_added_only_once),
        cmocka_unit_test(table_should_know_whether_the_mark_is_in_it),
        in_scratch(first_line_should_tell_how_words_end),
        in_scratch(of_a_pair_that_comes_twice_the_first_line_should_count),
        in_scratch(what_is_no_file_of_codes_should_be_refused_with_its_line),
        in_scratch(what_was_read_should_be_written),
        cmocka_unit_test(merges_without_word_ends_should_be_written_as_version_01),
        cmocka_unit_test(words_should_be_cut_as_subword_nmt_cuts_them),
        cmocka_unit_test(end_of_a_word_should_be_a_symbol_or_a_part_of_one),
        cmocka_unit_test(mark_should_be_a_character_where_merges_hold_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
