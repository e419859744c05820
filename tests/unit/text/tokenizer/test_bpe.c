/* test_bpe.c - merges learned incrementally against a twin that counts everything anew for each
 * merge; words cut by merges against a slow twin of their definition; noise against its
 * probabilities. */
#include "text/tokenizer/bpe.h"

#include "base/mem.h"
#include "base/random/rng.h"
#include "test.h"

#include <math.h>
#include <string.h>

/* These pairs of symbols, the best first. */
static Merges merges_of(const char *const (*pair)[2], int count)
{
    Merges merges = { 0 };
    for (int i = 0; i < count; i++)
        assert_int_equal(merges_add_text(&merges, slice_of(pair[i][0]), slice_of(pair[i][1])), 0);
    return merges;
}

/* The parts of a word, joined by '|'. */
static void assert_parts(const Merges *merges, const char *word, const BpeNoise *noise,
                         const char *expected)
{
    SCOPED(bpe_word_free) BpeWord parts = { 0 };
    SCOPED(buf_free) Buf out = { 0 };
    bpe_segment(merges, slice_of(word), noise, &parts);
    for (size_t i = 0, start = 0; i < parts.count; start = parts.part[i++].end)
        buf_printf(&out, "%s%.*s", i ? "|" : "", (int)(parts.part[i].end - start), word + start);
    assert_string_equal(out.text, expected);
}

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

static void add_letters(Merges *merges, int letters)
{
    for (int i = 0; i < letters; i++)
        string_table_add(&merges->symbols, (Slice){ &(char){ (char)('a' + i) }, 1 });
}

static void assert_merge(const Merges *merges, size_t rank, const char *left, const char *right)
{
    Pair pair = merges_pair(merges, rank);
    assert_string_equal(string_table_text(&merges->symbols, pair.left), left);
    assert_string_equal(string_table_text(&merges->symbols, pair.right), right);
}

/* ---- The table ---- */

static int symbol(const Merges *m, const char *text)
{
    return string_table_find(&m->symbols, slice_of(text));
}

UNIT_TEST(merge_should_make_the_symbol_of_both_texts)
{
    static const char *const pairs[][2] = { { "a", "b" }, { "ab", "c" }, { "b", "c" }, { "a", "bc" } };
    Merges m = merges_of(pairs, 4);
    assert_int_equal(m.pairs.count, 4);
    assert_int_equal(m.product[1], symbol(&m, "abc"));
    assert_int_equal(m.product[3], m.product[1]);
    assert_int_equal(merges_add_text(&m, slice_of("a"), slice_of("b")), -1);
    assert_int_equal(m.pairs.count, 4);
    merges_free(&m);
}

/* ---- By hand ---- */

/* The words of Sennrich et al. (2016), section 3.2, without the mark at their end. Pairs that occur
 * nine times: es, st; eight times: we; seven: lo, ow. */
UNIT_TEST(most_frequent_pair_should_be_merged_first)
{
    Text text = { .count = 0 };
    SCOPED(merges_free) Merges merges = { 0 };
    add_letters(&merges, 26);
    add_word(&text, "low", 5);
    add_word(&text, "lower", 2);
    add_word(&text, "newest", 6);
    add_word(&text, "widest", 3);
    BpeText words = view(&text);
    bpe_learn(&merges, 5, &words);
    assert_int_equal(merges.pairs.count, 5);
    assert_merge(&merges, 0, "e", "s");
    assert_merge(&merges, 1, "es", "t");
    assert_merge(&merges, 2, "l", "o");
    assert_merge(&merges, 3, "lo", "w");
    assert_merge(&merges, 4, "e", "w");
    assert_int_equal(text.length[0], 1);
    assert_int_equal(text.length[2], 3);
}

/* ---- The twin ---- */

static void naive_count(const Text *text, size_t vocabulary, long count[MOST_ENTRIES][MOST_ENTRIES])
{
    for (size_t left = 0; left < vocabulary; left++)
        memset(count[left], 0, vocabulary * sizeof count[left][0]);
    for (size_t word = 0; word < text->count; word++)
        for (int i = 0; i + 1 < text->length[word]; i++) {
            const int *symbol = text->symbol + text->start[word] + i;
            if (symbol[0] >= 0 && symbol[1] >= 0)
                count[symbol[0]][symbol[1]] += text->frequency[word];
        }
}

static void naive_merge(Text *text, Pair pair, int product)
{
    for (size_t word = 0; word < text->count; word++) {
        int *symbol = text->symbol + text->start[word];
        for (int i = 0; i + 1 < text->length[word]; i++) {
            if (symbol[i] != pair.left || symbol[i + 1] != pair.right) continue;
            symbol[i] = product;
            memmove(symbol + i + 1, symbol + i + 2,
                    (size_t)(--text->length[word] - i - 1) * sizeof *symbol);
        }
    }
}

static int comes_before(const StringTable *symbols, Pair a, Pair b)
{
    int order = strcmp(string_table_text(symbols, a.left), string_table_text(symbols, b.left));
    return (order ? order : strcmp(string_table_text(symbols, a.right),
                                   string_table_text(symbols, b.right))) < 0;
}

static void naive_learn(Text *text, size_t most, Merges *merges)
{
    static long count[MOST_ENTRIES][MOST_ENTRIES];
    for (; most; most--) {
        Pair best = { 0, 0 };
        int symbols = (int)merges->symbols.count;
        naive_count(text, (size_t)symbols, count);
        for (int left = 0; left < symbols; left++)
            for (int right = 0; right < symbols; right++) {
                long more = count[left][right] - count[best.left][best.right];
                if (more > 0
                    || (!more && comes_before(&merges->symbols, (Pair){ left, right }, best)))
                    best = (Pair){ left, right };
            }
        if (count[best.left][best.right] < 2) return;
        merges_add(merges, best);
        naive_merge(text, best, merges->product[merges->pairs.count - 1]);
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

UNIT_TEST(learning_should_agree_with_the_twin)
{
    for (uint64_t i = 0; i < TEXTS; i++) {
        static Text text, twin;
        SCOPED(merges_free) Merges merges = { 0 }, expected = { 0 };
        random_text(rng_key(i, 0, RNG_INIT), &text);
        twin = text;
        add_letters(&merges, LETTERS);
        add_letters(&expected, LETTERS);
        BpeText words = view(&text);
        bpe_learn(&merges, MOST_ENTRIES - LETTERS, &words);
        naive_learn(&twin, MOST_ENTRIES - LETTERS, &expected);
        assert_int_equal(merges.pairs.count, expected.pairs.count);
        for (size_t rank = 0; rank < merges.pairs.count; rank++) {
            Pair pair = merges_pair(&merges, rank), other = merges_pair(&expected, rank);
            assert_memory_equal(&pair, &other, sizeof pair);
        }
        assert_int_equal(merges.symbols.count, LETTERS + merges.pairs.count);
        assert_memory_equal(text.length, twin.length, text.count * sizeof *text.length);
        for (size_t w = 0; w < text.count; w++)
            assert_memory_equal(text.symbol + text.start[w], twin.symbol + twin.start[w],
                                (size_t)text.length[w] * sizeof *text.symbol);
    }
}

/* ---- Applying ---- */

/* Letters of a word of add_word. */
static void word_text(const Text *text, size_t word, char *out)
{
    for (int i = 0; i < text->length[word]; i++) {
        int symbol = text->symbol[text->start[word] + (size_t)i];
        out[i] = symbol < 0 ? '?' : (char)('a' + symbol);
    }
    out[text->length[word]] = '\0';
}

/* Applies merge after merge to the whole word, whether it is there or not; the parts joined by
 * '|'. */
static void naive_parts(const Merges *merges, int *symbol, int length, Buf *out)
{
    for (size_t rank = 0; rank < merges->pairs.count; rank++) {
        Pair pair = merges_pair(merges, rank);
        for (int i = 0; i + 1 < length; i++) {
            if (symbol[i] != pair.left || symbol[i + 1] != pair.right) continue;
            symbol[i] = merges->product[rank];
            memmove(symbol + i + 1, symbol + i + 2, (size_t)(--length - i - 1) * sizeof *symbol);
        }
    }
    buf_clear(out);
    for (int i = 0; i < length; i++)
        buf_printf(out, "%s%s", i ? "|" : "", symbol[i] < 0 ? "?"
                   : string_table_text(&merges->symbols, symbol[i]));
}

/* No symbol is made in two ways: so each merge has done all it can when its turn is over, as in the
 * twin. */
UNIT_TEST(applying_should_agree_with_the_twin)
{
    for (uint64_t i = 0; i < TEXTS; i++) {
        static Text text, other;
        SCOPED(merges_free) Merges merges = { 0 };
        SCOPED(buf_free) Buf expected = { 0 };
        random_text(rng_key(i, 1, RNG_INIT), &text);
        random_text(rng_key(i, 2, RNG_INIT), &other);
        add_letters(&merges, LETTERS);
        BpeText words = view(&text);
        bpe_learn(&merges, 4 + i % 64, &words);
        for (size_t w = 0; w < other.count; w++) {
            char word[MOST_SYMBOLS + 1];
            word_text(&other, w, word);
            naive_parts(&merges, other.symbol + other.start[w], other.length[w], &expected);
            if (*word) assert_parts(&merges, word, NULL, expected.text);
        }
    }
}

/* ---- Noise ---- */

static const char *const doubling[][2] = { { "a", "b" }, { "ab", "ab" }, { "abab", "abab" } };
enum { DRAWS = 20000 };

UNIT_TEST(noise_of_nothing_should_change_nothing_and_of_all_leave_characters)
{
    Merges merges = merges_of(doubling, 3);
    for (uint64_t word = 0; word < 1000; word++) {
        assert_parts(&merges, "ababababc", &(BpeNoise){ 77, word, 0 }, "abababab|c");
        assert_parts(&merges, "ababababc", &(BpeNoise){ 77, word, 1 }, "a|b|a|b|a|b|a|b|c");
    }
    merges_free(&merges);
}

static size_t parts_of(const Merges *merges, const char *text, uint64_t seed, uint64_t number,
                       double p)
{
    SCOPED(bpe_word_free) BpeWord word = { 0 };
    bpe_segment(merges, slice_of(text), &(BpeNoise){ rng_key(seed, 0, RNG_DROPOUT), number,
                                                         p }, &word);
    assert_int_equal(word.part[word.count - 1].end, strlen(text));
    size_t count = word.count;
    return count;
}

/* Each place of a merge is dropped by itself, again at each step. For a b a b: none is
 * merged if both places are left out, p^2; one, if one is and then left out again, 2 p (1 - p) p;
 * both in all other cases. With eight places none is merged with p^8. Counts of DRAWS tries have a
 * standard deviation of at most sqrt(DRAWS) / 2; five of them are allowed. */
UNIT_TEST(each_place_should_be_left_out_with_the_given_probability)
{
    static const double p[] = { 0.1, 0.5, 0.9 };
    const double most = 2.5 * sqrt(DRAWS);
    Merges merges = merges_of(doubling, 1);
    for (int k = 0; k < 3; k++) {
        double single = 0, none_of_8 = 0, found[5] = { 0 }, expected[5] = { 0 };
        for (uint64_t word = 0; word < DRAWS; word++) {
            single += parts_of(&merges, "ab", 5, word, p[k]) == 2;
            found[parts_of(&merges, "abab", 6, word, p[k])]++;
            none_of_8 += parts_of(&merges, "abababababababab", 7, word, p[k]) == 16;
        }
        expected[4] = DRAWS * p[k] * p[k];
        expected[3] = DRAWS * 2 * p[k] * (1 - p[k]) * p[k];
        expected[2] = DRAWS - expected[3] - expected[4];
        assert_true(fabs(single - DRAWS * p[k]) <= most);
        assert_true(fabs(none_of_8 - DRAWS * pow(p[k], 8)) <= most);
        for (int parts = 2; parts <= 4; parts++)
            assert_true(fabs(found[parts] - expected[parts]) <= most);
    }
    merges_free(&merges);
}

UNIT_TEST(noise_should_be_a_function_of_key_and_word)
{
    Merges merges = merges_of(doubling, 3);
    int other_word = 0, other_key = 0;
    for (uint64_t word = 0; word < 100; word++) {
        size_t parts = parts_of(&merges, "abababab", 9, word, 0.5);
        assert_int_equal(parts_of(&merges, "abababab", 9, word, 0.5), parts);
        other_word += parts_of(&merges, "abababab", 9, word + 1, 0.5) != parts;
        other_key += parts_of(&merges, "abababab", 11, word, 0.5) != parts;
    }
    assert_true(other_word > 25 && other_key > 25);
    merges_free(&merges);
}

int main(void) { return run_unit_tests(); }
