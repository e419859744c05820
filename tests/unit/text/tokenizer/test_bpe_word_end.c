/* test_bpe_word_end.c - merges with ends of words against a slow twin of subword-nmt. */
#include "text/tokenizer/bpe.h"

#include "base/random/rng.h"
#include "bpe_case.h"
#include "text/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

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
    (void)state;
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
    (void)state;
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
    (void)state;
    static const char *const marked[][2] = { { WORD_MARK, "a" }, { "b", "c</w>" } };
    Merges merges = merges_of(WORD_END_ATTACHED, marked, 2);
    assert_parts(&merges, WORD_MARK "abc", NULL, WORD_MARK "a|bc");
    assert_parts(&merges, WORD_MARK "babc", NULL, WORD_MARK "|b|a|bc");
    merges_free(&merges);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_should_be_cut_as_subword_nmt_cuts_them),
        cmocka_unit_test(end_of_a_word_should_be_a_symbol_or_a_part_of_one),
        cmocka_unit_test(mark_should_be_a_character_where_merges_hold_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
