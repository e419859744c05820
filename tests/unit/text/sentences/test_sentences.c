/* test_sentences.c - where a line is cut, and how its parts are joined again. In the tables | says
 * where. */
#include "text/sentences/sentences.h"

#include "learn_lines.h"
#include "random_text.h"
#include "text/unicode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void remove_bars(const char *marked, Buf *line)
{
    buf_clear(line);
    for (; *marked; marked++)
        if (*marked != '|') buf_putc(line, *marked);
}

/* Cuts the line by sentences, or with a tokenizer into chunks of `most` tokens. */
static void assert_cut(const char *marked, const Tokenizer *t, size_t most)
{
    Buf line = { 0 }, found = { 0 };
    remove_bars(marked, &line);
    for (size_t at = 0, length; at < line.length; at += length) {
        const char *rest = line.text + at;
        length = t ? chunk_length(t, rest, line.length - at, (ChunkTokens){ most, most })
            : sentence_length(rest, line.length - at);
        assert_in_range(length, 1, line.length - at);
        if (at) buf_putc(&found, '|');
        buf_add(&found, rest, length);
    }
    assert_string_equal(found.text, marked);
    buf_free(&found);
    buf_free(&line);
}

static void assert_sentences(const char *marked)
{
    assert_cut(marked, NULL, 0);
}

static void sentences_should_end_behind_their_marks(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "One.", "No mark", "One. |Two.", "Wait! |Why? |So.  |Yes", "Oh?! |Well… |Good... |Bye.",
        "  Hello. |You.  ",
        "He said: \"Go.\" |I went.", "(It rains.) |She stays.", "„Komm!“ |Er kam.",
        "Tom said no. |\"Why?\" |Mary asked.",
        "¿Qué? |¿Cómo?", "Oui ! |Non ? |Si.", "« Viens ! » |Il vint.", "Oui. |— Non.",
        "تعال؟ |نعم.", "वह गया। |वह आया।",
        "Left.\xC2\xA0|Right.", "Up.\xE3\x80\x80|Down.", "I was there in 1990. |He was not.", NULL
    };
    for (const char *const *line = lines; *line; line++)
        assert_sentences(*line);
}

static void east_asian_sentences_should_need_no_blank(void **state)
{
    (void)state;
    assert_sentences("你好。|再见！|吗？|好");
    assert_sentences("「你好。」|他说。");
    assert_sentences("そう？！|はい。 |いいえ｡|ん");
    assert_sentences("好，好。");
}

static void what_looks_like_an_end_and_is_none_should_not_cut(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "It costs 3.14 dollars.", "See www.example.com for more.", "Wait... what?",
        "\"Come!\" she said.",
        "« Viens ! » dit-il.", "J. R. R. Tolkien wrote it.",
        "Mr. Smith and Mrs. Jones saw Dr. Who.",
        "(Mr. Smith)",
        "Mme. Curie et M. Curie", "Am 3. Mai", "Am 13. Mai", "1. Item", "It is No. 5 of 7.",
        "e.g. Paris", "What?!no.", NULL };
    for (const char *const *line = lines; *line; line++)
        assert_sentences(*line);
}

static void abbreviations_should_not_end_sentences(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "Prof. Lee met Capt. Fox, e.g. at i.e. that, etc. |Then they left.",
        "See No. 5, p. 7, pp. 8-9, Fig. 3. |It is no. |Yes.",
        "Tom vs. Mary. |St. John, John Jr. came.", "Acme Inc. grew. |Foo Ltd. Bar went.",
        "Of Acme Inc. |The rest of Foo Corp. |It went.", "In the U.S. Army. |In the U.S. |He came.",
        "At 5 p.m. |Tom came at 6 a.m. |Then he left.",
        "On Jan. 5, in Sept. Tom came. |In Dec. |He left.",
        "M. Roy et Mlle. Roy, p. ex. Anne. |Il a env. 5 ans, c.-à-d. peu.",
        "Il y en a. |Vas-y. |Voir art. 7. |Oui.",
        "Das ist z. B. Anna, d. h. so usw. |Hr. Meier kam am 3. Mai, die 5. Klasse bzw. Dr. May.",
        "Es waren 3. |Anna kam.", "Berlin, 3. Mai",
        "El Sr. Ruiz y Ud. saben, p. ej. Ana. |La Sra. Gil.", "Il Sig. Rossi, ecc. |Il Dott. Bo.",
        "J. R. R. Tolkien. |It was me and I. |Tom left. |He is taller than I. |You know.",
        "It is 3.14. |Yes. |Plan B. Tom. |Plan B. |The end.", "He left. |5 stayed. |6 went.", NULL
    };
    for (const char *const *line = lines; *line; line++)
        assert_sentences(*line);
}

/* ---- marks ---- */

/* The bar ends the mark; none: there is no mark. */
static void assert_mark(const char *marked, int first)
{
    Buf line = { 0 };
    const char *bar = strchr(marked, '|');
    remove_bars(marked, &line);
    assert_int_equal(sentence_mark_length(line.text, line.length, first), bar ? bar - marked : 0);
    buf_free(&line);
}

static void marks_of_lists_and_headings_should_be_no_text(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "- |item", "* |item", "+ |item", "• |item", "– |item", "— |item", "  \t- |item", "1. |One",
        "10) |Ten", "a) |First", "B) |Second", "(a) |x", "(12) |x", "iv) |x", "# |Title",
        "### |Title", "> |quoted", ">> |quoted", "> - 1. |all", "☑  |done", "☃ is here", "👍 |Yes", "👍 yes",
        "→ |there", "-5 degrees", "- ", "-", "1.", "3.14 is", "2026. x", "(Yes) he", "a. x", "I am", "#tag",
        "mix) x", "...|and so", "… |And so", "- ...|so", "..and", "...", "... ", "...!", ".so",
        "  |text", "   ", "*really* so", "", NULL
    };
    for (const char *const *line = lines; *line; line++)
        assert_mark(*line, 1);
}

static void indentation_should_be_a_mark_of_the_first_sentence(void **state)
{
    (void)state;
    assert_mark("\u00A0|x", 1);
    assert_mark("  The cat", 0);
}

static void inside_a_line_only_a_dash_should_be_a_mark(void **state)
{
    (void)state;
    assert_mark("— |Non.", 0);
    assert_mark("- |Non.", 0);
    assert_mark("1. Non.", 0);
    assert_mark("* Non.", 0);
    assert_mark("☑ Non.", 0);
    assert_int_equal(part_mark_length("Oui—non", 3, 9), 3);
    assert_int_equal(part_mark_length("Oui--non", 3, 8), 2);
    assert_int_equal(part_mark_length("Oui — non", 4, 11), 4);
    assert_int_equal(part_mark_length("Oui, non", 5, 8), 0);
}

static void marks_at_the_end_should_be_found(void **state)
{
    (void)state;
    assert_true(ends_in_ellipsis("so...", 5) && ends_in_ellipsis("so… ", 6));
    assert_true(ends_in_ellipsis("....", 4) && ends_in_ellipsis("so.... ", 7));
    assert_false(ends_in_ellipsis("so..", 4) || ends_in_ellipsis("so...!", 6));
    assert_false(ends_in_ellipsis("so", 2) || ends_in_ellipsis("", 0) || ends_in_ellipsis(" ", 1));
    assert_int_equal(unmarked_length("so, ", 4), 2);
    assert_int_equal(unmarked_length("so ;", 4), 2);
    assert_int_equal(unmarked_length("etc., ", 6), 3);
    assert_int_equal(unmarked_length(" ?!", 3), 0);
    assert_int_equal(unmarked_length("so\"", 3), 3);
    assert_true(ends_in_stop("So.\" ", 5) && ends_in_stop("So?!", 4) && ends_in_stop("好。", 6));
    assert_false(ends_in_stop("so, ", 4) || ends_in_stop("", 0) || ends_in_stop("\")", 2));
}

/* ---- chunks ---- */

static Tokenizer *characters(void)
{
    TextOptions options = text_defaults();
    options.tokens = TOKENS_CHAR;
    const char *lines[] = { "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ.,;:!?" };
    return learn_lines(&options, lines, 1);
}

static void assert_stretches(const char *marked, size_t most)
{
    Tokenizer *t = characters();
    assert_cut(marked, t, most);
    tokenizer_free(t);
}

static void a_stretch_should_end_at_the_last_best_place_in_reach(void **state)
{
    (void)state;
    assert_stretches("aa bb cc", 9);        /* nine tokens: a mark and two letters each */
    assert_stretches("aa bb |cc", 8);
    assert_stretches("aa |bb |cc", 3);
    assert_stretches("a b, |c d e", 9);
    assert_stretches("a b; |c, d e", 10);
    assert_stretches("aa. |B; c, d", 11);
    assert_stretches("aa. bb. |C; d, e", 14);
    assert_stretches("aa. Bb. |C; d, e", 14);
    assert_stretches("a, b, |c d", 8);
}

/* Cuts what has more than `clause` characters between clauses. */
static void assert_clauses(const char *marked, size_t clause)
{
    Tokenizer *t = characters();
    Buf line = { 0 }, found = { 0 };
    remove_bars(marked, &line);
    for (size_t at = 0, length; at < line.length; at += length) {
        length = chunk_length(t, line.text + at, line.length - at, (ChunkTokens){ clause, 80 });
        if (at) buf_putc(&found, '|');
        buf_add(&found, line.text + at, length);
    }
    assert_string_equal(found.text, marked);
    buf_free(&found);
    buf_free(&line);
    tokenizer_free(t);
}

static void a_long_sentence_should_be_cut_between_its_clauses(void **state)
{
    (void)state;
    assert_clauses("I was there, and Tom was here.", 40);
    assert_clauses("I was there, |and Tom was here.", 20);
    assert_clauses("I was there |because Tom was here.", 20);
    assert_clauses("I was there |and he was here with us.", 20);
    assert_clauses("I ate bread and butter with Tom, bread, cake.", 20);
    assert_clauses("I know that Tom was here, who was there.", 20);
    assert_clauses("I was there; |Tom and Mary were here.", 20);
    assert_clauses("I was in, |but Tom was out, |and so was Mary.", 16);
    assert_clauses("Il est parti, |mais Tom est là.", 20);
    assert_clauses("Er ist hier, |weil Tom dort ist.", 20);
}

/* Where no clause begins, only what is too long for the network is cut. */
static void a_sentence_without_clauses_should_stay_whole_while_it_fits(void **state)
{
    (void)state;
    assert_clauses("aa bb cc dd ee ff gg hh ii jj kk ll mm nn oo", 20);
    assert_clauses("aaaaaaaa bbbbbbbb cccccccc dddddddd eeeeeeee ffffffff gggggggg hhhhhhhh "
                   "|iiiiiiii jjjjjjjj", 20);
}

static void a_word_should_be_cut_only_where_it_has_no_end(void **state)
{
    (void)state;
    char line[131];
    memset(line, 'a', 130);
    line[130] = '\0';
    line[48] = line[97] = '|';
    assert_stretches(line, 60);
    assert_stretches("xxxxxxxxxxxxxxxxxxxx |yyyyyyyyyyyyyyyyyyyy", 4);
}

static void an_address_should_not_be_cut(void **state)
{
    (void)state;
    assert_stretches("see |(https://a.b/12345678901234567890123456789012345678901234567890123456789012345678901234567890"
                     "1234567890), |see", 4);
}

/* A run of what can't be cut well is cut all the same. */
static void no_input_should_make_a_stretch_without_end(void **state)
{
    (void)state;
    enum { MOST_TOKENS = 100 };     /* of a run that nothing separates, however long the input */
    static const char *const units[] = { "a", "\xCC\x81", ")", ".", "! ", "\xE2\x80\x8D", ".\"",
                                         "a\xCC\x81", NULL };
    Tokenizer *t = characters();
    for (const char *const *unit = units; *unit; unit++) {
        Buf line = { 0 };
        for (int i = 0; i < 20000; i++)
            buf_puts(&line, *unit);
        for (size_t at = 0, length; at < line.length; at += length) {
            Ids ids = { 0 };
            length = chunk_length(t, line.text + at, line.length - at, (ChunkTokens){ 20, 80 });
            tokenizer_encode(t, line.text + at, length, &ids, NULL);
            assert_in_range(ids.count, 1, MOST_TOKENS);
            assert_true((line.text[at + length] & 0xC0) != 0x80);
            ids_free(&ids);
        }
        buf_free(&line);
    }
    tokenizer_free(t);
}

static void accents_should_stay_with_their_letters(void **state)
{
    (void)state;
    enum { LETTERS = 45 };
    Tokenizer *t = characters();
    Buf line = { 0 };
    for (int i = 0; i < LETTERS; i++)
        buf_putc(&line, 'a');
    buf_puts(&line, "abc\xCC\x81\xCC\x81");      /* 48 bytes before the accents */
    for (int i = 0; i < LETTERS; i++)
        buf_putc(&line, 'a');
    assert_int_equal(chunk_length(t, line.text, line.length, (ChunkTokens){ LETTERS, LETTERS }),
                     LETTERS + 7);
    buf_free(&line);
    tokenizer_free(t);
}

static void cuts_should_never_tear_a_character(void **state)
{
    (void)state;
    Tokenizer *t = characters();
    Buf line = { 0 };
    for (uint64_t number = 0; number < 2000; number++) {
        random_line(number, &line);
        for (size_t at = 0, length; at < line.length; at += length) {
            size_t sentence = sentence_length(line.text + at, line.length - at);
            length = chunk_length(t, line.text + at, line.length - at, (ChunkTokens){ 3, 5 });
            const size_t mark = sentence_mark_length(line.text + at, line.length - at, at == 0);
            const size_t body = unmarked_length(line.text + at, length);
            assert_true(mark < line.length - at && body <= length);
            assert_true(unicode_valid(line.text + at, mark));
            assert_true(unicode_valid(line.text + at, body));
            assert_true(unicode_valid(line.text + at, sentence));
            assert_true(unicode_valid(line.text + at, length));
            assert_in_range(length, 1, line.length - at);
        }
    }
    buf_free(&line);
    tokenizer_free(t);
}

/* ---- joints ---- */

static void assert_joined(const char *marked_source, const char *first, const char *second,
                          const char *expected)
{
    Buf line = { 0 }, out = { 0 };
    remove_bars(marked_source, &line);
    buf_puts(&out, first);
    joint_add(&out, joint_at(line.text, strcspn(marked_source, "|")), second);
    assert_string_equal(out.text, expected);
    buf_free(&out);
    buf_free(&line);
}

static void parts_should_be_joined_as_the_source_was(void **state)
{
    (void)state;
    assert_joined("Yes. |No.", "Oui.", "Non.", "Oui. Non.");
    assert_joined("Yes.\xC2\xA0|No.", "Oui.", "Non.", "Oui. Non.");
    assert_joined("aaaa|aaaa", "bbb", "bbb", "bbbbbb");
    assert_joined("是。|不。", "はい。", "いいえ。", "はい。いいえ。");
    assert_joined("是。|不。", "Yes.", "No.", "Yes. No.");
    assert_joined("是。 |不。", "はい。", "いいえ。", "はい。 いいえ。");
    assert_joined("Yes. |No.", "", "Non.", "Non.");
    assert_joined("Yes. |No.", "Oui.", "", "Oui.");
    assert_joined("是。|不。", "", "No.", "No.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_should_end_behind_their_marks),
        cmocka_unit_test(east_asian_sentences_should_need_no_blank),
        cmocka_unit_test(what_looks_like_an_end_and_is_none_should_not_cut),
        cmocka_unit_test(abbreviations_should_not_end_sentences),
        cmocka_unit_test(marks_of_lists_and_headings_should_be_no_text),
        cmocka_unit_test(indentation_should_be_a_mark_of_the_first_sentence),
        cmocka_unit_test(inside_a_line_only_a_dash_should_be_a_mark),
        cmocka_unit_test(marks_at_the_end_should_be_found),
        cmocka_unit_test(a_long_sentence_should_be_cut_between_its_clauses),
        cmocka_unit_test(a_sentence_without_clauses_should_stay_whole_while_it_fits),
        cmocka_unit_test(a_stretch_should_end_at_the_last_best_place_in_reach),
        cmocka_unit_test(a_word_should_be_cut_only_where_it_has_no_end),
        cmocka_unit_test(an_address_should_not_be_cut),
        cmocka_unit_test(no_input_should_make_a_stretch_without_end),
        cmocka_unit_test(accents_should_stay_with_their_letters),
        cmocka_unit_test(cuts_should_never_tear_a_character),
        cmocka_unit_test(parts_should_be_joined_as_the_source_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
