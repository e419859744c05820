/* test_patterns.c - which parts of a line no translation may alter, and grapheme clusters. */
#include "text/patterns.h"

#include "base/mem.h"
#include "random_text.h"
#include "read_table.h"
#include "scratch.h"

/* The first cell is a line, the others are its spans. */
static void check_spans(char *const cell[CELLS_MOST], int cells)
{
    PatternSpans spans = { 0 };
    patterns_find(cell[0], strlen(cell[0]), &spans);
    for (size_t k = 0; k < spans.count; k++) {
        const char *text = cell[0] + spans.span[k].start;
        const size_t length = spans.span[k].end - spans.span[k].start;
        if ((int)k + 1 >= cells || strlen(cell[k + 1]) != length || memcmp(cell[k + 1], text, length) != 0)
            fail_msg("%s: %.*s", cell[0], (int)length, text);
        if (!patterns_match((Slice){ text, length })) fail_msg("%s: alone, %.*s is no span", cell[0], (int)length, text);
    }
    if ((int)spans.count != cells - 1) fail_msg("%s: %zu spans, not %d", cell[0], spans.count, cells - 1);
    spans_free(&spans);
}

UNIT_TEST(lines_should_have_the_spans_of_the_table)
{
    each_case("tests/data/patterns.tsv", check_spans);
}

UNIT_TEST(spans_should_be_in_order_and_hold_whole_characters)
{
    enum { LINES = 20000 };
    PatternSpans spans = { 0 };
    SCOPED(buf_free) Buf line = { 0 };
    for (uint64_t number = 0; number < LINES; number++) {
        random_line(number, &line);
        patterns_find(line.text, line.length, &spans);
        for (size_t k = 0, last = 0; k < spans.count; last = spans.span[k++].end) {
            assert_in_range(spans.span[k].start, last, line.length);
            assert_in_range(spans.span[k].end, spans.span[k].start + 1, line.length);
            assert_true((line.text[spans.span[k].start] & 0xC0) != 0x80);
            assert_true((line.text[spans.span[k].end] & 0xC0) != 0x80);
        }
    }
    spans_free(&spans);
}

UNIT_TEST(a_word_of_letters_should_be_no_span)
{
    static const char *const words[] = { "", "calm", "Tom", "NATO", "été", "你好", "'t", "l'", "well-known", "3", "1999", ".",
                                         "...", "U.S.A", "p.m" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (patterns_match(slice_of(words[i]))) fail_msg("%s", words[i]);
}

UNIT_TEST(clusters_should_hold_what_a_reader_sees_as_one)
{
    static const struct { const char *text; size_t length; } cases[] = {
        { "ab", 1 }, { "e\u0301a", 3 }, { "🇫🇷🇩🇪", 8 }, { "👍🏽!", 8 },
        { "👩\u200D🚀!", 11 }, { "!\uFE0F ", 4 },
        { "\u0600 a", 2 }, { " \u0301", 3 }, { "!", 1 },
        { "\u1100\u1161\u11A8a", 9 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = cases[i].text;
        assert_int_equal(grapheme_end(text, text + strlen(text)) - text, cases[i].length);
    }
    assert_int_equal(grapheme_end(cases[1].text, cases[1].text + 1) - cases[1].text, 1);
}

int main(void) { return run_unit_tests(); }
