/* test_tokenizer.c - each kind there and back, what is unknown, the JSON form and what is refused of it. */
#include "text/tokenizer.h"

#include "learn_lines.h"
#include "random_text.h"
#include "text/corpus.h"
#include "text/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { GENERATED_LINES = 3000 };

static const char *const lines[] = {
    "Le chat dort sur la chaise.", "Le chien dort sous la table.", "Où est la chaise ? Où est le chien ?",
    "L'homme n'est pas là.", "Aujourd'hui, le chat n'est pas sous la chaise !", "Ça coûte 3,50 €.",
};
enum { LINES = sizeof lines / sizeof *lines };

static Tokenizer *learned(int tokens, int vocabulary)
{
    TextOptions options = text_defaults();
    options.tokens = tokens;
    options.vocabulary = vocabulary;
    return learn_lines(&options, lines, LINES);
}

static Ids encoded(const Tokenizer *t, const char *line)
{
    Ids ids = { 0 };
    tokenizer_encode(t, line, strlen(line), &ids, NULL);
    return ids;
}

static void assert_round_trip(const Tokenizer *t, const char *line, const char *expected)
{
    Ids ids = encoded(t, line);
    Buf out = { 0 };
    buf_clear(&out);
    tokenizer_decode(t, ids.id, ids.count, NULL, &out);
    assert_string_equal(out.text, expected);
    ids_free(&ids);
    buf_free(&out);
}

/* The pieces of a line joined by '|', '_' for the mark. */
static void assert_pieces(const Tokenizer *t, const char *line, const char *expected)
{
    Ids ids = encoded(t, line);
    Buf out = { 0 };
    buf_clear(&out);
    for (size_t i = 0; i < ids.count; i++) {
        const char *piece = tokenizer_piece(t, ids.id[i]);
        int marked = strncmp(piece, BLANK_MARK, BLANK_MARK_LENGTH) == 0;
        buf_printf(&out, "%s%s%s", i ? "|" : "", marked ? "_" : "", piece + marked * BLANK_MARK_LENGTH);
    }
    assert_string_equal(out.text, expected);
    ids_free(&ids);
    buf_free(&out);
}

/* ---- bpe and char ---- */

static void learned_lines_should_come_back(void **state)
{
    (void)state;
    static const int sizes[] = { 40, 60, 8000, 0 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int kind = 0; kind < 2; kind++) {
            Tokenizer *t = learned(kind ? TOKENS_CHAR : TOKENS_BPE, sizes[i] == 40 ? 60 : sizes[i]);
            for (int k = 0; k < LINES; k++)
                assert_round_trip(t, lines[k], lines[k]);
            tokenizer_free(t);
        }
}

static void subwords_should_grow_with_the_vocabulary(void **state)
{
    (void)state;
    Tokenizer *t = learned(TOKENS_BPE, 8000);
    assert_pieces(t, "Le chien dort.", "_Le|_chien|_dort|.");
    assert_pieces(t, "le chi", "_le|_ch|i");
    tokenizer_free(t);
    t = learned(TOKENS_CHAR, 8000);
    assert_pieces(t, "le chi", "_|l|e|_|c|h|i");
    tokenizer_free(t);
}

static void vocabulary_should_keep_its_limit_and_the_most_frequent_characters(void **state)
{
    (void)state;
    Tokenizer *t = learned(TOKENS_BPE, 12);
    assert_int_equal(tokenizer_size(t), 12);
    assert_string_equal(tokenizer_piece(t, ID_UNKNOWN), "<unk>");
    assert_string_equal(tokenizer_piece(t, ID_PAD), "<pad>");
    assert_string_equal(tokenizer_piece(t, ID_BEGIN), "<bos>");
    assert_string_equal(tokenizer_piece(t, ID_END), "<eos>");
    assert_string_equal(tokenizer_piece(t, ID_SPECIALS), BLANK_MARK);
    assert_pieces(t, "e", "_|e");
    assert_pieces(t, "3", "_|<unk>");
    tokenizer_free(t);
    t = learned(TOKENS_BPE, 50);
    assert_int_equal(tokenizer_size(t), 50);
    tokenizer_free(t);
}

/* By words x is rarer than y, by occurrences it is not; and each line counts once. */
static void learning_should_weigh_words_by_how_often_they_occur(void **state)
{
    (void)state;
    static const char *const text[] = { "x x x x", "yz yw yv" }, *const pairs[] = { "ab ab ab", "cd cd cd cd" };
    TextOptions options = text_defaults();
    options.vocabulary = ID_SPECIALS + 2;
    Tokenizer *t = learn_lines(&options, text, 2);
    assert_string_equal(tokenizer_piece(t, ID_SPECIALS + 1), "x");
    tokenizer_free(t);
    options.vocabulary = ID_SPECIALS + 6;
    t = learn_lines(&options, pairs, 2);
    assert_string_equal(tokenizer_piece(t, ID_SPECIALS + 5), "cd");
    tokenizer_free(t);
}

static void decoded_should_be_the_normal_line(void **state)
{
    (void)state;
    Tokenizer *t = learned(TOKENS_BPE, 100);
    assert_round_trip(t, "  Le\u00A0chat  n\u2019est pas ... \t", "Le chat n<unk>est pas ...");
    assert_round_trip(t, "Ou\u0300 ?", "Où ?");
    assert_round_trip(t, "", "");
    assert_round_trip(t, " \u00A0 ", "");
    tokenizer_free(t);
}

static void each_run_of_unknown_characters_should_be_one_unknown_token(void **state)
{
    (void)state;
    Tokenizer *t = learned(TOKENS_BPE, 8000);
    assert_round_trip(t, "Le ЖЖ dort.", "Le <unk> dort.");
    assert_pieces(t, "Ж", "_|<unk>");
    tokenizer_free(t);
}

static void names_of_specials_in_a_text_should_be_no_specials(void **state)
{
    (void)state;
    static const char *const text[] = { "<eos> <pad> a", "<eos> <eos> <unk> b <bos>" };
    for (int kind = TOKENS_BPE; kind <= TOKENS_CHAR; kind++) {
        TextOptions options = text_defaults();
        options.tokens = kind;
        Tokenizer *t = learn_lines(&options, text, 2);
        Ids ids = encoded(t, "<eos> <bos> <pad>");
        for (size_t i = 0; i < ids.count; i++)
            assert_true(ids.id[i] == ID_UNKNOWN || ids.id[i] >= ID_SPECIALS);
        for (int id = ID_SPECIALS; id < tokenizer_size(t); id++)
            assert_string_not_equal(tokenizer_piece(t, id), "<eos>");
        ids_free(&ids);
        tokenizer_free(t);
    }
}

static void decoding_should_leave_out_what_is_no_word(void **state)
{
    (void)state;
    Tokenizer *t = learned(TOKENS_BPE, 8000);
    Ids ids = { 0 };
    Buf out = { 0 };
    buf_puts(&out, "> ");
    ids_add(&ids, ID_BEGIN);
    tokenizer_encode(t, "Le chat", 7, &ids, NULL);
    ids_add(&ids, ID_UNKNOWN);
    ids_add(&ids, ID_END);
    ids_add(&ids, ID_PAD);
    tokenizer_decode(t, ids.id, ids.count, NULL, &out);
    assert_string_equal(out.text, "> Le chat<unk>");
    ids_free(&ids);
    buf_free(&out);
    tokenizer_free(t);
}

static void empty_text_should_give_the_specials_and_the_mark(void **state)
{
    (void)state;
    for (int kind = TOKENS_BPE; kind <= TOKENS_CHAR; kind++) {
        TextOptions options = text_defaults();
        options.tokens = kind;
        Tokenizer *t = learn_lines(&options, NULL, 0);
        assert_int_equal(tokenizer_size(t), ID_SPECIALS + (kind != TOKENS_WORD));
        Ids ids = encoded(t, "a");
        assert_int_equal(ids.id[ids.count - 1], ID_UNKNOWN);
        ids_free(&ids);
        tokenizer_free(t);
    }
}

/* Whatever a text holds, what was learned from it can be saved and loaded. */
static Tokenizer *through_json(Tokenizer *t)
{
    Err e = { "" };
    cJSON *json = tokenizer_to_json(t);
    Tokenizer *back = tokenizer_from_json(json, &e);
    if (!back) fail_msg("%s", e.text);
    cJSON_Delete(json);
    tokenizer_free(t);
    return back;
}

static void generated_lines_should_come_back_where_nothing_is_unknown(void **state)
{
    (void)state;
    static char *text[GENERATED_LINES];
    Buf line = { 0 }, normal = { 0 };
    for (uint64_t i = 0; i < GENERATED_LINES; i++) {
        random_line(i, &line);
        text[i] = strdup(line.text);
    }
    for (int kind = TOKENS_BPE; kind <= TOKENS_CHAR; kind++) {
        TextOptions options = { .tokens = kind, .min_frequency = 1, .lowercase = 1 };
        Tokenizer *t = through_json(learn_lines(&options, (const char *const *)text, GENERATED_LINES));
        for (int i = 0; i < GENERATED_LINES && kind != TOKENS_WORD; i++) {
            buf_clear(&normal);
            words_normalise(text[i], strlen(text[i]), 1, &normal);
            assert_round_trip(t, text[i], normal.text);
        }
        tokenizer_free(t);
    }
    for (int i = 0; i < GENERATED_LINES; i++)
        free(text[i]);
    buf_free(&line);
    buf_free(&normal);
}

/* ---- word ---- */

static void word_kind_should_keep_frequent_words_in_falling_order(void **state)
{
    (void)state;
    static const char *const text[] = { "B b a.", "a c\u202F! b", "C d" };
    TextOptions options = { .tokens = TOKENS_WORD, .min_frequency = 2, .lowercase = 1 };
    Tokenizer *t = learn_lines(&options, text, 3);
    assert_int_equal(tokenizer_size(t), ID_SPECIALS + 3);
    assert_string_equal(tokenizer_piece(t, ID_SPECIALS), "b");
    assert_string_equal(tokenizer_piece(t, ID_SPECIALS + 1), "a");
    assert_string_equal(tokenizer_piece(t, ID_SPECIALS + 2), "c");
    assert_round_trip(t, "A b, C!", "a b <unk> c <unk>");
    tokenizer_free(t);
    options.vocabulary = ID_SPECIALS + 1;
    options.lowercase = 0;
    t = learn_lines(&options, text, 3);
    assert_int_equal(tokenizer_size(t), ID_SPECIALS + 1);
    assert_round_trip(t, "B b a", "<unk> <unk> a");
    tokenizer_free(t);
}

/* ---- JSON ---- */

static void tokenizer_should_come_back_from_json(void **state)
{
    (void)state;
    for (int kind = TOKENS_BPE; kind <= TOKENS_CHAR; kind++) {
        Err e = { "" };
        Tokenizer *t = learned(kind, 70);
        cJSON *json = tokenizer_to_json(t), *again;
        Tokenizer *back = tokenizer_from_json(json, &e);
        if (!back) fail_msg("%s", e.text);
        assert_true(cJSON_Compare(json, again = tokenizer_to_json(back), 1));
        assert_int_equal(tokenizer_size(back), tokenizer_size(t));
        assert_int_equal(tokenizer_options(back)->tokens, kind);
        assert_int_equal(tokenizer_options(back)->vocabulary, 70);
        for (int i = 0; i < LINES; i++) {
            Ids one = encoded(t, lines[i]), two = encoded(back, lines[i]);
            assert_int_equal(one.count, two.count);
            assert_memory_equal(one.id, two.id, one.count * sizeof *one.id);
            ids_free(&one);
            ids_free(&two);
        }
        cJSON_Delete(json);
        cJSON_Delete(again);
        tokenizer_free(t);
        tokenizer_free(back);
    }
}

/* Arguments: the pieces after the specials, and the merges. */
#define TOKENIZER(pieces, merges) \
    "{\"options\":{\"tokens\":\"bpe\"},\"pieces\":[\"<unk>\",\"<pad>\",\"<bos>\",\"<eos>\"" pieces "]," \
    "\"merges\":[" merges "]}"

static Tokenizer *from_text(const char *text, Err *e)
{
    cJSON *json = json_parse(text, strlen(text), e);
    if (!json) fail_msg("%s", e->text);
    Tokenizer *t = tokenizer_from_json(json, e);
    cJSON_Delete(json);
    return t;
}

static void sound_json_should_be_accepted(void **state)
{
    (void)state;
    Err e = { "" };
    Tokenizer *t = from_text(TOKENIZER(",\"a\",\"b\",\"ab\"", "\"a b\""), &e);
    if (!t) fail_msg("%s", e.text);
    assert_pieces(t, "abba", "<unk>|ab|b|a");
    tokenizer_free(t);
}

static void damaged_json_should_be_refused_with_what_is_wrong(void **state)
{
    (void)state;
    static const struct { const char *json, *message; } cases[] = {
        { "[]", "options" },
        { "{\"options\":{},\"merges\":[]}", "pieces" },
        { "{\"options\":{},\"pieces\":[]}", "merges" },
        { "{\"options\":{},\"pieces\":[],\"merges\":[]}", "pieces: only 0 entries" },
        { "{\"options\":{\"tokens\":\"syllable\"},\"pieces\":[],\"merges\":[]}", "tokens" },
        { "{\"options\":{\"colour\":1},\"pieces\":[],\"merges\":[]}", "colour" },
        { "{\"options\":{},\"pieces\":[\"<unk>\",\"<pad>\",\"<eos>\",\"<bos>\"],\"merges\":[]}",
          "entry 2 is '<eos>', not the special token '<bos>'" },
        { "{\"options\":{},\"pieces\":[\"<unk>\",\"<pad>\",\"<bos>\"],\"merges\":[]}", "pieces: only 3 entries" },
        { TOKENIZER(",7", ""), "pieces: entry 4 is not" },
        { TOKENIZER(",\"\"", ""), "pieces: entry 4 is not" },
        { TOKENIZER(",\"a b\"", ""), "pieces: entry 4 is not" },
        { TOKENIZER(",\"a\\n\"", ""), "pieces: entry 4 is not" },
        { TOKENIZER(",\"\\u0007\"", ""), "pieces: entry 4 is not" },
        { TOKENIZER(",\"\xFF\"", ""), "pieces: entry 4 is not" },
        { TOKENIZER(",\"a\",\"b\",\"a\"", ""), "pieces: entry 6, 'a', occurs twice" },
        { TOKENIZER(",\"<eos>\"", ""), "pieces: entry 4, '<eos>', occurs twice" },
        { TOKENIZER(",\"a\"", "7"), "merges: entry 0 is not of the form" },
        { TOKENIZER(",\"a\"", "\"a\""), "merges: entry 0 is not of the form" },
        { TOKENIZER(",\"a\",\"b\"", "\"a b\""), "merges: 'a b' has a part that is not among the pieces" },
        { TOKENIZER(",\"a\",\"ab\"", "\"a b\""), "merges: 'a b' has a part that is not among the pieces" },
        { TOKENIZER(",\"<\",\"eos>\"", "\"< eos>\""), "merges: '< eos>' has a part that is not among the pieces" },
        { TOKENIZER(",\"a\",\"aa\"", "\"a a\",\"a a\""), "merges: 'a a' occurs twice" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Err e = { "" };
        if (from_text(cases[i].json, &e)) fail_msg("accepted: %s", cases[i].json);
        if (!strstr(e.text, cases[i].message))
            fail_msg("%s: '%s' does not say '%s'", cases[i].json, e.text, cases[i].message);
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
    return corpus_read(corpus, &(BitextFiles){ &path, 1, 0 }, &(BitextOptions){ .max_pairs = most }, -1, &report, e);
}

static void first_600_pairs_should_give_the_textbooks_vocabularies(void **state)
{
    (void)state;
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

static void whole_corpus_should_come_back_from_subwords(void **state)
{
    (void)state;
    Err e = { "" };
    Corpus corpus;
    Buf normal = { 0 };
    const char *path = getenv("ATTN_CORPUS");
    if (!path) skip();
    if (read_corpus(&corpus, path, 0, &e)) fail_msg("%s", e.text);
    TextOptions options = text_defaults();
    Tokenizer *t = learn_lines(&options, corpus.target, corpus.count);
    assert_int_equal(tokenizer_size(t), 8000);
    for (size_t i = 0; i < corpus.count; i++) {
        buf_clear(&normal);
        words_normalise(corpus.target[i], strlen(corpus.target[i]), 0, &normal);
        assert_round_trip(t, corpus.target[i], normal.text);
    }
    tokenizer_free(t);
    buf_free(&normal);
    corpus_free(&corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learned_lines_should_come_back),
        cmocka_unit_test(subwords_should_grow_with_the_vocabulary),
        cmocka_unit_test(vocabulary_should_keep_its_limit_and_the_most_frequent_characters),
        cmocka_unit_test(learning_should_weigh_words_by_how_often_they_occur),
        cmocka_unit_test(decoded_should_be_the_normal_line),
        cmocka_unit_test(each_run_of_unknown_characters_should_be_one_unknown_token),
        cmocka_unit_test(names_of_specials_in_a_text_should_be_no_specials),
        cmocka_unit_test(decoding_should_leave_out_what_is_no_word),
        cmocka_unit_test(empty_text_should_give_the_specials_and_the_mark),
        cmocka_unit_test(generated_lines_should_come_back_where_nothing_is_unknown),
        cmocka_unit_test(word_kind_should_keep_frequent_words_in_falling_order),
        cmocka_unit_test(tokenizer_should_come_back_from_json),
        cmocka_unit_test(sound_json_should_be_accepted),
        cmocka_unit_test(damaged_json_should_be_refused_with_what_is_wrong),
        cmocka_unit_test(first_600_pairs_should_give_the_textbooks_vocabularies),
        cmocka_unit_test(whole_corpus_should_come_back_from_subwords),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
