/* test_tokenizer_json.c - the JSON of a tokenizer, and what of it is refused. */
#include "text/tokenizer/tokenizer.h"

#include "scratch.h"
#include "tokenizer_case.h"

/* ---- JSON ---- */

static void tokenizer_should_come_back_from_json(void **state)
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

static void sound_json_should_be_accepted(void **state)
{
    Err e = { "" };
    Tokenizer *t = from_text(TOKENIZER(",\"a\",\"b\",\"ab\"", "\"a b\""), &e);
    if (!t) fail_msg("%s", e.text);
    assert_pieces(t, "abba", "<unk>|ab|b|a");
    tokenizer_free(t);
}

static void damaged_json_should_be_refused_with_what_is_wrong(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokenizer_should_come_back_from_json),
        cmocka_unit_test(sound_json_should_be_accepted),
        cmocka_unit_test(damaged_json_should_be_refused_with_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
