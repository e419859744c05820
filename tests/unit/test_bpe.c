/* test_bpe.c - merges learned incrementally against a twin that counts everything anew for each merge. */
#include "text/bpe.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

enum { MOST_WORDS = 40, MOST_SYMBOLS = 24, LETTERS = 6, MOST_ENTRIES = 80, TEXTS = 400 };

/* A small text; the vocabulary starts with one-letter entries, id 0 is 'a'. */
typedef struct {
    int    symbol[MOST_WORDS * MOST_SYMBOLS];
    size_t start[MOST_WORDS];
    int    length[MOST_WORDS];
    long   frequency[MOST_WORDS];
    size_t count;
} Text;

static void add_word(Text *text, const char *word, long frequency)
{
    size_t start = text->count * MOST_SYMBOLS;
    text->start[text->count] = start;
    text->length[text->count] = (int)strlen(word);
    for (size_t i = 0; word[i]; i++)
        text->symbol[start + i] = word[i] == '?' ? -1 : word[i] - 'a';
    text->frequency[text->count++] = frequency;
}

static BpeText view(Text *text)
{
    return (BpeText){ text->symbol, text->start, text->length, text->frequency, text->count };
}

static void add_letters(Lexicon *vocabulary, int letters)
{
    for (int i = 0; i < letters; i++)
        lexicon_add(vocabulary, &(char){ (char)('a' + i) }, 1);
}

static void assert_merge(const Bpe *bpe, const Lexicon *vocabulary, size_t rank, const char *left, const char *right)
{
    Pair pair = bpe_pair(bpe, rank);
    assert_string_equal(lexicon_text(vocabulary, pair.left), left);
    assert_string_equal(lexicon_text(vocabulary, pair.right), right);
}

/* ---- By hand ---- */

/* The words of Sennrich et al. (2016), section 3.2, without the mark at their end. Pairs that occur nine times: es, st;
 * eight times: we; seven: lo, ow. */
static void most_frequent_pair_should_be_merged_first(void **state)
{
    (void)state;
    Text text = { .count = 0 };
    Lexicon vocabulary = { 0 };
    Bpe bpe = { 0 };
    add_letters(&vocabulary, 26);
    add_word(&text, "low", 5);
    add_word(&text, "lower", 2);
    add_word(&text, "newest", 6);
    add_word(&text, "widest", 3);
    BpeText words = view(&text);
    bpe_learn(&bpe, &vocabulary, 26 + 5, &words);
    assert_int_equal(bpe_count(&bpe), 5);
    assert_merge(&bpe, &vocabulary, 0, "e", "s");
    assert_merge(&bpe, &vocabulary, 1, "es", "t");
    assert_merge(&bpe, &vocabulary, 2, "l", "o");
    assert_merge(&bpe, &vocabulary, 3, "lo", "w");
    assert_merge(&bpe, &vocabulary, 4, "e", "w");
    assert_int_equal(text.length[0], 1);
    assert_int_equal(text.length[2], 3);
    bpe_free(&bpe);
    lexicon_free(&vocabulary);
}

static void runs_of_one_letter_should_be_merged_from_the_left(void **state)
{
    (void)state;
    Text text = { .count = 0 };
    Lexicon vocabulary = { 0 };
    Bpe bpe = { 0 };
    int five[] = { 0, 0, 0, 0, 0 };
    add_letters(&vocabulary, 1);
    add_word(&text, "aaaaa", 3);
    BpeText words = view(&text);
    bpe_learn(&bpe, &vocabulary, 2, &words);
    assert_int_equal(text.length[0], 3);
    assert_memory_equal(text.symbol, ((int[]){ 1, 1, 0 }), 3 * sizeof(int));
    assert_int_equal(bpe_apply(&bpe, five, 5), 3);
    assert_memory_equal(five, ((int[]){ 1, 1, 0 }), 3 * sizeof(int));
    bpe_free(&bpe);
    lexicon_free(&vocabulary);
}

static void pair_that_occurs_once_should_not_be_merged(void **state)
{
    (void)state;
    Text text = { .count = 0 };
    Lexicon vocabulary = { 0 };
    Bpe bpe = { 0 };
    add_letters(&vocabulary, 4);
    add_word(&text, "ab", 1);
    add_word(&text, "cd", 2);
    BpeText words = view(&text);
    bpe_learn(&bpe, &vocabulary, 100, &words);
    assert_int_equal(bpe_count(&bpe), 1);
    assert_merge(&bpe, &vocabulary, 0, "c", "d");
    bpe_free(&bpe);
    lexicon_free(&vocabulary);
}

static void unknown_characters_should_never_merge(void **state)
{
    (void)state;
    Text text = { .count = 0 };
    Lexicon vocabulary = { 0 };
    Bpe bpe = { 0 };
    int word[] = { -1, -1, 0, -1 };
    add_letters(&vocabulary, 1);
    add_word(&text, "??a?", 9);
    BpeText words = view(&text);
    bpe_learn(&bpe, &vocabulary, 100, &words);
    assert_int_equal(bpe_count(&bpe), 0);
    assert_int_equal(bpe_apply(&bpe, word, 4), 4);
    bpe_free(&bpe);
    lexicon_free(&vocabulary);
}

static void merge_should_be_added_only_once(void **state)
{
    (void)state;
    Bpe bpe = { 0 };
    assert_int_equal(bpe_add(&bpe, (Pair){ 4, 5 }, 6), 0);
    assert_int_equal(bpe_add(&bpe, (Pair){ 5, 4 }, 7), 0);
    assert_int_equal(bpe_add(&bpe, (Pair){ 4, 5 }, 8), -1);
    assert_int_equal(bpe_count(&bpe), 2);
    bpe_free(&bpe);
}

/* ---- The twin ---- */

static void naive_count(const Text *text, size_t vocabulary, long count[MOST_ENTRIES][MOST_ENTRIES])
{
    for (size_t left = 0; left < vocabulary; left++)
        memset(count[left], 0, vocabulary * sizeof count[left][0]);
    for (size_t word = 0; word < text->count; word++)
        for (int i = 0; i + 1 < text->length[word]; i++) {
            const int *symbol = text->symbol + text->start[word] + i;
            if (symbol[0] >= 0 && symbol[1] >= 0) count[symbol[0]][symbol[1]] += text->frequency[word];
        }
}

static void naive_merge(Text *text, Pair pair, int product)
{
    for (size_t word = 0; word < text->count; word++) {
        int *symbol = text->symbol + text->start[word];
        for (int i = 0; i + 1 < text->length[word]; i++) {
            if (symbol[i] != pair.left || symbol[i + 1] != pair.right) continue;
            symbol[i] = product;
            memmove(symbol + i + 1, symbol + i + 2, (size_t)(--text->length[word] - i - 1) * sizeof *symbol);
        }
    }
}

static void naive_learn(Text *text, Lexicon *vocabulary, size_t limit, Bpe *bpe)
{
    static long count[MOST_ENTRIES][MOST_ENTRIES];
    while (vocabulary->count < limit) {
        Pair best = { 0, 0 };
        naive_count(text, vocabulary->count, count);
        for (int left = 0; left < (int)vocabulary->count; left++)
            for (int right = 0; right < (int)vocabulary->count; right++)
                if (count[left][right] > count[best.left][best.right]) best = (Pair){ left, right };
        if (count[best.left][best.right] < 2) return;
        char product[2 * MOST_ENTRIES];
        strcpy(product, lexicon_text(vocabulary, best.left));
        strcat(product, lexicon_text(vocabulary, best.right));
        int id = lexicon_add(vocabulary, product, strlen(product));
        naive_merge(text, best, id);
        bpe_add(bpe, best, id);
    }
}

/* Few letters, so that runs, overlaps and two ways to one symbol are common. */
static void random_text(uint64_t key, Text *text)
{
    *text = (Text){ .count = 0 };
    uint64_t letters = 1 + rng_below(key, 0, LETTERS), words = 1 + rng_below(key, 1, MOST_WORDS);
    for (uint64_t w = 0, n = 2; w < words; w++) {
        char word[MOST_SYMBOLS + 1] = "";
        uint64_t length = rng_below(key, n++, MOST_SYMBOLS + 1);
        for (uint64_t i = 0; i < length; i++)
            word[i] = rng_below(key, n++, 30) ? (char)('a' + rng_below(key, n++, letters)) : '?';
        add_word(text, word, 1 + (long)rng_below(key, n++, 5));
    }
}

static void learning_should_agree_with_the_twin(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < TEXTS; i++) {
        static Text text, twin;
        Lexicon vocabulary = { 0 }, twin_vocabulary = { 0 };
        Bpe bpe = { 0 }, twin_bpe = { 0 };
        random_text(rng_key(i, 0, RNG_INIT), &text);
        twin = text;
        add_letters(&vocabulary, LETTERS);
        add_letters(&twin_vocabulary, LETTERS);
        BpeText words = view(&text);
        bpe_learn(&bpe, &vocabulary, MOST_ENTRIES, &words);
        naive_learn(&twin, &twin_vocabulary, MOST_ENTRIES, &twin_bpe);
        assert_int_equal(bpe_count(&bpe), bpe_count(&twin_bpe));
        for (size_t rank = 0; rank < bpe_count(&bpe); rank++) {
            Pair pair = bpe_pair(&bpe, rank), expected = bpe_pair(&twin_bpe, rank);
            assert_memory_equal(&pair, &expected, sizeof pair);
        }
        assert_int_equal(vocabulary.count, twin_vocabulary.count);
        assert_memory_equal(text.length, twin.length, text.count * sizeof *text.length);
        for (size_t w = 0; w < text.count; w++)
            assert_memory_equal(text.symbol + text.start[w], twin.symbol + twin.start[w],
                                (size_t)text.length[w] * sizeof *text.symbol);
        bpe_free(&bpe);
        bpe_free(&twin_bpe);
        lexicon_free(&vocabulary);
        lexicon_free(&twin_vocabulary);
    }
}

/* Applies merge after merge to the whole word, whether it is there or not. */
static int naive_apply(const Bpe *bpe, int *symbol, int length)
{
    for (size_t rank = 0; rank < bpe_count(bpe); rank++) {
        Pair pair = bpe_pair(bpe, rank);
        for (int i = 0; i + 1 < length; i++) {
            if (symbol[i] != pair.left || symbol[i + 1] != pair.right) continue;
            symbol[i] = bpe->product[rank];
            memmove(symbol + i + 1, symbol + i + 2, (size_t)(--length - i - 1) * sizeof *symbol);
        }
    }
    return length;
}

/* No symbol is made in two ways: so each merge has done all it can when its turn is over, as in the twin. */
static void applying_should_agree_with_the_twin(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < TEXTS; i++) {
        static Text text, other;
        Lexicon vocabulary = { 0 };
        Bpe bpe = { 0 };
        random_text(rng_key(i, 1, RNG_INIT), &text);
        random_text(rng_key(i, 2, RNG_INIT), &other);
        add_letters(&vocabulary, LETTERS);
        BpeText words = view(&text);
        bpe_learn(&bpe, &vocabulary, LETTERS + 4 + i % 64, &words);
        assert_int_equal(bpe_count(&bpe), vocabulary.count - LETTERS);
        for (size_t w = 0; w < other.count; w++) {
            int *symbol = other.symbol + other.start[w], twin[MOST_SYMBOLS];
            memcpy(twin, symbol, sizeof twin);
            int length = bpe_apply(&bpe, symbol, other.length[w]);
            assert_int_equal(length, naive_apply(&bpe, twin, other.length[w]));
            assert_memory_equal(symbol, twin, (size_t)length * sizeof *symbol);
        }
        bpe_free(&bpe);
        lexicon_free(&vocabulary);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(most_frequent_pair_should_be_merged_first),
        cmocka_unit_test(runs_of_one_letter_should_be_merged_from_the_left),
        cmocka_unit_test(pair_that_occurs_once_should_not_be_merged),
        cmocka_unit_test(unknown_characters_should_never_merge),
        cmocka_unit_test(merge_should_be_added_only_once),
        cmocka_unit_test(learning_should_agree_with_the_twin),
        cmocka_unit_test(applying_should_agree_with_the_twin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
