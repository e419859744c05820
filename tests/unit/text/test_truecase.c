/* test_truecase.c - the place of each word, and its usual case there. */
#include "text/truecase.h"

#include "lexicon_case.h"
#include "scratch.h"
#include "text/words.h"

/* Each word at its place, a letter each: F first, i inside, s small, C capitals. */
static void assert_places(const char *line, const char *expected)
{
    Words words = { 0 };
    unsigned char shape[32], place[32];
    char seen[33] = "";
    words_split(line, strlen(line), 0, &words);
    for (size_t i = 0, length; i < words.count; i++) {
        const char *word = words_at(&words, i, &length);
        const size_t mark = words_mark_length(word, length);
        shape[i] = (unsigned char)letter_case_shape(word + mark, length - mark);
    }
    truecase_places(sentence_case(shape, words.count), shape, words.count, place);
    for (size_t i = 0; i < words.count; i++)
        seen[i] = "FisC"[place[i]];
    assert_string_equal(seen, expected);
    words_free(&words);
}

static void a_word_should_have_the_place_that_its_sentence_gives(void **state)
{
    (void)state;
    assert_places("", "");
    assert_places("!", "i");
    assert_places("The cat sleeps.", "Fiii");
    assert_places("« The cat »", "iFii");
    assert_places("3 Cats", "Fi");
    assert_places("the cat sleeps.", "ssss");
    assert_places("THE CAT!", "CCC");
    assert_places("The Big Cat Sleeps", "FFFF");
    assert_places("iPhone is Tom's", "Fiii");
}

/* The form of a word at each place, with a lexicon written down. */
static void assert_forms(const char *json, const char *word, const char *first, const char *inside,
                         const char *small, const char *capitals)
{
    const char *const expected[WORD_PLACES] = { first, inside, small, capitals };
    Lexicon *lexicon = lexicon_of(json);
    for (WordPlace place = 0; place < WORD_PLACES; place++) {
        const char *form = truecase_form(lexicon, word, strlen(word), place);
        assert_string_equal(form ? form : word, expected[place]);
    }
    lexicon_free(lexicon);
}

static void an_unknown_word_should_stay(void **state)
{
    (void)state;
    assert_forms("[]", "Zorb", "Zorb", "Zorb", "Zorb", "Zorb");
    assert_forms("['tom']", "ZORB", "ZORB", "ZORB", "ZORB", "ZORB");
    assert_forms("['Tom']", "zorb", "zorb", "zorb", "zorb", "zorb");
}

static void a_small_word_should_be_small_where_a_sentence_begins(void **state)
{
    (void)state;
    assert_forms("['','','the']", "The", "the", "The", "the", "the");
    assert_forms("['','','the']", "the", "the", "the", "the", "the");
    assert_forms("['','','the']", "THE", "the", "the", "the", "the");
    assert_forms("['','','été']", "Été", "été", "Été", "été", "été");
}

static void a_name_should_keep_its_capital_and_get_it_back(void **state)
{
    (void)state;
    assert_forms("['','','Tom']", "Tom", "Tom", "Tom", "Tom", "Tom");
    assert_forms("['','','Tom']", "tom", "Tom", "Tom", "Tom", "Tom");
    assert_forms("['','','Tom']", "TOM", "Tom", "Tom", "Tom", "Tom");
    assert_forms("['','','McAllister']", "MCALLISTER", "McAllister", "McAllister", "McAllister",
                 "McAllister");
    assert_forms("['NATO']", "nato", "NATO", "NATO", "NATO", "NATO");
}

static void the_word_i_should_be_a_capital(void **state)
{
    (void)state;
    assert_forms("['','','','','I']", "I", "I", "I", "I", "I");
    assert_forms("['','','','','I']", "i", "I", "I", "I", "I");
}

/* May: the month, seen 4 times; may: 8 times. */
static void a_word_with_two_forms_should_keep_that_which_it_has_inside(void **state)
{
    (void)state;
    static const char both[] = "['','','May','may']", equal[] = "['','','May may']",
        month[] = "['may','','May']", rare[] = "['may','May']";
    assert_forms(both, "May", "may", "May", "May", "may");
    assert_forms(both, "may", "may", "may", "may", "may");
    assert_forms(both, "MAY", "may", "may", "may", "may");
    assert_forms(equal, "May", "may", "May", "May", "may");
    assert_forms(month, "May", "May", "May", "May", "May");
    assert_forms(month, "may", "may", "may", "May", "May");
    assert_forms(rare, "may", "may", "may", "may", "May");
    assert_forms(rare, "May", "May", "May", "May", "May");
}

static void a_title_and_names_in_a_list_should_keep_their_words(void **state)
{
    (void)state;
    static const char words[] = "['','Tom Mary Ann Bob','the big cat']";
    assert_forms(words, "Cat", "cat", "Cat", "cat", "cat");
    assert_forms(words, "Mary", "Mary", "Mary", "Mary", "Mary");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_should_have_the_place_that_its_sentence_gives),
        cmocka_unit_test(an_unknown_word_should_stay),
        cmocka_unit_test(a_small_word_should_be_small_where_a_sentence_begins),
        cmocka_unit_test(a_name_should_keep_its_capital_and_get_it_back),
        cmocka_unit_test(the_word_i_should_be_a_capital),
        cmocka_unit_test(a_word_with_two_forms_should_keep_that_which_it_has_inside),
        cmocka_unit_test(a_title_and_names_in_a_list_should_keep_their_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
