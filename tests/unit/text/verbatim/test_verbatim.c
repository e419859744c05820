/* test_verbatim.c - which spans of a line no translation may alter. */
#include "text/verbatim/verbatim.h"

#include "base/mem.h"
#include "base/random/rng.h"
#include "random_text.h"
#include "text/unicode.h"
#include "text/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* The words, each number in # and each other span in !, as in "_#5#|_ans|_!a_b!". */
static void show(const Words *words, Buf *out)
{
    static const char *const around[] = { "", "#", "!" };
    buf_clear(out);
    for (size_t i = 0, length; i < words->count; i++) {
        const char *word = words_at(words, i, &length), *sign = around[words_kind(words, i)];
        const size_t mark = length >= BLANK_MARK_LENGTH && !memcmp(word, BLANK_MARK,
                                                                    BLANK_MARK_LENGTH)
                                ? BLANK_MARK_LENGTH : 0;
        buf_printf(out, "%s%s%s", i ? "|" : "", mark ? "_" : "", sign);
        buf_add(out, word + mark, length - mark);
        buf_puts(out, sign);
    }
}

typedef struct { const char *line, *expected; } Case;

static void assert_spans(const Case *cases, size_t count)
{
    Words words = { 0 };
    Buf shown = { 0 };
    for (size_t i = 0; i < count; i++) {
        words_split(cases[i].line, strlen(cases[i].line), 1, &words);
        show(&words, &shown);
        assert_string_equal(shown.text, cases[i].expected);
    }
    words_free(&words);
    buf_free(&shown);
}

#define ASSERT_SPANS(cases) assert_spans(cases, sizeof (cases) / sizeof *(cases))

/* ---- Numbers ---- */

static void numbers_should_keep_their_separators(void **state)
{
    (void)state;
    static const Case cases[] = {
        { "At 241.", "_At|_#241#|." },
        { "1,000.50, 3.5 1.000,00", "_#1,000.50#|,|_#3.5#|_#1.000,00#" },
        { "6'2\" 5'11 7'", "_#6'2\"#|_#5'11#|_#7#|'" },
        { "12:30 9h30 6H30?", "_#12:30#|_#9h30#|_#6H30#|?" },
        { "1/2 24/7 2026-11-22 22.11.2026.", "_#1/2#|_#24/7#|_#2026-11-22#|_#22.11.2026#|." },
        { "10-20 1939–1945 555-1234", "_#10-20#|_#1939–1945#|_#555-1234#" },
        { "192.168.0.1:8080 1.2.3", "_#192.168.0.1:8080#|_#1.2.3#" },
        { "1'000'000 5'3 10'00", "_#1'000'000#|_#5'3#|_#10#|'|#00#" },
        { "½ 5½ ١٢ Ⅳ", "_#½#|_#5½#|_#١٢#|_#Ⅳ#" },
        { "(5) «5» \"5\" l'5 …5", "_(|#5#|)|_«|#5#|»|_\"|#5#|\"|_l'|#5#|_…|#5#" },
        { "5... 5! 1..2", "_#5#|...|_#5#|!|_#1#|..|#2#" },
    };
    ASSERT_SPANS(cases);
}

static void signs_should_belong_to_numbers_that_they_open(void **state)
{
    (void)state;
    static const Case cases[] = {
        { "-4 +33 (-5) .5", "_#-4#|_#+33#|_(|#-5#|)|_#.5#" },
        { "top-10 a+5 - 4", "_top|-|#10#|_a|+|#5#|_-|_#4#" },
        { "-4x4", "_-|!4x4!" },
    };
    ASSERT_SPANS(cases);
}

static void what_is_written_on_to_a_number_should_be_translated(void **state)
{
    (void)state;
    static const Case cases[] = {
        { "$5 5€ 50% #5", "_$|#5#|_#5#|€|_#50#|%|_!#5!" },
        { "5kg 10am 10AM 1990s '90s", "_#5#|kg|_#10#|am|_#10#|AM|_#1990#|s|_'|#90#|s" },
        { "1st 2ND 21st 2e 1er", "_#1#|st|_#2#|ND|_#21#|st|_#2#|e|_#1#|er" },
        { "20-year-old 10h 9h30min 20°C", "_#20#|-|year-old|_#10#|h|_#9h30#|min|_#20#|°|C" },
        { "No.5 n°5 10 000", "_No|.|#5#|_n|°|#5#|_#10#|_#000#" },
    };
    ASSERT_SPANS(cases);
}

/* ---- Other spans ---- */

static void addresses_should_need_no_scheme(void **state)
{
    (void)state;
    static const Case cases[] = {
        { "Ask a.b@c.org, or https://x.org/y.", "_Ask|_!a.b@c.org!|,|_or|_!https://x.org/y!|." },
        { "example.com, github.com/a/b!", "_!example.com!|,|_!github.com/a/b!|!" },
        { "amazon.co.uk/z?q=1. x.com (bit.ly/a)",
          "_!amazon.co.uk/z?q=1!|.|_!x.com!|_(|!bit.ly/a!|)" },
        { "db.local:5432 db.local: stop.it.is", "_!db.local:5432!|_db|.|local|:|_stop|.|it|.|is" },
        { "Yes.No end.Start i.e. U.S.A. a.de",
          "_Yes|.|No|_end|.|Start|_i.e.|_U.S.A.|_a|.|de" },
    };
    ASSERT_SPANS(cases);
}

static void files_should_be_told_from_alternatives(void **state)
{
    (void)state;
    static const Case cases[] = {
        { "In /usr/bin, ./a/b.txt, ../x, ~/x.",
          "_In|_!/usr/bin!|,|_!./a/b.txt!|,|_!../x!|,|_!~/x!|." },
        { "C:\\x\\y.z D:/a \\\\host\\a", "_!C:\\x\\y.z!|_!D:/a!|_!\\\\host\\a!" },
        { "a/b/c.c src/text/ a/b_c /tmp", "_!a/b/c.c!|_!src/text/!|_!a/b_c!|_!/tmp!" },
        { "and/or he /she n/a km/h", "_and|/|or|_he|_/|she|_n|/|a|_km|/|h" },
        { "report.pdf. (main.c) été.txt", "_!report.pdf!|.|_(|!main.c!|)|_!été.txt!" },
        { "my-report.tar.gz Node.js", "_!my-report.tar.gz!|_!Node.js!" },
        { "problème...c'est p.c a.log()", "_problème|...|c'|est|_p.c|_!a.log()!" },
    };
    ASSERT_SPANS(cases);
}

static void code_should_stay_whole(void **state)
{
    (void)state;
    static const Case cases[] = {
        { "foo_bar, foo_bar() fooBar", "_!foo_bar!|,|_!foo_bar()!|_!fooBar!" },
        { "std::string obj.method(). x->y", "_!std::string!|_!obj.method()!|.|_!x->y!" },
        { "a_b(x,y) f(x) ami(e)s", "_!a_b(x,y)!|_f|(|x|)|_ami|(|e|)|s" },
        { "a=5; a = 5", "_!a=5!|;|_a|_=|_#5#" },
        { "C++, C# F#m", "_!C++!|,|_!C#!|_F|#|m" },
        { "--option --a-b=c.d -v -- -a", "_!--option!|_!--a-b=c.d!|_!-v!|_--|_-|a" },
        { "ENV_VAR $HOME ${x} $x^2$ $US 5", "_!ENV_VAR!|_!$HOME!|_!${x}!|_!$x^2$!|_$|US|_#5#" },
        { "`code` `a b` \\frac{a}{b}", "_!`code`!|_`|a|_b|`|_!\\frac{a}{b}!" },
        { "__init__ _x_y _really_ _so", "_!__init__!|_!_x_y!|__|really|_|__|so" },
        { "____ x -l, «-l» -t-il -t'a", "_____|_x|_!-l!|,|_«|!-l!|»|_-|t-il|_-|t'|a" },
        { "l'API_KEY (foo_bar) foo_bar-based", "_l'|!API_KEY!|_(|!foo_bar!|)|_!foo_bar!|-|based" },
    };
    ASSERT_SPANS(cases);
}

static void humps_should_be_code_and_brands_but_not_names_and_errors(void **state)
{
    (void)state;
    static const Case cases[] = {
        { "YouTube's iPhones eBay", "_!YouTube!|'s|_!iPhones!|_!eBay!" },
        { "McAllister MacDonald DiCaprio PhD", "_McAllister|_MacDonald|_DiCaprio|_PhD" },
        { "oTm eHllo hELLO HELLO", "_oTm|_eHllo|_hELLO|_HELLO" },
    };
    ASSERT_SPANS(cases);
}

static void placeholders_should_stay_whole_beside_words_as_well(void **state)
{
    (void)state;
    static const Case cases[] = {
        { "%s: %1$s, %.2f %(name)s %NAME%", "_!%s!|:|_!%1$s!|,|_!%.2f!|_!%(name)s!|_!%NAME%!" },
        { "100% 50%s % of %de", "_#100#|%|_#50#|%|s|_%|_of|_%|de" },
        { "{name} {0}s {{x}} {} { x }", "_!{name}!|_!{0}!|s|_!{{x}}!|_!{}!|_{|_x|_}" },
        { "<b>gras</b> <br/> 1<2 <a b>", "_!<b>!|gras|!</b>!|_!<br/>!|_#1#|<|#2#|_<|a|_b|>" },
        { "a&nbsp;b &#39; R&D;", "_a|!&nbsp;!|b|_!&#39;!|_R|!&D;!" },
        { ":smile: a:b: 12:30:", "_!:smile:!|_a|:|b|:|_#12:30#|:" },
    };
    ASSERT_SPANS(cases);
}

static void codes_should_mix_letters_and_digits(void **state)
{
    (void)state;
    static const Case cases[] = {
        { "A4, B52. XJ-900 ISO9001 H2O", "_!A4!|,|_!B52!|.|_!XJ-900!|_!ISO9001!|_!H2O!" },
        { "4K 1.5GB 4x4 MP3 COVID-19", "_!4K!|_!1.5GB!|_!4x4!|_!MP3!|_!COVID-19!" },
        { "v1.2.3 2.0-rc1 v2.0-beta.", "_!v1.2.3!|_!2.0-rc1!|_!v2.0-beta!|." },
        { "0x1F #ff00aa 1234567abc", "_!0x1F!|_!#ff00aa!|_!1234567abc!" },
        { "3fa85f64-5717-4562-b3fc-2c963f66afa6.", "_!3fa85f64-5717-4562-b3fc-2c963f66afa6!|." },
        { "A4-size mid-1990s T-shirt", "_!A4!|-|size|_mid|-|#1990#|s|_T-shirt" },
        { "@name, #topic. a@b @ #", "_!@name!|,|_!#topic!|.|_a|@|b|_@|_#" },
    };
    ASSERT_SPANS(cases);
}

static void symbols_should_be_one_span_a_run(void **state)
{
    (void)state;
    static const Case cases[] = {
        { "ok😀🎉. 👩\u200D🚀👍🏽", "_ok|!😀🎉!|.|_!👩\u200D🚀👍🏽!" },
        { "🇫🇷🇩🇪 1\uFE0F\u20E3 ❤\uFE0F", "_!🇫🇷🇩🇪!|_!1\uFE0F\u20E3!|_!❤\uFE0F!" },
        { ":-), ;) :D <3 :'( \\o/", "_!:-)!|,|_!;)!|_!:D!|_!<3!|_!:'(!|_!\\o/!" },
        { "Oui :Dis a:) :", "_Oui|_:|Dis|_a|:|)|_:" },
        { "♥★ → © Windows™", "_!♥★!|_!→!|_!©!|_Windows|!™!" },
        { "5 € £ 20 ° l´a №", "_#5#|_€|_£|_#20#|_°|_l|´|a|_№" },
    };
    ASSERT_SPANS(cases);
}

/* Ordinary sentences of five languages: no span. */
static void ordinary_text_should_hold_no_span(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "\"Don't,\" he said; it's well-known... isn't it?", "Dr. Smith (Jr.) vs. the U.S.: no/yes!",
        "Qu'est-ce que c'est ? L'après-midi, « peut-être »…", "M. Dupont, p.ex., a dit : « Non. »",
        "Geht's? Z.B. so – oder d.h. „anders“.", "¿Qué tal? ¡Hola! Ud. y Sra. López, etc.",
        "Com'è? L'ho detto: c'è un po' d'acqua.", "Wait -- what?! Oui...non. He/she *really* did."
    };
    Words words = { 0 };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        words_split(lines[i], strlen(lines[i]), 1, &words);
        for (size_t k = 0; k < words.count; k++)
            assert_int_equal(words_kind(&words, k), VERBATIM_NONE);
    }
    words_free(&words);
}

/* ---- Laws ---- */

/* A line of spans, of parts of them, and of what random_line has. */
static void random_spans(uint64_t number, Buf *line)
{
    static const char *const pool[] = {
        "3fa85f64-5717-4562-b3fc-2c963f66afa6", "1'000", "-4", "9h30", "2.0-rc1", "foo_bar(x)",
        "a->b", "std::x", "C:\\a", "../", "/usr", "a.pdf", "%(x)s", "%1$s", "{{x}}", "${", "<b/>",
        "&nbsp;", ":-)", ":a:", "@me", "#t", "--ab=c", "`x`", "\\frac{a}", "x.com/", "C++",
        "YouTube", " ", "(", "é", "\u0301", "中", "–", "½", "1\uFE0F\u20E3", "🇫", "\u200D", ".",
        "-", "_", "=", ":"
    };
    enum { CHUNKS = 12 };
    uint64_t key = rng_key(number, 2, RNG_INIT);
    Buf other = { 0 };
    buf_clear(line);
    random_line(number, &other);
    for (uint64_t i = 0; i < CHUNKS; i++)
        buf_puts(line, pool[rng_below(key, i, sizeof pool / sizeof *pool)]);
    buf_add(line, other.text, other.length);
    buf_free(&other);
}

static void assert_laws(const Buf *line)
{
    Words words = { 0 };
    Buf back = { 0 };
    buf_clear(&back);
    words_split(line->text, line->length, 1, &words);
    for (size_t i = 0, length; i < words.count; i++) {
        const char *word = words_at(&words, i, &length);
        assert_true(unicode_valid(word, length));
        assert_null(memchr(word, ' ', length));
    }
    words_join(words.text.text, words.text.length, &back);
    assert_string_equal(back.text, line->text);
    words_free(&words);
    buf_free(&back);
}

static void words_should_join_to_the_line_again(void **state)
{
    (void)state;
    enum { LINES = 20000 };
    Buf line = { 0 };
    for (uint64_t number = 0; number < LINES; number++) {
        random_spans(number, &line);
        assert_laws(&line);
    }
    buf_free(&line);
}

/* The words of a copy that has not one byte more, for the sanitizer. */
static void spans_should_end_before_the_end(void **state)
{
    (void)state;
    enum { LINES = 400 };
    Buf line = { 0 };
    for (uint64_t number = 0; number < LINES; number++) {
        random_spans(number, &line);
        for (size_t length = 1; length < line.length; length++) {
            if ((line.text[length] & 0xC0) == 0x80) continue;
            char *copy = xmalloc(length, 1);
            memcpy(copy, line.text, length);
            for (const char *at = copy; at < copy + length; unicode_next(&at)) {
                VerbatimKind kind;
                const char *after = verbatim_end(copy, at, copy + length, &kind);
                assert_true(!after || (after > at && after <= copy + length));
                assert_true(!after || kind == VERBATIM_NUMBER || kind == VERBATIM_OTHER);
            }
            free(copy);
        }
    }
    buf_free(&line);
}

/* Any input takes linear time. */
static void long_spans_should_be_cut_at_the_limit(void **state)
{
    (void)state;
    static const char *const units[] = { "a_", "1,", "/a", "a.", "://", "{", "%", "a@", "😀", ":" };
    enum { REPEATS = 20000 };
    Words words = { 0 };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        Buf line = { 0 };
        for (int k = 0; k < REPEATS; k++)
            buf_puts(&line, units[i]);
        assert_laws(&line);
        words_split(line.text, line.length, 1, &words);
        for (size_t k = 0, length; k < words.count; k++) {
            words_at(&words, k, &length);
            assert_in_range(length, 1, SPAN_BYTES + BLANK_MARK_LENGTH);
        }
        buf_free(&line);
    }
    words_free(&words);
}

static void a_long_address_should_be_one_span(void **state)
{
    (void)state;
    Buf line = { 0 };
    Words words = { 0 };
    buf_puts(&line, "https://a.b/");
    while (line.length < VERBATIM_BYTES - 1)
        buf_puts(&line, "c/");
    words_split(line.text, line.length, 1, &words);
    assert_int_equal(words.count, 1);
    words_free(&words);
    buf_free(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_should_keep_their_separators),
        cmocka_unit_test(signs_should_belong_to_numbers_that_they_open),
        cmocka_unit_test(what_is_written_on_to_a_number_should_be_translated),
        cmocka_unit_test(addresses_should_need_no_scheme),
        cmocka_unit_test(files_should_be_told_from_alternatives),
        cmocka_unit_test(code_should_stay_whole),
        cmocka_unit_test(humps_should_be_code_and_brands_but_not_names_and_errors),
        cmocka_unit_test(placeholders_should_stay_whole_beside_words_as_well),
        cmocka_unit_test(codes_should_mix_letters_and_digits),
        cmocka_unit_test(symbols_should_be_one_span_a_run),
        cmocka_unit_test(ordinary_text_should_hold_no_span),
        cmocka_unit_test(words_should_join_to_the_line_again),
        cmocka_unit_test(spans_should_end_before_the_end),
        cmocka_unit_test(long_spans_should_be_cut_at_the_limit),
        cmocka_unit_test(a_long_address_should_be_one_span),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
