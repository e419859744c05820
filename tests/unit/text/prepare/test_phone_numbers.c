/* test_phone_numbers.c - numbers that count nothing, and numbers that do. */
#include "text/prepare/phone_numbers.h"

#include "scratch.h"

static int is_phone_number(const char *line)
{
    Words words = { 0 };
    words_split(line, strlen(line), 1, &words);
    const int is_so = phone_number_is(&words, 0, words.count);
    words_free(&words);
    return is_so;
}

static void phone_numbers_should_be_known(void **state)
{
    (void)state;
    static const char *const numbers[] = {
        "+33 6 12 34 56 78", "06 12 34 56 78", "555-1234", "555-123-456", "1-800-555-0199", "0800 123 456",
        "+44 123 456", "07700 900123", "1234-5678-9", "12 34 56 78 90 12 34 56", "0-123456"
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_int_equal((is_phone_number(numbers[i]) ? 0 : (int)i + 1), 0);
}

static void other_numbers_should_be_none(void **state)
{
    (void)state;
    static const char *const numbers[] = {
        "67 000 000", "2026-11-22", "10000-20000", "2019 25000", "12--34567x", "12 +3456789",
        "1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8", "1 234 567", "123 456 789", "1990-1995", "555-123", "911", "12",
        "1,234,567", "1234567.5", "06.12.34.56.78", "12/34/5678", "6-4", "12345 x 6789", "-1234567",
        "5551234", "Tom 1234567"
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_int_equal((is_phone_number(numbers[i]) ? (int)i + 1 : 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phone_numbers_should_be_known),
        cmocka_unit_test(other_numbers_should_be_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
