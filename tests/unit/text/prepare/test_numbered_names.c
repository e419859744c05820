/* test_numbered_names.c - names with Roman numbers among other words. */
#include "text/prepare/numbered_names.h"

#include "lexicon_case.h"
#include "scratch.h"

/* Seen once, four and eight times. */
static const char lexicon_text[] = "['rocky','','II','chapter war world king Louis']";

/* How many words are copied together from word i on. */
static void assert_words(size_t i, const char *line, size_t expected)
{
    Lexicon *lexicon = lexicon_of(lexicon_text);
    Words words = { 0 };
    words_split(line, strlen(line), 1, &words);
    assert_int_equal(numbered_name_end(lexicon, &words, i) - i, expected);
    words_free(&words);
    lexicon_free(lexicon);
}

static void a_name_should_go_on_to_its_number(void **state)
{
    (void)state;
    assert_words(0, "Louis XIV died", 2);
    assert_words(1, "King Louis XIV", 2);
    assert_words(0, "Rocky II", 2);
    assert_words(0, "John Paul II", 3);
    assert_words(0, "Henry V, Malcolm X", 2);
    assert_words(0, "François Ier", 2);
    assert_words(0, "Élisabeth Ire", 2);
    assert_words(0, "Élisabeth II.", 2);
    assert_words(1, "Ann Ann Ann Ann Ann II", 5);
    assert_words(1, "KING LOUIS XIV DIED", 2);
}

static void other_words_should_be_no_such_name(void **state)
{
    (void)state;
    assert_words(0, "Chapter IV", 0);
    assert_words(0, "CHAPTER IV", 0);
    assert_words(0, "World War II", 0);
    assert_words(1, "World War II", 0);
    assert_words(0, "King Louis XIV", 0);
    assert_words(0, "rocky II", 0);
    assert_words(0, "Louis I know", 0);
    assert_words(0, "Mr. X called", 0);
    assert_words(1, "Mr. Louis XIV", 2);
    assert_words(0, "Washington DC, Smith MD", 0);
    assert_words(0, "Louis XL", 0);
    assert_words(0, "Louis-II", 0);
    assert_words(0, "Louis iv", 0);
    assert_words(0, "Louis", 0);
    assert_words(0, "II", 0);
    assert_words(0, "Ann Ann Ann Ann Ann II", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_should_go_on_to_its_number),
        cmocka_unit_test(other_words_should_be_no_such_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
