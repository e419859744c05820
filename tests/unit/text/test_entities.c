/* test_entities.c - characters by their names and numbers, and what only looks like one. */
#include "text/markup/entities.h"

#include "scratch.h"

#include <stdlib.h>

static void assert_decoded(const char *line, const char *expected)
{
    char *decoded = entities_decode(line);
    assert_string_equal(decoded, expected);
    free(decoded);
}

static void names_should_become_their_characters(void **state)
{
    (void)state;
    assert_decoded("caf&eacute;s &Agrave; &OElig;&Oelig;", "cafés À ŒŒ");
    assert_decoded("&quot;a&nbsp;b&quot; &hellip;", "\"a\u00A0b\" …");
    assert_decoded("&euro;5 &laquo;x&raquo;", "€5 «x»");
    assert_decoded("Tom &amp; AT&amp;T&amp;", "Tom & AT&T&");
    assert_decoded("a &lt; b &gt; c &#38; d", "a < b > c & d");
    assert_decoded("<b>&eacute;</b> <code>a</code>&quot; `b`&quot;", "<b>é</b> <code>a</code>\" `b`\"");
    assert_decoded("a&nbsp;<b>", "a\u00A0<b>");
}

static void numbers_should_become_their_characters(void **state)
{
    (void)state;
    assert_decoded("it&#39;s &#x27;so&#X27; &#8364;", "it's 'so' €");
    assert_decoded("&#x1F600; &#65;&#34;", "😀 A\"");
}

static void what_begins_a_tag_or_another_name_should_stay(void **state)
{
    (void)state;
    static const char *const others[] = {
        "a&lt; b &gt;c", "&lt;b&gt;", "&#60;b&#x3E;", "&#42;a&#42;", "&#91;", "<td>&nbsp;</td>", "&nbsp;",
        "<a title=\"&quot;\">", "`&quot;`", "`a &quot; b`", "<code>&quot;</code>", "<!-- &quot; -->", "http://a.b/?c=1&amp;d=2",
        "&Szlig;", "&Ordf;", "&amp;lt;", "&amp;amp;", "&#38;lt;", "R&D; a&b", "&;", "&#;", "&#x;",
        "&#xg;", "&#39", "&eacute", "&Quot;", "&EACUTE;", "&bogus;", "&eacutes;", "&#55296;", "&#1114112;", "&#0;", "&#10;",
        "&#99999999999;", "&#65x;", "&#x41g;", "& ", "&", ""
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) assert_decoded(others[i], others[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_should_become_their_characters),
        cmocka_unit_test(numbers_should_become_their_characters),
        cmocka_unit_test(what_begins_a_tag_or_another_name_should_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
