/* test_corpus_words.c - which words are names, and how numbers are separated. */
#include "analysis/corpus_words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* pairs: source, target, source, ... NULL */
static CorpusWords words_of(const char *const *pairs)
{
    CorpusWords words = { 0 };
    for (; *pairs; pairs += 2)
        corpus_words_add(&words, pairs[0], strlen(pairs[0]), pairs[1], strlen(pairs[1]));
    return words;
}

static int is_name(const CorpusWords *words, const char *word)
{
    return corpus_words_is_name(words, word, strlen(word));
}

static void names_should_have_their_capital_inside_sentences(void **state)
{
    (void)state;
    CorpusWords words = words_of((const char *const[]){
        "The will of Will. Did Tom see TV?", "Tom a vu la télé ?",
        "Only if Anna knows Łukasz.", "Anna connaît Łukasz.",
        "He saw Rose and the rose.", "Il a vu Rose.",
        "The Hand is big.", "La main et le hand sont là, la hand.", NULL });
    static const char *const names[] = { "Tom", "Anna", "Łukasz" };
    static const char *const others[] = {
        "The", "Did", "Only",           /* only at the start of a sentence */
        "Will", "Rose",                 /* as often with a small letter */
        "TV", "see", "Nobody",          /* no small letter; no capital; not there */
        "Hand"                          /* small in the target */
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_true(is_name(&words, names[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(is_name(&words, others[i]));
    corpus_words_free(&words);
}

static void a_tenth_of_small_letters_should_be_the_most(void **state)
{
    (void)state;
    CorpusWords words = { 0 };
    for (int i = 0; i < 9; i++) corpus_words_add(&words, "I saw Mark", 10, "x", 1);
    corpus_words_add(&words, "A mark", 6, "x", 1);
    assert_true(is_name(&words, "Mark"));
    corpus_words_add(&words, "A mark", 6, "x", 1);
    assert_false(is_name(&words, "Mark"));
    corpus_words_free(&words);
}

static void words_of_both_sides_should_be_known(void **state)
{
    (void)state;
    CorpusWords words = words_of((const char *const[]){ "Go to e\u0301te\u0301.", "Va, Éric",
                                                        NULL });
    assert_true(corpus_words_has(&words, "Go", 2));
    assert_true(corpus_words_has(&words, "\u00E9t\u00E9", 5));      /* in its normal form */
    assert_true(corpus_words_has(&words, "Éric", 5));
    assert_false(corpus_words_has(&words, "go", 2));
    corpus_words_free(&words);
}

static void assert_separators(const char *const *pairs, const char *group, const char *point)
{
    CorpusWords words = words_of(pairs);
    const NumberSeparators found = corpus_words_separators(&words);
    assert_string_equal(found.group, group);
    assert_string_equal(found.point, point);
    corpus_words_free(&words);
}

static void separators_should_be_those_of_most_source_numbers(void **state)
{
    (void)state;
    assert_separators((const char *const[]){ "It was 3.", "1.000", NULL }, ",", ".");
    assert_separators((const char *const[]){ "1,000 and 2.000 and 3,000", "x", NULL }, ",", ".");
    assert_separators((const char *const[]){ "1.000 und 2.000.000", "x", NULL }, ".", ",");
    assert_separators((const char *const[]){ "1 000 et 2\u202F000", "x", NULL }, "\u00A0", ",");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_should_have_their_capital_inside_sentences),
        cmocka_unit_test(a_tenth_of_small_letters_should_be_the_most),
        cmocka_unit_test(words_of_both_sides_should_be_known),
        cmocka_unit_test(separators_should_be_those_of_most_source_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
