/* test_roman.c - numbers in Roman letters. */
#include "text/roman.h"

#include "scratch.h"

#include <string.h>

typedef struct { const char *letters; int number; } Case;

static void assert_numbers(const Case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_int_equal(roman_number(cases[i].letters, strlen(cases[i].letters)), cases[i].number);
}

static void letters_should_be_numbers(void **state)
{
    (void)state;
    static const Case cases[] = {
        { "I", 1 }, { "III", 3 }, { "IV", 4 }, { "VIII", 8 }, { "IX", 9 }, { "XIV", 14 },
        { "XXXIX", 39 }, { "XL", 40 }, { "LVIII", 58 }, { "XC", 90 }, { "CDXLIV", 444 },
        { "CM", 900 }, { "MCMXCIX", 1999 }, { "MMMDCCCLXXXVIII", 3888 }, { "MMMCMXCIX", 3999 }
    };
    assert_numbers(cases, sizeof cases / sizeof *cases);
}

static void other_letters_should_be_none(void **state)
{
    (void)state;
    static const Case cases[] = {
        { "", 0 }, { "IIII", 0 }, { "IIX", 0 }, { "VV", 0 }, { "IC", 0 }, { "MMMM", 0 }, { "xiv", 0 },
        { "XIVE", 0 }, { "CIVIL", 0 }, { "MMMDCCCLXXXVIIII", 0 }, { "MMMMMMMMMMMMMMMMMMMMMMM", 0 }
    };
    assert_numbers(cases, sizeof cases / sizeof *cases);
}

static void a_number_should_end_where_it_is_said_to(void **state)
{
    (void)state;
    assert_int_equal(roman_number("XXIe", 3), 21);
    assert_int_equal(roman_number("XXIe", 2), 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_should_be_numbers),
        cmocka_unit_test(other_letters_should_be_none),
        cmocka_unit_test(a_number_should_end_where_it_is_said_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
