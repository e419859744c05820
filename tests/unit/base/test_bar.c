/* test_bar.c - bars, to an eighth of a column. */
#include "base/strings.h"
#include "text/unicode.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void assert_bar(double fraction, int width, const char *expected)
{
    Buf out = { 0 };
    buf_puts(&out, "|");
    int columns = bar_draw(fraction, width, &out);
    assert_string_equal(out.text + 1, expected);
    assert_int_equal(columns, unicode_columns(expected));
    buf_free(&out);
}

static void bars_should_be_drawn_to_an_eighth_of_a_column(void **state)
{
    assert_bar(0.7, 5, "███▌");
    assert_bar(1, 4, "████");
    assert_bar(0.5, 4, "██");
    assert_bar(0.99, 1, "▉");
    assert_bar(1. / 8, 1, "▏");
    assert_bar(0.124, 1, "");
    assert_bar(0.5, 0, "");
}

static void what_is_no_share_should_be_drawn_as_none_or_all(void **state)
{
    assert_bar(-1, 3, "");
    assert_bar(7, 3, "███");
    assert_bar(NAN, 3, "");
    assert_bar(INFINITY, 3, "███");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars_should_be_drawn_to_an_eighth_of_a_column),
        cmocka_unit_test(what_is_no_share_should_be_drawn_as_none_or_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
