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
}

static void numbers_should_become_their_characters(void **state)
{
    (void)state;
    assert_decoded("it&#39;s &#x27;so&#X27; &#8364;", "it's 'so' €");
    assert_decoded("&#x1F600;", "😀");
}

static void what_begins_a_tag_or_another_name_should_stay(void **state)
{
    (void)state;
    static const char *const others[] = {
        "a &lt; b &gt; c", "&#60;b&#x3E;", "&amp;lt;", "&amp;amp;", "&#38;lt;", "R&D; a&b", "&;", "&#;", "&#x;",
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
