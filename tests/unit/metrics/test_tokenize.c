/* test_tokenize.c - tokenizers against slow twins: the published regular expressions, on bytes. */
#include "metrics/tokenize.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/random/rng.h"
#include "text/unicode.h"

#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Pieces of text in which rules meet; no Unicode blanks, which the twins don't know. */
static void random_text(uint64_t key, Buf *out)
{
    static const char *const pieces[] = {
        "a", "B", "s", "é", "€", "中", "0", "1", "9", " ", " ", ".", ".", ",", ",", "-", "-",
        "'", "'s ", "!", "\"", "#", "$", "%", "&", "(", ")", "*", "+", "/", ":", ";", "<", "=", ">",
        "?", "@", "[", "\\", "]", "^", "_", "`", "{", "|", "}", "~", "&amp;", "&quot;", "&lt;",
        "&gt;", "<skipped>", "&amp;lt;", "\x7f", "\t"
    };
    uint64_t count = rng_below(key, 0, 30);
    buf_clear(out);
    for (uint64_t i = 1; i <= count; i++)
        buf_puts(out, pieces[rng_below(key, i, sizeof pieces / sizeof *pieces)]);
    buf_puts(out, "x");                                     /* no blank at the end */
}

/* ---- The twins ---- */

/* Python's re.sub: in `with`, \1 and \2 are the groups. Frees the text and returns the new one. */
static char *sub(const char *pattern, const char *with, char *text)
{
    regex_t regex;
    regmatch_t group[3];
    Buf out = { 0 };
    buf_clear(&out);
    assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED), 0);
    const char *at = text;
    while (*at && regexec(&regex, at, 3, group, 0) == 0) {
        buf_add(&out, at, (size_t)group[0].rm_so);
        for (const char *c = with; *c; c++) {
            if (*c != '\\') buf_putc(&out, *c);
            else {
                const regmatch_t *g = &group[*++c - '0'];
                buf_add(&out, at + g->rm_so, (size_t)(g->rm_eo - g->rm_so));
            }
        }
        at += group[0].rm_eo;
    }
    buf_puts(&out, at);
    regfree(&regex);
    free(text);
    return out.text;
}

static char *entities(char *text)
{
    text = sub("&quot;", "\"", text);
    text = sub("&amp;", "&", text);
    text = sub("&lt;", "<", text);
    return sub("&gt;", ">", text);
}

static char *padded(char *text)
{
    Buf out = { 0 };
    buf_printf(&out, " %s ", text);
    free(text);
    return out.text;
}

static char *symbols(char *text)
{
    return sub("([]{|}~[\\^_` !\"#$%&()*+:;<=>?@/])", " \\1 ", text);
}

static char *numbers(char *text)
{
    text = sub("([^0-9])([.,])", "\\1 \\2 ", text);
    text = sub("([.,])([^0-9])", " \\1 \\2", text);
    return sub("([0-9])(-)", "\\1 \\2 ", text);
}

static char *slow_13a(const char *line)
{
    char *text = entities(sub("<skipped>", "", xstrdup(line)));
    return numbers(symbols(padded(text)));
}

static char *slow_tercom(const char *line, int normalized, int no_punct)
{
    char *text = xstrdup(line);
    if (normalized) text = numbers(sub("'s ", " 's ", symbols(padded(entities(text)))));
    return no_punct ? sub("[.,?:;!\"()]", "", text) : text;
}

/* Cuts the twin's text at its blanks; frees it. */
static void assert_words(const Symbols *line, char *expected, const char *text)
{
    Word word;
    Buf found = { 0 }, wanted = { 0 };
    char *rest;
    for (size_t from = 0; line_next_word(line, &from, &word); buf_putc(&found, '\n'))
        for (size_t i = 0; i < word.count; i++) unicode_append(&found, word.at[i]);
    for (char *w = strtok_r(expected, " \t", &rest); w; w = strtok_r(NULL, " \t", &rest))
        buf_printf(&wanted, "%s\n", w);
    if (found.length != wanted.length || (found.length && strcmp(found.text, wanted.text)))
        fail_msg("%s:\n%sinstead of\n%s", text, found.text, wanted.text);
    buf_free(&found);
    buf_free(&wanted);
    free(expected);
}

enum { ROUNDS = 400 };

static void mteval_13a_should_be_its_regular_expressions(void **state)
{
    (void)state;
    Buf text = { 0 };
    for (uint64_t round = 0; round < ROUNDS; round++) {
        Symbols line = { 0 };
        random_text(rng_key(1, round, RNG_SHUFFLE), &text);
        line_read(&line, text.text);
        tokenize(TOKENIZE_13A, &line);
        assert_words(&line, slow_13a(text.text), text.text);
        symbols_free(&line);
    }
    buf_free(&text);
}

static void tercom_should_be_its_regular_expressions(void **state)
{
    (void)state;
    Buf text = { 0 };
    for (uint64_t round = 0; round < ROUNDS; round++) {
        TercomOptions tercom = { .normalized = (int)(round & 1),
                                 .no_punct = (int)(round >> 1 & 1) };
        Symbols line = { 0 };
        random_text(rng_key(2, round, RNG_SHUFFLE), &text);
        line_read(&line, text.text);
        tokenize_tercom(&tercom, &line);
        assert_words(&line, slow_tercom(text.text, tercom.normalized, tercom.no_punct), text.text);
        symbols_free(&line);
    }
    buf_free(&text);
}

/* Every character of the blocks that tercom names, and its neighbours. */
static void tercom_should_cut_asian_characters_by_their_blocks(void **state)
{
    (void)state;
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

static void a_language_should_have_its_published_tokenizer_or_characters(void **state)
{
    (void)state;
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

static void texts_should_lack_blanks_where_most_letters_have_such_a_script(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mteval_13a_should_be_its_regular_expressions),
        cmocka_unit_test(tercom_should_be_its_regular_expressions),
        cmocka_unit_test(a_language_should_have_its_published_tokenizer_or_characters),
        cmocka_unit_test(texts_should_lack_blanks_where_most_letters_have_such_a_script),
        cmocka_unit_test(tercom_should_cut_asian_characters_by_their_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
