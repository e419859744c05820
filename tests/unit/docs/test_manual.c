/* test_manual.c - text that must come out of roff as it went in. */
#include "docs/docs.h"
#include "test.h"

#include <string.h>

static void assert_becomes(void (*add)(const char *, Buf *), const char *text, const char *roff)
{
    Buf out = { 0 };
    add(text, &out);
    assert_string_equal(out.text, roff);
    buf_free(&out);
}

UNIT_TEST(a_line_should_never_be_a_request)
{
    assert_becomes(roff_text, ".gz files", "\\&.gz files");
    assert_becomes(roff_text, "a\n'b'", "a\n\\&\\(aqb\\(aq");
    assert_becomes(roff_text, "a\n\n.b", "a\n.PP\n\\&.b");
    assert_becomes(roff_code, "x\n.y\n'z", "x\n\\&.y\n\\&\\(aqz");
}

UNIT_TEST(characters_should_come_out_as_they_are)
{
    assert_becomes(roff_text, "a\\b ~/c ^ `", "a\\eb \\(ti/c \\(ha \\(ga");
    assert_becomes(roff_text, "don't re-read 1 - 2", "don't re-read 1 \\- 2");
    assert_becomes(roff_code, "don't re-read", "don\\(aqt re\\-read");
}

UNIT_TEST(options_should_be_bold)
{
    assert_becomes(roff_text, "--beam N, or -m.", "\\fB\\-\\-beam\\fR N, or \\fB\\-m\\fR.");
    assert_becomes(roff_text, "(--top-k)", "(\\fB\\-\\-top\\-k\\fR)");
    assert_becomes(roff_text, "-- and -", "\\-\\- and \\-");
    assert_becomes(roff_code, "a --b", "a \\-\\-b");
}

int main(void) { return run_unit_tests(); }
