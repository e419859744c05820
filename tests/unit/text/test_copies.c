/* test_copies.c - the copied texts of a line, their placeholders, and how often rare words are copied. */
#include "text/copies.h"

#include "base/mem.h"
#include "scratch.h"

#include <string.h>

UNIT_TEST(texts_should_come_back_in_order)
{
    static const char *const texts[COPIES_MOST] = { "Tom", "3", "a b", "é", "", "x", "yy", "z" };
    SCOPED(copies_free) Copies copies = { 0 };
    for (int round = 0; round < 2; round++) {
        copies_clear(&copies);
        assert_int_equal(copies.text.count, 0);
        for (int k = 0; k < COPIES_MOST; k++)
            copies_add(&copies, slice_of(texts[k]), k % 2 ? COPY_NUMBER : COPY_OTHER);
        for (int k = 0; k < COPIES_MOST; k++) {
            const int placeholder = placeholder_of(k % 2 ? COPY_NUMBER : COPY_OTHER, k / 2);
            assert_string_equal(copies_at(&copies, k), texts[k]);
            assert_memory_equal(copies_word(&copies, k), WORD_MARK, WORD_MARK_LENGTH);
            assert_int_equal(copies.placeholder[k], placeholder);
            assert_int_equal(copies_find(&copies, placeholder), k);
        }
    }
}

UNIT_TEST(each_kind_should_have_so_many_placeholders)
{
    SCOPED(copies_free) Copies copies = { 0 };
    unsigned long seen = 0;
    for (CopyKind kind = COPY_NUMBER; kind < COPY_KINDS; kind++) {
        for (int number = 0; number < COPIES_MOST; number++) {
            const int placeholder = copies_next(&copies, kind);
            assert_in_range(placeholder, 0, PLACEHOLDERS - 1);
            assert_false(seen >> placeholder & 1);
            seen |= 1UL << placeholder;
            assert_int_equal(copies_find(&copies, placeholder), -1);
            copies_add(&copies, slice_of("x"), kind);
        }
        assert_int_equal(copies_next(&copies, kind), -1);
    }
}

UNIT_TEST(only_placeholders_should_be_placeholders)
{
    static const char *const others[] = { "", "<", "<number1>", "<copy>", "<copy" WORD_MARK "9>", "<copy" WORD_MARK "1>x",
                                          "<unk>" };
    for (int k = 0; k < PLACEHOLDERS; k++) {
        const char *piece = placeholder_piece(k);
        const size_t length = strlen(piece);
        assert_true(placeholder_is((Slice){ piece, length }));
        assert_false(placeholder_is((Slice){ piece, length - 1 }));
        assert_non_null(strstr(piece, WORD_MARK));
        for (int other = 0; other < k; other++)
            assert_string_not_equal(piece, placeholder_piece(other));
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(placeholder_is(slice_of(others[i])));
}

static CopyClass class_of(const char *word)
{
    return copy_class(slice_of(word), 0);
}

static void count(CopyPrior *prior, const char *word, int words, int same)
{
    const CopyClass class = class_of(word);
    for (int i = 0; i < words; i++)
        copy_prior_add(prior, &class, i < same);
}

static double prior_of(const CopyPrior *prior, const char *word)
{
    const CopyClass class = class_of(word);
    return copy_prior_of(prior, &class);
}

UNIT_TEST(nothing_seen_should_leave_half_of_words_and_three_quarters_of_the_rest)
{
    SCOPED(copy_prior_free) CopyPrior prior = { 0 };
    assert_float_equal(prior_of(&prior, "Zorblax"), 0.5, 1e-6);
    assert_float_equal(prior_of(&prior, "4711"), 0.75, 1e-6);
    assert_float_equal(prior_of(&prior, "a@b.org"), 0.75, 1e-6);
}

/* Two of six are the same: (2 + 5 * 0.75) / 11, however many levels have these six words alone. */
UNIT_TEST(words_should_count_once_for_all_levels_that_they_alone_have)
{
    SCOPED(copy_prior_free) CopyPrior prior = { 0 };
    count(&prior, "a@b.org", 6, 2);
    assert_float_equal(prior_of(&prior, "a@b.org"), (2 + 5 * 0.75) / 11, 1e-6);
}

/* Of 30 letters 20 are capitalised and copied: their class says more than all letters do. */
UNIT_TEST(finer_classes_should_back_off_to_coarser_ones)
{
    SCOPED(copy_prior_free) CopyPrior prior = { 0 };
    count(&prior, "Rome", 20, 20);
    count(&prior, "rome", 10, 0);
    const double letters = (20 + 5 * 0.5) / 35;
    assert_float_equal(prior_of(&prior, "Rome"), (20 + 5 * letters) / 25, 1e-6);
    assert_float_equal(prior_of(&prior, "rome"), (0 + 5 * letters) / 15, 1e-6);
    assert_float_equal(prior_of(&prior, "ROME"), letters, 1e-6);
}

int main(void) { return run_unit_tests(); }
