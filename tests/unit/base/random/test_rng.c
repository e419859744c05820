/* test_rng.c - the generator against its published numbers, and the statistics of what is drawn:
 * every chi-square lies below the value that chance exceeds once in a thousand times (seeds are
 * fixed, so it never does).
 */
#include "base/random/rng.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { DRAWS = 1 << 16 };
static const uint64_t seeds[] = { 0, 1, 42, UINT64_MAX };
enum { SEEDS = sizeof seeds / sizeof *seeds };

static double chi_square(const int *counts, int cells)
{
    double sum = 0, expected = 0;
    for (int i = 0; i < cells; i++)
        expected += (double)counts[i] / cells;
    for (int i = 0; i < cells; i++)
        sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    return sum;
}

/* Squares has the first three of these for this key in its implementations; the keys are this
 * program's own. They are frozen because a training state is only resumed, and a seed only
 * repeated, while they stay the same. */
static void numbers_and_keys_should_be_the_published_ones_for_ever(void **state)
{
    const uint64_t key = 0x548c9decbce65297;
    assert_int_equal(rng_bits(key, 0), 0x36d88366cee633a5);
    assert_int_equal(rng_bits(key, 1), 0x944716e00e60dfaa);
    assert_int_equal(rng_bits(key, 2), 0xc8a8f4e0678654bf);
    assert_int_equal(rng_bits(key, 12345678901234567890u), 0xb9c0f579c5454341);
    assert_int_equal(rng_key(0, 0, 0), 0x238275bc38fcbe91);
    assert_int_equal(rng_key(1, 2, 3), 0x6ae515c1c0ac7e37);
    assert_int_equal(rng_key(UINT64_MAX, UINT64_MAX, 0), 0x8ee5c18ab929cb63);
}

static void every_bit_should_be_set_half_of_the_time(void **state)
{
    for (int s = 0; s < SEEDS; s++) {
        const uint64_t key = rng_key(seeds[s], 7, RNG_DROPOUT);
        int set[64] = { 0 };
        for (uint64_t i = 0; i < DRAWS; i++)
            for (int bit = 0; bit < 64; bit++)
                set[bit] += rng_bits(key, i) >> bit & 1;
        for (int bit = 0; bit < 64; bit++)      /* 4 standard deviations of 128 */
            assert_in_range(set[bit], DRAWS / 2 - 512, DRAWS / 2 + 512);
    }
}

static void uniform_numbers_should_fill_the_interval_evenly(void **state)
{
    for (int s = 0; s < SEEDS; s++) {
        const uint64_t key = rng_key(seeds[s], 0, RNG_INIT);
        int counts[64] = { 0 };
        for (uint64_t i = 0; i < DRAWS; i++) {
            double u = rng_uniform(key, i);
            assert_true(u >= 0 && u < 1);
            counts[(int)(u * 64)]++;
        }
        assert_true(chi_square(counts, 64) < 103.4);        /* 63 degrees of freedom */
    }
}

static void numbers_below_a_bound_should_be_equally_frequent(void **state)
{
    const uint64_t key = rng_key(3, 0, RNG_SHUFFLE);
    int counts[10] = { 0 };
    for (uint64_t i = 0; i < DRAWS; i++) {
        uint64_t n = rng_below(key, i, 10);
        assert_true(n < 10);
        counts[n]++;
        assert_true(rng_below(key, i, 1) == 0);
        assert_true(rng_below(key, i, UINT64_MAX) < UINT64_MAX);
    }
    assert_true(chi_square(counts, 10) < 27.9);             /* 9 degrees of freedom */
}

static void neighbours_in_a_stream_and_in_neighbouring_streams_should_be_independent(void **state)
{
    int in_stream[64] = { 0 }, across[64] = { 0 };          /* pairs of the top three bits */
    const uint64_t key = rng_key(5, 100, RNG_DROPOUT), next = rng_key(5, 101, RNG_DROPOUT);
    for (uint64_t i = 0; i < DRAWS; i++) {
        uint64_t top = rng_bits(key, i) >> 61;
        in_stream[top << 3 | rng_bits(key, i + 1) >> 61]++;
        across[top << 3 | rng_bits(next, i) >> 61]++;
    }
    assert_true(chi_square(in_stream, 64) < 103.4);
    assert_true(chi_square(across, 64) < 103.4);
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void assert_all_different(uint64_t *values, size_t count)
{
    qsort(values, count, sizeof *values, by_value);
    for (size_t i = 1; i < count; i++)
        assert_true(values[i - 1] != values[i]);
}

static void no_two_seeds_steps_and_purposes_should_share_a_key_or_its_numbers(void **state)
{
    enum { STEPS = 4096, PURPOSES = RNG_DROPOUT + 1, FIRST = 4, KEYS = SEEDS * STEPS * PURPOSES };
    uint64_t *keys = xcalloc(KEYS, sizeof *keys), *numbers = xcalloc(KEYS * FIRST, sizeof *numbers);
    size_t count = 0;
    for (int s = 0; s < SEEDS; s++)
        for (uint64_t step = 0; step < STEPS; step++)
            for (int purpose = 0; purpose < PURPOSES; purpose++, count++) {
                keys[count] = rng_key(seeds[s], step, (RngPurpose)purpose);
                assert_true(keys[count] & 1);       /* Squares wants it odd */
                for (uint64_t i = 0; i < FIRST; i++)
                    numbers[count * FIRST + i] = rng_bits(keys[count], i);
            }
    assert_all_different(keys, KEYS);
    assert_all_different(numbers, KEYS * FIRST);
    free(keys);
    free(numbers);
}

/* ---- shuffling ---- */

static void a_shuffle_should_keep_every_item_and_depend_on_the_key_alone(void **state)
{
    enum { N = 1000 };
    int items[N], again[N], seen[N] = { 0 }, moved = 0;
    for (int i = 0; i < N; i++)
        items[i] = again[i] = i;
    rng_shuffle(9, items, N);
    rng_shuffle(9, again, N);
    assert_memory_equal(items, again, sizeof items);
    for (int i = 0; i < N; i++) {
        assert_in_range(items[i], 0, N - 1);
        assert_int_equal(seen[items[i]]++, 0);
        moved += items[i] != i;
    }
    assert_true(moved > N - 10);
    rng_shuffle(9, NULL, 0);
    rng_shuffle(9, &items[0], 1);
}

static void every_order_of_four_items_should_be_equally_frequent(void **state)
{
    int counts[256] = { 0 }, orders[24], found = 0;
    for (uint64_t i = 0; i < DRAWS; i++) {
        int items[] = { 0, 1, 2, 3 };
        rng_shuffle(rng_key(1, i, RNG_SHUFFLE), items, 4);
        counts[items[0] << 6 | items[1] << 4 | items[2] << 2 | items[3]]++;
    }
    for (int i = 0; i < 256; i++)
        if (counts[i]) {
            assert_true(found < 24);
            orders[found++] = counts[i];
        }
    assert_int_equal(found, 24);
    assert_true(chi_square(orders, 24) < 49.7);             /* 23 degrees of freedom */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_and_keys_should_be_the_published_ones_for_ever),
        cmocka_unit_test(every_bit_should_be_set_half_of_the_time),
        cmocka_unit_test(uniform_numbers_should_fill_the_interval_evenly),
        cmocka_unit_test(numbers_below_a_bound_should_be_equally_frequent),
        cmocka_unit_test(neighbours_in_a_stream_and_in_neighbouring_streams_should_be_independent),
        cmocka_unit_test(no_two_seeds_steps_and_purposes_should_share_a_key_or_its_numbers),
        cmocka_unit_test(a_shuffle_should_keep_every_item_and_depend_on_the_key_alone),
        cmocka_unit_test(every_order_of_four_items_should_be_equally_frequent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
