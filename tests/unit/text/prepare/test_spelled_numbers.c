/* test_spelled_numbers.c - words that become digits, and words that stay. */
#include "text/prepare/spelled_numbers.h"

#include "scratch.h"

#include <stdio.h>

/* The words of a line, joined again. */
static void assert_written(const Locale *locale, const char *line, const char *expected)
{
    Words words = { 0 };
    Buf out = { 0 };
    words_split(line, strlen(line), 1, &words);
    spelled_numbers_write(locale, &words);
    buf_clear(&out);
    if (words.count) words_join(words.text.text, words.text.length, &out);
    assert_string_equal(out.text, expected);
    buf_free(&out);
    words_free(&words);
}

static void english_numbers_should_become_digits(void **state)
{
    (void)state;
    assert_written(&locale_english, "She is thirty-six years old.", "She is 36 years old.");
    assert_written(&locale_english, "Forty-two, NINETY-NINE, (twenty-one)!", "42, 99, (21)!");
    assert_written(&locale_english, "a seventy-seven b eighty-eight", "a 77 b 88");
    assert_written(&locale_english, "between twenty-two and thirty-three", "between 22 and 33");
    assert_written(&locale_english, "Tom and forty-two others", "Tom and 42 others");
}

/* All from 21 to 99 but for the round ones, as French writes them. */
static void french_numbers_should_become_digits(void **state)
{
    static const char *const small[] = {
        "", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze", "treize",
        "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf"
    };
    static const char *const tens[] = { NULL, NULL, "vingt", "trente", "quarante", "cinquante", "soixante",
                                        "soixante", "quatre-vingt", "quatre-vingt" };
    (void)state;
    for (int n = 21; n < 100; n++) {
        const int is_twenty = n >= 60, rest = is_twenty ? n % 20 : n % 10;
        char line[64], expected[8];
        if (!rest) continue;
        const char *link = (rest == 1 || rest == 11) && n < 80 ? "-et-" : "-";
        snprintf(line, sizeof line, "%s%s%s", tens[n / 10], link, small[rest]);
        snprintf(expected, sizeof expected, "%d", n);
        assert_written(&locale_french, line, expected);
    }
    assert_written(&locale_french, "quatre-vingts ans, Soixante-dix, septante-deux, nonante-neuf, vingt-et-une",
                   "80 ans, 70, 72, 99, 21");
}

static void other_words_should_stay(void **state)
{
    static const char *const english[] = {
        "one-two two-one twenty-ten twenty-zero twenty-one-two", "twenty thirty thirty - six", "well-known x-ray",
        "twenty-five hundred", "two hundred and fifty-six", "thirty-thirty", "twenty- -six twenty--six", "-", "",
        "nineteen eighty-four", "seven forty-five", "thirty-six point five", "seventeen seventy-six",
        "thirty-six ten", "six-twenty", "hundred-one", "four-twenty four-twenty-one",
    };
    static const char *const french[] = {
        "dix-sept dix-huit deux-trois", "vingt-dix trente-onze soixante-vingt quatre-vingt-vingt",
        "vingt-deux mille", "cent vingt-deux", "dix heures quarante-cinq", "midi trente-cinq", "dix heures moins vingt-cinq",
        "trente-six virgule cinq", "soixante-dix-deux quatre-vingt-dix-un",
        "septante-douze nonante-onze",
        "quatre quatre-trente vingt-quatre-vingt", "et-un soixante-et vingt-vingt",
    };
    (void)state;
    for (size_t i = 0; i < sizeof english / sizeof *english; i++)
        assert_written(&locale_english, english[i], english[i]);
    for (size_t i = 0; i < sizeof french / sizeof *french; i++)
        assert_written(&locale_french, french[i], french[i]);
    assert_written(NULL, "thirty-six", "thirty-six");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(english_numbers_should_become_digits),
        cmocka_unit_test(french_numbers_should_become_digits),
        cmocka_unit_test(other_words_should_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
