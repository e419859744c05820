/* test_letter_case.c - the shapes of words, the case of sentences, and its change. */
#include "text/letter_case.h"

#include "random_text.h"
#include "scratch.h"
#include "text/unicode.h"

static void a_word_should_have_the_shape_of_its_letters(void **state)
{
    (void)state;
    static const struct { const char *word; Shape shape; } rows[] = {
        { "", SHAPE_NONE }, { ".", SHAPE_NONE }, { "«", SHAPE_NONE }, { "😀", SHAPE_NONE },
        { "12", SHAPE_UNCASED }, { "你好", SHAPE_UNCASED }, { "½", SHAPE_UNCASED },
        { "calm", SHAPE_SMALL }, { "été", SHAPE_SMALL }, { "2nd", SHAPE_SMALL },
        { "it's", SHAPE_SMALL }, { "I", SHAPE_CAPITAL }, { "É", SHAPE_CAPITAL },
        { "A1", SHAPE_CAPITAL }, { "Tom", SHAPE_CAPITALISED }, { "Été", SHAPE_CAPITALISED },
        { "'Tis", SHAPE_CAPITALISED }, { "3D", SHAPE_CAPITAL }, { "NATO", SHAPE_CAPITALS },
        { "U.S.", SHAPE_CAPITALS }, { "ПРИВЕТ", SHAPE_CAPITALS }, { "McAllister", SHAPE_MIXED },
        { "iPhone", SHAPE_MIXED }, { "TVs", SHAPE_MIXED }, { "eBay", SHAPE_MIXED },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(letter_case_shape(rows[i].word, strlen(rows[i].word)), rows[i].shape);
}

typedef void Change(const char *text, size_t length, const char *language, Buf *out);

static void assert_changed_in(const char *language, Change *change, const char *text, const char *expected)
{
    Buf out = { 0 };
    buf_puts(&out, "+");
    change(text, strlen(text), language, &out);
    assert_string_equal(out.text + 1, expected);
    buf_free(&out);
}

static void assert_changed(Change *change, const char *text, const char *expected)
{
    assert_changed_in(NULL, change, text, expected);
}

static void text_should_change_its_case_as_its_language_does(void **state)
{
    (void)state;
    assert_changed_in("tr", letter_case_small, "IŞIK İYİ", "ışık iyi");
    assert_changed_in("tr", letter_case_capitals, "iyi ışık", "İYİ IŞIK");
    assert_changed_in("tr", letter_case_capitalised, "« iyi ışık", "« İyi ışık");
    assert_changed_in("nl", letter_case_capitalised, "ijs", "IJs");
    assert_changed_in("el", letter_case_capitals, "άνθρωπος", "ΑΝΘΡΩΠΟΣ");
    assert_changed_in("el", letter_case_small, "ΟΔΟΣ", "οδος");
    assert_changed_in("de", letter_case_capitals, "straße", "STRASSE");
    assert_changed(letter_case_capitalised, "iyi ijs", "Iyi ijs");
}

static void text_should_change_its_case_letter_by_letter(void **state)
{
    (void)state;
    assert_changed(letter_case_small, "ÉTÉ McAllister, 3 U.S. Ω", "été mcallister, 3 u.s. ω");
    assert_changed(letter_case_capitals, "à l'été, ça 3 œuf", "À L'ÉTÉ, ÇA 3 ŒUF");
    assert_changed(letter_case_capitalised, "« été ", "« Été ");
    assert_changed(letter_case_capitalised, "...iPhone", "...IPhone");
    assert_changed(letter_case_capitalised, "Tom", "Tom");
    assert_changed(letter_case_capitalised, "!?", "!?");
    assert_changed(letter_case_capitalised, "", "");
    assert_changed(letter_case_capitalised, "你 a", "你 a");
}

static void no_letter_should_become_a_capital_behind_a_number(void **state)
{
    (void)state;
    assert_changed(letter_case_capitalised, "3 chats", "3 chats");
    assert_changed(letter_case_capitalised, "« 12 ans »", "« 12 ans »");
    assert_changed(letter_case_capitalised, "2e", "2e");
}

static void text_in_small_letters_should_be_told_from_other_text(void **state)
{
    (void)state;
    static const char *const small[] = { "", "calm", "été", "12", "it's", "你好", "ß", "." };
    static const char *const other[] = { "I", "É", "éÉ", "calM", "Ω", "12A" };
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        assert_true(letter_case_is_small(small[i], strlen(small[i])));
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        assert_false(letter_case_is_small(other[i], strlen(other[i])));
}

/* Case that is changed twice is changed once, and the shape tells which. */
static void any_line_should_have_the_case_that_it_was_given(void **state)
{
    (void)state;
    Buf line = { 0 }, small = { 0 }, again = { 0 };
    for (uint64_t i = 0; i < 3000; i++) {
        random_line(i, &line);
        buf_clear(&small);
        buf_clear(&again);
        letter_case_small(line.text, line.length, NULL, &small);
        letter_case_small(small.text, small.length, NULL, &again);
        assert_true(unicode_valid(small.text, small.length));
        assert_string_equal(small.text, again.text);
        assert_true(letter_case_is_small(small.text, small.length));
        assert_int_equal(letter_case_is_small(line.text, line.length),
                         !strcmp(line.text, small.text));
        assert_true(letter_case_shape(small.text, small.length) <= SHAPE_SMALL);
    }
    buf_free(&line);
    buf_free(&small);
    buf_free(&again);
}

/* The shapes of a sentence, a letter each: . punctuation, 1 uncased, a small, I capital, T
 * capitalised, N capitals, m mixed. */
static SentenceCase case_of(const char *shapes)
{
    static const char letters[] = ".1aITNm";
    unsigned char shape[32];
    const size_t count = strlen(shapes);
    for (size_t i = 0; i < count; i++)
        shape[i] = (unsigned char)(strchr(letters, shapes[i]) - letters);
    return sentence_case(shape, count);
}

static void a_sentence_should_have_the_case_of_its_words(void **state)
{
    (void)state;
    static const struct { const char *shapes; SentenceCase expected; } rows[] = {
        { "", CASE_USUAL }, { ".", CASE_USUAL }, { "1.", CASE_USUAL }, { "11", CASE_USUAL },
        { "Taa.", CASE_USUAL }, { "TaTa.", CASE_USUAL }, { "Iaa.", CASE_USUAL },
        { "aaa.", CASE_SMALL }, { ".a1.", CASE_SMALL }, { "a", CASE_SMALL }, { "aIa", CASE_USUAL },
        { "am", CASE_USUAL }, { "NNN.", CASE_CAPITALS }, { "INI.", CASE_CAPITALS },
        { "1N.", CASE_CAPITALS }, { "II.", CASE_USUAL }, { "I", CASE_USUAL },
        { "NaN", CASE_USUAL }, { "NT", CASE_USUAL }, { "Nm", CASE_USUAL },
        { "TTTT.", CASE_TITLE }, { "TaTTT", CASE_TITLE }, { "aTTT", CASE_TITLE },
        { "TTT", CASE_USUAL }, { "TaaaTTT", CASE_USUAL }, { "TaaTTT", CASE_TITLE },
        { ".1TTTT", CASE_TITLE }, { ".1TTT", CASE_USUAL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (case_of(rows[i].shapes) != rows[i].expected)
            fail_msg("%s: case %d", rows[i].shapes, case_of(rows[i].shapes));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_should_have_the_shape_of_its_letters),
        cmocka_unit_test(text_should_change_its_case_letter_by_letter),
        cmocka_unit_test(text_should_change_its_case_as_its_language_does),
        cmocka_unit_test(no_letter_should_become_a_capital_behind_a_number),
        cmocka_unit_test(text_in_small_letters_should_be_told_from_other_text),
        cmocka_unit_test(any_line_should_have_the_case_that_it_was_given),
        cmocka_unit_test(a_sentence_should_have_the_case_of_its_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
