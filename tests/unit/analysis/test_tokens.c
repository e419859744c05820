/* test_tokens.c - words, numbers and negations in lines as people write them. */
#include "analysis/tokens.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* The tokens of the line with bars between; a number by its digits with #, a word that starts a
 * sentence with ^. */
static void assert_tokens(const char *line, const char *expected)
{
    Buf found = { 0 }, digits = { 0 };
    Token token;
    buf_clear(&found);
    for (Tokens at = tokens_of(line); tokens_next(&at, &token);) {
        if (found.length) buf_putc(&found, '|');
        if (token.starts_sentence) buf_putc(&found, '^');
        if (token.kind == TOKEN_NUMBER) {
            number_digits(&token, &digits);
            buf_printf(&found, "#%s", digits.text);
        } else {
            buf_add(&found, token.text, token.length);
        }
    }
    assert_string_equal(found.text, expected);
    buf_free(&digits);
    buf_free(&found);
}

static void words_should_be_runs_of_letters_and_marks(void **state)
{
    (void)state;
    assert_tokens("", "");
    assert_tokens(" -- \"", "");
    assert_tokens("Jean-Luc's e\xCC\x81t\xC3\xA9", "^Jean|Luc|s|e\xCC\x81t\xC3\xA9");
    assert_tokens("R2D2", "^R|#2|D|#2");
}

static void sentences_should_start_behind_full_stops(void **state)
{
    (void)state;
    assert_tokens("\xC2\xAB Oui ! \xC2\xBB Non? Si.. A\xE2\x80\xA6 B, c", "^Oui|^Non|^Si|^A|^B|c");
    assert_tokens("3 men. Go", "^#3|men|^Go");
}

static void groups_of_three_digits_should_be_one_number(void **state)
{
    (void)state;
    assert_tokens("1,000 1.000 1 000 000", "^#1000|#1000|#1000000");
    assert_tokens("100 200 and 30", "^#100200|and|#30");
    assert_tokens("12,34", "^#12|#34");
    assert_tokens("1,2345", "^#1|#2345");
    assert_tokens("2010 300", "^#2010|#300");
    assert_tokens("1,234.56", "^#1234|^#56");
    assert_tokens("10:30", "^#10|#30");
    assert_tokens("999", "^#999");
    assert_tokens("1,", "^#1");
}

static void a_number_should_fall_apart_into_its_groups(void **state)
{
    (void)state;
    Token number;
    Tokens tokens = tokens_of("x 12 345,678!");
    assert_true(tokens_next(&tokens, &number) && tokens_next(&tokens, &number));
    const char *at = number.text, *group;
    const char *const expected[] = { "12", "345", "678" };
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(number_group(&number, &at, &group), strlen(expected[i]));
        assert_memory_equal(group, expected[i], strlen(expected[i]));
    }
    assert_int_equal(number_group(&number, &at, &group), 0);
}

static void assert_negation(const char *line, const char *expected)
{
    Token found = { .length = 0 };
    if (!negation_find(line, &found)) fail_msg("no negation in '%s'", line);
    assert_int_equal(found.length, strlen(expected));
    assert_memory_equal(found.text, expected, found.length);
}

static void every_word_of_negation_should_be_found(void **state)
{
    (void)state;
    const char *const words[] = { "not", "cannot", "never", "no", "nobody", "nothing",
                                  "ne", "pas", "jamais", "rien", "personne" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        assert_negation(words[i], words[i]);
        char line[64];
        snprintf(line, sizeof line, "x%s %sx, %s.", words[i], words[i], words[i]);
        assert_negation(line, words[i]);
    }
    assert_negation("NEVER!", "NEVER");
    assert_negation("Pas moi.", "Pas");
}

static void contractions_and_elisions_should_be_negations_with_their_apostrophe(void **state)
{
    (void)state;
    assert_negation("I don't.", "don't");
    assert_negation("I can\xE2\x80\x99t go", "can\xE2\x80\x99t");
    assert_negation("DON'T", "DON'T");
    assert_negation("Il n'a plus", "n'");
    assert_negation("N\xE2\x80\x99importe", "N\xE2\x80\x99");
}

static void what_only_looks_like_a_negation_should_be_none(void **state)
{
    (void)state;
    const char *const lines[] = { "", "I know nothings", "a notary", "the man's", "man'tis", "it's",
                                  "n", "n'",
                                  "rock 'n' roll", "Anne", "passe", "1", "don 't" };
    Token found;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (negation_find(lines[i], &found))
            fail_msg("'%.*s' in '%s'", (int)found.length, found.text, lines[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_should_be_runs_of_letters_and_marks),
        cmocka_unit_test(sentences_should_start_behind_full_stops),
        cmocka_unit_test(groups_of_three_digits_should_be_one_number),
        cmocka_unit_test(a_number_should_fall_apart_into_its_groups),
        cmocka_unit_test(every_word_of_negation_should_be_found),
        cmocka_unit_test(contractions_and_elisions_should_be_negations_with_their_apostrophe),
        cmocka_unit_test(what_only_looks_like_a_negation_should_be_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
