/* test_words.c - where words end, what the normal form is, and the law that nothing is lost. */
#include "text/words.h"

#include "base/files/lines.h"
#include "base/mem.h"
#include "random_text.h"
#include "read_table.h"
#include "test.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

enum { LAST_POINT = 0x10FFFF, GENERATED_LINES = 20000 };

/* ---- Splitting ---- */

/* The words with a blank between them. */
static void show(const Words *words, Buf *out)
{
    buf_clear(out);
    for (size_t i = 0; i < words->count; i++) {
        const Slice word = words_at(words, i);
        if (i) buf_putc(out, ' ');
        buf_add(out, word.text, word.length);
    }
}

static void assert_split(const char *line, const char *expected)
{
    SCOPED(words_free) Words words = { 0 };
    SCOPED(buf_free) Buf shown = { 0 }, back = { 0 };
    words_split(line, strlen(line), 1, NULL, NULL, 0, &words);
    show(&words, &shown);
    assert_string_equal(shown.text, expected);
    words_join_pieces((const char *const[]){ words.text.text }, 1, 0, NULL, &back);
    assert_string_equal(back.text, line);
}

static void check_split(char *const cell[CELLS_MOST], int cells)
{
    assert_int_equal(cells, 2);
    assert_split(cell[0], cell[1]);
}

UNIT_TEST(lines_should_have_the_words_of_the_table)
{
    each_case("tests/data/words.tsv", check_split);
}

UNIT_TEST(long_runs_should_be_cut_between_characters)
{
    enum { REPEATS = 1000 };
    static const char *const runs[] = { "a", "é", "€", "…", "7", "😀", "a\u0301" };
    SCOPED(words_free) Words words = { 0 };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        SCOPED(buf_free) Buf line = { 0 }, back = { 0 };
        for (int k = 0; k < REPEATS; k++)
            buf_puts(&line, runs[i]);
        words_split(line.text, line.length, 0, NULL, NULL, 0, &words);
        for (size_t k = 0; k < words.count; k++) {
            const Slice word = words_at(&words, k);
            assert_in_range(word.length, 1, WORD_BYTES + WORD_MARK_LENGTH + JOINER_LENGTH);
            assert_true(unicode_valid(word.text, word.length));
        }
        assert_in_range(words.count, line.length / WORD_BYTES, 2 * line.length / (WORD_BYTES - 8) + 1);
        words_join_pieces((const char *const[]){ words.text.text }, 1, 0, NULL, &back);
        assert_string_equal(back.text, line.text);
    }
}

/* ---- Normal form ---- */

static void assert_normal(const char *line, int lowercase, const char *expected)
{
    SCOPED(buf_free) Buf out = { 0 };
    buf_clear(&out);
    words_normalise(line, strlen(line), lowercase, &out);
    assert_string_equal(out.text, expected);
}

UNIT_TEST(blanks_should_become_single_and_plain)
{
    assert_normal("  Non\u00A0!\u202F\u2009Si \u3000", 0, "Non ! Si");
    assert_normal("a\tb\u2028c\rd", 0, "a b c d");
    assert_normal(" \u00A0\u2003 ", 0, "");
    assert_normal("", 0, "");
}

UNIT_TEST(invisible_characters_should_go_but_not_joiners)
{
    assert_normal("\uFEFFin\u00ADvi\u200Bsi\u2060ble\u202E\x07\x7F", 0, "invisible");
    assert_normal("a \u200B b", 0, "a b");
    assert_normal("\uFEFF\u200B", 0, "");
    assert_normal("Bien.\r", 0, "Bien.");
    assert_normal("न\u200Dम\u200Cस", 0, "न\u200Dम\u200Cस");
}

UNIT_TEST(emoji_should_keep_what_spells_them)
{
    assert_normal("❤\uFE0F 👩\u200D🚀", 0, "❤\uFE0F 👩\u200D🚀");
    assert_normal("🏴\U000E0067\U000E0062\U000E007F", 1, "🏴\U000E0067\U000E0062\U000E007F");
    assert_normal("hidden\U000E0067\U000E0062 \U000E0020text", 0, "hidden text");
}

UNIT_TEST(characters_should_be_composed_and_lower_if_asked)
{
    assert_normal("E\u0301te\u0301", 0, "Été");
    assert_normal("E\u0301te\u0301 À L'ÉTÉ", 1, "été à l'été");
    assert_normal("\u0130\u0301", 1, "\u00ED");
    assert_normal("e\u200B\u0301", 0, "é");
    assert_normal("\u2581a\u2581", 0, "_a_");
}

static void assert_folded(const char *line, const char *expected)
{
    SCOPED(buf_free) Buf out = { 0 };
    buf_clear(&out);
    words_fold(line, strlen(line), 0, &out);
    assert_string_equal(out.text, expected);
}

UNIT_TEST(look_alikes_should_be_folded)
{
    assert_folded("o\uFB03ce \uFB02at \uFF76\uFF9E \uFF21\uFF01 \uFF3C", "office flat \u30AC A! \\");
    assert_folded("x\u00B2 \u00BD \u2116 \u2122 1\u00BA", "x\u00B2 \u00BD \u2116 \u2122 1\u00BA");
    assert_folded("5 \u00B5m \u314B\u3160 \u0E17\u0E33 \uFFA1 \uFFE3", "5 \u00B5m \u314B\u3160 \u0E17\u0E33 \u3131 \u00AF");
    assert_folded("I don´t, don`t, don\u2018t, don\u2019t, don\u2032t, don\uFF07t", "I don't, don't, don't, don't, don't, don't");
    assert_folded("“Yes” ‘no’ – a — b… c\u2010d", "\"Yes\" 'no' - a - b... c-d");
    assert_folded("ＡＢＣ１２３！", "ABC123!");
    assert_folded("« Oui » `code` „so“", "« Oui » `code` \"so\"");
    assert_folded("E\u0301te\u0301\u00A0!", "Été !");
}

/* ---- Laws ---- */

static void assert_laws(const char *line, size_t length, int lowercase)
{
    SCOPED(words_free) Words words = { 0 };
    SCOPED(buf_free) Buf once = { 0 }, twice = { 0 }, back = { 0 };
    buf_clear(&once);
    buf_clear(&twice);
    buf_clear(&back);
    words_normalise(line, length, lowercase, &once);
    words_normalise(once.text, once.length, lowercase, &twice);
    assert_string_equal(twice.text, once.text);
    assert_null(strstr(once.text, "  "));
    assert_true(once.length == 0 || (once.text[0] != ' ' && once.text[once.length - 1] != ' '));
    words_split(once.text, once.length, !lowercase, NULL, NULL, 0, &words);
    for (size_t i = 0; i < words.count; i++) {
        const Slice word = words_at(&words, i);
        assert_true(unicode_valid(word.text, word.length));
        assert_null(memchr(word.text, ' ', word.length));
    }
    words_join_pieces((const char *const[]){ words.text.text }, 1, 0, NULL, &back);
    assert_string_equal(back.text, once.text);
}

UNIT_TEST(laws_should_hold_for_generated_lines)
{
    SCOPED(buf_free) Buf line = { 0 };
    for (uint64_t number = 0; number < GENERATED_LINES; number++) {
        random_line(number, &line);
        assert_laws(line.text, line.length, number % 2);
    }
}

/* The words of the first `length` bytes, which are the same wherever these bytes are. */
static void assert_reads_no_further(const char *line, size_t length)
{
    SCOPED(words_free) Words inside = { 0 }, alone = { 0 };
    char *copy = xmalloc(length, 1);        /* not one byte more, for the sanitizer */
    memcpy(copy, line, length);
    words_split(line, length, 0, NULL, NULL, 0, &inside);
    words_split(copy, length, 0, NULL, NULL, 0, &alone);
    assert_string_equal(inside.text.text, alone.text.text);
    assert_int_equal(inside.count, alone.count);
    assert_memory_equal(inside.end, alone.end, alone.count * sizeof *alone.end);
    free(copy);
}

UNIT_TEST(split_should_read_no_further_than_told)
{
    SCOPED(buf_free) Buf line = { 0 };
    for (uint64_t number = 0; number < GENERATED_LINES / 20; number++) {
        random_line(number, &line);
        for (size_t length = 1; length < line.length; length++)
            if ((line.text[length] & 0xC0) != 0x80) assert_reads_no_further(line.text, length);
    }
}

/* Whether Unicode 16 has no character in this plane, or only private ones: these are all alike. */
static int is_empty_plane(int32_t point)
{
    int plane = point >> 16;
    return plane > 3 && plane != 14;
}

/* Several characters a line, and few of the empty planes, to be quick. */
UNIT_TEST(laws_should_hold_for_every_character)
{
    enum { A_LINE = 8 };
    SCOPED(buf_free) Buf line = { 0 };
    for (int32_t point = 1; point <= LAST_POINT; point++) {
        if ((point >= 0xD800 && point <= 0xDFFF) || (is_empty_plane(point) && point & 0xFF8))
            continue;
        buf_puts(&line, " a");
        unicode_append(&line, point);
        buf_puts(&line, "\u0301'");
        unicode_append(&line, point);
        if (point % A_LINE != A_LINE - 1) continue;
        assert_laws(line.text, line.length, 0);
        assert_laws(line.text, line.length, 1);
        buf_clear(&line);
    }
}

UNIT_TEST(laws_should_hold_for_the_corpus)
{
    const char *path = getenv("ATTN_CORPUS");
    if (!path) skip();
    Err e = { "" };
    Lines *lines = lines_open(path, &e);
    if (!lines) fail_msg("%s", e.text);
    char *line;
    size_t length;
    int status;
    while ((status = lines_next(lines, &line, &length, &e)) == 1)
        assert_laws(line, length, lines_number(lines) % 2 == 0);
    assert_int_equal(status, 0);
    assert_true(lines_number(lines) > 0);
    lines_close(lines);
}

/* ---- The textbook's words ---- */

static void assert_textbook(const char *line, int lowercase, const char *expected)
{
    SCOPED(words_free) Words words = { 0 };
    SCOPED(buf_free) Buf shown = { 0 };
    words_split_textbook(line, strlen(line), lowercase, &words);
    show(&words, &shown);
    assert_string_equal(shown.text, expected);
}

UNIT_TEST(textbook_should_cut_at_blanks_and_before_four_marks)
{
    assert_textbook("Go.", 1, "go .");
    assert_textbook("J'ai perdu\u202F!", 1, "j'ai perdu !");
    assert_textbook("Non\u00A0! Quoi ?", 0, "Non ! Quoi ?");
    assert_textbook("a,b...c !d", 0, "a ,b . . .c !d");
    assert_textbook("« É » (x); y:", 1, "« é » (x); y:");
    assert_textbook("  a   b ", 0, "a b");
    assert_textbook("a\tb\xC2\x85" "c\x7F", 0, "a b c");
    assert_textbook("10\u2009000", 0, "10\u2009000");
    assert_textbook("", 0, "");
}

/* The words, one piece each. */
static void join(const Words *words, PieceText *text, Buf *out)
{
    char *piece[64];
    assert_true(words->count <= 64);
    for (size_t i = 0; i < words->count; i++) {
        const Slice word = words_at(words, i);
        piece[i] = strndup(word.text, word.length);
    }
    buf_clear(out);
    words_join_pieces((const char *const *)piece, words->count, 1, text, out);
    for (size_t i = 0; i < words->count; i++)
        free(piece[i]);
}

UNIT_TEST(words_should_be_what_stands_between_blanks_with_its_letters_apart)
{
    static const struct { const char *line; size_t count; const char *words; } cases[] = {
        { "", 0, "" },
        { "a", 1, "\u2581a" },
        { "t\u0361\u0283 a\u02D0 .", 3, "\u2581t\u0361\u0283\u2581a\u02D0\u2581." },
        { "1/2 don't", 2, "\u25811/2\u2581don't" },
        { "\uD55C\uAD6D", 1, "\u2581\u1112\u1161\u11AB\u1100\u116E\u11A8" },
        { "\u00E9t\u00E9", 1, "\u2581e\u0301te\u0301" },
    };
    SCOPED(words_free) Words words = { 0 };
    SCOPED(buf_free) Buf back = { 0 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        symbols_split(cases[i].line, strlen(cases[i].line), &words);
        assert_int_equal(words.count, cases[i].count);
        assert_string_equal(words.text.text, cases[i].words);
        join(&words, NULL, &back);
        assert_string_equal(back.text, cases[i].line);
    }
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
    words_join_pieces(piece, count, 1, NULL, out);
    free(piece);
    free(character);
}

UNIT_TEST(every_normal_line_should_come_back)
{
    enum { LINES = 5000 };
    SCOPED(buf_free) Buf line = { 0 }, normal = { 0 }, back = { 0 };
    SCOPED(words_free) Words words = { 0 };
    for (int i = 0; i < LINES; i++) {
        random_line((uint64_t)i, &line);
        buf_clear(&normal);
        words_normalise(line.text, line.length, 0, &normal);
        symbols_split(normal.text, normal.length, &words);
        join_characters(&words, &back);
        assert_string_equal(back.text ? back.text : "", normal.text);
    }
}

UNIT_TEST(pieces_should_tell_where_they_end_and_which_begin_a_word)
{
    static const char *const piece[] = { "\u2581", "\u1112", "\u1161", "\u2581\u2581b", "", "c", "\u2581" };
    static const PieceText expected[] = { { 0, 1 }, { 3, 0 }, { 3, 0 }, { 5, 1 }, { 5, 0 }, { 6, 0 }, { 6, 0 } };
    enum { PIECES = sizeof piece / sizeof *piece };
    PieceText text[PIECES];
    SCOPED(buf_free) Buf out = { 0 };
    buf_puts(&out, "");
    words_join_pieces(piece, PIECES, 1, text, &out);
    assert_string_equal(out.text, "\uD558 bc");
    for (int i = 0; i < PIECES; i++) {
        assert_int_equal(text[i].end, expected[i].end);
        assert_int_equal(text[i].begins, expected[i].begins);
    }
}

int main(void) { return run_unit_tests(); }
