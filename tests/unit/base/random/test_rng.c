/* test_rng.c - the generator against its published numbers, whose statistics are known, and what is
 * drawn from them; the stream of numpy.random.default_rng, as NumPy 1.24 prints it. */
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

/* ---- NumPy ---- */

static void assert_below(uint64_t seed, uint32_t bound, const uint32_t *expected, size_t count)
{
    uint32_t found[16];
    Pcg64 rng;
    assert_true(count <= 16);
    pcg64_seed(&rng, seed);
    pcg64_below(&rng, bound, found, count);
    for (size_t i = 0; i < count; i++) assert_int_equal(found[i], expected[i]);
}

#define ASSERT_BELOW(seed, bound, ...) \
    assert_below(seed, bound, (const uint32_t[]){ __VA_ARGS__ }, \
                 sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

UNIT_TEST(raw_bits_should_be_those_of_numpy)
{
    Pcg64 rng;
    pcg64_seed(&rng, 12345);
    assert_true(pcg64_next(&rng) == 0x3a32b18db2ffc19du);
    assert_true(pcg64_next(&rng) == 0x51171315c9e4c4deu);
}

UNIT_TEST(bounded_numbers_should_be_those_of_numpy)
{
    ASSERT_BELOW(12345, 10, 6, 2, 7, 3, 2, 7, 6, 6, 9, 3);
    ASSERT_BELOW(42, 10, 0, 7, 6, 4, 4, 8, 0, 6, 2, 0);
    ASSERT_BELOW(12345, 3, 2, 0, 2, 0, 0, 2, 1, 2, 2, 1, 2, 0);
    ASSERT_BELOW(12345, 1000, 699, 227, 788, 316, 204, 797, 642, 676, 988, 391, 839, 332);
    ASSERT_BELOW(12345, 1014, 709, 230, 799, 321, 207, 808, 651, 685, 1002, 396, 851, 337);
    ASSERT_BELOW(0, 100000, 85062, 63696, 51113, 26978, 30782, 4097, 7524, 1652, 17526, 81327);
    ASSERT_BELOW(3, 2863311531u, 2323590309, 245240247, 513794723, 519303886, 2294298415);
}

UNIT_TEST(seeds_of_more_than_32_bits_should_count_wholly)
{
    ASSERT_BELOW(5000000000u, 1000, 572, 737, 939, 520, 974);
    ASSERT_BELOW(UINT64_MAX, 1000, 547, 680, 950, 845, 358);
}

UNIT_TEST(calls_should_go_on_where_the_last_one_ended)
{
    static const uint32_t together[] = { 699, 227, 788, 0, 0, 316, 204 };
    uint32_t found[7] = { [3] = 7, [4] = 7 };
    Pcg64 rng;
    pcg64_seed(&rng, 12345);
    pcg64_below(&rng, 1000, found, 3);
    pcg64_below(&rng, 1, found + 3, 2);         /* draws nothing */
    pcg64_below(&rng, 1000, found + 5, 2);
    assert_memory_equal(found, together, sizeof together);
}

int main(void) { return run_unit_tests(); }
