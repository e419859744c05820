/* test_batches.c - an epoch: every pair once, in another order each time, lengths side by side. */
#include "base/mem.h"
#include "base/random/rng.h"
#include "learn_lines.h"
#include "line_examples.h"
#include "scratch.h"
#include "train/data/batches.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 700, LARGEST = 64, TINY = 1 };

/* Examples whose sources begin with their number. */
typedef struct {
    Examples   examples;
    Tokenizer *source, *target;
    char      *line[2][MOST];
    int        longest;
} World;

/* Words behind the first, by chance. */
static int more_words(const World *w, int side, int i)
{
    return (int)rng_below(rng_key(3, (uint64_t)side, RNG_INIT), (uint64_t)i, (uint64_t)w->longest);
}

static char *line_of(const World *w, int side, int i)
{
    Buf line = { 0 };
    buf_printf(&line, "%d", i);
    for (int k = 0; k < more_words(w, side, i); k++)
        buf_puts(&line, " x");
    return line.text;
}

/* `count` pairs of up to `longest` words a side; a little memory makes many shards. */
static World *world_new(int count, int longest, size_t memory)
{
    const TextOptions text = { .tokens = TOKENS_WORD, .min_frequency = 1 };
    const ExampleOptions options = { .max_length = 1000 };
    World *w = xcalloc(1, sizeof *w);
    w->longest = longest;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < count; i++)
            w->line[side][i] = line_of(w, side, i);
    const char *const *source = (const char *const *)w->line[0];
    const char *const *target = (const char *const *)w->line[1];
    w->source = learn_lines(&text, source, (size_t)count);
    w->target = learn_lines(&text, target, (size_t)count);
    line_examples(&w->examples, source, target, (size_t)count, w->source, w->target, &options,
                  memory);
    return w;
}

static void world_free(World *w)
{
    examples_free(&w->examples);
    tokenizer_free(w->source);
    tokenizer_free(w->target);
    for (int i = 0; i < MOST; i++) {
        free(w->line[0][i]);
        free(w->line[1][i]);
    }
    free(w);
}

static int get(Batches *b, int at, Sentence *sentences)
{
    Err e;
    int count = batches_get(b, at, (Visit){ 0 }, sentences, &e);
    if (count < 0) fail_msg("%s", e.text);
    return count > 0 ? count : 0;
}

static void init(Batches *b, const World *w, int size, int tokens)
{
    Err e;
    if (batches_init(b, &w->examples, size, tokens, &e)) fail_msg("%s", e.text);
}

/* Asserts that both sides are those of one pair, and returns its number. */
static int pair_number(const World *w, const Sentence *s)
{
    const int i = atoi(tokenizer_piece(w->source, s->source[0]));
    assert_int_equal(atoi(tokenizer_piece(w->target, s->target[0])), i);
    assert_int_equal(s->source_length, 2 + more_words(w, 0, i));
    assert_int_equal(s->target_length, 2 + more_words(w, 1, i));
    assert_int_equal(s->source[s->source_length - 1], ID_EOS);
    assert_int_equal(s->target[s->target_length - 1], ID_EOS);
    return i;
}

/* Asserts that no share of this batch, dealt to one worker or more, is larger than promised. */
static void check_shares(const World *w, int size, int tokens, const Sentence *sentences, int count)
{
    for (int workers = 1; workers <= 3; workers++) {
        const BatchSize most = batches_share(&w->examples, size, tokens, workers);
        for (int worker = 0; worker < workers; worker++) {
            Sentence share[MOST];
            int dealt = 0;
            for (int i = worker; i < count; i += workers)
                share[dealt++] = sentences[i];
            const BatchSize is = batch_size(share, dealt);
            assert_true(is.sentences <= most.sentences);
            assert_true(is.source_steps <= most.source_steps
                        && is.source_tokens <= most.source_tokens);
            assert_true(is.target_steps <= most.target_steps
                        && is.target_tokens <= most.target_tokens);
        }
    }
}

/* The pairs of an epoch in its order; asserts that batches have the right sizes and inner order.
 * Returns how many. */
static int epoch_order(const World *w, Batches *b, uint64_t seed, long epoch, int *order)
{
    Sentence sentences[LARGEST];
    int total = 0, smaller = 0;
    batches_epoch(b, seed, epoch);
    for (int at = 0; at < b->count; at++) {
        Sentence sorted[LARGEST];
        int count = get(b, at, sentences);
        memcpy(sorted, sentences, (size_t)count * sizeof *sorted);
        batch_sort(sorted, count);
        smaller += count < b->size;
        check_shares(w, b->size, 0, sentences, count);
        int numbers[LARGEST] = { 0 };
        for (int i = 0; i < count; i++) {
            assert_int_equal(sorted[i].number, sentences[i].number);
            assert_in_range(sentences[i].number, 0, count - 1);
            assert_int_equal(numbers[sentences[i].number]++, 0);
            order[total++] = pair_number(w, &sentences[i]);
        }
    }
    assert_true(smaller <= store_shards(w->examples.store));
    return total;
}

static void check_epochs(int pairs_count, int size, size_t memory)
{
    World *w = world_new(pairs_count, 9, memory);
    Batches b;
    init(&b, w, size, 0);
    if (store_shards(w->examples.store) == 1)
        assert_int_equal(b.count, (pairs_count + size - 1) / size);
    for (long epoch = 0; epoch < 3; epoch++) {
        int order[MOST], seen[MOST] = { 0 };
        assert_int_equal(epoch_order(w, &b, 7, epoch, order), pairs_count);
        for (int i = 0; i < pairs_count; i++)
            seen[order[i]]++;
        for (int i = 0; i < pairs_count; i++)
            assert_int_equal(seen[i], 1);
    }
    batches_free(&b);
    world_free(w);
}

static void an_epoch_should_hold_every_pair_once(void **state)
{
    check_epochs(1, 1, 1 << 20);
    check_epochs(1, LARGEST, 1 << 20);
    check_epochs(7, 3, 1 << 20);
    check_epochs(8, 4, 1 << 20);
    check_epochs(LARGEST, LARGEST, 1 << 20);
    check_epochs(MOST, 3, 1 << 20);     /* 234 batches: more than one pool of 100 */
    check_epochs(MOST, 3, TINY);        /* several shards */
}

static void the_same_seed_and_epoch_should_give_the_same_order_whatever_came_before(void **state)
{
    World *w = world_new(MOST, 9, TINY);
    int first[MOST], again[MOST], other[MOST];
    Batches b, fresh;
    init(&b, w, 8, 0);
    init(&fresh, w, 8, 0);
    epoch_order(w, &b, 7, 0, other);
    epoch_order(w, &b, 7, 5, first);
    epoch_order(w, &b, 9, 1, other);
    epoch_order(w, &b, 7, 5, again);
    assert_memory_equal(again, first, sizeof first);
    epoch_order(w, &fresh, 7, 5, again);
    assert_memory_equal(again, first, sizeof first);
    batches_free(&b);
    batches_free(&fresh);
    world_free(w);
}

static int places_in_common(const int *a, const int *b)
{
    int common = 0;
    for (int i = 0; i < MOST; i++)
        common += a[i] == b[i];
    return common;
}

/* Two random orders of 700 pairs agree in one place on average, and in more than 20 not once in
 * 10^18 times. */
static void another_epoch_or_seed_should_give_another_order(void **state)
{
    World *w = world_new(MOST, 9, 1 << 20);
    int one[MOST], two[MOST];
    Batches b;
    init(&b, w, 8, 0);
    epoch_order(w, &b, 7, 0, one);
    epoch_order(w, &b, 7, 1, two);
    assert_true(places_in_common(one, two) <= 20);
    epoch_order(w, &b, 8, 0, two);
    assert_true(places_in_common(one, two) <= 20);
    batches_free(&b);
    world_free(w);
}

/* Which of the first pairs of an epoch are among the first of the other: in two random orders of
 * the shards half of them, all where the order is one. */
static void shards_should_come_in_another_order_in_another_epoch(void **state)
{
    World *w = world_new(MOST, 9, TINY);
    int order[MOST], first[MOST] = { 0 }, again = 0;
    Batches b;
    assert_true(store_shards(w->examples.store) > 3);
    init(&b, w, 8, 0);
    epoch_order(w, &b, 7, 0, order);
    for (int i = 0; i < MOST / 2; i++)
        first[order[i]] = 1;
    epoch_order(w, &b, 7, 1, order);
    for (int i = 0; i < MOST / 2; i++)
        again += first[order[i]];
    assert_true(again < MOST / 2 - 8 * store_shards(w->examples.store));
    batches_free(&b);
    world_free(w);
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
    enum { SIZE = 7, BATCHES = MOST / SIZE };
    World *w = world_new(MOST, 1, 1 << 20);
    int one[MOST], two[MOST];
    Batches b;
    init(&b, w, SIZE, 0);
    epoch_order(w, &b, 7, 0, one);
    epoch_order(w, &b, 7, 1, two);
    assert_int_equal(batches_in_common(one, two, BATCHES, SIZE), 0);
    batches_free(&b);
    world_free(w);
}

static int source_spread(const Sentence *sentences, int count)
{
    int shortest = INT_MAX, longest = 0;
    for (int i = 0; i < count; i++) {
        if (sentences[i].source_length < shortest) shortest = sentences[i].source_length;
        if (sentences[i].source_length > longest) longest = sentences[i].source_length;
    }
    return longest - shortest;
}

/* Batches of 3 make pools of 300 pairs, whose lengths of 5 kinds a side rise step by step: by 4 in
 * each of the 3 pools for the target; and for the source by 4 for each of 5 targets, and by 4 at
 * most in the 4 batches where the target changes. By chance a batch's spread would be 2, and so 468
 * in all. */
static void every_pool_should_be_sorted_by_target_and_then_by_source(void **state)
{
    enum { SIZE = 3, KINDS = 5, POOLS = 3 };
    World *w = world_new(MOST, KINDS, 1 << 20);
    Sentence sentences[SIZE];
    Batches b;
    int target = 0, source = 0;
    init(&b, w, SIZE, 0);
    batches_epoch(&b, 7, 0);
    for (int at = 0; at < b.count; at++) {
        const int count = get(&b, at, sentences);
        target += sentences[0].target_length - sentences[count - 1].target_length;
        source += source_spread(sentences, count);
    }
    assert_true(target <= POOLS * (KINDS - 1));
    assert_true(source <= POOLS * (KINDS * (KINDS - 1) + (KINDS - 1) * (KINDS - 1)));
    batches_free(&b);
    world_free(w);
}

/* ---- batches by tokens ---- */

static int longer_side(const Sentence *s)
{
    return s->source_length > s->target_length ? s->source_length : s->target_length;
}

/* Asserts that an epoch in batches of so many tokens holds each pair once, and that no batch asks
 * for more than promised; returns the tokens of the smallest and the largest. */
static void check_tokens(int pairs_count, int longest, int tokens, size_t memory, int *smallest,
                         int *largest)
{
    World *w = world_new(pairs_count, longest, memory);
    const int most = batches_most(&w->examples, 1, tokens);
    Sentence *sentences = xcalloc((size_t)most, sizeof *sentences);
    int seen[MOST] = { 0 };
    Batches b;
    init(&b, w, 1, tokens);
    batches_epoch(&b, 7, 1);
    *smallest = INT_MAX;
    *largest = 0;
    for (int at = 0; at < b.count; at++) {
        const int count = get(&b, at, sentences);
        int sum = 0;
        assert_in_range(count, 1, most);
        for (int i = 0; i < count; i++) {
            sum += longer_side(&sentences[i]);
            seen[pair_number(w, &sentences[i])]++;
        }
        check_shares(w, 1, tokens, sentences, count);
        if (sum < *smallest) *smallest = sum;
        if (sum > *largest) *largest = sum;
    }
    for (int i = 0; i < pairs_count; i++)
        assert_int_equal(seen[i], 1);
    free(sentences);
    batches_free(&b);
    world_free(w);
}

/* A batch begins with the pair at which the one before should end: it has its share of the
 * tokens, more than `tokens` by less than one batch in all, give or take the longest pair. */
static void batches_by_tokens_should_hold_every_pair_once_and_have_nearly_equal_sizes(void **state)
{
    enum { LONGEST = 20, TOKENS = 50 };
    int smallest, largest;
    check_tokens(MOST, LONGEST, TOKENS, 1 << 20, &smallest, &largest);
    assert_true(smallest >= TOKENS - (LONGEST + 1));
    assert_true(largest <= TOKENS + TOKENS / 10 + LONGEST + 1);
    check_tokens(MOST, LONGEST, LONGEST + 1, 1 << 20, &smallest, &largest);     /* the fewest that
                                                                                 * are allowed */
    assert_true(smallest >= 1 && largest <= 2 * (LONGEST + 1) + LONGEST + 1);
    check_tokens(MOST, 1, 2, 1 << 20, &smallest, &largest);                     /* all alike: one
                                                                                 * pair each */
    assert_true(smallest == 2 && largest == 2);
    check_tokens(MOST, LONGEST, 60, TINY, &smallest, &largest);                 /* many shards */
    check_tokens(1, LONGEST, 1000000, 1 << 20, &smallest, &largest);
    check_tokens(5, LONGEST, 1000000, 1 << 20, &smallest, &largest);
}

/* Batches asked for in another order, as after a resume, are the same. */
static void batches_should_not_depend_on_those_before(void **state)
{
    World *w = world_new(MOST, 9, TINY);
    Sentence sentences[8];
    int first[MOST], count[MOST];
    Batches b, other;
    init(&b, w, 8, 0);
    init(&other, w, 8, 0);
    batches_epoch(&b, 7, 2);
    batches_epoch(&other, 7, 2);
    assert_true(store_shards(w->examples.store) > 3);
    for (int at = 0; at < b.count; at++) {
        count[at] = get(&b, at, sentences);
        first[at] = pair_number(w, &sentences[0]);
    }
    for (int at = b.count - 1; at >= 0; at--) {
        assert_int_equal(get(&other, at, sentences), count[at]);
        assert_int_equal(pair_number(w, &sentences[0]), first[at]);
    }
    batches_free(&b);
    batches_free(&other);
    world_free(w);
}

/* ---- noise ---- */

enum { PAIRS = 60 };

/* How many different cuts of one word, which all pairs are, an epoch has. */
static int cuts_in(Batches *b, long epoch, int *lengths)
{
    Sentence sentences[PAIRS];
    int different = 0;
    batches_epoch(b, 7, epoch);
    assert_int_equal(get(b, 0, sentences), PAIRS);
    for (int i = 0; i < PAIRS; i++) {
        const Sentence *s = &sentences[i];
        int is_new = 1;
        lengths[s->number] = s->source_length;
        for (int k = 0; k < i && is_new; k++)
            is_new = sentences[k].source_length != s->source_length
                     || memcmp(sentences[k].source, s->source,
                               (size_t)s->source_length * sizeof *s->source);
        different += is_new;
    }
    return different;
}

/* "abcdefgh" is one piece, which BPE-dropout cuts into some of its parts. */
static void every_visit_of_a_pair_should_have_noise_of_its_own(void **state)
{
    const char *line[PAIRS];
    for (int i = 0; i < PAIRS; i++)
        line[i] = "abcdefgh";
    const TextOptions text = { .tokens = TOKENS_BPE, .vocabulary = 40, .min_frequency = 1 };
    const ExampleOptions options = { .max_length = 100, .bpe_dropout = 0.5 };
    Tokenizer *t = learn_lines(&text, line, PAIRS);
    World w = { .source = t };
    Batches b;
    int first[PAIRS], again[PAIRS], other[PAIRS];
    line_examples(&w.examples, line, line, PAIRS, t, t, &options, 1 << 20);
    init(&b, &w, PAIRS, 0);
    assert_true(cuts_in(&b, 0, first) > 5);
    cuts_in(&b, 1, other);
    cuts_in(&b, 0, again);
    assert_memory_equal(again, first, sizeof first);
    assert_memory_not_equal(other, first, sizeof first);
    batches_free(&b);
    examples_free(&w.examples);
    tokenizer_free(t);
}

/* One tokenizer. Every second source is short and has a long target, the others are long and have
 * short ones; so in both directions all sentences of a side can be long. */
static World *shared_new(int count)
{
    const TextOptions text = { .tokens = TOKENS_WORD, .min_frequency = 1 };
    const ExampleOptions options = { .max_length = 100, .both_directions = 1 };
    const char *line[2][MOST];
    World *w = xcalloc(1, sizeof *w);
    for (int i = 0; i < count; i++) {
        line[i % 2][i] = "x";
        line[1 - i % 2][i] = i % 3 ? "x x x x x x x" : "x x x x x";
    }
    w->source = w->target = learn_lines(&text, line[0], (size_t)count);
    line_examples(&w->examples, line[0], line[1], (size_t)count, w->source, w->target, &options,
                  1 << 20);
    return w;
}

static void shared_free(World *w)
{
    w->target = NULL;
    world_free(w);
}

static void check_both_directions(const World *w, int size, int tokens)
{
    Sentence sentences[LARGEST], sorted[LARGEST];
    Batches b;
    Err e;
    int all_long = 0;
    init(&b, w, size, tokens);
    for (long epoch = 0; epoch < 50; epoch++) {
        batches_epoch(&b, 7, epoch);
        for (int at = 0; at < b.count; at++) {
            const int count = batches_get(&b, at, (Visit){ .both_directions = 1 }, sentences, &e);
            int longer = 0;
            assert_in_range(count, 1, LARGEST);
            memcpy(sorted, sentences, (size_t)count * sizeof *sorted);
            batch_sort(sorted, count);
            check_shares(w, size, tokens, sentences, count);
            for (int i = 0; i < count; i++) {
                assert_int_equal(sorted[i].number, sentences[i].number);
                longer += sentences[i].source_length > sentences[i].target_length;
            }
            all_long += longer == count;
        }
    }
    assert_true(all_long > 0);
    batches_free(&b);
}

static void a_batch_of_both_directions_should_be_no_larger_than_promised(void **state)
{
    World *w = shared_new(4);
    check_both_directions(w, 4, 0);
    check_both_directions(w, 4, 20);
    shared_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_epoch_should_hold_every_pair_once),
        cmocka_unit_test(the_same_seed_and_epoch_should_give_the_same_order_whatever_came_before),
        cmocka_unit_test(another_epoch_or_seed_should_give_another_order),
        cmocka_unit_test(shards_should_come_in_another_order_in_another_epoch),
        cmocka_unit_test(pairs_of_equal_length_should_meet_others_in_another_epoch),
        cmocka_unit_test(every_pool_should_be_sorted_by_target_and_then_by_source),
        cmocka_unit_test(batches_should_not_depend_on_those_before),
        cmocka_unit_test(batches_by_tokens_should_hold_every_pair_once_and_have_nearly_equal_sizes),
        cmocka_unit_test(every_visit_of_a_pair_should_have_noise_of_its_own),
        cmocka_unit_test(a_batch_of_both_directions_should_be_no_larger_than_promised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
