/* test_markup.c - tags of formatting, and lines without them. */
#include "text/markup/markup.h"

#include "base/random/rng.h"
#include "lexicon_case.h"
#include "scratch.h"
#include "text/unicode.h"

#include <stdlib.h>

/* Training has seen quotes, guillemets, * and <b> often in the second. */
static const char rare[] = "['','','','','','','. , the cat is here']";
static const char usual[] = "['','','','','','','. , * \\u0022 \\u00AB <b> </b> the cat is here']";

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

static void assert_taken_out_of(const char *lexicon_text, const char *line, const char *expected)
{
    Lexicon *lexicon = lexicon_text ? lexicon_of(lexicon_text) : NULL;
    Markup m = { 0 };
    Buf out = { 0 };
    markup_take_out(&m, lexicon, line);
    show(&m, &out);
    assert_string_equal(out.text, expected);
    buf_free(&out);
    markup_free(&m);
    lexicon_free(lexicon);
}

static void assert_taken_out(const char *line, const char *expected)
{
    assert_taken_out_of(rare, line, expected);
}

static void assert_stays(const char *line)
{
    assert_taken_out(line, line);
}

static void elements_should_be_taken_out(void **state)
{
    (void)state;
    assert_taken_out("a <b>cat</b> is", "a {<b>}cat{</b>}> is");
    assert_taken_out("<p><i>a</i> b</p>", "{<p>}{<i>}a{</i>}> b{</p>}>");
    assert_taken_out("<a href=\"x > y\" id='z'>a</a>", "{<a href=\"x > y\" id='z'>}a{</a>}>");
    assert_taken_out("<i a=b selected>a</i>", "{<i a=b selected>}a{</i>}>");
    assert_stays("a < b and c > d, <3, <- <x and y> <b and c=5> <b && c=d>e");
    assert_stays("<name> is <file>");
    assert_taken_out("a cat, <!-- <b>a</b> --> a", "a cat,{! <!-- <b>a</b> -->}> a");
    assert_taken_out("<b>a</i>", "{!<b>}a{!</i>}>");
    assert_taken_out("<b><i>a</b> c</i>", "{<b>}{!<i>}a{</b>}> c{!</i>}>");
    assert_taken_out("<td></td>a", "{<td>}{</td>}>a");
}

static void names_of_characters_should_be_these(void **state)
{
    (void)state;
    assert_taken_out("a&nbsp;<b>cat</b> &amp; dog", "a\u00A0{<b>}cat{</b>}> & dog");
    assert_taken_out("a *cat&#39;s*", "a {*}cat's{*}>");
    assert_taken_out_of(NULL, "a &amp; b", "a &amp; b");
}

static void emphasis_should_be_taken_out(void **state)
{
    (void)state;
    assert_taken_out("a *cat* is", "a {*}cat{*}> is");
    assert_taken_out("**a cat**.", "{**}a cat{**}>.");
    assert_taken_out("***a*** _b c_ ~~d~~", "{***}a{***}> {_}b c{_}> {~~}d{~~}>");
    assert_taken_out("*a **b** c*", "{*}a {**}b{**}> c{*}>");
    assert_stays("* a");
    assert_stays("2 * 3 * 4, 5*6*7");
    assert_stays("a* cat, *the");
    assert_stays("a_b_c __init__ `*a*` ____ ****a**** ~~~b~~~");
    assert_stays("a `*b c*`, `<b>a</b> c` and `a \"b\" c (d) e` is");
    assert_taken_out("a ` *b c* ` `*d*", "a ` {*}b c{*}> ` `{*}d{*}>");
}

static void links_should_be_taken_out(void **state)
{
    (void)state;
    assert_taken_out("see [a cat](a.html) here", "see {[}a cat{](a.html)}> here");
    assert_taken_out("![a cat](a.png \"The (cat\") is", "{![}a cat{](a.png \"The (cat\")}> is");
    assert_taken_out("[![a](b)](c) is", "{[}{![}a{](b)}>{](c)}> is");
    assert_taken_out("[the *cat* [is] here](a_(b)#c ), he", "{[}the {*}cat{*}>{! [is]}> here{](a_(b)#c )}>, he");
    assert_taken_out("[a](b 'c') [d](e", "{[}a{](b 'c')}> [d](e");
    assert_taken_out("Cat![a](b)", "Cat!{[}a{](b)}>");
    assert_stays("[a] (b) and [c]() and [](d), cat[a](b)");
    assert_stays("[a](b c) [a](b \"c) [a](b 'c' d)");
    assert_stays("[a [b](c d), [a](<b");
    assert_stays("[a]xb) is, !a](b)");
    assert_stays("[a](b \"c");
}

static void borders_should_end_a_cell(void **state)
{
    (void)state;
    assert_taken_out("| The cat | a |", "{!| }The cat \n{!| }a{! |}> ");
    assert_taken_out("Cat • dog · hen", "Cat \n{!• }dog \n{!· }hen");
    assert_taken_out("|a|b |", "{!|}a\n{!|}b{! |}> ");
    assert_taken_out("a | b", "a \n{!| }b");
    assert_taken_out("| | a |", "{!| | }a{! |}> ");
    assert_taken_out("| a |  | cat | |", "{!| }a \n{!|  | }cat{! | |}> ");
    assert_taken_out("The cat | (old) a cat", "The cat \n{!| }(old) a cat");
    assert_taken_out("a\rcat | a", "a\rcat \n{!| }a");
    assert_stays("• a cat");
    assert_stays("a|b, c| d, |e, f || g, h•i, j • ");
    assert_stays("`a | b`");
    assert_stays("cat [file | dir], (a | b) and {c | d}");
    assert_taken_out("cat [file] | dir", "cat [file] \n{!| }dir");
    assert_stays("|a|b c");
    assert_stays("a b|c|");
    assert_stays("|");
}

static void tabs_should_end_a_cell_unless_they_indent_it(void **state)
{
    (void)state;
    assert_taken_out("The cat\ta: \tcat", "The cat\n{!\t}a: \n{!\t}cat");
    assert_taken_out("\ta\t\tcat\t \t", "\ta\n{!\t\t}cat{!\t \t}>");
    assert_taken_out("(a\tcat)", "(a\n{!\t}cat)");
    assert_taken_out("| a\tcat |", "{!| }a\n{!\t}cat{! |}> ");
    assert_taken_out("The cat\t(old) a cat", "The cat\n{!\t}(old) a cat");
    assert_taken_out("a (old\tcat) is", "a (old\n{!\t}cat) is");
    assert_taken_out("a cat\ta (old) cat", "a cat\n{!\t}a{! (old)}> cat");
    assert_stays("\ta cat");
    assert_stays("\t \t");
    assert_stays("1.\ta cat");
    assert_stays("(a)\tThe cat");
}

static void line_ends_of_a_text_should_end_a_cell(void **state)
{
    (void)state;
    assert_taken_out("The cat\n\r\na\n", "The cat\n{!\n\r\n}a{!\n}>");
    assert_taken_out("\nThe cat", "{!\n}The cat");
    assert_taken_out("cats\n- a\n- the", "cats\n{!\n}- a\n{!\n}- the");
    assert_stays("a\rcat");
}

static void quotes_inside_a_sentence_should_be_taken_out(void **state)
{
    (void)state;
    assert_taken_out("a \"cat\" is", "a {\"}cat{\"}> is");
    assert_taken_out("a “cat”.", "a {“}cat{”}>.");
    assert_taken_out("un « chat » est", "un {« }chat{ »}> est");
    assert_taken_out("\"The cat\" is", "{\"}The cat{\"}> is");
    assert_taken_out("\"Cat\" is", "{\"}Cat{\"}> is");
    assert_taken_out("a \"big new red old cat\" is", "a {\"}big new red old cat{\"}> is");
    assert_taken_out("a 5\" cat is 6\" long", "a 5\" cat is 6\" long");
}

static void asides_inside_a_clause_should_be_taken_out(void **state)
{
    (void)state;
    assert_taken_out("a (cat) is", "a{! (cat)}> is");
    assert_taken_out("a cat (the <b>cat</b>, I know), is", "a cat{! (the <b>cat</b>, I know)}>, is");
    assert_taken_out("a cat - the cat - is", "a cat{! - the cat -}> is");
    assert_taken_out("<b>a (cat) is</b> he is - I know - here", "{<b>}a{! (cat)}> is{</b>}> he is{! - I know -}> here");
    assert_stays("(a) cat is (here).");
    Lexicon *lexicon = lexicon_of(rare);
    Markup m = { 0 };
    markup_take_out(&m, lexicon, "a ( the cat ) is");
    assert_int_equal(m.tag[0].kind, TAG_ASIDE);
    assert_int_equal(m.tag[0].words, 4);
    assert_memory_equal(m.tag[0].text + m.tag[0].begin, "the cat", 7);
    assert_int_equal(m.tag[0].end - m.tag[0].begin, 7);
    markup_free(&m);
    lexicon_free(lexicon);
}

static void speech_should_keep_its_quotes(void **state)
{
    (void)state;
    assert_stays("\"The cat,\" he is");
    assert_stays("\"The cat,\" is");
    assert_stays("« Non », dit");
    assert_stays("He is: \"A cat.\"");
    assert_taken_out_of(usual, "He said \"I love you\".", "He said \"I love you\".");
    assert_taken_out_of(usual, "He told me \"no\".", "He told me \"no\".");
    assert_taken_out_of(usual, "Il a dit « non ».", "Il a dit « non ».");
    assert_taken_out_of(usual, "He said that \"all is well\".", "He said that {\"}all is well{\"}>.");
    assert_taken_out("Il a dit « non ».", "Il a dit {« }non{ »}>.");
    assert_taken_out("He said that \"all is well\".", "He said that {\"}all is well{\"}>.");
    assert_taken_out("He had told it to \"friends\".", "He had told it to {\"}friends{\"}>.");
}

static void quoted_names_should_keep_their_quotes(void **state)
{
    (void)state;
    assert_stays("Click on \"Save as\".");
    assert_stays("“The Cat” is here, \"Big Cat\" and « Élan » too.");
    assert_stays("the word \"cat\", what \"dog\" means, le mot « chat ». Type \"cat\".");
    assert_taken_out("\"Big cat\" is", "{\"}Big cat{\"}> is");
    assert_taken_out("“Cancel” is", "{“}Cancel{”}> is");
    assert_taken_out("on \"I do\" day", "on {\"}I do{\"}> day");
    assert_taken_out("an \"Only Very Big New Cat\".", "an {\"}Only Very Big New Cat{\"}>.");
    assert_taken_out("words of a \"cat\"", "words of a {\"}cat{\"}>");
}

static void what_training_has_seen_often_should_stay(void **state)
{
    (void)state;
    assert_taken_out_of(usual, "a *cat* is \"here\"", "a *cat* is {\"}here{\"}>");
    assert_taken_out_of(usual, "a <b>cat</b> is", "a {<b>}cat{</b>}> is");
    assert_taken_out_of(NULL, "a *cat* <b>is</b>", "a *cat* <b>is</b>");
}

static void words_should_stay_words(void **state)
{
    (void)state;
    assert_stays("H<sub>2</sub>O, 10:<b>30</b>, http://a.b/<b>c</b>");
    assert_taken_out("<b>Mr</b>. Cat", "{<b>}Mr.{</b>}> Cat");
    assert_taken_out("<b>l</b>'homme", "{<b>}l'{</b>}>homme");
    assert_taken_out("a<b>b</b>c</i>d<b>e</b>", "{<b>}abc{</b>}>{!</i>}> {<b>}de{</b>}>");
    assert_stays("<ref>a='b'</ref> <kbd>Ctrl</kbd>+<kbd>C</kbd>");
    assert_taken_out("<b>10</b>:<b>30</b> <i>a</i>", "<b>10</b>:<b>30</b> {<i>}a{</i>}>");
    assert_taken_out("<p>a</p> <p>cat</p>", "{<p>}a{</p>}> \n{<p>}cat{</p>}>");
    assert_taken_out("a.<b>B</b>", "a. {<b>}B{</b>}>");
    assert_taken_out("a<br>b <br/> c", "a\n{!<br>}b \n{!<br/> }c");
    assert_taken_out("<p>A.</p><p>B.</p>", "{<p>}A.{</p>}>\n{<p>}B.{</p>}>");
    assert_taken_out("the cat </p> a", "the cat{! </p>}> \na");
    assert_taken_out("<hr> a <hr>", "{!<hr> }a{! <hr>}> ");
}

static void a_line_of_tags_alone_should_keep_them(void **state)
{
    (void)state;
    assert_stays("<br/>");
    assert_stays("<b> </b>");
    assert_stays("<b>\u200B</b>");
    assert_stays("");
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
static void any_line_should_be_its_plain_line_and_its_tags(void **state)
{
    (void)state;
    static const char *const parts[] = { "<b>", "</b>", "<br/>", "<i class=\"a b\">", "</i>", "*", "**",
                                         "_", "\"", "« ", " »", "“", "”", " ", " ", "a", "cat", ".",
                                         ",", ": ", "é", " (", ") ", " - ", " a", "—", "a—a", "'" };
    enum { PARTS = sizeof parts / sizeof *parts, LINES = 20000, MOST = 24 };
    Lexicon *lexicon = lexicon_of(rare);
    Markup m = { 0 };
    for (int i = 0; i < LINES; i++) {
        const uint64_t key = rng_key(1, (uint64_t)i, RNG_NOISE);
        Buf line = { 0 };
        int words = 0, depth = 0, open[MOST];
        buf_clear(&line);
        for (uint64_t k = rng_below(key, 0, MOST); k > 0; k--)
            buf_puts(&line, parts[rng_below(key, k, PARTS)]);
        markup_take_out(&m, lexicon, line.text);
        assert_true(unicode_valid(m.text.text, m.text.length));
        for (int k = 0; k < (int)m.count; k++) {
            words += m.tag[k].words;
            if (m.tag[k].to_partner > 0) open[depth++] = k;
            if (m.tag[k].to_partner < 0) assert_int_equal(open[--depth], k + m.tag[k].to_partner);
        }
        assert_int_equal(depth, 0);
        assert_int_equal(count_words(m.text.text) + words, count_words(line.text));
        buf_free(&line);
    }
    markup_free(&m);
    lexicon_free(lexicon);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_should_be_taken_out),
        cmocka_unit_test(names_of_characters_should_be_these),
        cmocka_unit_test(emphasis_should_be_taken_out),
        cmocka_unit_test(links_should_be_taken_out),
        cmocka_unit_test(borders_should_end_a_cell),
        cmocka_unit_test(tabs_should_end_a_cell_unless_they_indent_it),
        cmocka_unit_test(line_ends_of_a_text_should_end_a_cell),
        cmocka_unit_test(quotes_inside_a_sentence_should_be_taken_out),
        cmocka_unit_test(asides_inside_a_clause_should_be_taken_out),
        cmocka_unit_test(speech_should_keep_its_quotes),
        cmocka_unit_test(quoted_names_should_keep_their_quotes),
        cmocka_unit_test(what_training_has_seen_often_should_stay),
        cmocka_unit_test(words_should_stay_words),
        cmocka_unit_test(a_line_of_tags_alone_should_keep_them),
        cmocka_unit_test(any_line_should_be_its_plain_line_and_its_tags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
