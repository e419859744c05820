/* test_suggest.c - which words are offered for a mistyped one. */
#include "base/strings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const char *nearest(const char *word)
{
    static const char *const known[] = { "train", "translate", "eval", "beam", "time-limit",
                                         "learning-rate" };
    Suggestion n = { .word = word };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        suggestion_offer(&n, known[i]);
    return n.best;
}

static void one_slip_of_the_finger_should_find_the_word(void **state)
{
    assert_string_equal(nearest("trian"), "train");             /* swapped */
    assert_string_equal(nearest("translte"), "translate");      /* left out */
    assert_string_equal(nearest("evval"), "eval");              /* doubled */
    assert_string_equal(nearest("beem"), "beam");               /* wrong */
    assert_string_equal(nearest("timelimit"), "time-limit");
}

static void the_closest_word_should_win(void **state)
{
    Suggestion n = { .word = "beat" };
    suggestion_offer(&n, "boast");
    assert_null(n.best);
    suggestion_offer(&n, "beam");
    suggestion_offer(&n, "seat");                                  /* as far: the first stays */
    assert_string_equal(n.best, "beam");
    suggestion_offer(&n, "beat");
    assert_string_equal(n.best, "beat");
}

static void an_abbreviation_should_find_the_word(void **state)
{
    assert_string_equal(nearest("learn"), "learning-rate");
    assert_string_equal(nearest("tra"), "train");
    assert_null(nearest("tr"));
}

static void a_word_that_goes_on_should_find_its_beginning(void **state)
{
    assert_string_equal(nearest("evaluate"), "eval");
    assert_string_equal(nearest("training"), "train");
    assert_null(nearest("evaluates"));                          /* less than half of it */
    Suggestion n = { .word = "heat-heads" };
    suggestion_offer(&n, "heat-");
    suggestion_offer(&n, "heat-head");                             /* nearer */
    assert_string_equal(n.best, "heat-head");
}

static void case_should_not_matter(void **state)
{
    assert_string_equal(nearest("BEAM"), "beam");
    assert_string_equal(nearest("BAEM"), "beam");
    assert_string_equal(nearest("LEARN"), "learning-rate");
    assert_string_equal(nearest("Evaluate"), "eval");
}

static void distant_words_should_find_nothing(void **state)
{
    assert_null(nearest("xyz"));
    assert_null(nearest(""));
    assert_null(nearest("beams-of-light"));
}

static void endless_words_should_be_left_alone(void **state)
{
    char endless[5000];
    memset(endless, 'a', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    assert_null(nearest(endless));
    Suggestion n = { .word = "aaa" };
    suggestion_offer(&n, endless);
    assert_null(n.best);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_slip_of_the_finger_should_find_the_word),
        cmocka_unit_test(the_closest_word_should_win),
        cmocka_unit_test(an_abbreviation_should_find_the_word),
        cmocka_unit_test(a_word_that_goes_on_should_find_its_beginning),
        cmocka_unit_test(case_should_not_matter),
        cmocka_unit_test(distant_words_should_find_nothing),
        cmocka_unit_test(endless_words_should_be_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
