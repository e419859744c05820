/* test_words.c - where words end, what the normal form is, and the law that nothing is lost. */
#include "text/words.h"

#include "base/files/lines.h"
#include "base/mem.h"
#include "random_text.h"
#include "text/unicode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { LAST_POINT = 0x10FFFF, GENERATED_LINES = 20000 };

/* ---- Splitting ---- */

/* The words with '_' for the mark and '|' between them. */
static void show(const Words *words, Buf *out)
{
    buf_clear(out);
    for (size_t i = 0, length; i < words->count; i++) {
        const char *word = words_at(words, i, &length);
        int marked = length >= BLANK_MARK_LENGTH
            && memcmp(word, BLANK_MARK, BLANK_MARK_LENGTH) == 0;
        buf_printf(out, "%s%s", i ? "|" : "", marked ? "_" : "");
        buf_add(out, word + marked * BLANK_MARK_LENGTH,
                length - (size_t)marked * BLANK_MARK_LENGTH);
    }
}

static void assert_split(const char *line, const char *expected)
{
    Words words = { 0 };
    Buf shown = { 0 };
    words_split(line, strlen(line), 0, &words);
    show(&words, &shown);
    assert_string_equal(shown.text, expected);
    words_free(&words);
    buf_free(&shown);
}

static void words_and_punctuation_should_part(void **state)
{
    (void)state;
    assert_split("Il est calme.", "_Il|_est|_calme|.");
    assert_split("Non ! « Oui », dit-elle…", "_Non|_!|_«|_Oui|_»|,|_dit-elle|…");
    assert_split("Wait... what?!", "_Wait|...|_what|?|!");
    assert_split("(déjà)--vu", "_(|déjà|)|--|vu");
    assert_split("50% of $3", "_50|%|_of|_$|3");
    assert_split("snake_case", "_snake|_|case");
    assert_split("Un instant...et puis.", "_Un|_instant|...|et|_puis|.");
    assert_split("", "");
    assert_split(".", "_.");
}

static void hyphens_between_letters_should_bind(void **state)
{
    (void)state;
    assert_split("Peut-être. Y a-t-il ? Est-ce", "_Peut-être|.|_Y|_a-t-il|_?|_Est-ce");
    assert_split("l'après-midi, c'est-à-dire", "_l'|après-midi|,|_c'|est-à-dire");
    assert_split("mother-in-law\u2010to\u2011be", "_mother-in-law\u2010to\u2011be");
    assert_split("Va-t'en -- dit - il -", "_Va-t'|en|_--|_dit|_-|_il|_-");
    assert_split("20-year-old a--b -c d-", "_20|-|year-old|_a|--|b|_-|c|_d|-");
}

static void contractions_should_open_with_their_apostrophe(void **state)
{
    (void)state;
    assert_split("I don't", "_I|_don|'t");
    assert_split("It's Tom's, they'll, we've", "_It|'s|_Tom|'s|,|_they|'ll|,|_we|'ve");
    assert_split("you're, I'm, he'd", "_you|'re|,|_I|'m|,|_he|'d");
    assert_split("he\u2019d've", "_he|\u2019d|'ve");
    assert_split("DON'T", "_DON|'T");
}

static void elisions_should_close_with_their_apostrophe(void **state)
{
    (void)state;
    assert_split("l'homme qu'il j\u2019ai", "_l'|homme|_qu'|il|_j\u2019|ai");
    assert_split("Jusqu'à l'été d'1 an", "_Jusqu'|à|_l'|été|_d'|1|_an");
    assert_split("l'\u1EA9 l'\u1F00", "_l'|\u1EA9|_l'\u1F00");
    assert_split("l'effet s'en d'abord", "_l'|effet|_s'|en|_d'|abord");
}

static void some_words_should_keep_their_apostrophe(void **state)
{
    (void)state;
    assert_split("Aujourd'hui à 5 o'clock", "_Aujourd'hui|_à|_5|_o'clock");
    assert_split("d'aujourd\u2019hui.", "_d'|aujourd\u2019hui|.");
    assert_split("aujourd'huis", "_aujourd'|huis");
}

static void other_apostrophes_should_be_quotes(void **state)
{
    (void)state;
    assert_split("the dogs' 'bones'", "_the|_dogs|'|_'|bones|'");
    assert_split("''a''", "_''|a|''");
    assert_split("'", "_'");
}

static void a_dot_should_belong_to_its_abbreviation(void **state)
{
    (void)state;
    assert_split("The U.S.A. and the U.S., at 3 p.m.",
                 "_The|_U.S.A.|_and|_the|_U.S.|,|_at|_3|_p.m.");
    assert_split("le F.B.I, p.ex. l'A.D.N.", "_le|_F.B.I|,|_p.ex.|_l'|A.D.N.");
    assert_split("Mr. Fox, Mme. Roy, St. Paul, cats, etc.",
                 "_Mr.|_Fox|,|_Mme.|_Roy|,|_St.|_Paul|,|_cats|,|_etc.");
    assert_split("M. Roy, John F. Kennedy, D.H. Lawrence",
                 "_M.|_Roy|,|_John|_F.|_Kennedy|,|_D.H.|_Lawrence");
}

static void a_dot_that_ends_a_sentence_should_stand_alone(void **state)
{
    (void)state;
    assert_split("He is taller than I. Vitamin C.", "_He|_is|_taller|_than|_I|.|_Vitamin|_C|.");
    assert_split("Il y en a. Vas-y. Plan B. then", "_Il|_y|_en|_a|.|_Vas-y|.|_Plan|_B|.|_then");
    assert_split("No. The 1st. Yes.No", "_No|.|_The|_1|st|.|_Yes|.|No");
    assert_split("a...b c.dogs d.ef", "_a|...|b|_c|.|dogs|_d|.|ef");
}

static void addresses_should_stay_whole(void **state)
{
    (void)state;
    assert_split("Write to jean_luc.roy+a@mail.example.org.",
                 "_Write|_to|_jean_luc.roy+a@mail.example.org|.");
    assert_split("(see https://fr.wikipedia.org/wiki/Été_(saison)?a=b&c#d)!",
                 "_(|see|_https://fr.wikipedia.org/wiki/Été_(saison)?a=b&c#d|)|!");
    assert_split("WWW.example.com, ftp://a.b/c... «http://x.fr»",
                 "_WWW.example.com|,|_ftp://a.b/c|...|_«|http://x.fr|»");
    assert_split("(http://a.b/c_(d)), http://a.b/c_(d)",
                 "_(|http://a.b/c_(d)|)|,|_http://a.b/c_(d)");
    assert_split("l'adresse m'http://a.b:80/", "_l'|adresse|_m'|http://a.b:80/");
    assert_split("看https://a.cn/路。好", "_看|https://a.cn/路|。|好");
    assert_split("[http://a.b/[c]] 4you@x.co\u0301", "_[|http://a.b/[c]|]|_4you@x.co\u0301");
}

static void what_only_resembles_an_address_should_be_split(void **state)
{
    (void)state;
    assert_split("http:// www. www... x", "_http|:|//|_www|.|_www|...|_x");
    assert_split("a@b a@b.c tom@ @tom a@.com a@b..com",
                 "_a|@|b|_a|@|b.c|_tom|@|_@|tom|_a|@|.|com|_a|@|b|..|com");
    assert_split("a@b.12 a@b.c1", "_a|@|b|.|12|_a|@|b.c|1");
    assert_split("http when ftp", "_http|_when|_ftp");
}

static void emoji_should_stay_whole(void **state)
{
    (void)state;
    assert_split("👩\u200D👩\u200D👧👍🏽❤\uFE0F",
                 "_👩\u200D👩\u200D👧|👍🏽|❤\uFE0F");
    assert_split("🇫🇷🇩🇪 🇫🇷🇫🇷", "_🇫🇷|🇩🇪|_🇫🇷🇫🇷");
    assert_split("👍👍🏽", "_👍|👍🏽");
    assert_split("#\uFE0F\u20E3 1\uFE0F\u20E3", "_#\uFE0F\u20E3|_1\uFE0F\u20E3");
    assert_split("ok😀.", "_ok|😀|.");
    assert_split("🏴\U000E0067\U000E0062\U000E007F!", "_🏴\U000E0067\U000E0062\U000E007F|!");
}

static void numbers_should_keep_what_stands_between_digits(void **state)
{
    (void)state;
    assert_split("3.14, 1,000.50 12:30.", "_3.14|,|_1,000.50|_12:30|.");
    assert_split("10h30 10h 2e 1st 1 000", "_10h30|_10|h|_2|e|_1|st|_1|_000");
    assert_split("1..2 .5 5.", "_1|..|2|_.|5|_5|.");
}

static void marks_and_joiners_should_stay_with_their_character(void **state)
{
    (void)state;
    assert_split("q\u0307x !\u0301!", "_q\u0307x|_!\u0301|!");
    assert_split("क्षि", "_क्षि");
    assert_split("\u0301a b\u200Dc", "_\u0301a|_b\u200Dc");
    assert_split("1\uFE0F\u20E3", "_1\uFE0F\u20E3");
    assert_split("中\uFE00国", "_中\uFE00|国");
}

static void scripts_should_be_split_as_they_write_words(void **state)
{
    (void)state;
    assert_split("我们去学校。", "_我|们|去|学|校|。");
    assert_split("東京タワー 人人", "_東|京|タワー|_人|人");
    assert_split("Привет, мир!", "_Привет|,|_мир|!");
    assert_split("السلام عليكم؟", "_السلام|_عليكم|؟");
    assert_split("Γειά σου;", "_Γειά|_σου|;");
    assert_split("😀😀🎉", "_😀😀|🎉");
    assert_split("п'ять сім’я", "_п'ять|_сім’я");
    assert_split("צה״ל col·legi", "_צה״ל|_col·legi");
    assert_split("สวัสดีครับ ๆ", "_สวัสดีครับ|_ๆ");
    assert_split("नमस्ते दुनिया।",
                 "_नमस्ते|_दुनिया|।");
    assert_split("\u0600 ١٢", "_\u0600|_١٢");
}

static void long_runs_should_be_cut_between_characters(void **state)
{
    (void)state;
    enum { REPEATS = 1000 };
    static const char *const runs[] = { "a", "é", "€", "…", "7", "😀", "a\u0301" };
    Words words = { 0 };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        Buf line = { 0 }, back = { 0 };
        for (int k = 0; k < REPEATS; k++)
            buf_puts(&line, runs[i]);
        words_split(line.text, line.length, 0, &words);
        for (size_t k = 0, length; k < words.count; k++) {
            const char *word = words_at(&words, k, &length);
            assert_in_range(length, 1, WORD_BYTES + (k == 0 ? BLANK_MARK_LENGTH : 0));
            assert_true(unicode_valid(word, length));
        }
        assert_in_range(words.count, line.length / WORD_BYTES, line.length / (WORD_BYTES - 8) + 1);
        words_join(words.text.text, words.text.length, &back);
        assert_string_equal(back.text, line.text);
        buf_free(&line);
        buf_free(&back);
    }
    words_free(&words);
}

/* ---- Normal form ---- */

static void assert_normal(const char *line, int lowercase, const char *expected)
{
    Buf out = { 0 };
    buf_clear(&out);
    words_normalise(line, strlen(line), lowercase, &out);
    assert_string_equal(out.text, expected);
    buf_free(&out);
}

static void blanks_should_become_single_and_plain(void **state)
{
    (void)state;
    assert_normal("  Non\u00A0!\u202F\u2009Si \u3000", 0, "Non ! Si");
    assert_normal("a\tb\u2028c\rd", 0, "a b c d");
    assert_normal(" \u00A0\u2003 ", 0, "");
    assert_normal("", 0, "");
}

static void invisible_characters_should_go_but_not_joiners(void **state)
{
    (void)state;
    assert_normal("\uFEFFin\u00ADvi\u200Bsi\u2060ble\u202E\x07\x7F", 0, "invisible");
    assert_normal("a \u200B b", 0, "a b");
    assert_normal("\uFEFF\u200B", 0, "");
    assert_normal("Bien.\r", 0, "Bien.");
    assert_normal("न\u200Dम\u200Cस", 0, "न\u200Dम\u200Cस");
}

static void emoji_should_keep_what_spells_them(void **state)
{
    (void)state;
    assert_normal("❤\uFE0F 👩\u200D🚀", 0, "❤\uFE0F 👩\u200D🚀");
    assert_normal("🏴\U000E0067\U000E0062\U000E007F", 1, "🏴\U000E0067\U000E0062\U000E007F");
    assert_normal("hidden\U000E0067\U000E0062 \U000E0020text", 0, "hidden text");
}

static void characters_should_be_composed_and_lower_if_asked(void **state)
{
    (void)state;
    assert_normal("E\u0301te\u0301", 0, "Été");
    assert_normal("E\u0301te\u0301 À L'ÉTÉ", 1, "été à l'été");
    assert_normal("\u0130\u0301", 1, "\u00ED");
    assert_normal("e\u200B\u0301", 0, "é");
    assert_normal("\u2581a\u2581", 0, "_a_");
}

/* ---- Laws ---- */

static void assert_laws(const char *line, size_t length, int lowercase)
{
    Words words = { 0 };
    Buf once = { 0 }, twice = { 0 }, back = { 0 };
    buf_clear(&once);
    buf_clear(&twice);
    buf_clear(&back);
    words_normalise(line, length, lowercase, &once);
    words_normalise(once.text, once.length, lowercase, &twice);
    assert_string_equal(twice.text, once.text);
    assert_null(strstr(once.text, "  "));
    assert_true(once.length == 0 || (once.text[0] != ' ' && once.text[once.length - 1] != ' '));
    words_split(once.text, once.length, 0, &words);
    for (size_t i = 0, word_length; i < words.count; i++) {
        const char *word = words_at(&words, i, &word_length);
        assert_true(unicode_valid(word, word_length));
        assert_null(memchr(word, ' ', word_length));
    }
    words_join(words.text.text, words.text.length, &back);
    assert_string_equal(back.text, once.text);
    words_free(&words);
    buf_free(&once);
    buf_free(&twice);
    buf_free(&back);
}

static void laws_should_hold_for_generated_lines(void **state)
{
    (void)state;
    Buf line = { 0 };
    for (uint64_t number = 0; number < GENERATED_LINES; number++) {
        random_line(number, &line);
        assert_laws(line.text, line.length, number % 2);
    }
    buf_free(&line);
}

/* The words of the first `length` bytes, which are the same wherever these bytes are. */
static void assert_reads_no_further(const char *line, size_t length)
{
    Words inside = { 0 }, alone = { 0 };
    char *copy = xmalloc(length, 1);        /* not one byte more, for the sanitizer */
    memcpy(copy, line, length);
    words_split(line, length, 0, &inside);
    words_split(copy, length, 0, &alone);
    assert_string_equal(inside.text.text, alone.text.text);
    assert_int_equal(inside.count, alone.count);
    assert_memory_equal(inside.end, alone.end, alone.count * sizeof *alone.end);
    words_free(&inside);
    words_free(&alone);
    free(copy);
}

static void split_should_read_no_further_than_told(void **state)
{
    (void)state;
    Buf line = { 0 };
    for (uint64_t number = 0; number < GENERATED_LINES / 20; number++) {
        random_line(number, &line);
        for (size_t length = 1; length < line.length; length++)
            if ((line.text[length] & 0xC0) != 0x80) assert_reads_no_further(line.text, length);
    }
    buf_free(&line);
}

/* Whether Unicode 16 has no character in this plane, or only private ones: these are all alike. */
static int is_empty_plane(int32_t point)
{
    int plane = point >> 16;
    return plane > 3 && plane != 14;
}

/* Several characters a line, and few of the empty planes, to be quick. */
static void laws_should_hold_for_every_character(void **state)
{
    (void)state;
    enum { A_LINE = 8 };
    Buf line = { 0 };
    for (int32_t point = 1; point <= LAST_POINT; point++) {
        if ((point >= 0xD800 && point <= 0xDFFF) || (is_empty_plane(point) && point & 0xFF8))
            continue;
        buf_puts(&line, " a");
        unicode_append(&line, point);
        buf_puts(&line, "\u0301'");
        unicode_append(&line, point);
        if (point % A_LINE != A_LINE - 1) continue;
        assert_laws(line.text, line.length, 0);
        assert_laws(line.text, line.length, 1);
        buf_clear(&line);
    }
    buf_free(&line);
}

static void join_should_give_back_lines_that_are_not_normal_as_well(void **state)
{
    (void)state;
    static const char *const lines[] = { " a", "a ", "  a  b  ", " ", "   ", "a\tb", " 'tis", "" };
    Words words = { 0 };
    Buf back = { 0 };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        buf_clear(&back);
        words_split(lines[i], strlen(lines[i]), 0, &words);
        words_join(words.text.text, words.text.length, &back);
        assert_string_equal(back.text, lines[i]);
    }
    words_free(&words);
    buf_free(&back);
}

static void laws_should_hold_for_the_corpus(void **state)
{
    (void)state;
    const char *path = getenv("ATTN_CORPUS");
    if (!path) skip();
    Err e = { "" };
    Lines *lines = lines_open(path, &e);
    if (!lines) fail_msg("%s", e.text);
    char *line;
    size_t length;
    int status;
    while ((status = lines_next(lines, &line, &length, &e)) == 1)
        assert_laws(line, length, lines_number(lines) % 2 == 0);
    assert_int_equal(status, 0);
    assert_true(lines_number(lines) > 0);
    lines_close(lines);
}

/* ---- The textbook's words ---- */

static void assert_textbook(const char *line, int lowercase, const char *expected)
{
    Words words = { 0 };
    Buf shown = { 0 };
    words_split_textbook(line, strlen(line), lowercase, &words);
    show(&words, &shown);
    assert_string_equal(shown.text, expected);
    words_free(&words);
    buf_free(&shown);
}

static void textbook_should_cut_at_blanks_and_before_four_marks(void **state)
{
    (void)state;
    assert_textbook("Go.", 1, "go|.");
    assert_textbook("J'ai perdu\u202F!", 1, "j'ai|perdu|!");
    assert_textbook("Non\u00A0! Quoi ?", 0, "Non|!|Quoi|?");
    assert_textbook("a,b...c !d", 0, "a|,b|.|.|.c|!d");
    assert_textbook("« É » (x); y:", 1, "«|é|»|(x);|y:");
    assert_textbook("  a   b ", 0, "a|b");
    assert_textbook("a\tb\xC2\x85" "c\x7F", 0, "a|b|c");
    assert_textbook("10\u2009000", 0, "10\u2009000");
    assert_textbook("", 0, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_punctuation_should_part),
        cmocka_unit_test(hyphens_between_letters_should_bind),
        cmocka_unit_test(contractions_should_open_with_their_apostrophe),
        cmocka_unit_test(elisions_should_close_with_their_apostrophe),
        cmocka_unit_test(some_words_should_keep_their_apostrophe),
        cmocka_unit_test(other_apostrophes_should_be_quotes),
        cmocka_unit_test(a_dot_should_belong_to_its_abbreviation),
        cmocka_unit_test(a_dot_that_ends_a_sentence_should_stand_alone),
        cmocka_unit_test(addresses_should_stay_whole),
        cmocka_unit_test(what_only_resembles_an_address_should_be_split),
        cmocka_unit_test(emoji_should_stay_whole),
        cmocka_unit_test(numbers_should_keep_what_stands_between_digits),
        cmocka_unit_test(marks_and_joiners_should_stay_with_their_character),
        cmocka_unit_test(scripts_should_be_split_as_they_write_words),
        cmocka_unit_test(long_runs_should_be_cut_between_characters),
        cmocka_unit_test(blanks_should_become_single_and_plain),
        cmocka_unit_test(invisible_characters_should_go_but_not_joiners),
        cmocka_unit_test(emoji_should_keep_what_spells_them),
        cmocka_unit_test(characters_should_be_composed_and_lower_if_asked),
        cmocka_unit_test(laws_should_hold_for_generated_lines),
        cmocka_unit_test(laws_should_hold_for_every_character),
        cmocka_unit_test(split_should_read_no_further_than_told),
        cmocka_unit_test(join_should_give_back_lines_that_are_not_normal_as_well),
        cmocka_unit_test(laws_should_hold_for_the_corpus),
        cmocka_unit_test(textbook_should_cut_at_blanks_and_before_four_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
