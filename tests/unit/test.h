/* test.h - what each file of tests begins with: cmocka, and tests that are in no list.
 *
 *     UNIT_TEST(a_sum_should_be_exact)
 *     {
 *         assert_int_equal(1 + 1, 2);
 *     }
 *
 *     int main(void) { return run_unit_tests(); }
 */
#ifndef ATTN_TESTS_TEST_H
#define ATTN_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

/* Those of this file; cmocka leaves out rows without a name. */
enum { MOST_TESTS = 40 };
static struct CMUnitTest unit_tests[MOST_TESTS];

static inline void add_test(struct CMUnitTest test)
{
    int i = 0;
    while (i < MOST_TESTS && unit_tests[i].name) i++;
    if (i == MOST_TESTS) abort();
    unit_tests[i] = test;
}

#define UNIT_TEST_WITH(setup, teardown, name) \
    static void name(void **state); \
    static __attribute__((constructor)) void add_##name(void) \
    { \
        add_test((struct CMUnitTest)cmocka_unit_test_setup_teardown(name, setup, teardown)); \
    } \
    static void name(void **state)
#define UNIT_TEST(name) UNIT_TEST_WITH(NULL, NULL, name)

static inline int run_unit_tests(void)
{
    return cmocka_run_group_tests(unit_tests, NULL, NULL);
}

#endif
