/* test_spelling.c - typing errors that can be nothing else, and words that are left alone. */
#include "text/prepare/spelling.h"

#include "lexicon_case.h"
#include "scratch.h"

/* The correction of a word, "" for none. */
static void assert_corrected(const Lexicon *lexicon, const char *word, long least,
                             const char *expected)
{
    Buf out = { 0 };
    buf_puts(&out, "_");
    const int is_corrected = spelling_correct(lexicon, word, strlen(word), least, &out);
    assert_int_equal(is_corrected, *expected != '\0');
    assert_string_equal(out.text + 1, expected);
    buf_free(&out);
}

static void swapped_and_doubled_letters_should_be_put_right(void **state)
{
    (void)state;
    Lexicon *lexicon = lexicon_of("['été','this brother the']");
    assert_corrected(lexicon, "tihs", 1, "this");
    assert_corrected(lexicon, "borther", 1, "brother");
    assert_corrected(lexicon, "brotherr", 1, "brother");
    assert_corrected(lexicon, "tthe", 1, "the");
    assert_corrected(lexicon, "téé", 1, "été");
    lexicon_free(lexicon);
}

static void other_words_should_be_left_alone(void **state)
{
    (void)state;
    Lexicon *lexicon = lexicon_of("['to','this brother the']");
    assert_corrected(lexicon, "ths", 1, "");
    assert_corrected(lexicon, "thos", 1, "");
    assert_corrected(lexicon, "ot", 1, "");
    assert_corrected(lexicon, "this", 1, "");
    assert_corrected(lexicon, "ti3hs", 1, "");
    assert_corrected(lexicon, "", 1, "");
    assert_corrected(lexicon, "tihsaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 1, "");
    lexicon_free(lexicon);
}

static void of_several_words_the_most_frequent_one_should_be_meant_if_it_is_frequent(void **state)
{
    (void)state;
    Lexicon *lexicon = lexicon_of("['form','','','from']");
    assert_corrected(lexicon, "fromm", 1, "from");
    assert_corrected(lexicon, "frmo", 1, "from");
    assert_corrected(lexicon, "frmo", 8, "from");
    assert_corrected(lexicon, "frmo", 9, "");
    assert_corrected(lexicon, "fomr", 8, "");
    assert_corrected(lexicon, "fomr", 1, "form");
    lexicon_free(lexicon);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swapped_and_doubled_letters_should_be_put_right),
        cmocka_unit_test(other_words_should_be_left_alone),
        cmocka_unit_test(
            of_several_words_the_most_frequent_one_should_be_meant_if_it_is_frequent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
