/* test_alignment.c - attention over pieces to links between words. */
#include "translate/alignment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void assert_links(Alignment a, const char *expected)
{
    Buf out = { 0 };
    buf_clear(&out);
    alignment_links(&a, 1, &out);
    assert_string_equal(out.text, expected);
    buf_free(&out);
}

static void each_target_word_should_be_linked_to_what_it_attends_to_most(void **state)
{
    (void)state;
    Piece source[] = { { "I", 0 }, { "know", 1 }, { "him", 2 } };
    Piece target[] = { { "Je", 0 }, { "le", 1 }, { "connais", 2 } };
    const float weight[] = { .8f, .1f, .1f,   .1f, .2f, .7f,   .1f, .6f, .3f };
    assert_links((Alignment){ source, target, 3, 3, weight }, "0-0 2-1 1-2");
}

static void pieces_of_a_word_should_count_together_on_both_sides(void **state)
{
    (void)state;
    Piece source[] = { { "un", 0 }, { "known", 0 }, { "man", 1 } },
        target[] = { { "in", 0 }, { "connu", 0 } };
    /* sums: 1.1 of 2 for the first word */
    const float weight[] = { .1f, .1f, .8f,   .45f, .45f, .1f };
    assert_links((Alignment){ source, target, 3, 2, weight }, "0-0");

    Piece words[] = { { "l'", 0 }, { "homme", 1 } };
    const float others[] = { .1f, .1f, .8f,   .2f, .1f, .7f };
    assert_links((Alignment){ source, words, 3, 2, others }, "1-0 1-1");
}

static void ends_of_sentences_should_have_no_links(void **state)
{
    (void)state;
    Piece source[] = { { "I", 0 }, { "<eos>", -1 } }, target[] = { { "Je", 0 }, { "<eos>", -1 } };
    const float weight[] = { .1f, .9f,   0, 1 };
    assert_links((Alignment){ source, target, 2, 2, weight }, "0-0");
}

static void equal_sums_should_go_to_the_first_word(void **state)
{
    (void)state;
    Piece source[] = { { "a", 0 }, { "b", 1 } }, target[] = { { "c", 0 } };
    const float weight[] = { .5f, .5f };
    assert_links((Alignment){ source, target, 2, 1, weight }, "0-0");
}

static void sentences_without_words_should_have_no_links(void **state)
{
    (void)state;
    Piece word[] = { { "a", 0 } }, end[] = { { "<eos>", -1 } };
    const float weight[] = { 1 };
    assert_links((Alignment){ end, word, 1, 1, weight }, "");
    assert_links((Alignment){ word, end, 1, 1, weight }, "");
    assert_links((Alignment){ word, word, 1, 0, weight }, "");
}

static void stretches_should_be_linked_with_words_counted_through_the_line(void **state)
{
    (void)state;
    Piece first_source[] = { { "No", 0 }, { ".", 0 }, { "<eos>", -1 } };
    Piece first_target[] = { { "Non.", 0 }, { "<eos>", -1 } };
    Piece source[] = { { "I", 1 }, { "know", 2 } }, target[] = { { "sais", 1 }, { "je", 2 } };
    const float first_weight[] = { .3f, .3f, .4f,   0, 0, 1 }, weight[] = { .2f, .8f,   .9f, .1f };
    const Alignment chunk[] = { { first_source, first_target, 3, 2, first_weight },
                                  { source, target, 2, 2, weight } };
    Buf out = { 0 };
    buf_puts(&out, "Non. sais je\t");
    alignment_links(chunk, 2, &out);
    assert_string_equal(out.text, "Non. sais je\t0-0 2-1 1-2");
    buf_free(&out);
}

static void a_word_in_two_stretches_should_have_one_link(void **state)
{
    (void)state;
    Piece first_source[] = { { "a", 0 } }, first_target[] = { { "b", 0 } };
    Piece source[] = { { "a", 0 }, { "c", 1 } }, target[] = { { "b", 0 }, { "d", 1 } };
    const float first_weight[] = { 1 }, weight[] = { .2f, .8f,   .3f, .7f };
    const Alignment chunk[] = { { first_source, first_target, 1, 1, first_weight },
                                  { source, target, 2, 2, weight } };
    Buf out = { 0 };
    alignment_links(chunk, 2, &out);
    assert_string_equal(out.text, "0-0 1-1");
    buf_free(&out);
}

static void links_should_be_in_the_order_of_the_target(void **state)
{
    (void)state;
    Piece source[] = { { "a", 0 }, { "d", 3 } }, target[] = { { "b", 0 }, { "e", 3 } };
    Piece aside_source[] = { { "c", 1 } }, aside_target[] = { { "f", 2 } };
    const float weight[] = { .9f, .1f,   .3f, .7f }, aside_weight[] = { 1 };
    const Alignment chunk[] = { { source, target, 2, 2, weight },
                                { aside_source, aside_target, 1, 1, aside_weight } };
    Buf out = { 0 };
    alignment_links(chunk, 2, &out);
    assert_string_equal(out.text, "0-0 1-2 3-3");
    buf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_target_word_should_be_linked_to_what_it_attends_to_most),
        cmocka_unit_test(pieces_of_a_word_should_count_together_on_both_sides),
        cmocka_unit_test(ends_of_sentences_should_have_no_links),
        cmocka_unit_test(equal_sums_should_go_to_the_first_word),
        cmocka_unit_test(sentences_without_words_should_have_no_links),
        cmocka_unit_test(stretches_should_be_linked_with_words_counted_through_the_line),
        cmocka_unit_test(a_word_in_two_stretches_should_have_one_link),
        cmocka_unit_test(links_should_be_in_the_order_of_the_target),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
