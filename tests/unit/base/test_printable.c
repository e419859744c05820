/* test_printable.c - what of a text may command a terminal, and what must stay. */
#include "base/strings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void assert_printable(const char *text, const char *expected)
{
    char copy[100];
    strcpy(copy, text);
    make_printable(copy);
    assert_string_equal(copy, expected);
}

static void control_characters_should_become_question_marks(void **state)
{
    assert_printable("\033]0;title\a", "?]0;title?");
    assert_printable("a\nb\tc\rd\x7f" "e\x1f" "f\x01", "a?b?c?d?e?f?");
    assert_printable("\xC2\x80" "a\xC2\x9B" "b\xC2\x9F", "?a?b?");
}

static void what_turns_breaks_or_hides_text_should_become_question_marks(void **state)
{
    assert_printable("a\u202Eb\u2066c\u200Fd\u061Ce", "a?b?c?d?e");
    assert_printable("a\u2028b\u2029c", "a?b?c");
    assert_printable("a\u00ADb\u200Bc\u2060d\uFEFFe\U000E0041f", "a?b?c?d?e?f");
}

static void every_other_character_should_stay(void **state)
{
    assert_printable("", "");
    assert_printable(" ~\u00a0\u00c0é▁静\U0001F600", " ~\u00a0\u00c0é▁静\U0001F600");
    assert_printable("\u200C\u200D\u2010\u2027\u202F\u0600", "\u200C\u200D\u2010\u2027\u202F\u0600");
}

static void bytes_that_are_no_utf8_should_stay(void **state)
{
    assert_printable("\xC2", "\xC2");
    assert_printable("\xE2\x80", "\xE2\x80");
    assert_printable("\x9B\xFF\xC2" "a", "\x9B\xFF\xC2" "a");
}

static void a_line_should_be_printable_up_to_its_end(void **state)
{
    char printed[100] = "";
    FILE *out = tmpfile();
    printable_line(out, "%s: \033[%d\n", "a\rb", 7);
    rewind(out);
    assert_int_equal(fread(printed, 1, sizeof printed, out), 10);
    assert_string_equal(printed, "a?b: ?[7?\n");
    fclose(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(control_characters_should_become_question_marks),
        cmocka_unit_test(what_turns_breaks_or_hides_text_should_become_question_marks),
        cmocka_unit_test(every_other_character_should_stay),
        cmocka_unit_test(bytes_that_are_no_utf8_should_stay),
        cmocka_unit_test(a_line_should_be_printable_up_to_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
