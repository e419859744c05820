/* test_rng.c - the generator against its published numbers, whose statistics are known, and what is
 * drawn from them. */
#include "base/random/rng.h"
#include "test.h"

#include <string.h>

static const uint64_t seeds[] = { 0, 1, 42, UINT64_MAX };
enum { SEEDS = sizeof seeds / sizeof *seeds };

/* Squares has the first three of these for this key in its implementations; the keys are this
 * program's own. They are frozen because a training state is only resumed, and a seed only
 * repeated, while they stay the same. */
UNIT_TEST(numbers_and_keys_should_be_the_published_ones_for_ever)
{
    const uint64_t key = 0x548c9decbce65297;
    assert_int_equal(rng_bits(key, 0), 0x36d88366cee633a5);
    assert_int_equal(rng_bits(key, 1), 0x944716e00e60dfaa);
    assert_int_equal(rng_bits(key, 2), 0xc8a8f4e0678654bf);
    assert_int_equal(rng_bits(key, 12345678901234567890u), 0xb9c0f579c5454341);
    assert_true(rng_uniform(key, 0) == (double)(0x36d88366cee633a5 >> 11) / (1ull << 53));
    assert_true(rng_below(key, 1, 10) == 5 && rng_below(key, 1, 1) == 0);
    assert_int_equal(rng_key(0, 0, 0), 0x238275bc38fcbe91);
    assert_int_equal(rng_key(1, 2, 3), 0x6ae515c1c0ac7e37);
    assert_int_equal(rng_key(UINT64_MAX, UINT64_MAX, 0), 0x8ee5c18ab929cb63);
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

UNIT_TEST(no_two_seeds_steps_and_purposes_should_share_a_key)
{
    enum { STEPS = 4096, PURPOSES = RNG_DROPOUT + 1, KEYS = SEEDS * STEPS * PURPOSES };
    static uint64_t keys[KEYS];
    size_t count = 0;
    for (int s = 0; s < SEEDS; s++)
        for (uint64_t step = 0; step < STEPS; step++)
            for (int purpose = 0; purpose < PURPOSES; purpose++) {
                keys[count] = rng_key(seeds[s], step, (RngPurpose)purpose);
                assert_true(keys[count++] & 1);     /* Squares wants it odd */
            }
    qsort(keys, KEYS, sizeof *keys, by_value);
    for (size_t i = 1; i < KEYS; i++)
        assert_true(keys[i - 1] != keys[i]);
}

UNIT_TEST(a_shuffle_should_keep_every_item_and_depend_on_the_key_alone)
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

/* A chi-square of 23 degrees of freedom, which chance exceeds once in a thousand times. */
UNIT_TEST(every_order_of_four_items_should_be_equally_frequent)
{
    enum { DRAWS = 1 << 16, ORDERS = 24 };
    int counts[256] = { 0 }, found = 0;
    double sum = 0;
    for (uint64_t i = 0; i < DRAWS; i++) {
        int items[] = { 0, 1, 2, 3 };
        rng_shuffle(rng_key(1, i, RNG_SHUFFLE), items, 4);
        counts[items[0] << 6 | items[1] << 4 | items[2] << 2 | items[3]]++;
    }
    for (int i = 0; i < 256; i++) {
        const double expected = (double)DRAWS / ORDERS;
        if (!counts[i]) continue;
        found++;
        sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    assert_int_equal(found, ORDERS);
    assert_true(sum < 49.7);
}

int main(void) { return run_unit_tests(); }
