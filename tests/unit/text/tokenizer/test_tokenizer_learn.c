/* test_tokenizer_learn.c - learning from counts, and from the real corpus. */
#include "text/tokenizer/tokenizer.h"

#include "base/mem.h"
#include "learn_lines.h"
#include "scratch.h"
#include "text/corpus/corpus.h"
#include "tokenizer_case.h"

/* ---- Counts ---- */

static void assert_equal_tokenizers(Tokenizer *one, Tokenizer *other)
{
    cJSON *a = tokenizer_to_json(one), *b = tokenizer_to_json(other);
    char *first = json_text(a, 0), *second = json_text(b, 0);
    assert_string_equal(first, second);
    free(first);
    free(second);
    cJSON_Delete(a);
    cJSON_Delete(b);
    tokenizer_free(one);
    tokenizer_free(other);
}

UNIT_TEST(order_of_the_lines_should_not_matter)
{
    Generated *g = generated_new();
    static char *backward[GENERATED_LINES];
    for (int i = 0; i < GENERATED_LINES; i++)
        backward[i] = g->line[GENERATED_LINES - 1 - i];
    for (int kind = TOKENS_BPE; kind < TOKENS_KINDS; kind++) {
        TextOptions options = { .tokens = kind, .vocabulary = 900, .min_frequency = 1 };
        assert_equal_tokenizers(
            learn_lines(&options, (const char *const *)g->line, GENERATED_LINES),
            learn_lines(&options, (const char *const *)backward, GENERATED_LINES));
    }
    generated_free(g);
}

/* Words of both sides in one string table; the last one is in neither. */
UNIT_TEST(two_sides_should_count_as_their_sum)
{
    SCOPED(string_table_free) StringTable words = { 0 };
    static const char *const text[] = { "\u2581chat", "\u2581cat", "\u2581the", "\u2581zz" };
    static const long left[] = { 0, 3, 5, 0 }, right[] = { 4, 1, 0, 0 }, both[] = { 4, 4, 5, 0 };
    for (size_t i = 0; i < 4; i++)
        string_table_add(&words, slice_of(text[i]));
    for (int kind = TOKENS_BPE; kind < TOKENS_KINDS; kind++) {
        TextOptions options = { .tokens = kind, .vocabulary = ID_SPECIALS + 9, .min_frequency = 4 };
        const WordCounts sides[] = { { &words, left }, { &words, right } };
        Tokenizer *t = tokenizer_learn(&options, sides, 2);
        for (int id = 0; id < tokenizer_size(t); id++)
            assert_null(strchr(tokenizer_piece(t, id), 'z'));
        assert_equal_tokenizers(t, tokenizer_learn(&options, &(WordCounts){ &words, both }, 1));
    }
}

/* ---- The real corpus ---- */

static void assert_textbook_size(const char *const *side, int expected)
{
    TextOptions options = { .tokens = TOKENS_WORD, .min_frequency = 2, .lowercase = 1 };
    Tokenizer *t = learn_lines(&options, side, 600);
    assert_int_equal(tokenizer_size(t), expected);
    tokenizer_free(t);
}

static int read_corpus(Corpus *corpus, const char *path, long most, Err *e)
{
    BitextReport report;
    const BitextFiles files = { .name = &path, .count = 1 };
    return corpus_read(corpus, &files, &(BitextOptions){ .max_pairs = most }, -1, &report, e);
}

UNIT_TEST(first_600_pairs_should_give_the_textbooks_vocabularies)
{
    Err e = { "" };
    Corpus corpus;
    const char *path = getenv("ATTN_CORPUS");
    if (!path) skip();
    if (read_corpus(&corpus, path, 600, &e)) fail_msg("%s", e.text);
    assert_int_equal(corpus.count, 600);
    assert_textbook_size(corpus.source, 184);
    assert_textbook_size(corpus.target, 201);
    corpus_free(&corpus);
}

UNIT_TEST(size_of_the_vocabulary_should_follow_the_corpus_unless_it_is_given)
{
    TextOptions options = text_defaults();
    assert_int_equal(text_vocabulary(&options, 10), 8000);
    assert_int_equal(text_vocabulary(&options, 6e4), 8500);
    assert_int_equal(text_vocabulary(&options, 114489), 12000);
    assert_int_equal(text_vocabulary(&options, 1.6e5), 14000);
    assert_int_equal(text_vocabulary(&options, 1e9), 16000);
    options.vocabulary = 77;
    assert_int_equal(text_vocabulary(&options, 1e6), 77);
    options.vocabulary = 0;
    options.tokens = TOKENS_WORD;
    assert_int_equal(text_vocabulary(&options, 1e6), 0);
}

UNIT_TEST(whole_corpus_should_come_back_from_subwords)
{
    Err e = { "" };
    Corpus corpus;
    SCOPED(buf_free) Buf normal = { 0 };
    const char *path = getenv("ATTN_CORPUS");
    if (!path) skip();
    if (read_corpus(&corpus, path, 0, &e)) fail_msg("%s", e.text);
    TextOptions options = text_defaults();
    options.vocabulary = 8000;
    Tokenizer *t = learn_lines(&options, corpus.target, corpus.count);
    assert_int_equal(tokenizer_size(t), 8000);
    for (size_t i = 0; i < corpus.count; i++) {
        buf_clear(&normal);
        words_normalise(corpus.target[i], strlen(corpus.target[i]), 0, &normal);
        assert_round_trip(t, corpus.target[i], normal.text);
    }
    tokenizer_free(t);
    corpus_free(&corpus);
}

/* ---- Extending ---- */

static Tokenizer *extended(const Tokenizer *base, const char *line)
{
    SCOPED(string_table_free) StringTable words = { 0 };
    count_lines(&base->options, &line, 1, &words);
    Tokenizer *t = tokenizer_extend(base, &(WordCounts){ &words, words.tally }, 1);
    return t;
}

static void assert_same_ids(const Tokenizer *one, const Tokenizer *other, const char *line)
{
    SCOPED(ids_free) Ids a = { 0 }, b = { 0 };
    tokenizer_encode(one, line, strlen(line), &a, NULL);
    tokenizer_encode(other, line, strlen(line), &b, NULL);
    assert_int_equal(a.count, b.count);
    assert_memory_equal(a.id, b.id, a.count * sizeof *a.id);
}

/* The entries behind those of the base, with a blank before each. */
static void assert_new_entries(const Tokenizer *base, const Tokenizer *t, const char *expected)
{
    SCOPED(buf_free) Buf entries = { 0 };
    buf_clear(&entries);
    for (int id = 0; id < tokenizer_size(t); id++) {
        if (id < tokenizer_size(base))
            assert_string_equal(tokenizer_piece(t, id), tokenizer_piece(base, id));
        else
            buf_printf(&entries, " %s", tokenizer_piece(t, id));
    }
    assert_string_equal(entries.text, expected);
}

UNIT_TEST(an_extension_should_add_what_is_missing_behind_what_is_known)
{
    static const char *const old = "a cat, a hat, a cat, a hat";
    static const struct { int tokens, least; const char *added; } cases[] = {
        { TOKENS_BPE, 1, " o d" }, { TOKENS_CHAR, 1, " o d" },
        { TOKENS_WORD, 1, " dodo cot" }, { TOKENS_WORD, 2, " dodo" }
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const TextOptions options = { .tokens = cases[i].tokens, .vocabulary = 20,
                                      .min_frequency = cases[i].least };
        Tokenizer *base = learn_lines(&options, &old, 1), *t = extended(base, "a dodo cot dodo");
        assert_new_entries(base, t, cases[i].added);
        assert_same_ids(base, t, old);
        Tokenizer *again = extended(t, "a dodo cot dodo");
        assert_equal_tokenizers(t, again);
        tokenizer_free(base);
    }
}

int main(void) { return run_unit_tests(); }
