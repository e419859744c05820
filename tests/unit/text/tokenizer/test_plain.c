/* test_plain.c - tokens that take a line as it is: those of SentencePiece over a vocabulary of its own order, and words between
 * blanks. */
#include "text/tokenizer/plain.h"

#include "base/mem.h"
#include "plain_case.h"
#include "test.h"

#include <string.h>

/* Appends the pieces of a line, each behind a blank; unknown ones in brackets, with their texts. */
static void show(const Tokenizer *t, const char *line, Buf *out)
{
    SCOPED(ids_free) Ids ids = { 0 };
    SCOPED(words_free) Words unknown = { 0 };
    size_t unknowns = 0;
    tokenizer_encode(t, line, strlen(line), &ids, &unknown);
    buf_clear(out);
    for (size_t i = 0; i < ids.count; i++) {
        const int is_unknown = ids.id[i] == ID_UNK;
        const Slice text = is_unknown ? words_at(&unknown, unknowns++) : slice_of(tokenizer_piece(t, ids.id[i]));
        buf_printf(out, is_unknown ? " [%.*s]" : " %.*s", (int)text.length, text.text);
    }
    assert_int_equal(unknowns, unknown.count);
}

static void check(const Tokenizer *t, const char *line, const char *pieces)
{
    SCOPED(buf_free) Buf found = { 0 };
    show(t, line, &found);
    assert_string_equal(found.text, pieces);
}

static void decode(const Tokenizer *t, const char *line, const char *const *replacements, Buf *out)
{
    SCOPED(ids_free) Ids ids = { 0 };
    tokenizer_encode(t, line, strlen(line), &ids, NULL);
    ids_add(&ids, ID_EOS);
    buf_clear(out);
    tokenizer_decode(t, ids.id, ids.count, replacements, NULL, out);
}

static const char *const network[] = { "c", "▁a", ">>fra<<", "▁", ">>deu<<", ">>zh<<", "b", "</s>", "<s>", "z" };
enum { NETWORK = sizeof network / sizeof *network };

UNIT_TEST(ids_should_be_those_of_the_vocabulary)
{
    Tokenizer *t = plain_case("unigram", network, NETWORK);
    assert_int_equal(tokenizer_size(t), NETWORK + ID_SPECIALS);
    assert_string_equal(tokenizer_piece(t, ID_SPECIALS), "c");
    check(t, "a b c", " ▁a ▁ b ▁ c");
    check(t, "abc", " [▁abc]");         /* a piece that the vocabulary lacks */
    check(t, "zz", " ▁ [zz]");          /* and text that no piece has */
    check(t, "z", " ▁ z");              /* by its text, as OPUS-MT's programs do it */
    check(t, "", "");
    tokenizer_free(t);
}

UNIT_TEST(special_tokens_should_not_be_typed)
{
    static const char *const pieces[] = { "a" };
    Tokenizer *t = plain_case("unigram", pieces, 1);
    check(t, "<eos>", " [▁] [<] [eos] [>]");
    check(t, "<unk>", " [▁] [<] [unk] [>]");
    tokenizer_free(t);
}

UNIT_TEST(a_language_should_be_a_token_at_the_beginning_alone)
{
    Tokenizer *t = plain_case("unigram", network, NETWORK);
    check(t, ">>fra<< a", " >>fra<< ▁a");
    check(t, ">>fra<<a", " >>fra<< ▁a");
    check(t, ">>ita<<a", " ▁ [>] [>] [it] [a] [<] [<] [a]");
    check(t, "a >>fra<<", " ▁a ▁ [>] [>] [f] [r] [a] [<] [<]");
    const struct { const char *text; size_t length; } cases[] = {
        { ">>fra<< a", 7 }, { ">>zh_Hant<<", 11 }, { ">><<", 0 }, { ">>fra", 0 }, { ">>fr a<<", 0 }, { ">>a>b<<", 0 }, { ">", 0 },
        { "", 0 }, { ">>a<", 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(language_length(slice_of(cases[i].text)), cases[i].length);
    tokenizer_free(t);
}

UNIT_TEST(a_language_should_be_found_by_any_of_its_tags)
{
    Tokenizer *t = plain_case("unigram", network, NETWORK);
    SCOPED(buf_free) Buf known = { 0 };
    const struct { const char *tag, *piece; } cases[] = {
        { "fra", ">>fra<<" }, { "fr", ">>fra<<" }, { "de", ">>deu<<" }, { "zh", ">>zh<<" }, { "zho", ">>zh<<" }, { "it", NULL },
        { "", NULL }, { "no tag at all, and far too long for one in any case", NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int id = tokenizer_language(t, slice_of(cases[i].tag));
        assert_int_equal(id > 0, cases[i].piece != NULL);
        if (id) assert_string_equal(tokenizer_piece(t, id), cases[i].piece);
    }
    tokenizer_languages(t, &known);
    assert_string_equal(known.text, "fra deu zh");
    tokenizer_free(t);
}

UNIT_TEST(a_line_should_be_that_of_its_ids)
{
    SCOPED(buf_free) Buf line = { 0 };
    Tokenizer *t = plain_case("bytes", NULL, 0);
    decode(t, "  the  \xE4\xB8\xAD ring ", NULL, &line);
    assert_string_equal(line.text, "the \xE4\xB8\xAD ring");
    tokenizer_free(t);
    t = plain_case("unigram", NULL, 0);
    decode(t, "a \xE4\xB8\xAD", NULL, &line);
    assert_string_equal(line.text, "a  \xE2\x81\x87");      /* the model's own text for it, without the last blank */
    tokenizer_free(t);
    t = plain_case("unigram", network, NETWORK);
    buf_clear(&line);
    tokenizer_decode(t, (const int[]){ ID_SPECIALS + 1, ID_SPECIALS + 8, ID_SPECIALS + 2 }, 3, NULL, NULL, &line);
    assert_string_equal(line.text, "a>>fra<<");     /* ▁a <s> >>fra<<: no text has what controls */
    tokenizer_free(t);
    t = plain_case("unigram", NULL, 0);
    decode(t, "a \xE4\xB8\xAD", (const char *const[]){ NULL, NULL, "\xE2\x96\x81word", NULL }, &line);
    assert_string_equal(line.text, "a  word");
    tokenizer_free(t);
}

UNIT_TEST(text_of_pieces_should_end_with_the_line)
{
    Tokenizer *t = plain_case("bytes", NULL, 0);
    SCOPED(ids_free) Ids ids = { 0 };
    SCOPED(buf_free) Buf line = { 0 };
    PieceText text[5];
    tokenizer_encode(t, "a", 1, &ids, NULL);
    ids_add(&ids, tokenizer_piece(t, ids.id[0]) ? ids.id[0] : 0);
    const int blank = ID_SPECIALS + 256;        /* ▁, behind the bytes */
    const int list[] = { ids.id[0], blank, blank };
    tokenizer_decode(t, list, 3, NULL, text, &line);
    assert_string_equal(line.text, "a");
    for (int i = 0; i < 3; i++)
        assert_int_equal(text[i].end, 1);
    tokenizer_free(t);
}

UNIT_TEST(punctuation_should_be_prepared_as_opus_does)
{
    static const struct { const char *line, *prepared; } cases[] = {
        { "你好，世界。  再见！", "你好,世界. 再见!" },
        { "（１２３４）：「x」《y》；", "(\"234):\"x\"\"y\";" },
        { "  a\t\tb\xC2\xAD" "c\xE2\x80\x8B" "d  ", "a b c d" },
        { "it’s 5～6 … ━ 〈a〉【b】％．", "it's 5~6 ... - <a>[b]%." },
        { "\xEE\x80\x80 \xF4\x8F\xBF\xBD", "" },            /* private, unassigned */
        { "é ½ “q” «f»", "é ½ \"q\" «f»" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED(buf_free) Buf line = { 0 };
        buf_clear(&line);
        plain_prepare_opus(cases[i].line, strlen(cases[i].line), &line);
        assert_string_equal(line.text, cases[i].prepared);
    }
    Tokenizer *t = plain_case("unigram", NULL, 0);
    check(t, "b\xC2\xAD" "c", " ▁ b [\xC2\xAD] c");
    t->preparation = PREPARATION_OPUS;
    check(t, "b\xC2\xAD" "c", " ▁ b ▁ c");
    tokenizer_free(t);
}

UNIT_TEST(tokens_between_blanks_should_be_looked_up)
{
    Err e;
    SCOPED(buf_free) Buf line = { 0 };
    TextOptions options = text_defaults();
    options.tokens = TOKENS_WHITESPACE;
    Tokenizer *t = tokenizer_of_pieces(&options, NULL, (const char *const[]){ "ب", "a.", "A" }, 3, &e);
    check(t, "  ب a. \t A b", " ب a. A [b]");
    decode(t, " ب  a.\tb", NULL, &line);
    assert_string_equal(line.text, "ب a. <unk>");
    check(t, "<eos> <unk>", " [<eos>] [<unk>]");
    tokenizer_free(t);
}

UNIT_TEST(vocabularies_should_be_refused_with_the_reason)
{
    static const struct { const char *piece[2], *why; } cases[] = {
        { { "a", "a" }, "'a', occurs twice" }, { { "a", "<pad>" }, "'<pad>', occurs twice" }, { { "", "a" }, "is empty" },
        { { "\xFF", "a" }, "not valid UTF-8" },
    };
    TextOptions options = text_defaults();
    options.tokens = TOKENS_SENTENCEPIECE;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Err e = { "" };
        assert_null(tokenizer_of_pieces(&options, segmenter_case("bpe"), cases[i].piece, 2, &e));
        if (!strstr(e.text, cases[i].why)) fail_msg("%s: %s", cases[i].why, e.text);
    }
}

/* Another tokenizer with the same JSON and the same file. */
static Tokenizer *copy(const Tokenizer *t)
{
    Err e;
    cJSON *json = tokenizer_to_json(t);
    Tokenizer *again = tokenizer_from_json(json, &e);
    if (!again) fail_msg("%s", e.text);
    const Slice bytes = sentencepiece_bytes(t->segmenter);
    assert_int_equal(tokenizer_set_segmenter(again, bytes.text, bytes.length, &e), 0);
    cJSON_Delete(json);
    return again;
}

UNIT_TEST(tokenizers_should_survive_their_json_and_know_each_other)
{
    static const char *const odd[] = { "a b", "\t", "▁", "b" };         /* no symbols of bpe */
    Tokenizer *t = plain_case("unigram", odd, 4), *other = plain_case("bpe", odd, 4), *again;
    t->preparation = PREPARATION_OPUS;
    again = copy(t);
    assert_int_equal(again->preparation, PREPARATION_OPUS);
    assert_true(tokenizers_are_same(t, again));
    again->preparation = PREPARATION_NONE;
    assert_false(tokenizers_are_same(t, again));
    assert_true(vocabularies_are_same(t, other));
    assert_false(tokenizers_are_same(again, other));
    tokenizer_free(again);
    again = tokenizer_extend(t, &(WordCounts){ &(StringTable){ 0 }, NULL }, 1);
    assert_true(tokenizers_are_same(t, again));
    tokenizer_free(again);
    tokenizer_free(other);
    tokenizer_free(t);
}

int main(void)
{
    return run_unit_tests();
}
