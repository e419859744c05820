/* test_numbers.c - numbers of a text as the other language writes them, and what only looks like one. */
#include "text/locale/numbers.h"

#include "scratch.h"

static void assert_rewritten(const Locale *from, const Locale *into, const char *text, const char *expected)
{
    Buf out = { 0 };
    buf_clear(&out);
    numbers_rewrite(from, into, text, &out);
    assert_string_equal(out.text, expected);
    buf_free(&out);
}

static void assert_french(const char *text, const char *expected)
{
    assert_rewritten(&locale_english, &locale_french, text, expected);
}

static void assert_english(const char *text, const char *expected)
{
    assert_rewritten(&locale_french, &locale_english, text, expected);
}

static void groups_and_fractions_should_have_the_marks_of_the_other_language(void **state)
{
    (void)state;
    assert_french("1,299.99", "1 299,99");
    assert_french("3,500,000", "3 500 000");
    assert_french("0.5", "0,5");
    assert_french("3.14159", "3,14159");
    assert_french("42", "42");
    assert_french("", "");
    assert_english("1 299,99", "1,299.99");
    assert_english("3 500 000", "3,500,000");
    assert_english("100.000", "100,000");
    assert_english("1.234.567", "1,234,567");
    assert_english("1.000.000,5", "1,000,000.5");
    assert_english("0,5", "0.5");
    assert_rewritten(&locale_english, &locale_english, "1,299.99", "1,299.99");
}

static void all_numbers_of_a_text_should_be_written(void **state)
{
    (void)state;
    assert_french("4.5 m x 3.2 m", "4,5 m x 3,2 m");
    assert_french("120.5km/h", "120,5km/h");
    assert_french("-2.5-3.5", "-2,5-3,5");
    assert_english("4,5 m x 10 000 m", "4.5 m x 10,000 m");
}

static void other_numbers_should_stay(void **state)
{
    (void)state;
    static const char *const others[] = {
        "1.2.3", "192.168.1.10", "10,20", "1,2345", "1234,567", "007,000", "0,000", "10:30", "1,000,00",
        "1,000:30", "1.5.2,5", "12.", "5,"
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) assert_french(others[i], others[i]);
    assert_english("2020 300", "2020 300");
    assert_english("06 12 34", "06 12 34");
    assert_english("3,5,7", "3,5,7");
    assert_english("1 000.000", "1 000.000");
    assert_english("3.5", "3.5");
    assert_english("3.142 et 42.195", "3.142 et 42.195");
}

static void signs_of_currencies_should_change_sides(void **state)
{
    (void)state;
    assert_french("€20", "20 €");
    assert_french("£ 1,200.50", "1 200,50 £");
    assert_french("20€", "20 €");
    assert_french("€", "€");
    assert_french("€1.5 km", "€1,5 km");
    assert_english("12,50 €", "€12.50");
    assert_english("1 200€", "€1,200");
    assert_english("$5", "$5");
    assert_english("20 € x", "20 € x");
    assert_english("2020 300 €", "2020 300 €");
    assert_english("1.234,5 €", "€1,234.5");
    assert_french("US$1,200", "1 200 US$");
    assert_english("20 US$", "US$20");
    assert_french("US$", "US$");
}

static void millions_of_money_should_have_the_words_of_the_other_language(void **state)
{
    (void)state;
    assert_french("$2.5 million", "2,5 millions de dollars");
    assert_french("€1.9 million", "1,9 million d'euros");
    assert_french("$1 million", "1 million de dollars");
    assert_french("$0.5 million", "0,5 million de dollars");
    assert_french("$19 million", "19 millions de dollars");
    assert_french("£3bn", "3 milliards de livres");
    assert_french("$ 1,250 billion", "1 250 milliards de dollars");
    assert_french("€5T", "5 billions d'euros");
    assert_french("₹20 million", "20 millions ₹");
    assert_french("5 million €", "5 millions d'euros");
    assert_english("50 M€", "€50 million");
    assert_english("2,5 millions $", "$2.5 million");
    assert_english("1 milliard €", "€1 billion");
    assert_english("3 Md €", "€3 billion");
    assert_english("2 billions £", "£2 trillion");
    assert_french("$5 millionaires", "$5 millionaires");
    assert_french("$5 mb", "$5 mb");
    assert_french("5 million", "5 million");
    assert_french("$5 million €", "$5 million €");
    assert_english("50 M", "50 M");
    assert_french("$10 million dollars", "10 millions de dollars");
    assert_french("$10 million euros", "$10 million euros");
    assert_french("$5 T", "$5 T");
    assert_french("$5T", "5 billions de dollars");
    assert_english("50 M €", "€50 million");
    assert_french("$5 Million", "5 millions de dollars");
    assert_french("€1 BILLION", "1 MILLIARD D'EUROS");
    assert_french("$5 Million Dollars", "5 millions de dollars");
    assert_french("$5 MILLION DOLLARS", "5 MILLIONS DE DOLLARS");
    assert_french("$5 TN", "$5 TN");
    assert_french("$250k", "250 k$");
    assert_french("€2.5K", "2,5 k€");
    assert_french("$5 k", "$5 k");
    assert_english("10 k€", "€10k");
    assert_english("10k€", "€10k");
    assert_french("US$5 million dollars", "5 millions de dollars américains");
    assert_french("US$5 million US dollars", "5 millions de dollars américains");
    assert_english("3 Millions €", "€3 million");
    assert_english("2 MILLIARDS €", "€2 BILLION");
    assert_french("$5 Millionaires", "$5 Millionaires");
    assert_french("US$5 million", "5 millions de dollars américains");
    assert_french("A$1 BILLION", "1 MILLIARD DE DOLLARS AUSTRALIENS");
    assert_french("HK$5 million", "5 millions HK$");
    assert_french("K$5 million", "K$5 million");
    assert_french("A 5 million", "A 5 million");
}

/* How many words of a line, from word i on, are such an amount. */
static int scaled(const Locale *locale, const char *line, size_t i)
{
    Words words = { 0 };
    words_split(line, strlen(line), 1, &words);
    const int count = (int)(numbers_scaled_money_end(locale, &words, i) - i);
    words_free(&words);
    return count;
}

static void millions_of_money_in_a_line_should_be_found_whole(void **state)
{
    (void)state;
    assert_int_equal(scaled(&locale_english, "It costs $2.5 million.", 2), 3);
    assert_int_equal(scaled(&locale_english, "It costs $2.5 million.", 3), 0);
    assert_int_equal(scaled(&locale_english, "It costs £3bn, Tom.", 2), 3);
    assert_int_equal(scaled(&locale_english, "It costs $5.", 2), 0);
    assert_int_equal(scaled(&locale_english, "5 million people", 0), 0);
    assert_int_equal(scaled(&locale_english, "$5 million", 0), 3);
    assert_int_equal(scaled(&locale_english, "", 0), 0);
    assert_int_equal(scaled(&locale_english, "$10 million dollars.", 0), 4);
    assert_int_equal(scaled(&locale_english, "2 million $10 tickets", 0), 0);
    assert_int_equal(scaled(&locale_english, "a $5 T shirt", 1), 0);
    assert_int_equal(scaled(&locale_english, "US$5 Million", 0), 4);
    assert_int_equal(scaled(&locale_english, "It costs $250k.", 2), 3);
    assert_int_equal(scaled(&locale_english, "A $5 million house", 0), 0);
    assert_int_equal(scaled(&locale_english, "A $5 million house", 1), 3);
    assert_int_equal(scaled(&locale_french, "Elle a gagné 1 250 millions €.", 3), 4);
    assert_int_equal(scaled(&locale_french, "50 M€ en 2021", 0), 3);
    assert_int_equal(scaled(&locale_french, "2021 50 M", 0), 0);
}

static int has_groups(const Locale *locale, const char *word)
{
    return numbers_has_groups(locale, (PlainWord){ word, strlen(word) });
}

static void a_number_with_groups_should_be_known(void **state)
{
    (void)state;
    assert_true(has_groups(&locale_english, "1,200"));
    assert_true(has_groups(&locale_french, "1 200,5"));
    assert_false(has_groups(&locale_english, "1.200"));
    assert_false(has_groups(&locale_english, "1,200.5.7"));
    assert_false(has_groups(&locale_french, "3.142"));
    assert_false(has_groups(&locale_english, "people"));
    assert_false(numbers_has_groups(&locale_english, (PlainWord){ "1,200", 4 }));
}

/* The number is the last word. */
static int is_named(const Locale *locale, const char *line)
{
    Words words = { 0 };
    words_split(line, strlen(line), 1, &words);
    const int is_so = numbers_is_named(locale, &words, words.count - 1);
    words_free(&words);
    return is_so;
}

static void what_numbers_are_the_names_of_should_be_known(void **state)
{
    (void)state;
    static const char *const english[] = {
        "version 2.0", "Chapter 4.2", "versions 2.0, 2.1 and 2.2", "the version is 2.0", "from 9.30", "from 9.30 to 17.00",
        "between 9.15 and 10.30"
    };
    static const char *const french[] = {
        "le chapitre 3,5", "Mon code est 123", "questions 1,2 et 3,4", "appelez le 118", "Le mot de passe est 123"
    };
    static const char *const others[] = {
        "2.0", "a 2.0", "is 2.0", "Tom 2.0 and 2.1", "version of 2.0", "at 110.30", "at 10.3", "at 10.75", "version, 2.0",
        "and 2.0", "section x and 2.0"
    };
    for (size_t i = 0; i < sizeof english / sizeof *english; i++)
        assert_int_equal(is_named(&locale_english, english[i]) ? 0 : (int)i + 1, 0);
    for (size_t i = 0; i < sizeof french / sizeof *french; i++)
        assert_int_equal(is_named(&locale_french, french[i]) ? 0 : (int)i + 1, 0);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(is_named(&locale_english, others[i]) ? (int)i + 1 : 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_and_fractions_should_have_the_marks_of_the_other_language),
        cmocka_unit_test(all_numbers_of_a_text_should_be_written),
        cmocka_unit_test(other_numbers_should_stay),
        cmocka_unit_test(signs_of_currencies_should_change_sides),
        cmocka_unit_test(millions_of_money_should_have_the_words_of_the_other_language),
        cmocka_unit_test(millions_of_money_in_a_line_should_be_found_whole),
        cmocka_unit_test(a_number_with_groups_should_be_known),
        cmocka_unit_test(what_numbers_are_the_names_of_should_be_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
