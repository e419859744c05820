/* test_quantised.c - matrices as integers: the bounds of their errors, and that doing it again
 * changes nothing. */
#include "model/file/model_file.h"

#include "base/random/rng.h"
#include "linalg/linear.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { ROWS = 40, COLUMNS = 37, COUNT = ROWS * COLUMNS };

typedef struct {
    real   x[COUNT], again[COUNT], scale[ROWS];
    int8_t q[COUNT], q_again[COUNT];
    float  scales[ROWS], scales_again[ROWS];
} Case;

/* Rows of magnitudes from 1e-10 to 1e10. */
static void fill(Case *c)
{
    for (int i = 0; i < COUNT; i++)
        c->x[i] = (real)((2 * rng_uniform(7, (uint64_t)i) - 1) * pow(10, i / COLUMNS / 2.0 - 10));
}

static void quantise_twice(Case *c)
{
    quantise(c->x, ROWS, COLUMNS, c->q, c->scales);
    for (int i = 0; i < ROWS; i++)
        c->scale[i] = c->scales[i];
    dequantise(c->q, c->scale, ROWS, COLUMNS, c->again);
    quantise(c->again, ROWS, COLUMNS, c->q_again, c->scales_again);
}

static void errors_should_stay_below_half_a_scale(void **state)
{
    static Case c;
    (void)state;
    fill(&c);
    quantise_twice(&c);
    for (int i = 0; i < COUNT; i++)
        assert_true(fabs((double)c.x[i] - (double)c.again[i])
                    <= (0.5 + 0x1p-15) * c.scales[i / COLUMNS]);
}

static void the_largest_value_of_a_row_should_become_127(void **state)
{
    static Case c;
    (void)state;
    fill(&c);
    quantise_twice(&c);
    for (int i = 0; i < ROWS; i++) {
        int largest = 0;
        for (int j = 0; j < COLUMNS; j++)
            largest = (int)fmax(largest, abs(c.q[i * COLUMNS + j]));
        assert_int_equal(largest, 127);
    }
}

static void quantising_again_should_give_the_same(void **state)
{
    static Case c;
    (void)state;
    fill(&c);
    quantise_twice(&c);
    assert_memory_equal(c.q, c.q_again, sizeof c.q);
    assert_memory_equal(c.scales, c.scales_again, sizeof c.scales);
}

/* A double holds the product of two floats. */
static void weights_should_be_exact_in_32_bits(void **state)
{
    static Case c;
    (void)state;
    fill(&c);
    quantise_twice(&c);
    for (int i = 0; i < COUNT; i++) {
        const double exact = (double)c.scales[i / COLUMNS] * c.q[i];
        assert_true((float)exact == exact);
    }
}

static void zeros_and_tiny_numbers_should_be_possible(void **state)
{
    static Case c;
    (void)state;
    memset(&c, 0, sizeof c);
    c.x[COLUMNS] = (real)1e-44;
    quantise_twice(&c);
    for (int i = 0; i < COUNT; i++)
        assert_true(isfinite(c.again[i]) && (c.again[i] == 0) == (c.q[i] == 0));
    assert_true(c.scales[0] == 0);
    assert_int_equal(c.q[0], 0);
}

/* The product of whole rows in 8 bits finds the integers that the file holds: with a vector of one
 * 1, which is exact, each result is a weight, but for the roundings of the result. */
static void products_of_8_bits_should_read_the_same_integers(void **state)
{
    static Case c;
    (void)state;
    if (!precision_works(PRECISION_INT8)) skip();
    fill(&c);
    quantise_twice(&c);
    for (int j = 0; j < COLUMNS; j++) {
        real unit[COLUMNS] = { 0 }, y[ROWS];
        unit[j] = 1;
        const Linear w = linear_of(c.again, COLUMNS, ROWS, COLUMNS, PRECISION_INT8);
        linear_forward(OVERWRITE, y, ROWS, unit, COLUMNS, &w, NULL, 1);
        for (int i = 0; i < ROWS; i++)
            assert_true(fabs((double)y[i] - (double)c.again[i * COLUMNS + j])
                        <= 0x1p-21 * 127 * c.scales[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_should_stay_below_half_a_scale),
        cmocka_unit_test(the_largest_value_of_a_row_should_become_127),
        cmocka_unit_test(quantising_again_should_give_the_same),
        cmocka_unit_test(weights_should_be_exact_in_32_bits),
        cmocka_unit_test(zeros_and_tiny_numbers_should_be_possible),
        cmocka_unit_test(products_of_8_bits_should_read_the_same_integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
