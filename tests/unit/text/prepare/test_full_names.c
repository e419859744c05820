/* test_full_names.c - names of several words among other words. */
#include "text/prepare/full_names.h"

#include "lexicon_case.h"
#include "scratch.h"

/* Seen once, by most words; 2, 4, 8, 16, 32 and 64 times. */
static const char source_text[] =
    "['Ecuador Leonardo Sauvez sauvez ant bee cat cow dog elk emu fox gnu hen jay kid owl pig rat yak',"
    "'','','','United King White Bob','Paris',"
    "'Tom Mary Boston Sunday May may king white bill will rose stone university the is saw van real']";
static const char other_text[] = "['ant bee cat cow dog','','','','Bob','Paris','Tom Mary Boston May']";

/* What is found of a line, in brackets. */
static void assert_names(const char *text, const char *expected)
{
    Lexicon *lexicon = lexicon_of(source_text), *other = lexicon_of(other_text);
    LineWords line = { .language = { .lexicon = lexicon, .other = other } };
    Buf out = { 0 };
    buf_clear(&out);
    words_split(text, strlen(text), 1, &line.words);
    line_words_settle(&line);
    for (size_t i = 0, end; i < line.words.count; i = end > i ? end : i + 1) {
        end = full_name_end(&line, i);
        for (size_t k = i; k < end; k++) {
            const PlainWord word = words_plain(&line.words, k);
            buf_putc(&out, k == i ? '[' : ' ');
            buf_add(&out, word.text, word.length);
        }
        if (end > i) buf_putc(&out, ']');
    }
    assert_string_equal(out.text, expected);
    buf_free(&out);
    line_words_free(&line);
    lexicon_free(lexicon);
    lexicon_free(other);
}

static void an_unknown_name_should_go_on_to_its_surname(void **state)
{
    (void)state;
    assert_names("I saw Stephen King.", "[Stephen King]");
    assert_names("Stephen King is", "[Stephen King]");
    assert_names("I saw Emma Stone, the king", "[Emma Stone]");
    assert_names("I saw Goldman Sachs", "[Goldman Sachs]");
    assert_names("the cat saw Nguyen Van Minh there", "[Nguyen Van Minh]");
    assert_names("I saw Air Paris", "[Air Paris]");
    assert_names("I saw Emma McAllister", "[Emma McAllister]");
    assert_names("I saw Harvard University", "");
    assert_names("I saw Stephen. King", "");
    assert_names("I saw Stephen king", "");
    assert_names("I saw Stephen Sunday", "");
    assert_names("I saw Stephen", "");
}

static void a_name_that_both_languages_have_should_be_copied_where_it_is_rare(void **state)
{
    (void)state;
    assert_names("Bob Stone is", "[Bob Stone]");
    assert_names("I saw Bob Tom", "[Bob Tom]");
    assert_names("Leonardo Stone is", "[Leonardo Stone]");
    assert_names("I saw Emma Ecuador", "[Emma Ecuador]");
    assert_names("the Bob is", "");
}

static void a_well_known_first_name_should_stay_a_word(void **state)
{
    (void)state;
    assert_names("I saw Mary White.", "[White]");
    assert_names("Mary White is", "[White]");
    assert_names("Tom van Stone is", "[van Stone]");
    assert_names("Mary Tom is", "");
    assert_names("Mary Dad is", "");
    assert_names("Mary Bob is", "");
    assert_names("Mary White's dog", "[Mary White]");
    assert_names("Mary White\u2019s dog", "[Mary White]");
    assert_names("Mary's White", "");
    assert_names("I saw May Stone", "");
}

static void a_word_should_be_a_first_name_before_a_surname(void **state)
{
    (void)state;
    assert_names("Bill Gates is", "[Bill Gates]");
    assert_names("Bill is", "");
    assert_names("Will Stone is", "[Will Stone]");
    assert_names("Will Stone come?", "");
    assert_names("I saw Will Stone?", "[Will Stone]");
    assert_names("The king Charles de Gaulle is", "[Charles de Gaulle]");
    assert_names("I saw Jean de la Fontaine", "[Jean de la Fontaine]");
    assert_names("I saw Emma de Gaulle", "");
    assert_names("I saw Emma van der Stone", "[Emma van der Stone]");
    assert_names("I saw Mr. Rose", "");
    assert_names("Real Gates is", "");
}

static void a_sentence_should_begin_with_a_name_only_before_what_is_unknown(void **state)
{
    (void)state;
    assert_names("Aimes Tom.", "");
    assert_names("Sauvez Stone.", "");
    assert_names("Aimes Sachs", "[Aimes Sachs]");
}

static void titles_of_works_and_capitals_should_have_none(void **state)
{
    (void)state;
    assert_names("The Stone King White Tom Sachs", "");
    assert_names("I SAW STEPHEN KING", "");
    assert_names("stephen king", "");
}

static void a_language_alone_should_know_names_too(void **state)
{
    (void)state;
    Lexicon *lexicon = lexicon_of(source_text);
    LineWords line = { .language = { .lexicon = lexicon } };
    words_split("Mary White is", strlen("Mary White is"), 1, &line.words);
    line_words_settle(&line);
    assert_int_equal(full_name_end(&line, 0), 0);
    assert_int_equal(full_name_end(&line, 1), 1);
    line_words_free(&line);
    lexicon_free(lexicon);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unknown_name_should_go_on_to_its_surname),
        cmocka_unit_test(a_name_that_both_languages_have_should_be_copied_where_it_is_rare),
        cmocka_unit_test(a_well_known_first_name_should_stay_a_word),
        cmocka_unit_test(a_word_should_be_a_first_name_before_a_surname),
        cmocka_unit_test(a_sentence_should_begin_with_a_name_only_before_what_is_unknown),
        cmocka_unit_test(titles_of_works_and_capitals_should_have_none),
        cmocka_unit_test(a_language_alone_should_know_names_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
