/* test_symbols.c - words between blanks, their characters apart, and the way back. */
#include "text/symbols.h"

#include "random_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* The words, one piece each. */
static void join(const Words *words, PieceText *text, Buf *out)
{
    char *piece[64];
    assert_true(words->count <= 64);
    for (size_t i = 0, length; i < words->count; i++) {
        const char *word = words_at(words, i, &length);
        piece[i] = strndup(word, length);
    }
    buf_clear(out);
    symbols_join_pieces((const char *const *)piece, words->count, text, out);
    for (size_t i = 0; i < words->count; i++)
        free(piece[i]);
}

static void words_should_be_what_stands_between_blanks_with_its_letters_apart(void **state)
{
    (void)state;
    static const struct { const char *line; size_t count; const char *words; } cases[] = {
        { "", 0, "" },
        { "a", 1, "\u2581a" },
        { "t\u0361\u0283 a\u02D0 .", 3, "\u2581t\u0361\u0283\u2581a\u02D0\u2581." },
        { "1/2 don't", 2, "\u25811/2\u2581don't" },
        { "\uD55C\uAD6D", 1, "\u2581\u1112\u1161\u11AB\u1100\u116E\u11A8" },
        { "\u00E9t\u00E9", 1, "\u2581e\u0301te\u0301" },
    };
    Words words = { 0 };
    Buf back = { 0 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        symbols_split(cases[i].line, strlen(cases[i].line), &words);
        assert_int_equal(words.count, cases[i].count);
        assert_string_equal(words.text.text, cases[i].words);
        join(&words, NULL, &back);
        assert_string_equal(back.text, cases[i].line);
    }
    words_free(&words);
    buf_free(&back);
}

/* Each character a piece of its own, as the tokenizer writes new words. */
static void join_characters(const Words *words, Buf *out)
{
    const char *marked = words->text.text;
    size_t count = 0;
    char (*character)[5] = calloc(words->text.length + 1, sizeof *character);
    const char **piece = calloc(words->text.length + 1, sizeof *piece);
    for (const char *at = marked; *at; count++) {
        size_t length = 1;
        while ((at[length] & 0xC0) == 0x80)
            length++;
        memcpy(character[count], at, length);
        piece[count] = character[count];
        at += length;
    }
    buf_clear(out);
    symbols_join_pieces(piece, count, NULL, out);
    free(piece);
    free(character);
}

static void every_normal_line_should_come_back(void **state)
{
    (void)state;
    enum { LINES = 5000 };
    Buf line = { 0 }, normal = { 0 }, back = { 0 };
    Words words = { 0 };
    for (int i = 0; i < LINES; i++) {
        random_line((uint64_t)i, &line);
        buf_clear(&normal);
        words_normalise(line.text, line.length, 0, &normal);
        symbols_split(normal.text, normal.length, &words);
        join_characters(&words, &back);
        assert_string_equal(back.text ? back.text : "", normal.text);
    }
    words_free(&words);
    buf_free(&line);
    buf_free(&normal);
    buf_free(&back);
}

static void pieces_should_tell_where_they_end_and_which_begin_a_word(void **state)
{
    (void)state;
    static const char *const piece[] = { "\u2581", "\u1112", "\u1161", "\u2581\u2581b", "", "c", "\u2581" };
    static const PieceText expected[] = { { 0, 1 }, { 3, 0 }, { 3, 0 }, { 5, 1 }, { 5, 0 }, { 6, 0 }, { 6, 0 } };
    enum { PIECES = sizeof piece / sizeof *piece };
    PieceText text[PIECES];
    Buf out = { 0 };
    buf_puts(&out, "");
    symbols_join_pieces(piece, PIECES, text, &out);
    assert_string_equal(out.text, "\uD558 bc");
    for (int i = 0; i < PIECES; i++) {
        assert_int_equal(text[i].end, expected[i].end);
        assert_int_equal(text[i].begins, expected[i].begins);
    }
    buf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_should_be_what_stands_between_blanks_with_its_letters_apart),
        cmocka_unit_test(every_normal_line_should_come_back),
        cmocka_unit_test(pieces_should_tell_where_they_end_and_which_begin_a_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
