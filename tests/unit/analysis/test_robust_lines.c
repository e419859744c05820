/* test_robust_lines.c - the lines of each row, and the scores of translations that are known to be
 * right or wrong: the "translation" of a line is the line itself. */
#include "analysis/robust_lines.h"
#include "analysis/robust_score.h"

#include "text/unicode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Sources that are their own references, so that each line is its own best translation. */
static const char *const sentences[] = {
    "Does Tom like the new house by the sea?", "I don't know where Tom was on Sunday.",
    "She paid 50 dollars for the red coat.", "It rains in the garden, he said.", "Stop",
    "\"Where were you?\" asked the teacher -- and waited.", "Tom said that we are too late.",
    "The café is closed on the first day.", "One of them came home too early.",
    "We have never seen such a thing before."
};
enum { SENTENCES = sizeof sentences / sizeof *sentences };

typedef struct {
    Corpus      corpus;
    Segments    segments;
    CorpusWords words;
    RobustLines lines;
} Setting;

static void setup_repeated(Setting *s, size_t times, uint64_t seed)
{
    *s = (Setting){ 0 };
    for (size_t i = 0; i < times * SENTENCES; i++) {
        Buf source = { 0 };
        buf_printf(&source, "%s", sentences[i % SENTENCES]);
        if (i >= SENTENCES) buf_printf(&source, " %zu.", i);
        const Span span = { source.text, source.length };
        corpus_add(&s->corpus, span, span);
        corpus_words_add(&s->words, span.text, span.length, span.text, span.length);
        buf_free(&source);
    }
    segments_init(&s->segments, &s->corpus);
    robust_lines_init(&s->lines, &s->segments, &s->words, seed);
}

static void setup(Setting *s)
{
    setup_repeated(s, 1, 1);
}

static void teardown(Setting *s)
{
    robust_lines_free(&s->lines);
    segments_free(&s->segments);
    corpus_free(&s->corpus);
    corpus_words_free(&s->words);
}

static size_t lines_of(const Setting *s, RobustRow row)
{
    return s->lines.first[row + 1] - s->lines.first[row];
}

/* Line i of a row. */
static const char *line_at(const Setting *s, RobustRow row, size_t i)
{
    assert_true(i < lines_of(s, row));
    return s->lines.source[s->lines.first[row] + i];
}

/* ---- Lines ---- */

static void rows_should_have_the_sentences_that_they_alter(void **state)
{
    (void)state;
    static const struct { RobustRow row; size_t lines; const char *first; } expected[] = {
        { ROBUST_PLAIN, 10, "Does Tom like the new house by the sea?" },
        { ROBUST_CAPITALS, 10, "DOES TOM LIKE THE NEW HOUSE BY THE SEA?" },
        { ROBUST_SMALL, 10, "does tom like the new house by the sea?" },
        { ROBUST_SMALL_NO_FINAL, 9, "does tom like the new house by the sea" },
        { ROBUST_APOSTROPHE, 1, "I don\u2019t know where Tom was on Sunday." },
        { ROBUST_MARKS, 1, "\u201CWhere were you?\u201D asked the teacher \u2014 and waited." },
        { ROBUST_SWAP, 10, NULL },
        { ROBUST_DROP, 10, NULL },
        { ROBUST_DOUBLE, 10, NULL },
        { ROBUST_NEIGHBOUR, 10, NULL },
        { ROBUST_ACCENTS, 1, "The cafe is closed on the first day." },
        { ROBUST_JOINED, 2, "Does Tom like the new house by the sea? I don't know where Tom was "
                            "on Sunday. She paid 50 dollars for the red coat." },
        { ROBUST_BULLET, 10, NULL },
        { ROBUST_EMOJI, 10, NULL },
        { ROBUST_NO_APOSTROPHES, 1, "I dont know where Tom was on Sunday." },
        { ROBUST_TAGS, 10, NULL },
        { ROBUST_ASIDE, 9, NULL }
    };
    Setting s;
    setup(&s);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_int_equal(lines_of(&s, expected[i].row), expected[i].lines);
        if (expected[i].first)
            assert_string_equal(line_at(&s, expected[i].row, 0), expected[i].first);
    }
    assert_string_equal(line_at(&s, ROBUST_SMALL_NO_FINAL, 4),
                        "\"where were you?\" asked the teacher -- and waited");
    teardown(&s);
}

static void few_places_should_be_used_again(void **state)
{
    (void)state;
    Setting s;
    setup(&s);
    assert_int_equal(lines_of(&s, ROBUST_NAMES), 150);      /* three sentences, at most 50 times */
    for (size_t i = 3; i < 150; i++)
        assert_string_not_equal(line_at(&s, ROBUST_NAMES, i), line_at(&s, ROBUST_NAMES, i - 3));
    teardown(&s);
    setup_repeated(&s, 5, 1);
    assert_int_equal(lines_of(&s, ROBUST_NAMES), 510);      /* fifteen sentences, 34 times */
    teardown(&s);
}

static void many_sentences_should_be_thinned_evenly(void **state)
{
    (void)state;
    Setting s;
    setup_repeated(&s, 300, 1);
    assert_int_equal(lines_of(&s, ROBUST_PLAIN), 2000);
    assert_int_equal(s.lines.origin[0], 0);
    assert_int_equal(s.lines.origin[1000], 1500);
    assert_int_equal(s.lines.origin[1999], 2998);
    assert_int_equal(lines_of(&s, ROBUST_NAMES), 500);
    assert_int_equal(lines_of(&s, ROBUST_NUMBERS), 500);
    assert_int_equal(lines_of(&s, ROBUST_VERBATIM), 500);
    teardown(&s);
}

static void lines_should_depend_on_the_seed_alone(void **state)
{
    (void)state;
    Setting one, same, other;
    setup_repeated(&one, 1, 1);
    setup_repeated(&same, 1, 1);
    setup_repeated(&other, 1, 2);
    size_t different[ROBUST_ROWS] = { 0 };
    for (RobustRow row = 0; row < ROBUST_ROWS; row++)
        for (size_t i = one.lines.first[row]; i < one.lines.first[row + 1]; i++) {
            assert_string_equal(one.lines.source[i], same.lines.source[i]);
            assert_true(unicode_valid(one.lines.source[i], strlen(one.lines.source[i])));
            different[row] += strcmp(one.lines.source[i], other.lines.source[i]) != 0;
        }
    assert_int_equal(different[ROBUST_PLAIN], 0);
    assert_int_equal(different[ROBUST_CAPITALS], 0);
    assert_true(different[ROBUST_NAMES] > 140);
    assert_true(different[ROBUST_NUMBERS] > 0);
    assert_true(different[ROBUST_SWAP] > 5);
    teardown(&one);
    teardown(&same);
    teardown(&other);
}

/* ---- Scores ---- */

/* Scores the row for translations; output: (lines.count), NULL: each line is its own. */
static RobustScore score(const Setting *s, RobustRow row, const char *const *output)
{
    const BleuOptions options = bleu_defaults();
    return robust_score(&s->lines, row, output ? output : s->lines.source, &options);
}

static void copies_should_keep_all_and_lose_nothing_but_noise(void **state)
{
    (void)state;
    Setting s;
    setup(&s);
    for (RobustRow row = ROBUST_NAMES; row <= ROBUST_VERBATIM; row++) {
        const RobustScore found = score(&s, row, NULL);
        assert_true(found.measured >= found.lines);
        assert_int_equal(found.kept, found.measured);
        assert_float_equal(found.share, 100, 0);
    }
    static const RobustRow whole[] = { ROBUST_PLAIN, ROBUST_CAPITALS, ROBUST_SMALL,
                                       ROBUST_SMALL_NO_FINAL, ROBUST_JOINED, ROBUST_BULLET,
                                       ROBUST_EMOJI, ROBUST_TAGS, ROBUST_ASIDE };
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        assert_float_equal(score(&s, whole[i], NULL).share, 100, 1e-9);
    for (RobustRow row = ROBUST_SWAP; row <= ROBUST_NEIGHBOUR; row++)
        assert_true(score(&s, row, NULL).share < 90);
    teardown(&s);
}

/* The translations of `row` are `text`, all others the lines. The caller frees the array. */
static const char **outputs_with(const Setting *s, RobustRow row, const char *text)
{
    const char **output = malloc(s->lines.count * sizeof *output);
    for (size_t i = 0; i < s->lines.count; i++) output[i] = s->lines.source[i];
    for (size_t i = s->lines.first[row]; i < s->lines.first[row + 1]; i++) output[i] = text;
    return output;
}

static void empty_translations_should_keep_nothing(void **state)
{
    (void)state;
    Setting s;
    setup(&s);
    for (RobustRow row = ROBUST_NAMES; row < ROBUST_ROWS; row++) {
        const char **output = outputs_with(&s, row, "");
        const RobustScore found = score(&s, row, output);
        const int all = lines_of(&s, row) == SENTENCES || robust_row_is_kept(row)
            || row == ROBUST_JOINED;                /* the others count some as plain */
        assert_true(all ? found.share < 1e-9 : found.share < 95);
        free(output);
    }
    teardown(&s);
}

static void items_should_be_there_as_often_as_in_the_source(void **state)
{
    (void)state;
    Setting s;
    setup(&s);
    char **twice = malloc(s.lines.count * sizeof *twice);
    for (size_t i = 0; i < s.lines.count; i++) {
        Buf text = { 0 };
        buf_printf(&text, "%s %s", s.lines.source[i], s.lines.source[i]);
        twice[i] = text.text;
    }
    for (RobustRow row = ROBUST_NAMES; row <= ROBUST_VERBATIM; row++)
        assert_int_equal(score(&s, row, (const char *const *)twice).kept, 0);
    for (size_t i = 0; i < s.lines.count; i++) free(twice[i]);
    free(twice);
    teardown(&s);
}

/* Three sources, of which the second has two references: the joined line has two as well. */
static void each_reference_should_count(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        { "He sleeps a lot.", "Il dort beaucoup." }, { "She left at once.", "Elle est partie." },
        { "She left at once.", "Elle partit aussitôt." }, { "We stay at home.", "Nous restons." }
    };
    Setting s = { 0 };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        corpus_add(&s.corpus, (Span){ pairs[i][0], strlen(pairs[i][0]) },
                   (Span){ pairs[i][1], strlen(pairs[i][1]) });
    segments_init(&s.segments, &s.corpus);
    robust_lines_init(&s.lines, &s.segments, &s.words, 1);
    const char **output = outputs_with(&s, ROBUST_JOINED,
                                       "Il dort beaucoup. Elle partit aussitôt. Nous restons.");
    assert_float_equal(score(&s, ROBUST_JOINED, output).bleu, 100, 1e-9);
    free(output);
    teardown(&s);
}

/* A sentence without an apostrophe counts with its plain translation, so the one that has one is a
 * tenth of the row. */
static void unaltered_sentences_should_count_as_plain(void **state)
{
    (void)state;
    Setting s;
    setup(&s);
    const char **output = outputs_with(&s, ROBUST_APOSTROPHE,
                                       "I don't know where Tom was on Sunday.");
    RobustScore found = score(&s, ROBUST_APOSTROPHE, output);
    assert_int_equal(found.measured, 1);
    assert_float_equal(found.share, 100, 1e-9);
    assert_float_equal(found.bleu, found.plain, 1e-9);
    free(output);
    output = outputs_with(&s, ROBUST_APOSTROPHE, "no word is right");
    found = score(&s, ROBUST_APOSTROPHE, output);
    assert_true(found.share > 80 && found.share < 95);
    free(output);
    teardown(&s);
}

/* Case and final marks: wrong ones cost nothing in their rows, but do in the plain row. */
static void case_rows_should_not_regard_case(void **state)
{
    (void)state;
    Setting s;
    setup(&s);
    const char **output = malloc(s.lines.count * sizeof *output);
    for (size_t i = 0; i < s.lines.count; i++) output[i] = s.lines.source[i];
    const size_t small = s.lines.first[ROBUST_SMALL], capitals = s.lines.first[ROBUST_CAPITALS];
    for (size_t i = 0; i < SENTENCES; i++) output[i] = s.lines.source[capitals + i];
    assert_float_equal(score(&s, ROBUST_SMALL, output).plain, 100, 1e-9);
    assert_true(score(&s, ROBUST_SWAP, output).plain < 50);
    for (size_t i = 0; i < SENTENCES; i++) output[i] = s.lines.source[small + i];
    assert_float_equal(score(&s, ROBUST_SMALL_NO_FINAL, output).plain, 100, 1e-9);
    assert_float_equal(score(&s, ROBUST_SMALL_NO_FINAL, output).bleu, 100, 1e-9);
    free(output);
    teardown(&s);
}

/* A translation without its tags counts as none. */
static void tags_should_be_there_once(void **state)
{
    (void)state;
    static const char *const lost[] = { "It rains a lot.", "It <b>rains a lot.",
                                        "</b>It rains<b> a lot.", "<b>It</b> <b>rains</b> a lot." };
    const Span plain = { "It rains a lot.", 15 };
    Setting s = { 0 };
    corpus_add(&s.corpus, plain, plain);
    segments_init(&s.segments, &s.corpus);
    robust_lines_init(&s.lines, &s.segments, &s.words, 1);
    const char **output = outputs_with(&s, ROBUST_TAGS, "It <b>rains</b> a lot.");
    assert_float_equal(score(&s, ROBUST_TAGS, output).share, 100, 1e-9);
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
        output[s.lines.first[ROBUST_TAGS]] = lost[i];
        assert_float_equal(score(&s, ROBUST_TAGS, output).share, 0, 1e-9);
    }
    free(output);
    teardown(&s);
}

/* A translation without its aside counts as none. */
static void asides_should_be_there_once(void **state)
{
    (void)state;
    const Span plain = { "It rains a lot.", 15 };
    Setting s = { 0 };
    Buf aside = { 0 }, text = { 0 };
    corpus_add(&s.corpus, plain, plain);
    segments_init(&s.segments, &s.corpus);
    robust_lines_init(&s.lines, &s.segments, &s.words, 1);
    robust_add_aside(&s.lines, 0, &aside);
    for (int times = 0; times <= 2; times++) {
        buf_clear(&text);
        buf_puts(&text, "It rains");
        for (int i = 0; i < times; i++) buf_puts(&text, aside.text);
        buf_puts(&text, " a lot.");
        const char **output = outputs_with(&s, ROBUST_ASIDE, text.text);
        assert_float_equal(score(&s, ROBUST_ASIDE, output).share, times == 1 ? 100 : 0, 1e-9);
        free(output);
    }
    buf_free(&text);
    buf_free(&aside);
    teardown(&s);
}

static void a_row_without_lines_should_measure_nothing(void **state)
{
    (void)state;
    Setting s = { 0 };
    corpus_add(&s.corpus, (Span){ "it rains", 8 }, (Span){ "it rains", 8 });
    segments_init(&s.segments, &s.corpus);
    robust_lines_init(&s.lines, &s.segments, &s.words, 1);
    static const RobustRow none[] = { ROBUST_NAMES, ROBUST_NUMBERS, ROBUST_ACCENTS, ROBUST_MARKS,
                                      ROBUST_JOINED, ROBUST_SMALL, ROBUST_SMALL_NO_FINAL };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        const RobustScore found = score(&s, none[i], NULL);
        assert_int_equal(found.measured, 0);
        assert_float_equal(found.share, 0, 0);
    }
    assert_int_equal(score(&s, ROBUST_VERBATIM, NULL).lines, 50);   /* the most rounds */
    teardown(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_should_have_the_sentences_that_they_alter),
        cmocka_unit_test(few_places_should_be_used_again),
        cmocka_unit_test(many_sentences_should_be_thinned_evenly),
        cmocka_unit_test(lines_should_depend_on_the_seed_alone),
        cmocka_unit_test(copies_should_keep_all_and_lose_nothing_but_noise),
        cmocka_unit_test(empty_translations_should_keep_nothing),
        cmocka_unit_test(items_should_be_there_as_often_as_in_the_source),
        cmocka_unit_test(each_reference_should_count),
        cmocka_unit_test(unaltered_sentences_should_count_as_plain),
        cmocka_unit_test(case_rows_should_not_regard_case),
        cmocka_unit_test(tags_should_be_there_once),
        cmocka_unit_test(asides_should_be_there_once),
        cmocka_unit_test(a_row_without_lines_should_measure_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
