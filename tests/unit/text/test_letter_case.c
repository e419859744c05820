/* test_letter_case.c - the shapes of words, the case of sentences, and the place of each word. */
#include "text/letter_case.h"

#include "scratch.h"
#include "text/words.h"

static void a_word_should_have_the_shape_of_its_letters(void **state)
{
    static const struct { const char *word; Shape shape; } rows[] = {
        { "", SHAPE_NONE }, { ".", SHAPE_NONE }, { "«", SHAPE_NONE }, { "😀", SHAPE_NONE },
        { "12", SHAPE_UNCASED }, { "你好", SHAPE_UNCASED }, { "½", SHAPE_UNCASED },
        { "calm", SHAPE_SMALL }, { "été", SHAPE_SMALL }, { "2nd", SHAPE_SMALL },
        { "it's", SHAPE_SMALL }, { "I", SHAPE_CAPITAL }, { "É", SHAPE_CAPITAL },
        { "A1", SHAPE_CAPITAL }, { "Tom", SHAPE_CAPITALISED }, { "Été", SHAPE_CAPITALISED },
        { "'Tis", SHAPE_CAPITALISED }, { "3D", SHAPE_CAPITAL }, { "NATO", SHAPE_CAPITALS },
        { "U.S.", SHAPE_CAPITALS }, { "ПРИВЕТ", SHAPE_CAPITALS }, { "McAllister", SHAPE_MIXED },
        { "iPhone", SHAPE_MIXED }, { "TVs", SHAPE_MIXED }, { "eBay", SHAPE_MIXED },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(letter_case_shape(rows[i].word, strlen(rows[i].word)), rows[i].shape);
}

/* The shapes of a sentence, a letter each: . punctuation, 1 uncased, a small, I capital, T
 * capitalised, N capitals, m mixed. */
static SentenceCase case_of(const char *shapes)
{
    static const char letters[] = ".1aITNm";
    unsigned char shape[32];
    const size_t count = strlen(shapes);
    for (size_t i = 0; i < count; i++)
        shape[i] = (unsigned char)(strchr(letters, shapes[i]) - letters);
    unsigned char place[32];
    return sentence_case(shape, count, place);
}

static void a_sentence_should_have_the_case_of_its_words(void **state)
{
    static const struct { const char *shapes; SentenceCase expected; } rows[] = {
        { "", CASE_USUAL }, { ".", CASE_USUAL }, { "1.", CASE_USUAL }, { "11", CASE_USUAL },
        { "Taa.", CASE_USUAL }, { "TaTa.", CASE_USUAL }, { "Iaa.", CASE_USUAL },
        { "aaa.", CASE_SMALL }, { ".a1.", CASE_SMALL }, { "a", CASE_SMALL }, { "aIa", CASE_USUAL },
        { "am", CASE_USUAL }, { "NNN.", CASE_CAPITALS }, { "INI.", CASE_CAPITALS },
        { "1N.", CASE_CAPITALS }, { "II.", CASE_USUAL }, { "I", CASE_USUAL },
        { "NaN", CASE_USUAL }, { "NT", CASE_USUAL }, { "Nm", CASE_USUAL },
        { "TTTT.", CASE_TITLE }, { "TaTTT", CASE_TITLE }, { "aTTT", CASE_TITLE },
        { "TTT", CASE_USUAL }, { "TaaaTTT", CASE_USUAL }, { "TaaTTT", CASE_TITLE },
        { ".1TTTT", CASE_TITLE }, { ".1TTT", CASE_USUAL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (case_of(rows[i].shapes) != rows[i].expected)
            fail_msg("%s: case %d", rows[i].shapes, case_of(rows[i].shapes));
}

/* Each word at its place, a letter each: F first, i inside, s small, C capitals. */
static void assert_places(const char *line, const char *expected)
{
    Words words = { 0 };
    unsigned char shape[32], place[32];
    char seen[33] = "";
    words_split(line, strlen(line), 0, &words);
    for (size_t i = 0; i < words.count; i++) {
        const Slice word = words_core_at(&words, i);
        shape[i] = (unsigned char)letter_case_shape(word.text, word.length);
    }
    sentence_case(shape, words.count, place);
    for (size_t i = 0; i < words.count; i++)
        seen[i] = "FisC"[place[i]];
    assert_string_equal(seen, expected);
    words_free(&words);
}

static void a_word_should_have_the_place_that_its_sentence_gives(void **state)
{
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_should_have_the_shape_of_its_letters),
        cmocka_unit_test(a_sentence_should_have_the_case_of_its_words),
        cmocka_unit_test(a_word_should_have_the_place_that_its_sentence_gives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
