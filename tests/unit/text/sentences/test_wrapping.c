/* test_wrapping.c - lines that go on in the next one, and lines that only are long. */
#include "text/sentences/wrapping.h"

#include "scratch.h"

#define FORTY "0123456789 123456789 123456789 123456789"    /* 40 characters */
#define SIXTY FORTY " 123456789 12345678"

static void a_line_should_go_on_where_the_next_word_had_no_room(void **state)
{
    (void)state;
    assert_int_equal(wrapping_width(SIXTY "\u00E9"), 60);
    assert_true(wrapping_goes_on(SIXTY, "next word", 60));
    assert_true(wrapping_goes_on(SIXTY, "  next", 60));
    assert_true(wrapping_goes_on(SIXTY " 123", "seven", 72));
    assert_true(wrapping_goes_on(SIXTY, "4", 68));
    assert_false(wrapping_goes_on(SIXTY, "4", 72));
    assert_true(wrapping_goes_on(FORTY, "a-word-of-20-letters and", 68));
    assert_false(wrapping_goes_on(FORTY, "a-word-of-20-letters and", 72));
}

static void narrow_lines_should_end(void **state)
{
    (void)state;
    assert_false(wrapping_goes_on("Best regards,", "Mary", 13));
    assert_false(wrapping_goes_on(FORTY, "next", 40));
    assert_true(wrapping_goes_on(FORTY, "next-word-123", 40));
}

static void what_begins_anew_should_be_a_line(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "", "   ", "- item", "  * item", "1. One", "# Title", "> quoted", "| cell |", "— Oui."
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) assert_false(wrapping_goes_on(SIXTY, lines[i], 60));
    assert_false(wrapping_goes_on("", "next-word-of-" SIXTY, 60));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_should_go_on_where_the_next_word_had_no_room),
        cmocka_unit_test(narrow_lines_should_end),
        cmocka_unit_test(what_begins_anew_should_be_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
