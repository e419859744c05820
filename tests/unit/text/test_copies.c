/* test_copies.c - what kind of copy a word is, the texts of a line, and their placeholders. */
#include "text/copies.h"

#include "scratch.h"

static CopyKind kind_of(const char *word)
{
    return copy_kind(word, strlen(word));
}

static void a_word_should_be_the_kind_of_copy_that_it_looks_like(void **state)
{
    (void)state;
    static const char *const numbers[] = { "3", "241", "1,000.50", "12:30", "2026-11-22", "9h30" };
    static const char *const others[] = {
        "Tom", "I", "NATO", "McAllister", "Élodie", "https://a.b/c", "jo@b.com", "%s", "{name}",
        "foo_bar()", "@jo", "v1.2.3", "😀", "iPhone", ".", "¿", "-",
    };
    static const char *const words[] = { "", "calm", "été", "你好", "it's" };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_int_equal(kind_of(numbers[i]), COPY_NUMBER);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (kind_of(others[i]) != COPY_OTHER) fail_msg("%s", others[i]);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (kind_of(words[i]) != COPY_NEVER) fail_msg("%s", words[i]);
}

static void texts_should_come_back_in_order(void **state)
{
    (void)state;
    static const char *const texts[COPIES_MOST] = { "Tom", "3", "a b", "é", "", "x", "yy", "z" };
    Copies copies = { 0 };
    for (int round = 0; round < 2; round++) {
        copies_clear(&copies);
        assert_int_equal(copies.text.count, 0);
        for (int k = 0; k < COPIES_MOST; k++)
            copies_add(&copies, texts[k], strlen(texts[k]), k % 2 ? COPY_NUMBER : COPY_OTHER);
        for (int k = 0; k < COPIES_MOST; k++) {
            assert_string_equal(copies_at(&copies, k), texts[k]);
            assert_int_equal(copies.kind[k], k % 2 ? COPY_NUMBER : COPY_OTHER);
        }
    }
    copies_free(&copies);
}

static void each_placeholder_should_be_one_number_and_one_kind(void **state)
{
    (void)state;
    unsigned seen = 0;
    for (int number = 0; number < COPIES_MOST; number++)
        for (CopyKind kind = COPY_NUMBER; kind <= COPY_OTHER; kind++) {
            const int k = placeholder_number(number, kind);
            assert_true(k >= 0 && k < PLACEHOLDERS && !(seen >> k & 1));
            seen |= 1u << k;
            assert_int_equal(placeholder_copy(k), number);
            assert_non_null(strstr(placeholder_piece(k),
                                   kind == COPY_NUMBER ? "<number" : "<copy"));
        }
}

static void only_placeholders_should_be_placeholders(void **state)
{
    (void)state;
    static const char *const others[] = { "", "<", "<number1>", "<copy>", "<copy" BLANK_MARK "9>",
                                          "<copy" BLANK_MARK "1>x", "<unk>" };
    for (int k = 0; k < PLACEHOLDERS; k++) {
        const char *piece = placeholder_piece(k);
        const size_t length = strlen(piece);
        assert_true(placeholder_is(piece, length));
        assert_false(placeholder_is(piece, length - 1));
        assert_non_null(strstr(piece, BLANK_MARK));
        for (int other = 0; other < k; other++)
            assert_string_not_equal(piece, placeholder_piece(other));
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(placeholder_is(others[i], strlen(others[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_should_be_the_kind_of_copy_that_it_looks_like),
        cmocka_unit_test(texts_should_come_back_in_order),
        cmocka_unit_test(each_placeholder_should_be_one_number_and_one_kind),
        cmocka_unit_test(only_placeholders_should_be_placeholders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
