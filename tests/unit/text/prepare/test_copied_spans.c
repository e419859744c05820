/* test_copied_spans.c - what is copied of a line: unknown names, numbers, signs, and what goes with
 * them.
 */
#include "lexicon_case.h"
#include "prepare_case.h"
#include "scratch.h"

static void what_the_lexicon_lacks_should_be_copied(void **state)
{
    (void)state;
    World w = world_new(1, 1);
    assert_source(&w, "Tom saw 241 and Zorb.", "_Tom|_saw|_$1|_and|_#2|.", "241|Zorb", 'F');
    assert_source(&w, "the cat is on https://a.b/C", "_the|_cat|_is|_on|_#1", "https://a.b/C", 'w');
    assert_source(&w, "the zorb is", "_the|_zorb|_is", "", 'w');
    assert_source(&w, "the zorb[3] is", "_the|_#1|_is", "zorb[3]", 'w');
    assert_source(&w, "the zorb\"zorb[3] is", "_the|_#1|_is", "zorb\"zorb[3]", 'w');
    assert_source(&w, "Zorb Mc-Ally saw Tom.", "_#1|_saw|_Tom|.", "Zorb Mc-Ally", 'F');
    assert_source(&w, "saw AT&T, the&T, Tom&Rome", "_saw|_#1|,|_the|&|#2|,|_Tom|&|Rome", "AT&T|T", 'w');
    assert_source(&w, "saw Zorb+Tom+on, cat+on", "_saw|_#1|,|_cat|#2|on", "Zorb+Tom+on|+", 'w');
    assert_source(&w, "Zorb, Yorb saw 3", "_#1|,|_#2|_saw|_$3", "Zorb|Yorb|3", 'F');
    assert_source(&w, "ZORB SAW TOM AND FOO_BAR().", "_#1|_saw|_Tom|_#2|.", "ZORB|AND FOO_BAR()",
                  'C');
    world_free(&w);
}

/* Names beside each other are one copy, but not where a tag was taken out. */
static void copies_should_end_at_tags(void **state)
{
    (void)state;
    World w = world_new(1, 1);
    const char *line = "the Zorb Yorb is 3kg";
    const size_t at[] = { 4, 9, 16, 18 };       /* the <b>Zorb</b> Yorb is<i> 3</i>kg */
    size_t word[4];
    Prepared p = { 0 };
    Buf shown = { 0 };
    assert_source(&w, line, "_the|_#1|_is|_$2|kg", "Zorb Yorb|3", 'w');
    prepare_source_around(&p, w.language, line, strlen(line), at, word, 4);
    show(&p.words, &shown);
    assert_string_equal(shown.text, "_the|_#1|_#2|_is|_$3|kg");
    assert_int_equal(word[0], 1);
    assert_int_equal(word[1], 2);
    assert_int_equal(word[2], 4);
    assert_int_equal(word[3], 5);
    buf_free(&shown);
    prepared_free(&p);
    world_free(&w);
}

static void names_that_were_seen_once_should_be_copied(void **state)
{
    (void)state;
    World w = world_new(1, 1);
    lexicon_free(w.lexicon);
    w.language.lexicon = w.lexicon = lexicon_of("['Cuba UN in','Tom','the cat is']");
    assert_source(&w, "the cat is Cuba", "_the|_cat|_is|_#1", "Cuba", 'w');
    assert_source(&w, "Cuba is the UN", "_#1|_is|_the|_#2", "Cuba|UN", 'F');
    assert_source(&w, "the cat is Tom", "_the|_cat|_is|_Tom", "", 'w');
    assert_source(&w, "the cat is Cuba Tom", "_the|_cat|_is|_#1|_Tom", "Cuba", 'w');
    world_free(&w);
}

static void no_more_than_fit_should_be_copied(void **state)
{
    (void)state;
    World w = world_new(1, 1);
    assert_source(&w, "on 11, 12, 13, 14, 15, 16, 17, 18, 19, 20",
                  "_on|_$1|,|_$2|,|_$3|,|_$4|,|_$5|,|_$6|,|_$7|,|_$8|,|_19|,|_20",
                  "11|12|13|14|15|16|17|18", 'w');
    assert_source(&w, "on 10 000", "_on|_$1", "10 000", 'w');
    world_free(&w);
}

/* Training that has them a few times does not teach what they are. */
static void known_emoticons_and_emoji_should_be_copied(void **state)
{
    (void)state;
    World w = world_new(1, 1);
    lexicon_free(w.lexicon);
    w.language.lexicon = w.lexicon = lexicon_of("['','','','','is here . ! <3 :) :-( → 😀 - C++']");
    assert_source(&w, "here is <3!", "_here|_is|_#1|!", "<3", 'w');
    assert_source(&w, "here is :) 😀 → .", "_here|_is|_#1|_#2|_#3|_.", ":)|😀|→", 'w');
    assert_source(&w, "C++ is here", "_C++|_is|_here", "", 'F');
    assert_source(&w, "is here :-( - is", "_is|_here|_#1|_-|_is", ":-(", 'w');
    world_free(&w);
}

/* 2:30 has words of its own; 2 alone must not become them. */
static void a_known_number_should_be_copied_if_it_is_digits_alone(void **state)
{
    (void)state;
    World w = world_new(1, 1);
    lexicon_free(w.lexicon);
    w.language.lexicon = w.lexicon = lexicon_of("['','','2 2:30 is here']");
    assert_source(&w, "2 is here", "_$1|_is|_here", "2", 'w');
    assert_source(&w, "here is 2:30", "_here|_is|_2:30", "", 'w');
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_lexicon_lacks_should_be_copied),
        cmocka_unit_test(copies_should_end_at_tags),
        cmocka_unit_test(names_that_were_seen_once_should_be_copied),
        cmocka_unit_test(no_more_than_fit_should_be_copied),
        cmocka_unit_test(known_emoticons_and_emoji_should_be_copied),
        cmocka_unit_test(a_known_number_should_be_copied_if_it_is_digits_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
