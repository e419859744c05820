/* test_pcg64.c - the stream of numpy.random.default_rng, as NumPy 1.24 prints it. */
#include "base/random/pcg64.h"
#include "test.h"

#include <string.h>

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
