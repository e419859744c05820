/* test_forbidden_words.c - what must not follow a hypothesis, word by word; in a search:
 * test_search_rules.c.
 */
#include "translate/forbidden_words.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { A = ID_SPECIALS, B, C };

/* The words that are forbidden behind ids (length), but for <pad> and <bos>, as a bit each. */
static unsigned forbidden_after(const int *ids, int length, WordLimits most)
{
    HypothesisTree tree = { 0 };
    unsigned bits = 0;
    int node = -1, unknowns = 0;
    for (int i = 0; i < length; i++) {
        node = tree_add(&tree, node, ids[i], 0);
        unknowns += ids[i] == ID_UNK;
    }
    const ForbiddenWords list = forbidden_words(&tree, node, unknowns, most);
    for (int i = 0; i < list.count; i++)
        bits |= 1u << list.id[i];
    tree_free(&tree);
    assert_true(bits & 1u << ID_PAD && bits & 1u << ID_BOS);
    return bits & ~(1u << ID_PAD | 1u << ID_BOS);
}

static void a_word_should_be_forbidden_once_it_would_occur_too_often_in_a_row(void **state)
{
    (void)state;
    const int ids[] = { B, A, A, A };
    const WordLimits three = { INT_MAX, 3 }, any = { INT_MAX, 0 };
    assert_int_equal(forbidden_after(ids, 3, three), 0);
    assert_int_equal(forbidden_after(ids, 4, three), 1u << A);
    assert_int_equal(forbidden_after(ids, 4, any), 0);
}

static void the_last_word_of_a_loop_should_be_forbidden(void **state)
{
    (void)state;
    const int ids[] = { C, A, B, A, B, A };
    const WordLimits two = { INT_MAX, 2 };
    assert_int_equal(forbidden_after(ids, 5, two), 0);
    assert_int_equal(forbidden_after(ids, 6, two), 1u << B);
}

static void unknowns_should_be_limited_but_never_count_as_a_loop(void **state)
{
    (void)state;
    const int ids[] = { ID_UNK, ID_UNK, ID_UNK };
    assert_int_equal(forbidden_after(ids, 3, (WordLimits){ INT_MAX, 1 }), 0);
    assert_int_equal(forbidden_after(ids, 3, (WordLimits){ 4, 1 }), 0);
    assert_int_equal(forbidden_after(ids, 3, (WordLimits){ 3, 1 }), 1u << ID_UNK);
}

static void limits_should_follow_from_the_source(void **state)
{
    (void)state;
    const int ids[] = { ID_UNK, A, B, A, B, A, B, ID_UNK, ID_EOS };
    const Sentence source = { .source = ids, .source_length = sizeof ids / sizeof *ids };
    const WordLimits copied = word_limits_of(&source, 1, COPY_UNKNOWN);
    const WordLimits written = word_limits_of(&source, 5, COPY_ANY);
    assert_int_equal(copied.unknowns, 2);
    assert_int_equal(copied.repeats, 3);
    assert_int_equal(written.unknowns, INT_MAX);
    assert_int_equal(written.repeats, 5);
    assert_int_equal(word_limits_of(&source, 0, COPY_NONE).repeats, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_should_be_forbidden_once_it_would_occur_too_often_in_a_row),
        cmocka_unit_test(the_last_word_of_a_loop_should_be_forbidden),
        cmocka_unit_test(unknowns_should_be_limited_but_never_count_as_a_loop),
        cmocka_unit_test(limits_should_follow_from_the_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
