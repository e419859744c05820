/* test_sentences.c - where a line is cut, how its parts are joined again, and where a line that was broken goes on.
 * In the tables | says where. */
#include "text/sentences.h"

#include "base/mem.h"
#include "learn_lines.h"
#include "random_text.h"
#include "test.h"
#include "text/patterns.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

static void remove_bars(const char *marked, Buf *line)
{
    buf_clear(line);
    for (; *marked; marked++)
        if (*marked != '|') buf_putc(line, *marked);
}

/* Cuts the line by sentences, or with a tokenizer into chunks of `most` tokens. */
static void assert_cut(const char *marked, const Tokenizer *t, size_t most)
{
    SCOPED(buf_free) Buf line = { 0 }, found = { 0 };
    remove_bars(marked, &line);
    for (size_t at = 0, length; at < line.length; at += length) {
        const char *rest = line.text + at;
        length = t ? chunk_length(t, NULL, rest, line.length - at, most)
            : sentence_length(NULL, rest, line.length - at);
        assert_in_range(length, 1, line.length - at);
        if (at) buf_putc(&found, '|');
        buf_add(&found, rest, length);
    }
    assert_string_equal(found.text, marked);
}

static void assert_sentences(const char *marked)
{
    assert_cut(marked, NULL, 0);
}

UNIT_TEST(sentences_should_end_behind_their_marks)
{
    static const char *const lines[] = {
        "One.", "No mark", "One. |Two.", "Wait! |Why? |So.  |Yes", "Oh?! |Well… |Good... |Bye.",
        "  Hello. |You.  ",
        "He said: \"Go.\" |I went.", "(It rains.) |She stays.", "„Komm!“ |Er kam.", "Ja. |»Nein.« |Ja.",
        "Tom said no. |\"Why?\" |Mary asked.", "Yes. |(No.) |[No.] |.NET",
        "¿Qué? |¿Cómo?", "Oui ! |Non ? |Si.", "« Viens ! » |Il vint.", "Oui. |— Non. |« Oui »",
        "تعال؟ |نعم.", "वह गया। |वह आया।", "ሰላም። |ሰላም።", "Ναι; όχι. |Ναι",
        "Left.\xC2\xA0|Right.", "Up.\xE3\x80\x80|Down.", "I was there in 1990. |He was not.",
        "At 5 p.m. |Tom came! |5 stayed.", "1. |Item", "Mr. |Smith", NULL
    };
    for (const char *const *line = lines; *line; line++)
        assert_sentences(*line);
}

UNIT_TEST(east_asian_sentences_should_need_no_blank)
{
    assert_sentences("你好。|再见！|吗？|好");
    assert_sentences("「你好。」|「你好。」");
    assert_sentences("「你好。」と彼は言った。");
    assert_sentences("そう？！|はい。 |いいえ｡|ん");
    assert_sentences("好，好。");
}

UNIT_TEST(what_looks_like_an_end_and_is_none_should_not_cut)
{
    static const char *const lines[] = {
        "It costs 3.14 dollars.", "See www.example.com for more.", "Wait... what?",
        "\"Come!\" she said.", "« Viens ! » dit-il.", "J. R. R. Tolkien wrote it.", "In the U.S. Army", "See p. 7, No. 5, Fig. (3)",
        "П. И. Чайковский", "Am 3. mai", "e.g. at i.e. that, etc. and more", "What?!no.", NULL };
    for (const char *const *line = lines; *line; line++)
        assert_sentences(*line);
}

UNIT_TEST(every_script_should_have_its_final_marks)
{
    static const int32_t others[] = { 0, ' ', 'a', ',', ';', ':', '"', 0x3001, 0xFF0C, 0x10FFFF };
    static const int32_t marks[] = { '.', '!', '?', 0x37E, 0x589, 0x61F, 0x6D4, 0x964, 0x2026, 0x203D, 0x3002,
                                     0xFF01, 0xFF0E, 0xFF1F, 0xFF61 };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) assert_true(unicode_is_final_mark(marks[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) assert_false(unicode_is_final_mark(others[i]));
}

/* ---- marks ---- */

/* The bar ends the mark; none: there is no mark. */
static void assert_mark(const char *marked)
{
    SCOPED(buf_free) Buf line = { 0 };
    const char *bar = strchr(marked, '|');
    remove_bars(marked, &line);
    assert_int_equal(patterns_marks(line.text, line.length), bar ? bar - marked : 0);
}

UNIT_TEST(marks_of_lists_and_headings_should_be_no_text)
{
    static const char *const lines[] = {
        "- |item", "* |item", "+ |item", "• |item", "– |item", "— |Oui.", "  \t- |item", "1. |One",
        "10) |Ten", "# |Title", "### |Title", "> |quoted", ">> |quoted", "> - 1. |all", "☑  |done",
        "👍 |Yes", "👍🏽 |yes", "→ |there", "... |and so", "\u00A0|x", "  |text",
        "a) First", "(a) x", "(12) x", "iv) x", "-5 degrees", "- ", "-", "1.", "3.14 is", "2026. x", "12345. x",
        "(Yes) he", "I am", "#tag", "\" yes \"", "« Oui »", "[ ] x", "...so", "...", "... ", "...!", ".so",
        "   ", "*really* so", "", NULL
    };
    for (const char *const *line = lines; *line; line++)
        assert_mark(*line);
}

UNIT_TEST(marks_at_the_end_should_be_found)
{
    assert_true(ends_in_stop("So.\" ", 5) && ends_in_stop("So?!", 4) && ends_in_stop("好。", 6));
    assert_false(ends_in_stop("so, ", 4) || ends_in_stop("", 0) || ends_in_stop("\")", 2));
}

/* ---- chunks ---- */

static Tokenizer *characters(void)
{
    TextOptions options = text_defaults();
    options.tokens = TOKENS_CHAR;
    const char *lines[] = { "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ.,;:!?" };
    return learn_lines(&options, lines, 1);
}

static void assert_stretches(const char *marked, size_t most)
{
    Tokenizer *t = characters();
    assert_cut(marked, t, most);
    tokenizer_free(t);
}

UNIT_TEST(a_stretch_should_end_at_the_last_best_place_in_reach)
{
    assert_stretches("aa bb cc", 9);        /* nine tokens: a mark and two letters each */
    assert_stretches("aa bb |cc", 8);
    assert_stretches("aa |bb |cc", 3);
    assert_stretches("a b, |c d e", 9);
    assert_stretches("a b; |c, d e", 10);
    assert_stretches("a; |b: c, d", 10);
    assert_stretches("a: |b, c, d", 10);
    assert_stretches("aa. |B; c, d", 11);
    assert_stretches("aa. bb. |C; d, e", 14);
    assert_stretches("aa. Bb. |C; d, e", 14);
    assert_stretches("a, b, |c d", 8);
}

UNIT_TEST(a_word_should_be_cut_only_where_it_has_no_end)
{
    char line[131];
    memset(line, 'a', 130);
    line[130] = '\0';
    line[48] = line[97] = '|';
    assert_stretches(line, 60);
    assert_stretches("xxxxxxxxxxxxxxxxxxxx |yyyyyyyyyyyyyyyyyyyy", 4);
}

UNIT_TEST(an_address_should_not_be_cut)
{
    assert_stretches("see |(https://a.b/12345678901234567890123456789012345678901234567890123456789012345678901234567890"
                     "1234567890), |see", 4);
}

/* A run of what can't be cut well is cut all the same. */
UNIT_TEST(no_input_should_make_a_stretch_without_end)
{
    enum { MOST_TOKENS = 100 };     /* of a run that nothing separates, however long the input */
    static const char *const units[] = { "a", "\xCC\x81", ")", ".", "! ", "\xE2\x80\x8D", ".\"",
                                         "a\xCC\x81", NULL };
    Tokenizer *t = characters();
    for (const char *const *unit = units; *unit; unit++) {
        SCOPED(buf_free) Buf line = { 0 };
        for (int i = 0; i < 20000; i++)
            buf_puts(&line, *unit);
        for (size_t at = 0, length; at < line.length; at += length) {
            SCOPED(ids_free) Ids ids = { 0 };
            length = chunk_length(t, NULL, line.text + at, line.length - at, 80);
            tokenizer_encode(t, line.text + at, length, &ids, NULL);
            assert_in_range(ids.count, 1, MOST_TOKENS);
            assert_true((line.text[at + length] & 0xC0) != 0x80);
        }
    }
    tokenizer_free(t);
}

UNIT_TEST(accents_should_stay_with_their_letters)
{
    enum { LETTERS = 45 };
    Tokenizer *t = characters();
    SCOPED(buf_free) Buf line = { 0 };
    for (int i = 0; i < LETTERS; i++)
        buf_putc(&line, 'a');
    buf_puts(&line, "abc\xCC\x81\xCC\x81");      /* 48 bytes before the accents */
    for (int i = 0; i < LETTERS; i++)
        buf_putc(&line, 'a');
    assert_int_equal(chunk_length(t, NULL, line.text, line.length, LETTERS),
                     LETTERS + 7);
    tokenizer_free(t);
}

UNIT_TEST(cuts_should_never_tear_a_character)
{
    Tokenizer *t = characters();
    SCOPED(buf_free) Buf line = { 0 };
    for (uint64_t number = 0; number < 2000; number++) {
        random_line(number, &line);
        for (size_t at = 0, length; at < line.length; at += length) {
            size_t sentence = sentence_length(NULL, line.text + at, line.length - at);
            length = chunk_length(t, NULL, line.text + at, line.length - at, 5);
            const size_t mark = patterns_marks(line.text + at, line.length - at);
            assert_true(mark < line.length - at);
            assert_true(unicode_valid(line.text + at, mark));
            assert_true(unicode_valid(line.text + at, sentence));
            assert_true(unicode_valid(line.text + at, length));
            assert_in_range(length, 1, line.length - at);
        }
    }
    tokenizer_free(t);
}

/* ---- joints ---- */

static void assert_joined(const char *marked_source, const char *first, const char *second,
                          const char *expected)
{
    SCOPED(buf_free) Buf line = { 0 }, out = { 0 };
    remove_bars(marked_source, &line);
    buf_puts(&out, first);
    joint_add(&out, joint_at(line.text, strcspn(marked_source, "|")), second);
    assert_string_equal(out.text, expected);
}

UNIT_TEST(parts_should_be_joined_as_the_source_was)
{
    assert_joined("Yes. |No.", "Oui.", "Non.", "Oui. Non.");
    assert_joined("Yes.\xC2\xA0|No.", "Oui.", "Non.", "Oui. Non.");
    assert_joined("aaaa|aaaa", "bbb", "bbb", "bbbbbb");
    assert_joined("是。|不。", "はい。", "いいえ。", "はい。いいえ。");
    assert_joined("是。|不。", "Yes.", "No.", "Yes. No.");
    assert_joined("是。 |不。", "はい。", "いいえ。", "はい。 いいえ。");
    assert_joined("Yes. |No.", "", "Non.", "Non.");
    assert_joined("Yes. |No.", "Oui.", "", "Oui.");
    assert_joined("是。|不。", "", "No.", "No.");
}

/* ---- lines that go on ---- */

#define FORTY "0123456789 123456789 123456789 123456789"    /* 40 characters */
#define SIXTY FORTY " 123456789 12345678"

UNIT_TEST(a_line_should_go_on_where_the_next_word_had_no_room)
{
    assert_int_equal(wrapping_width(SIXTY "\u00E9"), 60);
    assert_true(wrapping_goes_on(SIXTY, "next word", 60));
    assert_true(wrapping_goes_on(SIXTY, "  next", 60));
    assert_true(wrapping_goes_on(SIXTY " 123", "seven", 72));
    assert_true(wrapping_goes_on(SIXTY, "4", 68));
    assert_false(wrapping_goes_on(SIXTY, "4", 72));
    assert_true(wrapping_goes_on(FORTY, "a-word-of-20-letters and", 68));
    assert_false(wrapping_goes_on(FORTY, "a-word-of-20-letters and", 72));
}

UNIT_TEST(narrow_lines_should_end)
{
    assert_false(wrapping_goes_on("Best regards,", "Mary", 13));
    assert_false(wrapping_goes_on(FORTY, "next", 40));
    assert_true(wrapping_goes_on(FORTY, "next-word-123", 40));
}

UNIT_TEST(what_begins_anew_should_be_a_line)
{
    static const char *const lines[] = {
        "", "   ", "- item", "  * item", "1. One", "# Title", "> quoted", "| cell |", "— Oui."
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) assert_false(wrapping_goes_on(SIXTY, lines[i], 60));
    assert_false(wrapping_goes_on("", "next-word-of-" SIXTY, 60));
}

int main(void) { return run_unit_tests(); }
