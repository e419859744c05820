/* test_pair_sample.c - samples of few pairs and of many. */
#include "train/data/pair_sample.h"

#include "scratch.h"

/* Pair k has k % 3 + 1 words k, and the same on the other side. */
static void add(PairSample *s, int k, size_t most)
{
    const int words[] = { k, k, k }, count = k % 3 + 1;
    pair_sample_add(s, &(Record){ words, words, count, count }, most);
}

static void few_pairs_should_all_be_in_the_sample(void **state)
{
    (void)state;
    PairSample s = { 0 };
    for (int k = 0; k < 6; k++)
        add(&s, k, 28);                         /* 1 + 4 + 9, twice */
    assert_int_equal(s.pairs.count, 6);
    assert_int_equal(s.word_pairs, 28);
    for (int k = 0; k < 6; k++) {
        const Record pair = shard_record(&s.pairs, (size_t)k);
        assert_int_equal(pair.source_count, k % 3 + 1);
        assert_int_equal(pair.target_count, k % 3 + 1);
        assert_int_equal(pair.source[0], k);
        assert_int_equal(pair.target[k % 3], k);
    }
    pair_sample_free(&s);
}

static void many_pairs_should_leave_an_even_sample(void **state)
{
    (void)state;
    enum { MANY = 5000, MOST = 1000 };
    PairSample s = { 0 };
    size_t word_pairs = 0;
    for (int k = 0; k < MANY; k++)
        add(&s, k, MOST);
    assert_int_equal(s.seen, MANY);
    assert_int_equal(s.pairs.count, (MANY + s.step - 1) / s.step);
    for (size_t i = 0; i < s.pairs.count; i++) {
        const Record pair = shard_record(&s.pairs, i);
        assert_int_equal(pair.source[0], i * s.step);
        word_pairs += (size_t)pair.source_count * (size_t)pair.target_count;
    }
    assert_int_equal(word_pairs, s.word_pairs);
    assert_in_range(word_pairs, (MOST - 9) / 2 - 9, MOST);      /* half of a full sample, but a pair */
    pair_sample_free(&s);
}

static void a_pair_that_is_too_large_alone_should_end(void **state)
{
    (void)state;
    PairSample s = { 0 };
    add(&s, 2, 1);
    assert_int_equal(s.pairs.count, 1);
    pair_sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_pairs_should_all_be_in_the_sample),
        cmocka_unit_test(many_pairs_should_leave_an_even_sample),
        cmocka_unit_test(a_pair_that_is_too_large_alone_should_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
