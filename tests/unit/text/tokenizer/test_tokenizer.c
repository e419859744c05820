/* test_tokenizer.c - each kind there and back, unknown text, words and noise; its JSON, and what of that is refused. */
#include "text/tokenizer/tokenizer.h"

#include "base/mem.h"
#include "base/random/rng.h"
#include "learn_lines.h"
#include "scratch.h"
#include "tokenizer_case.h"

/* ---- bpe and char ---- */

UNIT_TEST(subwords_should_grow_with_the_vocabulary)
{
    Tokenizer *t = learned_french(TOKENS_BPE, 8000);
    assert_pieces(t, "Le chien dort.", "_Le|_chien|_dort|.");
    assert_pieces(t, "le chi", "_le|_ch|i");
    tokenizer_free(t);
    t = learned_french(TOKENS_CHAR, 8000);
    assert_pieces(t, "le chi", "_|l|e|_|c|h|i");
    tokenizer_free(t);
}

UNIT_TEST(vocabulary_should_keep_its_limit_and_the_most_frequent_characters)
{
    Tokenizer *t = learned_french(TOKENS_BPE, 12);
    assert_int_equal(tokenizer_size(t), 12);
    assert_string_equal(tokenizer_piece(t, ID_UNK), "<unk>");
    assert_string_equal(tokenizer_piece(t, ID_PAD), "<pad>");
    assert_string_equal(tokenizer_piece(t, ID_BOS), "<bos>");
    assert_string_equal(tokenizer_piece(t, ID_EOS), "<eos>");
    assert_string_equal(tokenizer_piece(t, ID_SPECIALS), WORD_MARK);
    assert_pieces(t, "e", "_|e");
    assert_pieces(t, "3", "_|<unk>");
    tokenizer_free(t);
    t = learned_french(TOKENS_BPE, 50);
    assert_int_equal(tokenizer_size(t), 50);
    tokenizer_free(t);
}

/* By words x is rarer than y, by occurrences it is not; and each line counts once. */
UNIT_TEST(learning_should_weigh_words_by_how_often_they_occur)
{
    static const char *const text[] = { "x x x x", "yz yw yv" };
    static const char *const pairs[] = { "ab ab ab", "cd cd cd cd" };
    TextOptions options = text_defaults();
    options.vocabulary = ID_SPECIALS + 3;
    Tokenizer *t = learn_lines(&options, text, 2);
    assert_string_equal(tokenizer_piece(t, ID_SPECIALS + 2), "x");
    tokenizer_free(t);
    options.vocabulary = ID_SPECIALS + 7;
    t = learn_lines(&options, pairs, 2);
    assert_string_equal(tokenizer_piece(t, ID_SPECIALS + 6), "cd");
    tokenizer_free(t);
}

UNIT_TEST(decoded_should_be_the_normal_line)
{
    Tokenizer *t = learned_french(TOKENS_BPE, 100);
    assert_round_trip(t, "  Le\u00A0chat  n\u2019est pas ... \t", "Le chat n<unk>est pas ...");
    assert_round_trip(t, "Ou\u0300 ?", "Où ?");
    assert_round_trip(t, "", "");
    assert_round_trip(t, " \u00A0 ", "");
    tokenizer_free(t);
}

UNIT_TEST(each_run_of_unknown_characters_should_be_one_unknown_token)
{
    Tokenizer *t = learned_french(TOKENS_BPE, 8000);
    assert_round_trip(t, "Le ЖЖ dort.", "Le <unk> dort.");
    assert_pieces(t, "Ж", "_|<unk>");
    /* Between these words a blank stands for itself. */
    assert_pieces(t, "寿司 寿司", "_|<unk>|_|_|<unk>");
    tokenizer_free(t);
}

UNIT_TEST(unknown_text_should_be_told_for_each_unknown_token_of_a_line)
{
    Tokenizer *t = learned_french(TOKENS_BPE, 8000);
    SCOPED(ids_free) Ids ids = { 0 };
    SCOPED(words_free) Words unknown = { 0 };
    words_add(&unknown, slice_of("before"));
    const char *line = "Le ЖЩ\u00A0chatЖ, ж!";
    assert_pieces(t, line, "_Le|_|<unk>|_chat|￭|_|<unk>|,|_|<unk>|!");
    tokenizer_encode(t, line, strlen(line), &ids, &unknown);
    static const char *const expected[] = { "before", "ЖЩ", "Ж", "ж" };
    assert_int_equal(unknown.count, 4);
    for (size_t i = 0; i < 4; i++) {
        const Slice text = words_at(&unknown, i);
        assert_int_equal(text.length, strlen(expected[i]));
        assert_memory_equal(text.text, expected[i], text.length);
    }
    assert_comes_back(t, line, "Le ЖЩ chatЖ, ж!");
    tokenizer_free(t);
}

UNIT_TEST(copies_should_be_written_where_there_are_some)
{
    static const char *const copies[] = { NULL, NULL, "ЖЩ", NULL, NULL, "", NULL };
    const int ids[] = { ID_BOS, ID_SPECIALS, ID_UNK, ID_SPECIALS, ID_UNK, ID_UNK, ID_EOS };
    SCOPED(buf_free) Buf out = { 0 };
    for (int kind = TOKENS_BPE; kind < TOKENS_KINDS; kind++) {
        Tokenizer *t = learned_french(kind, 8000);
        buf_clear(&out);
        tokenizer_decode(t, ids, sizeof ids / sizeof *ids, copies, NULL, &out);
        assert_string_equal(out.text, kind == TOKENS_WORD ? ". ЖЩ . <unk>" : "ЖЩ <unk>");
        tokenizer_free(t);
    }
}

UNIT_TEST(names_of_specials_in_a_text_should_be_no_specials)
{
    static const char *const text[] = { "<eos> <pad> a", "<eos> <eos> <unk> b <bos>" };
    for (int kind = TOKENS_BPE; kind < TOKENS_KINDS; kind++) {
        TextOptions options = text_defaults();
        options.tokens = kind;
        Tokenizer *t = learn_lines(&options, text, 2);
        Ids ids = encoded(t, "<eos> <bos> <pad>");
        for (size_t i = 0; i < ids.count; i++)
            assert_true(ids.id[i] == ID_UNK || ids.id[i] >= ID_SPECIALS);
        for (int id = ID_SPECIALS; id < tokenizer_size(t); id++)
            assert_string_not_equal(tokenizer_piece(t, id), "<eos>");
        ids_free(&ids);
        tokenizer_free(t);
    }
}

/* A network may write the mark of a blank anywhere. */
UNIT_TEST(a_text_should_have_single_blanks_between_its_words_alone)
{
    static const char *const one[] = { "ЖЩ", NULL, NULL };
    static const char *const two[] = { NULL, NULL, "ЖЩ", NULL, NULL, NULL, "Щ", NULL, NULL };
    for (int kind = TOKENS_BPE; kind < TOKENS_KINDS; kind++) {
        if (kind == TOKENS_WORD) continue;
        Tokenizer *t = learned_french(kind, 8000);
        SCOPED(ids_free) Ids mark = { 0 };
        tokenizer_encode_word(t, slice_of(WORD_MARK), NULL, &mark);
        const int blank = mark.id[0];
        const int alone[] = { ID_UNK, blank, ID_EOS };
        const int many[] = { blank, blank, ID_UNK, blank, blank, blank, ID_UNK, blank, blank };
        SCOPED(buf_free) Buf out = { 0 };
        assert_true(mark.count == 1 && blank >= ID_SPECIALS);
        tokenizer_decode(t, alone, 3, one, NULL, &out);
        assert_string_equal(out.text, "ЖЩ");
        buf_puts(&out, " > ");
        tokenizer_decode(t, many, 9, two, NULL, &out);
        assert_string_equal(out.text, "ЖЩ > ЖЩ Щ");
        buf_clear(&out);
        tokenizer_decode(t, &blank, 1, NULL, NULL, &out);
        assert_string_equal(out.text, "");
        tokenizer_free(t);
    }
}

/* The textbook knows two blanks of French, and a word may end in a third. */
UNIT_TEST(words_that_end_in_a_blank_should_be_followed_by_one)
{
    static const char *const lines[] = { "Bonne nuit\u2009?" };
    TextOptions options = { .tokens = TOKENS_WORD, .min_frequency = 1 };
    Tokenizer *t = learn_lines(&options, lines, 1);
    SCOPED(ids_free) Ids ids = { 0 };
    SCOPED(buf_free) Buf out = { 0 };
    tokenizer_encode(t, lines[0], strlen(lines[0]), &ids, NULL);
    tokenizer_decode(t, ids.id, ids.count, NULL, NULL, &out);
    assert_int_equal(ids.count, 3);
    assert_string_equal(out.text, "Bonne nuit ?");
    tokenizer_free(t);
}

UNIT_TEST(decoding_should_leave_out_what_is_no_word)
{
    Tokenizer *t = learned_french(TOKENS_BPE, 8000);
    SCOPED(ids_free) Ids ids = { 0 };
    SCOPED(buf_free) Buf out = { 0 };
    buf_puts(&out, "> ");
    ids_add(&ids, ID_BOS);
    tokenizer_encode(t, "Le chat", 7, &ids, NULL);
    ids_add(&ids, ID_UNK);
    ids_add(&ids, ID_EOS);
    ids_add(&ids, ID_PAD);
    tokenizer_decode(t, ids.id, ids.count, NULL, NULL, &out);
    assert_string_equal(out.text, "> Le chat<unk>");
    tokenizer_free(t);
}

UNIT_TEST(empty_text_should_give_the_specials_and_the_marks)
{
    for (int kind = TOKENS_BPE; kind < TOKENS_KINDS; kind++) {
        TextOptions options = text_defaults();
        options.tokens = kind;
        Tokenizer *t = learn_lines(&options, NULL, 0);
        assert_int_equal(tokenizer_size(t), ID_SPECIALS + 2 * (kind != TOKENS_WORD));
        Ids ids = encoded(t, "a");
        assert_int_equal(ids.id[ids.count - 1], ID_UNK);
        ids_free(&ids);
        tokenizer_free(t);
    }
}

UNIT_TEST(generated_lines_should_come_back_where_nothing_is_unknown)
{
    Generated *g = generated_new();
    SCOPED(buf_free) Buf normal = { 0 };
    for (int kind = TOKENS_BPE; kind < TOKENS_KINDS; kind++) {
        TextOptions options = { .tokens = kind, .min_frequency = 1, .lowercase = 1 };
        Tokenizer *t = through_json(learn_lines(&options, (const char *const *)g->line,
                                                GENERATED_LINES));
        for (int i = 0; i < GENERATED_LINES && kind != TOKENS_WORD; i++) {
            buf_clear(&normal);
            words_normalise(g->line[i], strlen(g->line[i]), 1, &normal);
            assert_round_trip(t, g->line[i], normal.text);
        }
        tokenizer_free(t);
    }
    generated_free(g);
}

/* Vocabularies that hold all characters of a tenth of the lines, some of them, the mark alone; and
 * none that was learned. */
UNIT_TEST(generated_lines_should_come_back_when_unknown_text_is_copied)
{
    static const int sizes[] = { 0, 300, ID_SPECIALS + 20, ID_SPECIALS + 1, 1 };
    Generated *g = generated_new();
    for (int kind = TOKENS_BPE; kind < TOKENS_KINDS; kind++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes && kind != TOKENS_WORD; i++) {
            TextOptions options = { .tokens = kind, .vocabulary = sizes[i], .min_frequency = 1 };
            size_t count = i + 1 < sizeof sizes / sizeof *sizes ? GENERATED_LINES / 10 : 0;
            Tokenizer *t = through_json(learn_lines(&options, (const char *const *)g->line, count));
            assert_all_come_back(t, g);
            tokenizer_free(t);
        }
    generated_free(g);
}

/* ---- Words and noise ---- */

UNIT_TEST(words_should_be_encoded_as_their_line_is)
{
    for (int kind = TOKENS_BPE; kind < TOKENS_KINDS; kind++) {
        Tokenizer *t = learned_french(kind, 90);
        SCOPED(words_free) Words words = { 0 };
        for (int i = 0; i < FRENCH_LINES; i++) {
            Ids whole = encoded(t, french_lines[i]), parts = { 0 };
            tokenizer_split(t, french_lines[i], strlen(french_lines[i]), &words);
            for (size_t k = 0; k < words.count; k++) {
                const Slice word = words_at(&words, k);
                tokenizer_encode_word(t, word, NULL, &parts);
            }
            assert_int_equal(parts.count, whole.count);
            assert_memory_equal(parts.id, whole.id, whole.count * sizeof *whole.id);
            ids_free(&whole);
            ids_free(&parts);
        }
        tokenizer_free(t);
    }
}

UNIT_TEST(noise_should_cut_a_word_in_other_ways_and_lose_nothing)
{
    static const char word[] = WORD_MARK "chaise";
    Tokenizer *t = learned_french(TOKENS_BPE, 8000);
    int cut = 0;
    for (uint64_t i = 0; i < 200; i++) {
        SCOPED(ids_free) Ids ids = { 0 };
        SCOPED(buf_free) Buf out = { 0 };
        tokenizer_encode_word(t, slice_of(word),
                              &(BpeNoise){ rng_key(1, 0, RNG_DROPOUT), i, 0.3 }, &ids);
        tokenizer_decode(t, ids.id, ids.count, NULL, NULL, &out);
        assert_string_equal(out.text, "chaise");
        cut += ids.count > 1;
    }
    assert_true(cut > 50 && cut < 200);
    tokenizer_free(t);
}

/* ---- word ---- */

/* "N" is one of 26 running words and occurs ten times; "V" occurs nine times. */
UNIT_TEST(symbol_kind_should_keep_frequent_words_whole_and_spell_the_others)
{
    enum { LINES = 10 };
    static const char *const text[LINES] = { "go N V", "be N V", "do N V", "eat N V", "go N V",
                                             "see N V", "be N V", "do N V", "\u00E9t\u00E9 N V", "han N" };
    TextOptions options = { .tokens = TOKENS_SYMBOL, .min_frequency = 1 };
    Tokenizer *t = learn_lines(&options, text, LINES);
    assert_pieces(t, "go N V", "_|g|o|_N|_|V");
    assert_pieces(t, "N", "_N");
    assert_pieces(t, "NN", "_|N|N");
    assert_pieces(t, "\u00E9", "_|e|\u0301");
    assert_pieces(t, "ge?", "_|g|e|<unk>");
    assert_round_trip(t, "\u00E9t\u00E9 N", "\u00E9t\u00E9 N");
    assert_comes_back(t, "\u00E9t\u00E9\u00A0?  N", "\u00E9t\u00E9 ? N");
    tokenizer_free(t);
}

UNIT_TEST(word_kind_should_keep_frequent_words_in_falling_order)
{
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

UNIT_TEST(tokenizer_should_come_back_from_json)
{
    for (int kind = TOKENS_BPE; kind < TOKENS_KINDS; kind++) {
        Err e = { "" };
        Tokenizer *t = learned_french(kind, 70);
        cJSON *json = tokenizer_to_json(t), *again;
        Tokenizer *back = tokenizer_from_json(json, &e);
        if (!back) fail_msg("%s", e.text);
        assert_true(cJSON_Compare(json, again = tokenizer_to_json(back), 1));
        assert_int_equal(tokenizer_size(back), tokenizer_size(t));
        assert_int_equal(back->options.tokens, kind);
        assert_int_equal(back->options.vocabulary, 70);
        for (int i = 0; i < FRENCH_LINES; i++) {
            Ids one = encoded(t, french_lines[i]), two = encoded(back, french_lines[i]);
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

/* `do it` is one word, and a blank is no symbol. */
UNIT_TEST(words_with_blanks_should_leave_a_tokenizer_that_comes_back_from_json)
{
    static const char *const text[] = { "type `do it` and `do it` again", "{{ do it }}" };
    Err e = { "" };
    TextOptions options = text_defaults();
    options.placeholders = 1;
    for (int is_char = 0; is_char < 2; is_char++) {
        options.tokens = is_char ? TOKENS_CHAR : TOKENS_BPE;
        Tokenizer *t = learn_lines(&options, text, 2);
        cJSON *json = tokenizer_to_json(t);
        Tokenizer *back = tokenizer_from_json(json, &e);
        if (!back) fail_msg("%s", e.text);
        assert_round_trip(back, "again `do it`", "again `do<unk>it`");
        cJSON_Delete(json);
        tokenizer_free(t);
        tokenizer_free(back);
    }
}

/* Arguments: the pieces after the specials, and the merges. */
#define TOKENIZER(pieces, merges) \
    "{\"options\":{\"tokens\":\"bpe\"}," \
    "\"pieces\":[\"<unk>\",\"<pad>\",\"<bos>\",\"<eos>\"" pieces "]," \
    "\"merges\":[" merges "]}"

static Tokenizer *from_text(const char *text, Err *e)
{
    cJSON *json = json_parse(text, strlen(text), e);
    if (!json) fail_msg("%s", e->text);
    Tokenizer *t = tokenizer_from_json(json, e);
    cJSON_Delete(json);
    return t;
}

UNIT_TEST(sound_json_should_be_accepted)
{
    Err e = { "" };
    Tokenizer *t = from_text(TOKENIZER(",\"a\",\"b\",\"ab\"", "\"a b\""), &e);
    if (!t) fail_msg("%s", e.text);
    assert_pieces(t, "abba", "<unk>|ab|b|a");
    tokenizer_free(t);
}

UNIT_TEST(damaged_json_should_be_refused_with_what_is_wrong)
{
    static const struct { const char *json, *message; } cases[] = {
        { "[]", "options" },
        { "{\"options\":{},\"merges\":[]}", "pieces" },
        { "{\"options\":{},\"pieces\":[]}", "merges" },
        { "{\"options\":{},\"pieces\":[],\"merges\":[]}", "pieces: only 0 of them" },
        { "{\"options\":{\"tokens\":\"syllable\"},\"pieces\":[],\"merges\":[]}", "tokens" },
        { "{\"options\":{\"colour\":1},\"pieces\":[],\"merges\":[]}", "colour" },
        { "{\"options\":{},\"pieces\":[\"<unk>\",\"<pad>\",\"<eos>\",\"<bos>\"],\"merges\":[]}",
          "entry 2 is '<eos>', not the special token '<bos>'" },
        { "{\"options\":{},\"pieces\":[\"<unk>\",\"<pad>\",\"<bos>\"],\"merges\":[]}",
          "pieces: only 3 of them" },
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
        { TOKENIZER(",\"a\",\"b\"", "\"a b\""),
          "merges: 'a b' has a part that is not among the pieces" },
        { TOKENIZER(",\"a\",\"ab\"", "\"a b\""),
          "merges: 'a b' has a part that is not among the pieces" },
        { TOKENIZER(",\"<\",\"eos>\"", "\"< eos>\""),
          "merges: '< eos>' has a part that is not among the pieces" },
        { TOKENIZER(",\"a\",\"aa\"", "\"a a\",\"a a\""), "merges: 'a a' occurs twice" },
        { TOKENIZER(",\"a\"", "\" a\""), "merges: entry 0 is not of the form" },
        { TOKENIZER(",\"a\"", "\"a a a\""), "merges: entry 0 is not of the form" },
        { TOKENIZER(",\"a\"", "\"a \xFF\""), "merges: entry 0 is not of the form" },
        { "{\"options\":{\"tokens\":\"char\"},\"pieces\":[\"<unk>\",\"<pad>\",\"<bos>\",\"<eos>\","
          "\"a\",\"aa\"],\"merges\":[\"a a\"]}",
          "merges: only a tokenizer of kind bpe has some" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Err e = { "" };
        if (from_text(cases[i].json, &e)) fail_msg("accepted: %s", cases[i].json);
        if (!strstr(e.text, cases[i].message))
            fail_msg("%s: '%s' does not say '%s'", cases[i].json, e.text, cases[i].message);
    }
}

int main(void) { return run_unit_tests(); }
