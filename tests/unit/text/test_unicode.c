/* test_unicode.c - validity, classes, normal form, repair, width. */
#include "text/unicode.h"

#include "base/mem.h"
#include "base/random/rng.h"
#include "base/strings.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <unicode/uscript.h>
#include <unistd.h>

enum { LAST_POINT = 0x10FFFF, GENERATED_LINES = 20000 };

static int is_surrogate(int32_t point)
{
    return point >= 0xD800 && point <= 0xDFFF;
}

/* ---- UTF-8 ---- */

UNIT_TEST(every_code_point_should_come_back_from_utf8)
{
    SCOPED(buf_free) Buf out = { 0 };
    for (int32_t point = 1; point <= LAST_POINT; point++) {
        if (is_surrogate(point)) continue;
        buf_clear(&out);
        unicode_append(&out, point);
        const char *at = out.text;
        assert_true(unicode_valid(out.text, out.length));
        assert_int_equal(unicode_next(&at), point);
        assert_ptr_equal(at, out.text + out.length);
    }
}

UNIT_TEST(what_is_no_utf8_should_be_invalid)
{
    static const char *const bad[] = {
        "\x80", "a\xBF", "\xC3", "\xC3(", "\xE2\x82", "\xF0\x9F\x98", "\xC0\xAF", "\xE0\x80\xAF",
        "\xF0\x80\x80\xAF",
        "\xED\xA0\x80", "\xED\xBF\xBF", "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", "\xFE", "\xFF",
        "caf\xE9 au lait",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(unicode_valid(bad[i], strlen(bad[i])));
    assert_false(unicode_valid("a\0b", 3));
    assert_false(unicode_valid("é", 1));
    assert_true(unicode_valid("", 0));
    assert_true(unicode_valid("a é € 😀", strlen("a é € 😀")));
    for (size_t at = 0; at < 20; at++)
        for (int wrong = 0; wrong < 256; wrong += 128) {
            char text[] = "twenty plain letters";
            text[at] = (char)wrong;
            assert_false(unicode_valid(text, 20));
        }
}

UNIT_TEST(repair_should_mark_each_broken_sequence_once)
{
    static const struct {
        const char *broken; size_t length; const char *repaired; int count;
    } cases[] = {
        { "sound é", 8, "sound é", 0 },
        { "caf\xE9 noir", 9, "caf\xEF\xBF\xBD noir", 1 },
        { "\xE2\x82", 2, "\xEF\xBF\xBD", 1 },
        { "\xE2\x82x\xFF", 4, "\xEF\xBF\xBDx\xEF\xBF\xBD", 2 },
        { "\xED\xA0\x80|\xC0\xAF", 6, "\xEF\xBF\xBD|\xEF\xBF\xBD", 2 },
        { "a\0b", 3, "a\xEF\xBF\xBD" "b", 1 },
        { "\xFF\xFE", 2, "\xEF\xBF\xBD\xEF\xBF\xBD", 2 },
    };
    SCOPED(buf_free) Buf out = { 0 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        buf_clear(&out);
        assert_int_equal(unicode_repair(cases[i].broken, cases[i].length, &out), cases[i].count);
        assert_string_equal(out.text, cases[i].repaired);
    }
}

UNIT_TEST(repaired_noise_should_be_valid)
{
    SCOPED(buf_free) Buf out = { 0 };
    for (uint64_t line = 0; line < GENERATED_LINES; line++) {
        char noise[24];
        for (size_t i = 0; i < sizeof noise; i++)
            noise[i] = (char)(rng_below(line, 2 * i, 4) ? 0x80 + rng_below(line, 2 * i + 1, 64)
                                                        : rng_below(line, 2 * i + 1, 256));
        buf_clear(&out);
        int repaired = unicode_repair(noise, sizeof noise, &out);
        assert_true(unicode_valid(out.text, out.length));
        assert_int_equal(repaired == 0, unicode_valid(noise, sizeof noise));
    }
}

UNIT_TEST(a_loop_over_bytes_that_are_no_utf8_should_take_each_for_a_replacement)
{
    static const int32_t points[] = { 'n', 0xFFFD, 'e', 0xFFFD, 0xFFFD, 0xE9, 0xFFFD };
    const char *at = "n\xE9" "e\xE2\x82\xC3\xA9\xF0";
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        assert_int_equal(unicode_next(&at), points[i]);
    assert_int_equal(*at, '\0');
}

/* ---- Classes ---- */

/* The table of base/strings.c, which knows no ICU. */
UNIT_TEST(unprintable_should_be_what_is_obeyed_or_shows_nothing)
{
    SCOPED(buf_free) Buf out = { 0 };
    for (int32_t point = 1; point <= LAST_POINT; point++) {
        if (is_surrogate(point)) continue;
        const int hides = unicode_is_ignorable(point) && !unicode_is_joiner(point);
        const int is_line_end = point == 0x2028 || point == 0x2029;
        buf_clear(&out);
        unicode_append(&out, point);
        assert_int_equal(unprintable(out.text),
                         unicode_is_control(point) || hides || is_line_end ? out.length : 0);
    }
}

UNIT_TEST(spaces_should_be_those_of_python)
{
    static const int32_t spaces[] = {
        0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1C, 0x1D, 0x1E, 0x1F, 0x20, 0x85, 0xA0, 0x1680, 0x2000,
        0x2001, 0x2002, 0x2003,
        0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200A, 0x2028, 0x2029, 0x202F, 0x205F,
        0x3000, LAST_POINT + 1,
    };
    for (int32_t point = 0, next = 0; point <= LAST_POINT; point++) {
        assert_int_equal(unicode_is_space(point) != 0, point == spaces[next]);
        next += point == spaces[next];
    }
}

UNIT_TEST(characters_should_be_in_their_class_and_no_other)
{
    static const struct { int32_t point; const char *class; } cases[] = {
        { 'a', "letter" }, { 0xC9, "letter" }, { 0x1C5, "letter" }, { 0x2B0, "letter" },
        { 0x5D0, "letter" },
        { 0x4E2D, "letter" }, { 0x301, "mark" }, { 0x903, "mark" }, { 0x20DD, "mark" },
        { '7', "number" },
        { 0x2160, "number" }, { 0xB2, "number" }, { 0x660, "number" }, { '_', "punctuation" },
        { '-', "punctuation" },
        { '(', "punctuation" }, { ']', "punctuation" }, { 0xAB, "punctuation" },
        { 0xBB, "punctuation" },
        { '!', "punctuation" }, { '+', "symbol" }, { '$', "symbol" }, { '^', "symbol" },
        { 0x1F600, "symbol" },
        { 0x07, "control" }, { 0x9F, "control" }, { 0xAD, "invisible" }, { 0x200B, "invisible" },
        { 0x200D, "invisible" }, { 0xFEFF, "invisible" }, { 0x202E, "invisible" }, { ' ', "" },
        { 0x600, "" },
        { 0xE000, "" }, { 0x378, "" },
    };
    static const struct { int (*is)(int32_t); const char *class; } classes[] = {
        { unicode_is_letter, "letter" }, { unicode_is_mark, "mark" },
        { unicode_is_number, "number" },
        { unicode_is_punctuation, "punctuation" }, { unicode_is_symbol, "symbol" },
        { unicode_is_control, "control" },
        { unicode_is_ignorable, "invisible" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t k = 0; k < sizeof classes / sizeof *classes; k++)
            assert_int_equal(classes[k].is(cases[i].point) != 0,
                             strcmp(cases[i].class, classes[k].class) == 0);
}

UNIT_TEST(a_character_should_have_its_simple_mappings_digit_and_width)
{
    static const struct { int32_t (*of)(int32_t); int32_t point, value; } cases[] = {
        { unicode_lower, 'A', 'a' }, { unicode_lower, 0xC9, 0xE9 }, { unicode_lower, 0x3A3, 0x3C3 }, { unicode_lower, 'a', 'a' },
        { unicode_lower, 0xDF, 0xDF }, { unicode_lower, '1', '1' },
        { unicode_base, 0xE9, 'e' },
        { unicode_base, 0x1ED9, 'o' }, { unicode_base, 0x439, 0x438 }, { unicode_base, 'e', 'e' }, { unicode_base, 0x153, 0x153 },
        { unicode_digit, '7', 7 }, { unicode_digit, 0x662, 2 }, { unicode_digit, 0xFF13, 3 }, { unicode_digit, 'a', -1 },
        { unicode_digit, 0xB2, -1 }, { unicode_width, 'a', 1 }, { unicode_width, 0x301, 0 }, { unicode_width, 0x200B, 0 },
        { unicode_width, 0x4E2D, 2 }, { unicode_width, 0x1F600, 2 }, { unicode_width, 0xAD, 1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(cases[i].of(cases[i].point), cases[i].value);
    assert_int_equal(unicode_columns(""), 0);
    assert_int_equal(unicode_columns("cafe\u0301 中文"), 9);
}

UNIT_TEST(joiners_should_be_the_two)
{
    for (int32_t point = 0; point <= LAST_POINT; point++)
        assert_int_equal(unicode_is_joiner(point) != 0, point == 0x200C || point == 0x200D);
}

/* ---- Scripts ---- */

UNIT_TEST(a_shared_letter_should_have_the_script_of_its_neighbours)
{
    static const struct { int32_t point; const char *script; } cases[] = {
        { 'a', "Latn" }, { 0xE9, "Latn" }, { 0x416, "Cyrl" }, { 0x4E2D, "Hani" }, { 0x3042, "Hira" }, { 0x30A2, "Kana" },
        { 0xAC00, "Hang" }, { 0xE01, "Thai" }, { 0x30FC, "Kana" }, { 0xFF70, "Kana" }, { 0x640, "Arab" }, { 0x3005, "Hani" },
        { '1', "Zyyy" }, { '.', "Zyyy" }, { 0x3002, "Zyyy" }, { 0xAA, "Latn" },
        { 0x301, "Zinh" }, { 0x378, "Zzzz" }, { LAST_POINT, "Zzzz" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(uscript_getShortName(unicode_script(cases[i].point)), cases[i].script);
    assert_true(unicode_has_script(0x30FC, USCRIPT_HIRAGANA) && unicode_has_script(0x30FC, USCRIPT_KATAKANA));
    assert_false(unicode_has_script(0x30FC, USCRIPT_HAN));
}

UNIT_TEST(scripts_should_be_written_with_blanks_or_without)
{
    static const struct { UScriptCode script; int has_blanks; } cases[] = {
        { USCRIPT_LATIN, 1 }, { USCRIPT_CYRILLIC, 1 }, { USCRIPT_GREEK, 1 }, { USCRIPT_ARABIC, 1 },
        { USCRIPT_HANGUL, 1 }, { USCRIPT_DEVANAGARI, 1 }, { USCRIPT_COMMON, 1 }, { USCRIPT_HAN, 0 },
        { USCRIPT_HIRAGANA, 0 }, { USCRIPT_KATAKANA, 0 }, { USCRIPT_THAI, 0 }, { USCRIPT_LAO, 0 },
        { USCRIPT_KHMER, 0 }, { USCRIPT_MYANMAR, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(unicode_script_has_blanks(cases[i].script) != 0, cases[i].has_blanks);
}

UNIT_TEST(marks_should_have_their_properties)
{
    enum { FINAL = 1, DASH = 2 };
    static const struct { int32_t point; int properties; } cases[] = {
        { '.', FINAL }, { '!', FINAL }, { '?', FINAL }, { 0x3002, FINAL }, { 0x964, FINAL }, { 0x61F, FINAL },
        { 0x2026, FINAL }, { 0x37E, FINAL }, { ',', 0 }, { ':', 0 }, { 'a', 0 }, { '"', 0 }, { '-', DASH }, { 0x2014, DASH }, { '_', 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int32_t point = cases[i].point;
        const int found = (unicode_is_final_mark(point) ? FINAL : 0) | (unicode_is_dash(point) ? DASH : 0);
        assert_int_equal(found, cases[i].properties);
    }
}

/* ---- Languages ---- */

UNIT_TEST(a_language_tag_should_get_its_usual_form_or_be_refused)
{
    static const struct { const char *tag, *usual; } cases[] = {
        { "en", "en" }, { "EN", "en" }, { "pt-br", "pt-BR" }, { "ZH-hant-tw", "zh-Hant-TW" }, { "iw", "he" },
        { "nds", "nds" }, { "eng", "en" }, { "", NULL }, { "e", NULL }, { "english", NULL }, { "en_US", NULL },
        { "en-", NULL }, { "en--US", NULL }, { "jp", NULL }, { "und", NULL }, { "x-en", NULL }, { "12", NULL },
        { "en US", NULL }, { "\xC3\xA9", NULL }, { "en-aaaaaaaa-bbbbbbbb-cccccccc-dddddddd", NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char usual[LANGUAGE_BYTES] = "";
        assert_int_equal(unicode_language(cases[i].tag, usual), cases[i].usual ? 0 : -1);
        if (cases[i].usual) assert_string_equal(usual, cases[i].usual);
    }
}

/* ---- Case of a text ---- */

UNIT_TEST(case_should_be_that_of_the_language)
{
    static const struct { const char *text, *locale, *lower, *upper, *title; } cases[] = {
        { "Izmir'de IŞIK", NULL, "izmir'de işik", "IZMIR'DE IŞIK", "Izmir'de IŞIK" },
        { "Izmir'de IŞIK", "tr", "ızmir'de ışık", "IZMİR'DE IŞIK", "Izmir'de IŞIK" },
        { "iyi", "tr-TR", "iyi", "İYİ", "İyi" },
        { "iyi", "", "iyi", "IYI", "Iyi" },
        { "ΟΔΟΣ", "el", "οδος", "ΟΔΟΣ", "ΟΔΟΣ" },
        { "ἀρχή", "el", "ἀρχή", "ΑΡΧΗ", "Ἀρχή" },
        { "ijs", "nl", "ijs", "IJS", "IJs" },
        { "ijs", "en", "ijs", "IJS", "Ijs" },
        { "straße", "de", "straße", "STRASSE", "Straße" },
        { "o'Neill", NULL, "o'neill", "O'NEILL", "O'Neill" },
        { "中文 1", "zh", "中文 1", "中文 1", "中文 1" },
        { "\u0390", NULL, "\u0390", "\u0399\u0308\u0301", "\u0399\u0308\u0301" },
        { "", NULL, "", "", "" },
    };
    SCOPED(buf_free) Buf out = { 0 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const expected[] = { cases[i].lower, cases[i].upper, cases[i].title };
        for (UnicodeCase kind = UNICODE_LOWER; kind <= UNICODE_TITLE; kind++) {
            buf_clear(&out);
            buf_puts(&out, "> ");
            unicode_case(kind, slice_of(cases[i].text), cases[i].locale, &out);
            assert_string_equal(out.text + 2, expected[kind]);
            assert_int_equal(out.length, 2 + strlen(expected[kind]));
        }
    }
}

/* ---- Normal form ---- */

static void assert_nfc(const char *text, const char *expected)
{
    SCOPED(buf_free) Buf out = { 0 };
    unicode_nfc(slice_of(text), &out);
    assert_string_equal(out.text, expected);
}

UNIT_TEST(nfc_should_compose_order_and_replace_singletons)
{
    assert_nfc("e\u0301te\u0301", "été");
    assert_nfc("déjà", "déjà");
    assert_nfc("q\u0307\u0323", "q\u0323\u0307");
    assert_nfc("\u1100\u1161\u11A8", "\uAC01");
    assert_nfc("\u212B \u2126", "\u00C5 \u03A9");
    assert_nfc("\u0344", "\u0308\u0301");
    assert_nfc("\u0915\u093C", "\u0915\u093C");
    assert_nfc("ﬁ ² …", "ﬁ ² …");
}

UNIT_TEST(nfc_should_append_and_read_no_further_than_told)
{
    SCOPED(buf_free) Buf out = { 0 };
    buf_puts(&out, "so ");
    unicode_nfc((Slice){ "e\u0301!", 3 }, &out);
    unicode_nfc((Slice){ "plain", 2 }, &out);
    assert_string_equal(out.text, "so épl");
}

/* Thirty marks are put in order, one more stays with its word: work that grows with the square of a million takes so long
 * that tests/run ends it. */
UNIT_TEST(nfc_should_leave_stacks_of_marks_as_they_are)
{
    static const int pairs[] = { 1, 15, 16, 1 << 18 };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const int is_stack = pairs[i] > 15;
        SCOPED(buf_free) Buf line = { 0 }, expected = { 0 };
        buf_puts(&line, "e\u0301 q");
        buf_puts(&expected, "\u00E9 q");
        for (int k = 0; k < pairs[i]; k++) {
            buf_puts(&line, "\u0307\u0323");
            buf_puts(&expected, is_stack ? "\u0307\u0323" : "\u0323");
        }
        for (int k = 0; k < pairs[i] && !is_stack; k++)
            buf_puts(&expected, "\u0307");
        buf_puts(&line, " e\u0301");
        buf_puts(&expected, " \u00E9");
        assert_nfc(line.text, expected.text);
    }
}

int main(void) { return run_unit_tests(); }
