/* test_titles.c - titles, and names behind them. */
#include "text/prepare/titles.h"

#include "lexicon_case.h"
#include "scratch.h"

/* Seen once, four and eight times. */
static const char lexicon_text[] = "['Mrs. brown Smith','','white president Mme','Mr. Dr. is the']";

static PlainWord word_of(const char *text)
{
    return (PlainWord){ text, strlen(text) };
}

static void a_title_that_is_seldom_seen_should_be_copied_before_a_name(void **state)
{
    (void)state;
    Lexicon *lexicon = lexicon_of(lexicon_text);
    assert_true(title_is_copied(lexicon, word_of("Mrs."), word_of("Jones")));
    assert_true(title_is_copied(lexicon, word_of("Mme"), word_of("Jones")));
    assert_true(title_is_copied(lexicon, word_of("Ms."), word_of("Smith")));
    assert_true(title_is_copied(lexicon, word_of("Mrs."), word_of("McAllister")));
    assert_false(title_is_copied(lexicon, word_of("Mrs."), word_of("is")));
    assert_false(title_is_copied(lexicon, word_of("Mrs."), word_of("")));
    assert_false(title_is_copied(lexicon, word_of("Mr."), word_of("Jones")));
    assert_false(title_is_copied(lexicon, word_of("Smith"), word_of("Jones")));
    lexicon_free(lexicon);
}

static void a_common_word_should_be_a_name_behind_a_title(void **state)
{
    (void)state;
    Lexicon *lexicon = lexicon_of(lexicon_text);
    assert_true(title_makes_name(lexicon, word_of("Mr."), word_of("Brown")));
    assert_true(title_makes_name(lexicon, word_of("Mrs."), word_of("White")));
    assert_false(title_makes_name(lexicon, word_of("Mr."), word_of("brown")));
    assert_false(title_makes_name(lexicon, word_of("Mr."), word_of("Smith")));
    assert_false(title_makes_name(lexicon, word_of("Mr."), word_of("Zebra")));
    assert_false(title_makes_name(lexicon, word_of("Mr."), word_of("President")));
    assert_false(title_makes_name(lexicon, word_of("Mr."), word_of("The")));
    assert_false(title_makes_name(lexicon, word_of("is"), word_of("Brown")));
    assert_false(title_makes_name(lexicon, word_of(""), word_of("Brown")));
    lexicon_free(lexicon);
}

static size_t couple_end(const Lexicon *lexicon, const char *line)
{
    Words words = { 0 };
    words_split(line, strlen(line), 1, &words);
    const size_t end = title_couple_end(lexicon, &words, 0);
    words_free(&words);
    return end;
}

static void a_couple_should_end_behind_its_second_title(void **state)
{
    (void)state;
    Lexicon *lexicon = lexicon_of(lexicon_text);
    assert_int_equal(couple_end(lexicon, "Mr. and Mrs. Jones"), 3);
    assert_int_equal(couple_end(lexicon, "M. et Mme Jones"), 4);
    assert_int_equal(couple_end(lexicon, "Mrs. and Mr. Jones"), 0);     /* Mr. is known */
    assert_int_equal(couple_end(lexicon, "Mr. and Mrs."), 0);
    assert_int_equal(couple_end(lexicon, "Mr. or Mrs. Jones"), 0);
    assert_int_equal(couple_end(lexicon, "Tom and Mrs. Jones"), 0);
    assert_int_equal(couple_end(lexicon, "Mr."), 0);
    lexicon_free(lexicon);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_title_that_is_seldom_seen_should_be_copied_before_a_name),
        cmocka_unit_test(a_common_word_should_be_a_name_behind_a_title),
        cmocka_unit_test(a_couple_should_end_behind_its_second_title),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
