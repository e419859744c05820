/* test_tokenize.c - the characters that tercom knows, and which tokenizer suits a text. test_bleu.c
 * has the frozen answers of the others. */
#include "metrics/tokenize.h"

#include "test.h"
#include "text/unicode.h"

/* Every character of the blocks that tercom names, and its neighbours. */
UNIT_TEST(tercom_should_cut_asian_characters_by_their_blocks)
{
    static const struct { int32_t low, high; } blocks[] = {
        { 0x4e00, 0x9fff }, { 0x3400, 0x4dbf }, { 0x31c0, 0x31ef }, { 0x2e80, 0x2eff },
        { 0x3300, 0x33ff }, { 0xf900, 0xfaff }, { 0xfe30, 0xfe4f }, { 0x3200, 0x3f22 },
        { 0x3001, 0x3002 }, { 0x3008, 0x3011 }, { 0x3014, 0x301f }, { 0xff61, 0xff65 },
        { 0x30fb, 0x30fb }, { 0xff0e, 0xff0e }, { 0xff0c, 0xff0c }, { 0xff1f, 0xff1f },
        { 0xff1a, 0xff1b }, { 0xff01, 0xff02 }, { 0xff08, 0xff09 }
    };
    for (int32_t c = 0x2e00; c < 0x10000; c++) {
        if (unicode_is_space(c) || (c >= 0xd800 && c < 0xe000)) continue;
        int inside = 0, words = 0;
        for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
            inside |= c >= blocks[i].low && c <= blocks[i].high;
        Symbols line = { 0 };
        Word word;
        symbols_add(&line, 'a');
        symbols_add(&line, c);
        symbols_add(&line, 'b');
        tokenize_tercom(&(TercomOptions){ .normalized = 1, .asian = 1 }, &line);
        for (size_t from = 0; line_next_word(&line, &from, &word);) words++;
        if (words != (inside ? 3 : 1)) fail_msg("U+%04X: %d words", (unsigned)c, words);
        symbols_free(&line);
    }
}

UNIT_TEST(a_language_should_have_its_published_tokenizer_or_characters)
{
    static const struct { const char *language, *absent; int kind; } rows[] = {
        { "zh", NULL, TOKENIZE_ZH }, { "zh-Hant-TW", NULL, TOKENIZE_ZH }, { "ja", "ja-mecab", TOKENIZE_CHAR },
        { "ko-KR", "ko-mecab", TOKENIZE_CHAR }, { "en", NULL, TOKENIZE_13A }, { "zha", NULL, TOKENIZE_13A },
        { "th", NULL, TOKENIZE_13A }, { "", NULL, TOKENIZE_13A },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *absent = "";
        assert_int_equal(tokenize_for(rows[i].language, &absent), rows[i].kind);
        assert_int_equal(absent != NULL, rows[i].absent != NULL);
        if (absent) assert_string_equal(absent, rows[i].absent);
    }
}

UNIT_TEST(texts_should_lack_blanks_where_most_letters_have_such_a_script)
{
    static const struct { const char *text; int lacks; } rows[] = {
        { "", 0 }, { "12 !", 0 }, { "Il est là.", 0 }, { "나는 책을 샀다.", 0 }, { "我昨天买了一本书。", 1 },
        { "コーヒーを飲む", 1 }, { "แมวสามตัว", 1 }, { "我 likes cats", 0 }, { "我喜欢 cat 的", 1 }, { "मेरी किताब", 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ScriptCount count = { 0 };
        script_count_add(&count, rows[i].text);
        assert_int_equal(script_count_lacks_blanks(&count), rows[i].lacks);
    }
}

int main(void) { return run_unit_tests(); }
