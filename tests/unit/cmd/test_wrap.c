/* test_wrap.c - where lines end. */
#include "cmd/wrap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void lines_should_end_between_words(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int         column, indent, columns;
        const char *wrapped;
    } cases[] = {
        { "", 0, 2, 10, "" },
        { "one two three", 0, 2, 13, "one two three" },
        { "one two three", 0, 2, 12, "one two\n  three" },
        { "one two three", 4, 4, 11, "one two\n    three" },
        { "name   one two", 0, 7, 13, "name   one\n       two" },
        { "abc longer-than-the-line b", 0, 2, 8, "abc\n  longer-than-the-line\n  b" },
        { "longer-than-the-line", 0, 0, 8, "longer-than-the-line" },
        { "été 静静", 0, 0, 8, "été 静静" },
        { "été 静静", 0, 0, 7, "été\n静静" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Buf out = { 0 };
        buf_clear(&out);
        wrap_words(cases[i].text, cases[i].column, cases[i].indent, cases[i].columns, &out);
        assert_string_equal(out.text, cases[i].wrapped);
        buf_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(lines_should_end_between_words) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
