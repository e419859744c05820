/* test_markup.c - characters by their names; tags of HTML and XML, and lines without them. */
#include "text/markup.h"

#include "base/mem.h"
#include "base/random/rng.h"
#include "scratch.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

/* ---- Entities ---- */

static unsigned decode(const char *line, unsigned kept, Buf *out)
{
    buf_clear(out);
    return entities_decode(line, strlen(line), kept, out);
}

static void assert_decoded(const char *line, const char *expected)
{
    SCOPED(buf_free) Buf decoded = { 0 };
    decode(line, 0, &decoded);
    assert_string_equal(decoded.text, expected);
}

UNIT_TEST(names_should_become_their_characters)
{
    assert_decoded("caf&eacute;s &Agrave; &OElig;&AElig;", "cafés À ŒÆ");
    assert_decoded("&quot;a&nbsp;b&quot; &hellip;", "\"a\u00A0b\" …");
    assert_decoded("&euro;5 &laquo;x&raquo;", "€5 «x»");
    assert_decoded("Tom &amp; AT&amp;T&amp; &amp;lt;", "Tom & AT&T& &lt;");
    assert_decoded("a &lt; b&gt; &#38; &#x3c;", "a < b> & <");
}

UNIT_TEST(numbers_should_become_their_characters)
{
    assert_decoded("it&#39;s &#x27;so&#X27; &#8364;", "it's 'so' €");
    assert_decoded("&#x1F600; &#65;&#34; &#42;", "😀 A\" *");
}

UNIT_TEST(what_is_no_name_should_stay)
{
    static const char *const others[] = {
        "&Szlig;", "&qacute;", "&acute;", "R&D; a&b", "&;", "&#;", "&#x;", "&Amp;",
        "&#xg;", "&#39", "&eacute", "&Quot;", "&EACUTE;", "&bogus;", "&eacutes;", "&#55296;", "&#1114112;", "&#0;", "&#10;",
        "&#99999999999;", "&#65x;", "&#x41g;", "& ", "&", ""
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) assert_decoded(others[i], others[i]);
}

/* What was decoded comes back where it is written again, and nothing else does. */
UNIT_TEST(signs_of_html_should_come_back)
{
    static const char *const lines[] = { "R&amp;D &lt; a", "R&D &lt;b", "a > b &amp; c", "a &gt;&lt;", "a & b &amp; c" };
    SCOPED(buf_free) Buf text = { 0 }, back = { 0 };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const unsigned bare = entities_bare(lines[i], strlen(lines[i]));
        const unsigned signs = decode(lines[i], bare, &text);
        assert_int_equal(signs & bare, 0);
        buf_clear(&back);
        entities_encode(text.text, text.length, signs, &back);
        assert_string_equal(back.text, lines[i]);
    }
    assert_int_equal(entities_bare("a &amp; &eacute; &#60;", 22), 0);
}

/* ---- Tags ---- */

/* The plain line with its tags as {text}, those that stand alone as {!text}; > behind those that
 * belong to what is before them. */
static void show(const Markup *m, Buf *out)
{
    size_t from = 0;
    buf_clear(out);
    for (const Tag *tag = m->tag; tag < m->tag + m->count; tag++) {
        assert_in_range(tag->at, from, m->text.length);
        buf_add(out, m->text.text + from, tag->at - from);
        buf_printf(out, "{%s%.*s}%s", tag->to_partner ? "" : "!", (int)tag->length, tag->text,
                   tag->is_behind ? ">" : "");
        from = tag->at;
    }
    buf_puts(out, m->text.text + from);
}

static void assert_taken_out(const char *line, const char *expected)
{
    SCOPED(markup_free) Markup m = { 0 };
    SCOPED(buf_free) Buf out = { 0 };
    markup_take_out(&m, line);
    show(&m, &out);
    assert_string_equal(out.text, expected);
}

static void assert_stays(const char *line)
{
    assert_taken_out(line, line);
}

UNIT_TEST(elements_should_be_taken_out)
{
    assert_taken_out("a <b>cat</b> is", "a {<b>}cat{</b>}> is");
    assert_taken_out("<p><i>a</i> b</p>", "{<p>}{<i>}a{</i>}> b{</p>}>");
    assert_taken_out("<a href=\"x > y\" id='z'>a</a>", "{<a href=\"x > y\" id='z'>}a{</a>}>");
    assert_taken_out("<i a=b selected>a</i>", "{<i a=b selected>}a{</i>}>");
    assert_taken_out("<i selected a='b'c=\"d\" >a</i >", "{<i selected a='b'c=\"d\" >}a{</i >}>");
    assert_taken_out("<img src=x/>a<br/>b", "{!<img src=x/>}a\n{!<br/>}b");
    assert_stays("<b selection>a</c d=e> <!- a -> <!-- a");
    assert_stays("a < b and c > d, <3, <- <x and y> <b and c=5> <b && c=d>e");
    assert_stays("<name> is <file>");
    assert_taken_out("a cat, <!-- <b>a</b> --> a", "a cat,{! <!-- <b>a</b> -->}> a");
    assert_taken_out("<b>a</i>", "{!<b>}a{!</i>}>");
    assert_taken_out("<b><i>a</b> c</i>", "{<b>}{!<i>}a{</b>}> c{!</i>}>");
    assert_taken_out("<td></td>a", "{<td>}{</td>}>a");
}

UNIT_TEST(entities_should_be_their_characters)
{
    assert_taken_out("a&nbsp;<b>cat</b> &amp; dog", "a\u00A0{<b>}cat{</b>}> & dog");
    assert_taken_out("a <a title=\"&quot;\">cat&#39;s</a>", "a {<a title=\"&quot;\">}cat's{</a>}>");
    assert_taken_out("&lt;b&gt;a&lt;/b&gt;", "<b>a</b>");
    assert_taken_out("<code>a &lt; b &amp; c</code>", "<code>a &lt; b & c</code>");
}

UNIT_TEST(nothing_else_should_be_markup)
{
    assert_stays("a *cat* is **here**, _so_ ~~it~~ `is` [a](b.html) \"cat\", « chat » 'cat' (a) - b -");
    assert_stays("| a | cat |\tso \u2022 it is");
    assert_stays("\"save\": \"Save\",");
    assert_taken_out("a\ncat", "a cat");
}

UNIT_TEST(words_should_stay_words)
{
    assert_stays("H<sub>2</sub>O, http://a.b/<b>c</b>");
    assert_taken_out("<b>Mr</b>. Cat", "{<b>}Mr{</b>}>. Cat");
    assert_taken_out("<b>l</b>'homme", "{<b>}l'{</b>}>homme");
    assert_taken_out("a<b>b</b>c</i>d<b>e</b>", "{<b>}abc{</b>}>{!</i>}> {<b>}de{</b>}>");
    assert_stays("<kbd>Ctrl</kbd>+<kbd>C</kbd>");
    assert_taken_out("<b>10</b>:<b>30</b> <i>a</i>", "{<b>}10{</b>}>:{<b>}30{</b>}> {<i>}a{</i>}>");
    assert_taken_out("<p>a</p> <p>cat</p>", "{<p>}a{</p>}> \n{<p>}cat{</p>}>");
    assert_taken_out("a.<b>B</b>", "a. {<b>}B{</b>}>");
    assert_taken_out("a<br>b <br/> c", "a\n{!<br>}b \n{!<br/> }c");
    assert_taken_out("<p>A.</p><p>B.</p>", "{<p>}A.{</p>}>\n{<p>}B.{</p>}>");
    assert_taken_out("the cat </p> a", "the cat{! </p>}> \na");
    assert_taken_out("<hr> a <hr>", "{!<hr> }a{! <hr>}> ");
}

UNIT_TEST(a_line_of_tags_alone_should_be_bare)
{
    static const char *const bare[] = { "<br/>", "<b> </b>", "<b>\u200B</b>", "<td>&nbsp;</td>", "<name>", " <x a=\"b\">" };
    static const char *const others[] = { "", " ", "a", "<b>a</b>", "<3", "&lt;b&gt;" };
    SCOPED(markup_free) Markup m = { 0 };
    for (size_t i = 0; i < sizeof bare / sizeof *bare; i++) {
        markup_take_out(&m, bare[i]);
        assert_true(m.is_bare);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        markup_take_out(&m, others[i]);
        assert_false(m.is_bare);
    }
    markup_keep(&m, "<br/>\n&amp;");
    assert_string_equal(m.text.text, "<br/> &amp;");
    assert_false(m.is_bare || m.count || m.signs);
}

static int count_words(const char *text)
{
    int words = 0;
    for (int inside = 0; *text;) {
        const int is_blank = unicode_is_space(unicode_next(&text));
        words += !is_blank && !inside;
        inside = !is_blank;
    }
    return words;
}

/* Whatever the line: the rest of it stays, the words are counted, pairs are nested. */
UNIT_TEST(any_line_should_be_its_plain_line_and_its_tags)
{
    static const char *const parts[] = { "<b>", "</b>", "<br/>", "<i class=\"a b\">", "</i>", "<p>", "</p>",
                                         "<!-- a -->", "<", ">", " ", " ", "a", "cat", ".", ",", ": ", "é",
                                         " a", "—", "&amp;", "&eacute;", "<kbd>" };
    enum { PARTS = sizeof parts / sizeof *parts, LINES = 20000, MOST = 24 };
    SCOPED(markup_free) Markup m = { 0 };
    for (int i = 0; i < LINES; i++) {
        const uint64_t key = rng_key(1, (uint64_t)i, RNG_NOISE);
        SCOPED(buf_free) Buf line = { 0 };
        int words = 0, depth = 0, open[MOST];
        buf_clear(&line);
        for (uint64_t k = rng_below(key, 0, MOST); k > 0; k--)
            buf_puts(&line, parts[rng_below(key, k, PARTS)]);
        markup_take_out(&m, line.text);
        assert_true(unicode_valid(m.text.text, m.text.length));
        for (int k = 0; k < (int)m.count; k++) {
            words += m.tag[k].words;
            if (m.tag[k].to_partner > 0) open[depth++] = k;
            if (m.tag[k].to_partner < 0) assert_int_equal(open[--depth], k + m.tag[k].to_partner);
        }
        assert_int_equal(depth, 0);
        assert_int_equal(count_words(m.text.text) + words, count_words(line.text));
    }
}

int main(void) { return run_unit_tests(); }
