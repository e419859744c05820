/* test_copies.c - the copied texts of a line, and their placeholders. */
#include "text/copies.h"

#include "scratch.h"

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
            const int placeholder = placeholder_of(k % 2 ? COPY_NUMBER : COPY_OTHER, k / 2);
            assert_string_equal(copies_at(&copies, k), texts[k]);
            assert_memory_equal(copies_word(&copies, k), WORD_MARK, WORD_MARK_LENGTH);
            assert_int_equal(copies.placeholder[k], placeholder);
            assert_int_equal(copies_find(&copies, placeholder), k);
        }
    }
    copies_free(&copies);
}

static void each_kind_should_have_so_many_placeholders(void **state)
{
    (void)state;
    Copies copies = { 0 };
    unsigned long seen = 0;
    for (CopyKind kind = COPY_NUMBER; kind < COPY_KINDS; kind++) {
        for (int number = 0; number < COPIES_MOST; number++) {
            const int placeholder = copies_next(&copies, kind);
            assert_in_range(placeholder, 0, PLACEHOLDERS - 1);
            assert_false(seen >> placeholder & 1);
            seen |= 1UL << placeholder;
            assert_int_equal(copies_find(&copies, placeholder), -1);
            copies_add(&copies, "x", 1, kind);
        }
        assert_int_equal(copies_next(&copies, kind), -1);
    }
    copies_free(&copies);
}

static void only_placeholders_should_be_placeholders(void **state)
{
    (void)state;
    static const char *const others[] = { "", "<", "<number1>", "<copy>", "<copy" WORD_MARK "9>", "<copy" WORD_MARK "1>x",
                                          "<unk>" };
    for (int k = 0; k < PLACEHOLDERS; k++) {
        const char *piece = placeholder_piece(k);
        const size_t length = strlen(piece);
        assert_true(placeholder_is(piece, length));
        assert_false(placeholder_is(piece, length - 1));
        assert_non_null(strstr(piece, WORD_MARK));
        for (int other = 0; other < k; other++)
            assert_string_not_equal(piece, placeholder_piece(other));
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(placeholder_is(others[i], strlen(others[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_should_come_back_in_order),
        cmocka_unit_test(each_kind_should_have_so_many_placeholders),
        cmocka_unit_test(only_placeholders_should_be_placeholders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
