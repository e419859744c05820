/* test_hash_set.c - what is known, how much of it, and what stays unknown. */
#include "base/hash.h"

#include "base/random/rng.h"
#include "test.h"


enum { MANY = 5000 };

static uint64_t hash_of(int i)
{
    return rng_bits(rng_key(1, 1, RNG_INIT), (uint64_t)i);
}

UNIT_TEST(a_hash_should_be_known_from_the_second_time_on)
{
    HashSet set = { 0 };
    for (int i = 0; i < MANY; i++) assert_false(hash_set_add(&set, hash_of(i), MANY));
    for (int i = 0; i < MANY; i++) assert_true(hash_set_add(&set, hash_of(i), MANY));
    assert_int_equal(set.count, MANY);
    assert_true(set.slots >= 2 * MANY && set.slots <= 4 * MANY);
    hash_set_free(&set);
    assert_false(hash_set_add(&set, hash_of(0), MANY));
    hash_set_free(&set);
}

UNIT_TEST(no_more_than_the_most_should_be_remembered)
{
    enum { MOST = 700 };
    HashSet set = { 0 };
    for (int i = 0; i < MANY; i++) assert_false(hash_set_add(&set, hash_of(i), MOST));
    for (int i = 0; i < MANY; i++) assert_int_equal(hash_set_add(&set, hash_of(i), MOST), i < MOST);
    hash_set_free(&set);
}

/* Hashes that begin their search at one slot; and 0, which is what a free slot holds. */
UNIT_TEST(hashes_that_meet_should_be_told_apart)
{
    HashSet set = { 0 };
    for (uint64_t i = 1; i <= 100; i++) assert_false(hash_set_add(&set, i << 33, MANY));
    for (uint64_t i = 1; i <= 100; i++) assert_true(hash_set_add(&set, i << 33, MANY));
    assert_false(hash_set_add(&set, 0, MANY));
    assert_false(hash_set_add(&set, 0, MANY));
    hash_set_free(&set);
}

int main(void) { return run_unit_tests(); }
