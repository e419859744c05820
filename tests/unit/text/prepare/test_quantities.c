/* test_quantities.c - amounts among other words, as a translation writes them; and numbers that are none. */
#include "text/prepare/quantities.h"

#include "learn_lines.h"
#include "lexicon_case.h"
#include "scratch.h"
#include "text/prepare/prepare.h"

static const char *const lines[] = {
    "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ", "é 0123456789 .,!?'/°\"-×",
};
static const char lexicon_text[] = "['. , ! ? - /','','Rome','','','','Tom about section version at is a it',"
                                   "'the of see need over million x chapitre et $']";

typedef struct { Tokenizer *tokenizer; Lexicon *lexicon; } World;

static World world_new(void)
{
    TextOptions options = text_defaults();
    options.tokens = TOKENS_CHAR;
    options.truecase = options.placeholders = 1;
    return (World){ learn_lines(&options, lines, 2), lexicon_of(lexicon_text) };
}

static void world_free(World *w)
{
    lexicon_free(w->lexicon);
    tokenizer_free(w->tokenizer);
}

static Prepared prepared(const World *w, const Locale *from, const Locale *into, const char *line)
{
    const Language language = { .tokenizer = w->tokenizer, .lexicon = w->lexicon, .locale = from, .into = into };
    Prepared p = { 0 };
    prepare_source(&p, language, line, strlen(line));
    return p;
}

/* The copies of a line, as its translation has them, joined by |; * behind those in a way of its own. */
static void assert_copies(const Locale *from, const Locale *into, const char *line, const char *expected)
{
    World w = world_new();
    Prepared p = prepared(&w, from, into, line);
    Buf out = { 0 };
    buf_clear(&out);
    for (int k = 0; k < (int)p.copies.text.count; k++) {
        buf_puts(&out, k ? "|" : "");
        copies_written(&p.copies, k, &out);
        if (copies_is_rewritten(&p.copies, k)) buf_putc(&out, '*');
    }
    assert_string_equal(out.text, expected);
    buf_free(&out);
    prepared_free(&p);
    world_free(&w);
}

static void assert_french(const char *line, const char *expected)
{
    assert_copies(&locale_english, &locale_french, line, expected);
}

static void assert_english(const char *line, const char *expected)
{
    assert_copies(&locale_french, &locale_english, line, expected);
}

static void amounts_should_be_written_in_the_other_way(void **state)
{
    (void)state;
    assert_french("a 1,200 of 3.5 million", "1 200*|3,5*");
    assert_french("About 3.5 of it", "3,5*");
    assert_french("3.5 is it", "3,5*");
    assert_french("1.1 Rome", "1.1");
    assert_french("1.5. A section", "1.5|A");
    assert_french("need 2.5 kg, 1.5 l, 0.5 lbs of it", "2,5 kg*|1,5 l*|0,5 lbs*");
    assert_french("see a 4.5 m x 3.2 m Rome", "4,5 m x 3,2 m*");
    assert_french("is 120.5 km/h or 38.5 °C", "120,5 km/h*|38,5 °C*");
    assert_english("la 3 500 000 et 1 200,5 et 0,5", "3,500,000*|1,200.5*|0.5*");
}

static void money_should_have_its_sign_on_the_other_side(void **state)
{
    (void)state;
    assert_french("it is €20 and 5 £.", "20 €*|5 £*");
    assert_french("it is €1.5 million", "1,5 million d'euros*");
    assert_copies(&locale_french, &locale_english, "it is 50 M€", "€50 million*");
    assert_french("it is $2.5, $2.5 million", "2,5 $*|2,5 millions de dollars*");
    assert_french("it is $2.5 Million", "2,5 millions de dollars*");
    assert_french("it is US$2.5, US$2.5 million", "2,5 US$*|2,5 millions de dollars américains*");
    assert_french("it is A $5", "A|5 $*");
    assert_english("a 20 US$ de", "US$20*");
    assert_french("it is €2.5€", "€2.5€");
    assert_french("it is € 20", "20 €*");
    assert_english("a 1 200,50 € de", "€1,200.50*");
    assert_english("a 5 €, €", "€5*|€");
}

static void numbers_in_words_should_be_digits_where_the_translation_is_written(void **state)
{
    (void)state;
    assert_french("it is thirty-six", "36*");
    assert_english("la soixante-dix", "70*");
    assert_copies(&locale_english, NULL, "it is thirty-six", "");
}

static void names_with_numbers_should_keep_them(void **state)
{
    (void)state;
    assert_french("the Rome 3.5 is", "3.5");
    assert_french("see section 4.2, version 2.0", "4.2|2.0");
    assert_french("the zorb 22.04 is", "22.04");
    assert_french("it is at 10.30, at 10.75", "10.30|10,75*");
    assert_french("it is at 110.30", "110,30*");
    assert_french("it is at 10.3, 3.5", "10,3*|3,5*");
    assert_french("the Rome 3,500 is", "3 500*");
    assert_french("see EUR 3.5", "EUR|3,5*");
    assert_english("chapitre 3,5", "3,5");
    assert_english("a section 123 456", "123 456");
    assert_english("a section 12,5 kg", "12.5 kg*");
}

static void other_numbers_should_be_none(void **state)
{
    (void)state;
    assert_french("it is 555-1234", "555-1234");
    assert_french("see p. 12.5 of it", "p. 12.5");
    assert_french("see `2.5`", "`2.5`");
    assert_french("see 3.5+Zorb", "3.5+Zorb");
    assert_copies(NULL, NULL, "a 1,200 of it", "1,200");
}

/* Placeholders that a line of the other language has for the copies of a source. */
static int placeholders_of(const char *source, const char *target)
{
    World w = world_new();
    Prepared p = prepared(&w, &locale_english, &locale_french, source);
    Words words = { 0 };
    int count = 0;
    prepare_target(&words, (Language){ .tokenizer = w.tokenizer, .lexicon = w.lexicon }, target, strlen(target),
                   &p.copies);
    for (size_t i = 0; i < words.count; i++) {
        const PlainWord word = words_plain(&words, i);
        count += placeholder_is(word.text, word.length);
    }
    words_free(&words);
    prepared_free(&p);
    world_free(&w);
    return count;
}

static void a_target_should_have_amounts_in_either_way(void **state)
{
    (void)state;
    assert_int_equal(placeholders_of("a 1,200 of €3.5", "x 1 200 of 3,5 €"), 2);
    assert_int_equal(placeholders_of("a 1,200 of €3.5", "x 1,200 of €3.5"), 2);
    assert_int_equal(placeholders_of("a 1,200 of it", "x 1200 of it"), 0);
}

/* Whether the network reads the one copy of a line as a number. */
static int reads_number(const Locale *from, const Locale *into, const char *line)
{
    World w = world_new();
    Prepared p = prepared(&w, from, into, line);
    assert_int_equal(p.copies.text.count, 1);
    const int is_number = p.copies.kind[0] == COPY_NUMBER;
    prepared_free(&p);
    world_free(&w);
    return is_number;
}

static void money_should_be_read_as_a_number_but_for_millions_and_where_that_would_be_an_age(void **state)
{
    (void)state;
    assert_true(reads_number(&locale_english, &locale_french, "it is $5"));
    assert_true(reads_number(&locale_french, &locale_english, "it is 5 €"));
    assert_true(reads_number(&locale_english, &locale_french, "it is A$5"));
    assert_false(reads_number(&locale_english, &locale_french, "it has $5"));
    assert_false(reads_number(&locale_french, &locale_english, "it a 5 €"));
    assert_false(reads_number(&locale_english, &locale_french, "it is $5 million"));
    assert_false(reads_number(&locale_french, &locale_english, "it is 5 M€"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(amounts_should_be_written_in_the_other_way),
        cmocka_unit_test(money_should_have_its_sign_on_the_other_side),
        cmocka_unit_test(numbers_in_words_should_be_digits_where_the_translation_is_written),
        cmocka_unit_test(names_with_numbers_should_keep_them),
        cmocka_unit_test(other_numbers_should_be_none),
        cmocka_unit_test(money_should_be_read_as_a_number_but_for_millions_and_where_that_would_be_an_age),
        cmocka_unit_test(a_target_should_have_amounts_in_either_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
