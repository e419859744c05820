/* test_batches.c - an epoch: every pair once, in another order each time, lengths side by side. */
#include "random_pairs.h"
#include "train/batches.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = 30, MOST = 700, LARGEST = 64 };

static int pair_number(const Pairs *pairs, const Sentence *s)
{
    const size_t at = (size_t)(s->source - pairs->source);
    int i = 0;
    while (pairs->source_at[i] != at)
        i++;
    return i;
}

/* The pairs of an epoch in its order; asserts that batches have the right sizes and inner order. Returns how many. */
static int epoch_order(Batches *b, uint64_t seed, long epoch, int *order)
{
    Sentence sentences[LARGEST];
    int total = 0, smaller = 0;
    batches_epoch(b, seed, epoch);
    for (int at = 0; at < b->count; at++) {
        Sentence sorted[LARGEST];
        int count = batches_get(b, at, sentences);
        memcpy(sorted, sentences, (size_t)count * sizeof *sorted);
        batch_sort(sorted, count);
        smaller += count < b->size;
        for (int i = 0; i < count; i++) {
            assert_int_equal(sorted[i].number, sentences[i].number);
            order[total++] = pair_number(b->pairs, &sentences[i]);
        }
    }
    assert_true(smaller <= 1);
    return total;
}

static void check_epochs(int pairs_count, int size)
{
    Heap heap = { 0 };
    const Pairs pairs = random_pairs(&heap, 1, pairs_count, 9, WORDS);
    Batches b;
    batches_init(&b, &pairs, size);
    assert_int_equal(b.count, (pairs_count + size - 1) / size);
    for (long epoch = 0; epoch < 3; epoch++) {
        int order[MOST], seen[MOST] = { 0 };
        assert_int_equal(epoch_order(&b, 7, epoch, order), pairs_count);
        for (int i = 0; i < pairs_count; i++)
            seen[order[i]]++;
        for (int i = 0; i < pairs_count; i++)
            assert_int_equal(seen[i], 1);
    }
    batches_free(&b);
    heap_free(&heap);
}

static void an_epoch_should_hold_every_pair_once(void **state)
{
    (void)state;
    check_epochs(1, 1);
    check_epochs(1, LARGEST);
    check_epochs(7, 3);
    check_epochs(8, 4);
    check_epochs(LARGEST, LARGEST);
    check_epochs(MOST, 3);      /* 234 batches: more than one pool of 100 */
}

static void the_same_seed_and_epoch_should_give_the_same_order_whatever_came_before(void **state)
{
    (void)state;
    Heap heap = { 0 };
    const Pairs pairs = random_pairs(&heap, 1, MOST, 9, WORDS);
    int first[MOST], again[MOST], other[MOST];
    Batches b, fresh;
    batches_init(&b, &pairs, 8);
    batches_init(&fresh, &pairs, 8);
    epoch_order(&b, 7, 0, other);
    epoch_order(&b, 7, 5, first);
    epoch_order(&b, 9, 1, other);
    epoch_order(&b, 7, 5, again);
    assert_memory_equal(again, first, sizeof first);
    epoch_order(&fresh, 7, 5, again);
    assert_memory_equal(again, first, sizeof first);
    batches_free(&b);
    batches_free(&fresh);
    heap_free(&heap);
}

static int places_in_common(const int *a, const int *b)
{
    int common = 0;
    for (int i = 0; i < MOST; i++)
        common += a[i] == b[i];
    return common;
}

/* Two random orders of 700 pairs agree in one place on average, and in more than 20 not once in 10^18 times. */
static void another_epoch_or_seed_should_give_another_order(void **state)
{
    (void)state;
    Heap heap = { 0 };
    const Pairs pairs = random_pairs(&heap, 1, MOST, 9, WORDS);
    int one[MOST], two[MOST];
    Batches b;
    batches_init(&b, &pairs, 8);
    epoch_order(&b, 7, 0, one);
    epoch_order(&b, 7, 1, two);
    assert_true(places_in_common(one, two) <= 20);
    epoch_order(&b, 8, 0, two);
    assert_true(places_in_common(one, two) <= 20);
    batches_free(&b);
    heap_free(&heap);
}

static int compare_ints(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return *x - *y;
}

/* How many batches of an epoch hold the same pairs as one of the other. */
static int batches_in_common(int *one, int *two, int count, int size)
{
    int common = 0;
    for (int i = 0; i < count; i++) {
        qsort(one + i * size, (size_t)size, sizeof *one, compare_ints);
        qsort(two + i * size, (size_t)size, sizeof *two, compare_ints);
    }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            common += !memcmp(one + i * size, two + j * size, (size_t)size * sizeof *one);
    return common;
}

/* Even where all pairs are of one length and fit one pool, so that sorting has nothing to do. */
static void pairs_of_equal_length_should_meet_others_in_another_epoch(void **state)
{
    (void)state;
    enum { SIZE = 7, BATCHES = MOST / SIZE };
    Heap heap = { 0 };
    const Pairs pairs = random_pairs(&heap, 1, MOST, 1, WORDS);
    int one[MOST], two[MOST];
    Batches b;
    batches_init(&b, &pairs, SIZE);
    epoch_order(&b, 7, 0, one);
    epoch_order(&b, 7, 1, two);
    assert_int_equal(batches_in_common(one, two, BATCHES, SIZE), 0);
    batches_free(&b);
    heap_free(&heap);
}

/* 640 pairs of 1 to 40 words in batches of 16 are one pool, and 16 of them on average have the same target length: a
 * batch meets its neighbours' lengths, and seldom more. In random batches the spread is some 35. */
static void lengths_in_a_batch_should_be_nearly_equal(void **state)
{
    (void)state;
    enum { SIZE = 16, PAIRS = 640, LONGEST = 40 };
    Heap heap = { 0 };
    const Pairs pairs = random_pairs(&heap, 1, PAIRS, LONGEST, WORDS);
    Sentence sentences[SIZE];
    Batches b;
    int spread = 0;
    batches_init(&b, &pairs, SIZE);
    batches_epoch(&b, 7, 0);
    for (int at = 0; at < b.count; at++) {
        int count = batches_get(&b, at, sentences);
        spread += sentences[0].target_length - sentences[count - 1].target_length;
    }
    assert_true(spread <= 2 * b.count);
    batches_free(&b);
    heap_free(&heap);
}

static void sentences_should_be_numbered_within_their_batch_and_show_their_pair(void **state)
{
    (void)state;
    Heap heap = { 0 };
    const Pairs pairs = random_pairs(&heap, 1, 50, 9, WORDS);
    Sentence sentences[8];
    Batches b;
    batches_init(&b, &pairs, 8);
    batches_epoch(&b, 7, 0);
    for (int at = 0; at < b.count; at++) {
        int count = batches_get(&b, at, sentences), seen[8] = { 0 };
        for (int i = 0; i < count; i++) {
            const Sentence *s = &sentences[i];
            const int p = pair_number(&pairs, s);
            assert_ptr_equal(s->target, pairs.target + pairs.target_at[p]);
            assert_int_equal(s->source_length, pairs.source_at[p + 1] - pairs.source_at[p]);
            assert_int_equal(s->target_length, pairs.target_at[p + 1] - pairs.target_at[p]);
            assert_in_range(s->number, 0, count - 1);
            seen[s->number]++;
        }
        for (int i = 0; i < count; i++)
            assert_int_equal(seen[i], 1);
    }
    batches_free(&b);
    heap_free(&heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_epoch_should_hold_every_pair_once),
        cmocka_unit_test(the_same_seed_and_epoch_should_give_the_same_order_whatever_came_before),
        cmocka_unit_test(another_epoch_or_seed_should_give_another_order),
        cmocka_unit_test(pairs_of_equal_length_should_meet_others_in_another_epoch),
        cmocka_unit_test(lengths_in_a_batch_should_be_nearly_equal),
        cmocka_unit_test(sentences_should_be_numbered_within_their_batch_and_show_their_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
