/* test_wholes.c - words that are copied together, among others. What is an address, a couple or a name
 * with a number is tested in test_streets.c, test_titles.c and test_numbered_names.c, a full name in
 * test_full_names.c.
 */
#include "text/prepare/quotations.h"
#include "text/prepare/wholes.h"

#include "lexicon_case.h"
#include "scratch.h"

/* What is found of a line, in brackets. */
static void assert_wholes(const char *text, const char *expected)
{
    LineWords line = { .language = { .lexicon = lexicon_of("['the in open']"),
                                     .locale = &locale_english, .into = &locale_french } };
    Buf out = { 0 };
    buf_clear(&out);
    words_split(text, strlen(text), 1, &line.words);
    line_words_settle(&line);
    for (size_t i = 0, end; i < line.words.count; i = end > i ? end : i + 1) {
        end = whole_end(&line, i);
        if (end == i) continue;
        buf_putc(&out, '[');
        for (size_t k = i, length; k < end; k++) {
            const char *word = words_at(&line.words, k, &length);
            const size_t mark = words_mark_length(word, length);
            if (mark && k > i) buf_putc(&out, ' ');
            buf_add(&out, word + mark, length - mark);
        }
        buf_putc(&out, ']');
    }
    assert_string_equal(out.text, expected);
    buf_free(&out);
    lexicon_free((Lexicon *)line.language.lexicon);
    line_words_free(&line);
}

static void each_kind_should_be_found(void **state)
{
    (void)state;
    assert_wholes("at 12 Baker Street", "[12 Baker Street]");
    assert_wholes("Mr. and Mrs. White", "[Mr. and Mrs.]");
    assert_wholes("King Louis XIV", "[King Louis XIV]");
    assert_wholes("I know Stephen King", "[Stephen King]");
    assert_wholes("Conan O'Brien and O'clock", "[O'Brien]");
    assert_wholes("in 2 h 15 min, 2 h 15", "[2 h 15 min]");
}

static void code_should_end_at_the_next_backquote(void **state)
{
    (void)state;
    assert_wholes("Run `make install` or `ls -l`.", "[`make install`][`ls -l`]");
    assert_wholes("a `quote and ` another, ` x `", "");
    assert_wholes("``make `in` stall`` is", "[``make `in` stall``]");
    assert_wholes("``python, ```a b", "");
    assert_wholes("```python", "");
    assert_wholes("``a`b c``", "[``a`b c``]");
    assert_wholes("```", "");
    assert_wholes("`make", "");
}

static void quoted_names_should_be_found_without_dates(void **state)
{
    (void)state;
    assert_wholes("Click on \"Save as\", then “OK”.", "[\"Save as\"][“OK”]");
    assert_wholes("le mot « chat noir » et «chien»", "[« chat noir »][«chien»]");
    assert_wholes("\"Cancel\" is here", "[\"Cancel\"]");
    assert_wholes("\"Rock'n'roll & more\" is", "[\"Rock'n'roll & more\"]");
    assert_wholes("He said \"yes\", told me \"no\": \"No\", \"no\"", "");
    assert_wholes("\"Yes\".", "");
    assert_wholes("In French, \"chat\" is, \"yes\".", "[\"chat\"]");
    assert_wholes("\"Yes\", he is", "");
    assert_wholes("a \"one two three four five\"", "");
    assert_wholes("a \"Stop!\" and \"no", "");
    assert_wholes("5\" x 6\"", "");
    assert_wholes("a\"Save\" is", "");
    assert_wholes("on \"May 4th\"", "");
}

static void assert_plain(const char *text, const char *expected)
{
    Buf buf = { 0 };
    buf_puts(&buf, text);
    quotation_plain(&buf);
    assert_string_equal(buf.text, expected);
    buf_free(&buf);
}

static void guillemets_should_become_plain_quotes(void **state)
{
    (void)state;
    assert_plain("« chat noir »", "\"chat noir\"");
    assert_plain("«chat»", "\"chat\"");
    assert_plain("« Outils » > « Options »", "\"Outils\" > \"Options\"");
    assert_plain("a « b »", "a « b »");
    assert_plain("«", "«");
}

static void paths_of_menus_should_be_found(void **state)
{
    (void)state;
    assert_wholes("Open Settings > Privacy > My Cookies and", "[Settings > Privacy > My Cookies]");
    assert_wholes("\"File\" > \"Save as\" → Disk", "[\"File\" > \"Save as\" → Disk]");
    assert_wholes("Settings > go, a > B", "");
}

static void sizes_should_go_on_from_x_to_x(void **state)
{
    (void)state;
    assert_wholes("a 4 m x 5 m room", "[4 m x 5 m]");
    assert_wholes("3 x 4 x 5 cm", "[3 x 4 x 5 cm]");
    assert_wholes("10 × 15 cm", "[10 × 15 cm]");
    assert_wholes("3 x 4 x y", "[3 x 4]");
    assert_wholes("3 x, 4 m, 5 cm y 3, x 4", "");
    assert_wholes("10 m cm x 3", "");
}

static void references_should_have_their_numbers(void **state)
{
    (void)state;
    assert_wholes("See p. 12 and Fig. 3.", "[p. 12][Fig. 3]");
    assert_wholes("vol. 2, pp. 4-7, chap.5", "[vol. 2][pp. 4-7][chap.5]");
    assert_wholes("a p, 12 pp. and fig. a", "");
    assert_wholes("the tab. 5 of art. 3", "");
}

static void rates_should_be_known_by_their_units(void **state)
{
    (void)state;
    assert_wholes("at 120 km/h or 30m/s", "[120 km/h][30m/s]");
    assert_wholes("km/h, 3 he/she, 5 km/hour, 3 km /h, 3 km/ h, 12 km, 3 a/h", "");
}

static void numbers_of_things_should_have_their_sign(void **state)
{
    (void)state;
    assert_wholes("la commande n° 4521 et N°12", "[n° 4521][N°12]");
    assert_wholes("n 4521, n° x, 12° 30, n °4", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_should_be_found),
        cmocka_unit_test(code_should_end_at_the_next_backquote),
        cmocka_unit_test(quoted_names_should_be_found_without_dates),
        cmocka_unit_test(guillemets_should_become_plain_quotes),
        cmocka_unit_test(paths_of_menus_should_be_found),
        cmocka_unit_test(sizes_should_go_on_from_x_to_x),
        cmocka_unit_test(references_should_have_their_numbers),
        cmocka_unit_test(rates_should_be_known_by_their_units),
        cmocka_unit_test(numbers_of_things_should_have_their_sign),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
