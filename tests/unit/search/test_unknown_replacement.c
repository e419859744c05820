/* test_unknown_replacement.c - which unknown text each <unk> of a translation stands for. */
#include "search/unknown_replacement.h"
#include "text/tokenizer/tokenizer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { UNK = ID_UNK, END = ID_EOS, WORD = ID_SPECIALS };

static void assert_copies(CopyFrom from, const int *ids, int length, const float *attention,
                          const int *source, int source_length,
                          const int *expected, int expected_count)
{
    int place[8];
    const Hypothesis h = { .ids = (int *)ids, .length = length, .attention = (float *)attention };
    assert_int_equal(unknown_replacement_choose(place, &h, source, source_length, from),
                     expected_count);
    for (int i = 0; i < expected_count; i++)
        assert_int_equal(place[i], expected[i]);
}

static void each_should_stand_for_what_it_attends_to_most(void **state)
{
    (void)state;
    const int source[] = { UNK, WORD, UNK, END }, ids[] = { UNK, WORD, UNK, END };
    const int expected[] = { 2, 0 };
    const float attention[] = { .1f, .6f, .2f, .1f,   0, 1, 0, 0,
                                .3f, .3f, .2f, .2f,   0, 0, 0, 1 };
    assert_copies(COPY_UNKNOWN, ids, 4, attention, source, 4, expected, 2);
}

static void none_should_be_copied_twice(void **state)
{
    (void)state;
    const int source[] = { UNK, UNK, END }, ids[] = { UNK, UNK, UNK, END };
    const int expected[] = { 1, 0, -1 };
    const float attention[] = { .1f, .9f, 0,   .1f, .9f, 0,   .5f, .5f, 0,   0, 0, 1 };
    assert_copies(COPY_UNKNOWN, ids, 4, attention, source, 3, expected, 3);
}

static void equal_weights_should_go_to_the_first(void **state)
{
    (void)state;
    const int source[] = { WORD, UNK, UNK, END }, ids[] = { UNK, UNK }, expected[] = { 1, 2 };
    const float attention[] = { 1, 0, 0, 0,   1, 0, 0, 0 };
    assert_copies(COPY_UNKNOWN, ids, 2, attention, source, 4, expected, 2);
}

static void any_word_but_the_end_should_be_copied_as_often_as_it_is_attended_to(void **state)
{
    (void)state;
    const int source[] = { WORD, UNK, END }, ids[] = { UNK, UNK, UNK, END };
    const int expected[] = { 0, 0, 1 };
    const float attention[] = { .3f, .1f, .6f,   .9f, .1f, 0,   .1f, .2f, .7f,   0, 0, 1 };
    assert_copies(COPY_ANY, ids, 4, attention, source, 3, expected, 3);
}

static void a_translation_without_unknowns_should_copy_nothing(void **state)
{
    (void)state;
    const int source[] = { UNK, END }, ids[] = { WORD, END };
    const float attention[] = { 1, 0,   1, 0 };
    assert_copies(COPY_UNKNOWN, ids, 2, attention, source, 2, NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_should_stand_for_what_it_attends_to_most),
        cmocka_unit_test(none_should_be_copied_twice),
        cmocka_unit_test(equal_weights_should_go_to_the_first),
        cmocka_unit_test(any_word_but_the_end_should_be_copied_as_often_as_it_is_attended_to),
        cmocka_unit_test(a_translation_without_unknowns_should_copy_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
