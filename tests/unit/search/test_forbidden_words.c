/* test_forbidden_words.c - what must not follow a hypothesis, word by word; in a search:
 * test_search_rules.c.
 */
#include "search/forbidden_words.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { A = ID_SPECIALS, B, C };

/* The words that are forbidden behind ids (length), but for <pad> and <bos>, as a bit each. */
static unsigned long forbidden_after(const int *ids, int length, WordLimits most)
{
    HypothesisTree tree = { 0 };
    unsigned long bits = 0;
    WordsWritten written = { 0 };
    int node = -1;
    for (int i = 0; i < length; i++) {
        node = tree_add(&tree, node, ids[i], 0);
        written.unknowns += ids[i] == ID_UNK;
        written.copies |= placeholder_bit(ids[i]);
    }
    const ForbiddenWords list = forbidden_words(&tree, node, written, &most);
    for (int i = 0; i < list.count; i++)
        bits |= 1ul << list.id[i];
    tree_free(&tree);
    assert_true(bits & 1u << ID_PAD && bits & 1u << ID_BOS);
    return bits & ~(1ul << ID_PAD | 1ul << ID_BOS);
}

static void a_word_should_be_forbidden_once_it_would_occur_too_often_in_a_row(void **state)
{
    (void)state;
    const int ids[] = { B, A, A, A };
    const WordLimits three = { .unknowns = INT_MAX, .repeats = 3 };
    const WordLimits any = { .unknowns = INT_MAX };
    assert_int_equal(forbidden_after(ids, 3, three), 0);
    assert_int_equal(forbidden_after(ids, 4, three), 1u << A);
    assert_int_equal(forbidden_after(ids, 4, any), 0);
}

static void the_last_word_of_a_loop_should_be_forbidden(void **state)
{
    (void)state;
    const int ids[] = { C, A, B, A, B, A };
    const WordLimits two = { .unknowns = INT_MAX, .repeats = 2 };
    assert_int_equal(forbidden_after(ids, 5, two), 0);
    assert_int_equal(forbidden_after(ids, 6, two), 1u << B);
}

static void unknowns_should_be_limited_but_never_count_as_a_loop(void **state)
{
    (void)state;
    const int ids[] = { ID_UNK, ID_UNK, ID_UNK };
    WordLimits most = { .unknowns = INT_MAX, .repeats = 1 };
    assert_int_equal(forbidden_after(ids, 3, most), 0);
    most.unknowns = 4;
    assert_int_equal(forbidden_after(ids, 3, most), 0);
    most.unknowns = 3;
    assert_int_equal(forbidden_after(ids, 3, most), 1u << ID_UNK);
}

/* A bit for each placeholder. */
static unsigned long all_placeholders(void)
{
    return ((UINT64_C(1) << PLACEHOLDERS) - 1) << ID_SPECIALS;
}

static void a_placeholder_should_be_written_once_if_the_source_has_it(void **state)
{
    (void)state;
    enum { ONE = ID_SPECIALS, TWO = ID_SPECIALS + PLACEHOLDERS - 1, WORD = TWO + 1 };
    const unsigned long one = 1ul << ONE, two = 1ul << TWO, all = all_placeholders();
    const int ids[] = { WORD, TWO, WORD + 1, ONE };
    WordLimits most = { .unknowns = INT_MAX, .placeholders = 1,
                        .copies = placeholder_bit(ONE) | placeholder_bit(TWO) };
    assert_int_equal(forbidden_after(ids, 1, most), all & ~one & ~two);
    assert_int_equal(forbidden_after(ids, 3, most), all & ~one);
    assert_int_equal(forbidden_after(ids, 4, most), all);
    most.placeholders = 0;
    most.copies = 0;
    assert_int_equal(forbidden_after(ids, 4, most), 0);
}

static void limits_should_follow_from_the_source(void **state)
{
    (void)state;
    SearchOptions options = search_defaults();
    SearchRules rules = { .options = &options, .copy = COPY_UNKNOWN };
    const int ids[] = { ID_UNK, A, B, A, B, A, B, ID_UNK, ID_EOS };
    const Sentence source = { .source = ids, .source_length = sizeof ids / sizeof *ids };
    options.repeats = 1;
    const WordLimits copied = word_limits_of(&source, &rules);
    options.repeats = 5;
    rules.copy = COPY_ANY;
    rules.placeholders = 1;
    const WordLimits written = word_limits_of(&source, &rules);
    assert_int_equal(copied.unknowns, 2);
    assert_int_equal(copied.repeats, 3);
    assert_int_equal(written.unknowns, INT_MAX);
    assert_int_equal(written.repeats, 5);
    assert_int_equal(copied.copies, 0);
    assert_int_equal(written.copies, placeholder_bit(A) | placeholder_bit(B));
    options.repeats = 0;
    assert_int_equal(word_limits_of(&source, &rules).repeats, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_should_be_forbidden_once_it_would_occur_too_often_in_a_row),
        cmocka_unit_test(the_last_word_of_a_loop_should_be_forbidden),
        cmocka_unit_test(unknowns_should_be_limited_but_never_count_as_a_loop),
        cmocka_unit_test(a_placeholder_should_be_written_once_if_the_source_has_it),
        cmocka_unit_test(limits_should_follow_from_the_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
