/* test_kept_items.c - what is put into a source, where, and when a translation has kept it. */
#include "analysis/kept_items.h"

#include "base/random/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { DRAWS = 300 };

/* ---- A segment with one reference, in a corpus where Tom, Mary, New and York are names ---- */

typedef struct {
    CorpusWords words;
    KeptItems   items;
    Buf         line;
} Setting;

static void setup(Setting *s)
{
    static const char source[] = "Does Tom like Mary? In New York, it rains. Ask Dr. Ho";
    *s = (Setting){ 0 };
    corpus_words_add(&s->words, source, strlen(source), "x", 1);
}

static void teardown(Setting *s)
{
    corpus_words_free(&s->words);
    kept_items_free(&s->items);
    buf_free(&s->line);
}

static int apply(Setting *s, KeptRule *rule, const char *source, const char *reference,
                 uint64_t step)
{
    const KeptCase c = { .source = source, .reference = &reference, .references = 1,
                         .words = &s->words, .key = rng_key(1, step, RNG_NOISE) };
    kept_items_free(&s->items);
    buf_clear(&s->line);
    return rule(&c, &s->items, &s->line);
}

static const char *item(const Setting *s, size_t i)
{
    return s->items.item[i].text;
}

/* The line with $1 for the first item, $2 for the second, ... The caller frees it. */
static char *with_marks(const Setting *s)
{
    Buf out = { 0 };
    buf_clear(&out);
    for (const char *at = s->line.text; *at;) {
        size_t i = 0;
        while (i < s->items.count && strncmp(at, item(s, i), strlen(item(s, i)))) i++;
        if (i == s->items.count) buf_putc(&out, *at++);
        else {
            buf_printf(&out, "$%zu", i + 1);
            at += strlen(item(s, i));
        }
    }
    return out.text;
}

static void assert_altered(KeptRule *rule, const char *source, const char *reference,
                           const char *expected)
{
    Setting s;
    setup(&s);
    assert_true(apply(&s, rule, source, reference, 1) > 0);
    char *found = with_marks(&s);
    assert_string_equal(found, expected);
    free(found);
    teardown(&s);
}

static void assert_untouched(KeptRule *rule, const char *source, const char *reference)
{
    Setting s;
    setup(&s);
    assert_int_equal(apply(&s, rule, source, reference, 1), 0);
    assert_int_equal(s.items.count, 0);
    teardown(&s);
}

/* ---- Names ---- */

static void shared_names_should_be_replaced(void **state)
{
    (void)state;
    assert_altered(kept_names, "Tom saw Mary's cat.", "Tom a vu le chat de Mary.",
                   "$1 saw $2's cat.");
    assert_altered(kept_names, "Tom says Tom is in New York.", "Tom dit que Tom est à New York.",
                   "$1 says $1 is in $2 $3.");
    assert_altered(kept_names, "Tom saw Mary.", "Tom a vu Marie.", "$1 saw Mary.");
    assert_altered(kept_names, "I know Tom.", "Je connais Tom.", "I know $1.");
}

static void other_words_should_stay(void **state)
{
    (void)state;
    assert_untouched(kept_names, "Tom saw Tom.", "Tom s'est vu.");      /* not as often */
    assert_untouched(kept_names, "Tommy sleeps.", "Tommy dort.");       /* not in the corpus */
    assert_untouched(kept_names, "In it.", "In it.");                   /* begins sentences only */
    assert_untouched(kept_names, "Dr. Smith", "Dr. Smith");             /* an abbreviation */
    assert_untouched(kept_names, "", "");
}

static void every_reference_should_have_the_name(void **state)
{
    (void)state;
    static const char *const references[] = { "Tom dort.", "Il dort." };
    Setting s;
    setup(&s);
    KeptCase c = { .source = "Tom sleeps.", .reference = references, .references = 1,
                   .words = &s.words, .key = 1 };
    assert_int_equal(kept_names(&c, &s.items, &s.line), 1);
    c.references = 2;
    kept_items_free(&s.items);
    assert_int_equal(kept_names(&c, &s.items, &s.line), 0);
    teardown(&s);
}

static void new_names_should_not_be_in_the_corpus(void **state)
{
    (void)state;
    Setting s;
    setup(&s);
    /* All names that would be drawn join the corpus; the second time there are others. */
    for (uint64_t step = 0; step < DRAWS; step++) {
        apply(&s, kept_names, "Tom sleeps.", "Tom dort.", step);
        char *before = strdup(item(&s, 0));
        corpus_words_add(&s.words, before, strlen(before), "x", 1);
        apply(&s, kept_names, "Tom sleeps.", "Tom dort.", step);
        assert_string_not_equal(item(&s, 0), before);
        free(before);
    }
    teardown(&s);
}

static void the_same_key_should_give_the_same_line(void **state)
{
    (void)state;
    static KeptRule *const rules[] = { kept_names, kept_numbers, kept_verbatim_name,
                                       kept_verbatim_end };
    Setting once, again;
    for (size_t rule = 0; rule < sizeof rules / sizeof *rules; rule++) {
        setup(&once);
        setup(&again);
        for (uint64_t step = 0; step < DRAWS; step++) {
            apply(&once, rules[rule], "Tom has 5 cats.", "Tom a 5 chats.", step);
            apply(&again, rules[rule], "Tom has 5 cats.", "Tom a 5 chats.", step);
            assert_string_equal(once.line.text, again.line.text);
            assert_string_not_equal(once.line.text, "Tom has 5 cats.");
        }
        teardown(&once);
        teardown(&again);
    }
}

/* ---- Numbers ---- */

static void numbers_that_stand_alone_should_be_replaced(void **state)
{
    (void)state;
    assert_altered(kept_numbers, "He paid $50, 20% (of 1,000.50) in 1990.", "x",
                   "He paid $$1, $2% (of $3) in $4.");
    assert_altered(kept_numbers, "12 or \"13\"? 14!", "x", "$1 or \"$2\"? $3!");
    assert_altered(kept_numbers, "The 10 000 of 2013 100 people", "x", "The $1 of $2 $3 people");
    assert_altered(kept_numbers, "At 2:30, 5th of 7", "x", "At 2:30, 5th of $1");
}

static void numbers_that_are_part_of_more_should_stay(void **state)
{
    (void)state;
    static const char *const none[] = { "At 2:30.", "The 5th.", "In the 1980s", "A 20-year-old",
                                        "B2B", "9h30", "x_3", "3/4", "1990-95", "no numbers" };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_untouched(kept_numbers, none[i], "x");
}

/* ---- Verbatim ---- */

static void a_span_should_take_the_place_of_a_name(void **state)
{
    (void)state;
    assert_altered(kept_verbatim_name, "Tom saw Mary.", "Tom a vu Mary.", "$1 saw Mary.");
    assert_altered(kept_verbatim_name, "Tom's cat saw Mary.", "Le chat de Tom a vu Mary.",
                   "Tom's cat saw $1.");
    assert_untouched(kept_verbatim_name, "Tom saw Tom.", "Tom a vu Tom.");
    assert_untouched(kept_verbatim_name, "It rains.", "Il pleut.");
}

static void a_span_should_stand_before_the_final_mark(void **state)
{
    (void)state;
    Setting s;
    setup(&s);
    int of_items[3] = { 0 };
    for (uint64_t step = 0; step < DRAWS; step++) {
        const int items = apply(&s, kept_verbatim_end, "It rains!", "x", step);
        char *found = with_marks(&s);
        assert_in_range(items, 1, 2);
        if (strcmp(item(&s, 0), item(&s, items - 1)) || items == 1)
            assert_string_equal(found, items == 1 ? "It rains ($1)!" : "It rains ($1, $2)!");
        of_items[items]++;
        free(found);
    }
    assert_in_range(of_items[2], 100 - 41, 100 + 41);       /* five times sqrt(300 · 2/9) */
    assert_true(apply(&s, kept_verbatim_end, "No mark", "x", 1) > 0);
    assert_int_equal(s.line.text[s.line.length - 1], ')');
    teardown(&s);
}

/* ---- Counting ---- */

static void assert_times(const char *text, const char *line, int times)
{
    char copy[64];
    strcpy(copy, text);
    assert_int_equal(kept_item_times(&(KeptItem){ .text = copy }, line), times);
}

static void texts_should_count_where_they_stand_alone(void **state)
{
    (void)state;
    assert_times("Zorvik", "Zorvik et Zorvik, d'Zorvik.", 3);
    assert_times("Zorvik", "Zorviks aZorvik éZorvik Zorviké zorvik Zorvi Zorvik3", 0);
    assert_times("O'Brix", "O'Brix O\u2019Brix O'Brixa", 1);
    assert_times("%s", "%s, %sa, a%s", 2);
    assert_times("{name}", "{name}{name}s", 2);
    assert_times("v2.1", "v2.1. v2.13 v2.1", 2);
    assert_times("🙂", "🙂🙂 a🙂", 3);
    assert_times("x", "", 0);
}

static int number_times(int whole, int fraction, int digits, const char *line)
{
    const KeptItem item = { .is_number = 1, .number = { .whole = whole, .fraction = fraction,
                                                        .fraction_digits = digits } };
    return kept_item_times(&item, line);
}

static void numbers_should_count_with_any_separators(void **state)
{
    (void)state;
    assert_int_equal(number_times(241, 0, 0, "241, (241) 241. $241 241% 241"), 6);
    assert_int_equal(number_times(241, 0, 0, "2410 1241 24 1,241 241,5 241.5 0.241 2 41"), 0);
    assert_int_equal(number_times(12345, 0, 0,
                                  "12345 12,345 12.345 12 345 12\u00A0345 12\u202F345 12'345"), 7);
    assert_int_equal(number_times(12345, 0, 0, "12,3,45 1 2345 112,345 12,345,678"), 0);
    assert_int_equal(number_times(3, 75, 2, "3.75 3,75 3.750 13.75"), 2);
    assert_int_equal(number_times(1234, 5, 1, "1234.5 1,234.5 1.234,5 1 234,5 1,234,5"), 4);
    assert_int_equal(number_times(1234, 5, 2, "1234.05"), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_names_should_be_replaced),
        cmocka_unit_test(other_words_should_stay),
        cmocka_unit_test(every_reference_should_have_the_name),
        cmocka_unit_test(new_names_should_not_be_in_the_corpus),
        cmocka_unit_test(the_same_key_should_give_the_same_line),
        cmocka_unit_test(numbers_that_stand_alone_should_be_replaced),
        cmocka_unit_test(numbers_that_are_part_of_more_should_stay),
        cmocka_unit_test(a_span_should_take_the_place_of_a_name),
        cmocka_unit_test(a_span_should_stand_before_the_final_mark),
        cmocka_unit_test(texts_should_count_where_they_stand_alone),
        cmocka_unit_test(numbers_should_count_with_any_separators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
