/* test_conjunctions.c - signs that become words, and signs that stay. */
#include "text/prepare/conjunctions.h"

#include "lexicon_case.h"
#include "scratch.h"

#include <stdlib.h>

/* Seen once, and 64 and 1,024 times. French has "e" and "o" as letters. */
static const char english[] = "['bread Tom & day','','','','','','he she','','','','and or .']";
static const char french[] = "['pain','','','','','','il elle e o','','','','et ou .']";
static const char german[] = "['er','','','','','','und','','','','sie .']";
static const char italian[] = "['lui lei','','','','','','','','','','e o .']";
static const char usual[] = "['','','','','','','he she & /','','','','and or .']";

/* The words of a line, spelt and joined again; | between two that are written together. */
static void assert_spelt(const char *lexicon_text, const char *line, const char *expected)
{
    Lexicon *lexicon = lexicon_of(lexicon_text);
    Words words = { 0 };
    Buf out = { 0 };
    words_split(line, strlen(line), 1, &words);
    WordNumbers joined = { 0 };
    conjunctions_spell(lexicon, &words, NULL, 0, &joined);
    free(joined.number);
    show_words(&words, &out);
    assert_string_equal(out.text, expected);
    buf_free(&out);
    words_free(&words);
    lexicon_free(lexicon);
}

static void signs_should_become_words_of_the_language(void **state)
{
    (void)state;
    assert_spelt(english, "Tom & Bob", "Tom and Bob");
    assert_spelt(english, "He/she, she/he.", "He or she|, she or he|.");
    assert_spelt(english, "he/she/Tom", "he or she or Tom");
    assert_spelt(english, "he and/or she and/or", "he or she or");
    assert_spelt(english, "and/or she", "or she");
    assert_spelt(english, "And/or she AND/OR Tom", "or she OR Tom");
    assert_spelt(english, "(and/or, he", "(|or|, he");
    assert_spelt(english, "TOM & BOB, HE/SHE", "TOM AND BOB|, HE OR SHE");
    assert_spelt(english, "$5/hour, 5 €/day, €2.50/person.", "$|5 per hour|, 5 € per day|, €|2.50 per person|.");
    assert_spelt(french, "5 €/mois", "5 € par mois");
    assert_spelt(english, "$50k/day, $5 million/year", "$|50|k per day|, $|5 million per year");
    assert_spelt(french, "pain & il, il/elle et/ou pain", "pain et il|, il ou elle ou pain");
}

static void other_signs_should_stay(void **state)
{
    (void)state;
    assert_spelt(english, "R&D & Bob", "R|&|D and Bob");
    assert_spelt(english, "& Bob &", "& Bob &");
    assert_spelt(english, "he&she he &she he& she", "he|&|she he &|she he|& she");
    assert_spelt(english, "he / she he/ she he /she", "he / she he|/ she he /|she");
    assert_spelt(english, "10 he/she, 10 he he/she", "10 he|/|she|, 10 he he or she");
    assert_spelt(english, "two she/day, day/she", "two she|/|day|, day or she");
    assert_spelt(english, "a/c 24/7 he/zebra he/", "a|/|c 24/7 he|/|zebra he|/");
    assert_spelt(english, "5/hour he 5/hour 5 €/kg $/x $5/ hour", "5|/|hour he 5|/|hour 5 €|/|kg $|/|x $|5|/ hour");
    assert_spelt(english, "&", "&");
    assert_spelt(english, "/", "/");
    assert_spelt(english, "", "");
}

static void what_the_language_or_its_signs_are_should_decide(void **state)
{
    (void)state;
    assert_spelt(german, "er & sie, er/sie", "er & sie|, er|/|sie");    /* no oder */
    assert_spelt(italian, "lui & lei, lui/lei", "lui & lei|, lui|/|lei");
    assert_spelt(usual, "he & she, he/she", "he & she|, he|/|she");
}

/* Numbers of words stay those of the same words, or of what they became. */
static void places_should_follow(void **state)
{
    (void)state;
    static const size_t before[] = { 0, 1, 2, 3, 4, 6, 7 }, after[] = { 0, 1, 2, 3, 3, 4, 5 };
    enum { COUNT = sizeof before / sizeof *before };
    Lexicon *lexicon = lexicon_of(english);
    Words words = { 0 };
    size_t place[COUNT];
    memcpy(place, before, sizeof place);
    words_split("he & she and/or Tom", 19, 1, &words);
    assert_int_equal(words.count, 7);
    WordNumbers joined = { 0 };
    conjunctions_spell(lexicon, &words, place, COUNT, &joined);
    assert_int_equal(words.count, 5);
    assert_int_equal(joined.count, 0);
    assert_memory_equal(place, after, sizeof place);
    words_free(&words);
    lexicon_free(lexicon);
}

static void what_was_one_word_should_be_known(void **state)
{
    (void)state;
    static const size_t numbers[] = { 2, 3, 4, 5, 9, 10 };
    Lexicon *lexicon = lexicon_of(english);
    Words words = { 0 };
    WordNumbers joined = { 0 };
    words_split("& he/she/Tom he and/or Tom/he & Bob", 35, 1, &words);
    conjunctions_spell(lexicon, &words, NULL, 0, &joined);
    assert_int_equal(words.count, 13);
    assert_int_equal(joined.count, 6);
    assert_memory_equal(joined.number, numbers, sizeof numbers);
    free(joined.number);
    words_free(&words);
    lexicon_free(lexicon);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signs_should_become_words_of_the_language),
        cmocka_unit_test(other_signs_should_stay),
        cmocka_unit_test(what_the_language_or_its_signs_are_should_decide),
        cmocka_unit_test(places_should_follow),
        cmocka_unit_test(what_was_one_word_should_be_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
