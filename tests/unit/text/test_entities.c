/* test_entities.c - characters by their names and numbers, and back. */
#include "text/entities.h"

#include "scratch.h"

#include <string.h>

static unsigned decode(const char *line, unsigned kept, Buf *out)
{
    buf_clear(out);
    return entities_decode(line, strlen(line), kept, out);
}

static void assert_decoded(const char *line, const char *expected)
{
    Buf decoded = { 0 };
    decode(line, 0, &decoded);
    assert_string_equal(decoded.text, expected);
    buf_free(&decoded);
}

static void names_should_become_their_characters(void **state)
{
    assert_decoded("caf&eacute;s &Agrave; &OElig;&Oelig;", "cafés À ŒŒ");
    assert_decoded("&quot;a&nbsp;b&quot; &hellip;", "\"a\u00A0b\" …");
    assert_decoded("&euro;5 &laquo;x&raquo;", "€5 «x»");
    assert_decoded("Tom &amp; AT&amp;T&amp; &amp;lt;", "Tom & AT&T& &lt;");
    assert_decoded("a &lt; b&gt; &#38; &#x3c;", "a < b> & <");
}

static void numbers_should_become_their_characters(void **state)
{
    assert_decoded("it&#39;s &#x27;so&#X27; &#8364;", "it's 'so' €");
    assert_decoded("&#x1F600; &#65;&#34; &#42;", "😀 A\" *");
}

static void what_is_no_name_should_stay(void **state)
{
    static const char *const others[] = {
        "&Szlig;", "&Ordf;", "R&D; a&b", "&;", "&#;", "&#x;", "&Amp;",
        "&#xg;", "&#39", "&eacute", "&Quot;", "&EACUTE;", "&bogus;", "&eacutes;", "&#55296;", "&#1114112;", "&#0;", "&#10;",
        "&#99999999999;", "&#65x;", "&#x41g;", "& ", "&", ""
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) assert_decoded(others[i], others[i]);
}

/* What was decoded comes back where it is written again, and nothing else does. */
static void signs_of_html_should_come_back(void **state)
{
    static const char *const lines[] = { "R&amp;D &lt; a", "R&D &lt;b", "a > b &amp; c", "a &gt;&lt;", "a & b &amp; c" };
    Buf text = { 0 }, back = { 0 };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const unsigned bare = entities_bare(lines[i], strlen(lines[i]));
        const unsigned signs = decode(lines[i], bare, &text);
        assert_int_equal(signs & bare, 0);
        buf_clear(&back);
        entities_encode(text.text, text.length, signs, &back);
        assert_string_equal(back.text, lines[i]);
    }
    assert_int_equal(entities_bare("a &amp; &eacute; &#60;", 22), 0);
    buf_free(&text);
    buf_free(&back);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_should_become_their_characters),
        cmocka_unit_test(numbers_should_become_their_characters),
        cmocka_unit_test(what_is_no_name_should_stay),
        cmocka_unit_test(signs_of_html_should_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
