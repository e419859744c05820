/* test_position.c - sinusoids of positions. */
#include "nn/position.h"
#include "numbers.h"

#include <math.h>

static void token_scores_should_be_sines_and_cosines_of_falling_frequency(void **state)
{
    (void)state;
    enum { ROWS = 2, D = 5, T = 7 };
    real x[ROWS * D] = { 0, 1, 0, 0, 0, 2 };
    const double p[D] = { sin(7), cos(7), sin(7 / pow(10, 1.6)), cos(7 / pow(10, 1.6)),
                          sin(7 / pow(10, 3.2)) };
    double expected[ROWS * D] = { 0, 1, 0, 0, 0, 2 };
    for (int i = 0; i < ROWS * D; i++)
        expected[i] += p[i % D];
    position_add(x, T, ROWS, D);
    assert_near(x, expected, ROWS * D, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(token_scores_should_be_sines_and_cosines_of_falling_frequency),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
