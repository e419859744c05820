/* test_store.c - whatever the limit of memory, every pair comes back once, and shards are random
 * samples. */
#include "text/corpus/store.h"

#include "base/mem.h"
#include "base/random/rng.h"
#include "scratch.h"

#include <stdlib.h>
#include <unistd.h>

enum { PAIRS = 5000, LONGEST = 9, TINY = 1 };       /* TINY bytes: the least block, of 4,096 ints */

/* Pair i: its number, and then as many words as chance wants, all made from i. */
static Record pair_of(int i, int *words)
{
    Record pair = { words, words + LONGEST,
                    1 + (int)rng_below(rng_key(5, 0, RNG_INIT), (uint64_t)i, LONGEST - 1),
                    (int)rng_below(rng_key(6, 0, RNG_INIT), (uint64_t)i, LONGEST) };
    for (int k = 0; k < pair.source_count; k++)
        words[k] = i + 7 * k;
    for (int k = 0; k < pair.target_count; k++)
        words[LONGEST + k] = i - 3 * k;
    return pair;
}

static PairStore *filled_share(const char *folder, size_t memory, Portion share)
{
    Err e;
    int words[2 * LONGEST];
    PairStore *s = store_new(memory, folder, share);
    for (int i = 0; i < PAIRS; i++) {
        Record pair = pair_of(i, words);
        if (store_add(s, &pair, &e)) fail_msg("%s", e.text);
    }
    return s;
}

static PairStore *filled(const char *folder, size_t memory)
{
    return filled_share(folder, memory, (Portion){ 0, 1 });
}

static int all(void *context, const Record *pair)
{
    (void)context;
    (void)pair;
    return 1;
}

static int odd(void *context, const Record *pair)
{
    (void)context;
    return pair->source[0] % 2;
}

static void finish(PairStore *s, int (*keep)(void *, const Record *))
{
    Err e;
    if (store_finish(s, keep, NULL, &e)) fail_msg("%s", e.text);
}

static void assert_same(const Record *a, const Record *b)
{
    assert_int_equal(a->source_count, b->source_count);
    assert_int_equal(a->target_count, b->target_count);
    assert_memory_equal(a->source, b->source, (size_t)a->source_count * sizeof(int));
    assert_memory_equal(a->target, b->target, (size_t)a->target_count * sizeof(int));
}

/* Loads all shards; seen: (PAIRS) in which shard, counted from 1, each pair is. */
static void collect(PairStore *s, int *seen)
{
    Err e;
    int words[2 * LONGEST];
    memset(seen, 0, PAIRS * sizeof *seen);
    for (int k = 0; k < store_shards(s); k++) {
        const Shard *shard = store_load(s, k, &e);
        if (!shard) fail_msg("%s", e.text);
        assert_int_equal(shard->count, store_shard_count(s, k));
        for (size_t i = 0; i < shard->count; i++) {
            Record found = shard_record(shard, i);
            assert_in_range(found.source[0], 0, PAIRS - 1);
            Record expected = pair_of(found.source[0], words);
            assert_same(&found, &expected);
            assert_int_equal(seen[found.source[0]], 0);
            seen[found.source[0]] = k + 1;
        }
    }
}

TEST_IN_SCRATCH(every_pair_should_come_back_once_whatever_the_memory)
{
    static const size_t memories[] = { 1 << 30, 200000, 100000, TINY };
    int seen[PAIRS], shards = 0;
    for (size_t m = 0; m < sizeof memories / sizeof *memories; m++) {
        PairStore *s = filled(scratch_path(*state, ""), memories[m]);
        finish(s, all);
        assert_int_equal(store_added(s), PAIRS);
        assert_int_equal(store_count(s), PAIRS);
        collect(s, seen);
        for (int i = 0; i < PAIRS; i++)
            assert_true(seen[i]);
        assert_true(store_shards(s) > shards);
        shards = store_shards(s);
        store_free(s);
    }
    assert_true(shards > 20);
}

/* Wants what comes in its turn, once. */
static int in_turn(void *context, const Record *pair)
{
    int *asked = context;
    assert_int_equal(pair->source[0], *asked);
    return ++*asked % 3 > 0;
}

TEST_IN_SCRATCH(each_pair_should_be_asked_for_once)
{
    static const size_t memories[] = { 1 << 30, TINY };
    int seen[PAIRS];
    for (size_t m = 0; m < 2; m++) {
        Err e;
        int asked = 0;
        PairStore *s = filled(scratch_path(*state, ""), memories[m]);
        assert_int_equal(store_finish(s, in_turn, &asked, &e), 0);
        assert_int_equal(asked, PAIRS);
        collect(s, seen);
        for (int i = 0; i < PAIRS; i++)
            assert_int_equal(seen[i] > 0, (i + 1) % 3 > 0);
        store_free(s);
    }
}

TEST_IN_SCRATCH(shards_should_be_loaded_in_any_order_and_again)
{
    Err e;
    PairStore *s = filled(scratch_path(*state, ""), TINY);
    finish(s, all);
    int first = shard_record(store_load(s, 3, &e), 0).source[0];
    store_load(s, 9, &e);
    store_load(s, 0, &e);
    assert_int_equal(shard_record(store_load(s, 3, &e), 0).source[0], first);
    assert_int_equal(shard_record(store_load(s, 3, &e), 0).source[0], first);
    store_free(s);
}

/* Neighbours of the corpus are in the same of S shards with a probability of 1/S: about PAIRS/S of
 * them, with a standard deviation of its root. */
TEST_IN_SCRATCH(neighbours_should_be_dealt_apart)
{
    int seen[PAIRS], together = 0;
    PairStore *s = filled(scratch_path(*state, ""), TINY);
    finish(s, all);
    collect(s, seen);
    for (int i = 1; i < PAIRS; i++)
        together += seen[i] == seen[i - 1];
    double expected = (double)PAIRS / store_shards(s);
    assert_true(together < expected + 6 * 15 && together > expected - 6 * 15);
    assert_true(expected < 15 * 15);
    store_free(s);
}

/* Asserts that shard k of a share has the pairs of the whole shard that are the share's, in their
 * order, and knows their numbers. */
static void check_shard_of_share(PairStore *share, PairStore *whole, int k, Portion portion)
{
    Err e;
    int words[2 * LONGEST], number[PAIRS];
    size_t at = 0;
    const Shard *part = store_load(share, k, &e), *shard = store_load(whole, k, &e);
    store_numbers(share, k, number);
    for (size_t i = 0; i < shard->count; i++) {
        const int pair = shard_record(shard, i).source[0];
        if (pair % portion.workers != portion.worker) continue;
        assert_true(at < part->count);
        assert_int_equal(number[at], pair);
        const Record found = shard_record(part, at++), expected = pair_of(pair, words);
        assert_same(&found, &expected);
    }
    assert_int_equal(at, part->count);
}

TEST_IN_SCRATCH(shares_should_be_dealt_as_the_whole_is)
{
    static const size_t memories[] = { 1 << 30, 200000, 100000, TINY };
    const char *folder = scratch_path(*state, "");
    for (size_t m = 0; m < sizeof memories / sizeof *memories; m++) {
        PairStore *whole = filled(folder, memories[m]);
        finish(whole, odd);
        for (int worker = 0; worker < 3; worker++) {
            const Portion portion = { worker, 3 };
            PairStore *share = filled_share(folder, memories[m], portion);
            finish(share, odd);
            assert_int_equal(store_added(share), PAIRS);
            assert_int_equal(store_shards(share), store_shards(whole));
            for (int k = 0; k < store_shards(whole); k++)
                check_shard_of_share(share, whole, k, portion);
            store_free(share);
        }
        store_free(whole);
    }
}

TEST_IN_SCRATCH(a_share_may_be_empty)
{
    Err e;
    int words[2 * LONGEST];
    const Record pair = pair_of(0, words);
    PairStore *s = store_new(TINY, scratch_path(*state, ""), (Portion){ 1, 2 });
    assert_int_equal(store_add(s, &pair, &e), 0);
    finish(s, all);
    assert_int_equal(store_added(s), 1);
    assert_int_equal(store_count(s), 0);
    assert_int_equal(store_load(s, 0, &e)->count, 0);
    store_free(s);
}

TEST_IN_SCRATCH(no_shard_should_be_larger_than_memory)
{
    enum { MEMORY = 100000 };
    Err e;
    PairStore *s = filled(scratch_path(*state, ""), MEMORY);
    finish(s, all);
    for (int k = 0; k < store_shards(s); k++) {
        const Shard *shard = store_load(s, k, &e);
        Record last = shard_record(shard, shard->count - 1);
        assert_true((size_t)(last.target + last.target_count
                             - shard->data) * sizeof(int) <= MEMORY);
    }
    store_free(s);
}

/* A pair larger than the limit, than the read buffer, and than what waits to be written. */
TEST_IN_SCRATCH(a_giant_pair_should_survive)
{
    enum { GIANT = 700000 };
    Err e;
    int *words = xmalloc(GIANT, sizeof *words), seen = 0, small[2 * LONGEST];
    for (int i = 0; i < GIANT; i++)
        words[i] = i ^ 0x5555;
    PairStore *s = store_new(TINY, scratch_path(*state, ""), (Portion){ 0, 1 });
    for (int i = 0; i < 2000; i++) {
        Record pair = i == 1000 ? (Record){ words, words, GIANT, GIANT } : pair_of(i, small);
        assert_int_equal(store_add(s, &pair, &e), 0);
    }
    finish(s, all);
    assert_int_equal(store_count(s), 2000);
    for (int k = 0; k < store_shards(s); k++) {
        const Shard *shard = store_load(s, k, &e);
        for (size_t i = 0; i < shard->count; i++) {
            Record found = shard_record(shard, i);
            if (found.source_count != GIANT) continue;
            seen++;
            assert_memory_equal(found.source, words, GIANT * sizeof *words);
            assert_memory_equal(found.target, words, GIANT * sizeof *words);
        }
    }
    assert_int_equal(seen, 1);
    store_free(s);
    free(words);
}

UNIT_TEST(small_corpora_should_never_touch_the_disk)
{
    PairStore *s = filled("/nowhere/at/all", 1 << 30);
    finish(s, all);
    assert_int_equal(store_shards(s), 1);
    store_free(s);
}

UNIT_TEST(a_folder_that_cannot_be_written_should_be_an_error)
{
    Err e = { "" };
    int words[2 * LONGEST], failed = 0;
    PairStore *s = store_new(TINY, "/nowhere/at/all", (Portion){ 0, 1 });
    for (int i = 0; i < PAIRS && !failed; i++) {
        Record pair = pair_of(i, words);
        failed = store_add(s, &pair, &e);
    }
    assert_true(failed);
    assert_non_null(strstr(e.text, "/nowhere/at/all"));
    store_free(s);
}

TEST_IN_SCRATCH(no_pair_at_all_should_be_one_empty_shard)
{
    Err e;
    PairStore *s = store_new(1000, scratch_path(*state, ""), (Portion){ 0, 1 });
    finish(s, all);
    assert_int_equal(store_shards(s), 1);
    assert_int_equal(store_load(s, 0, &e)->count, 0);
    store_free(s);
}

int main(void) { return run_unit_tests(); }
