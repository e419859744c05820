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
    Batches    b;
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

static void begin(World *w, int size, int tokens)
{
    Err e;
    if (batches_init(&w->b, &w->examples, size, tokens, &e)) fail_msg("%s", e.text);
}

/* `count` pairs of up to `longest` words a side, in batches of so many pairs or tokens; a little
 * memory makes many shards. */
static World *world_new(int count, int longest, size_t memory, int size, int tokens)
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
    begin(w, size, tokens);
    return w;
}

static void world_free(World *w)
{
    batches_free(&w->b);
    examples_free(&w->examples);
    if (w->target != w->source) tokenizer_free(w->target);
    tokenizer_free(w->source);
    for (int i = 0; i < MOST; i++) {
        free(w->line[0][i]);
        free(w->line[1][i]);
    }
    free(w);
}

/* Asserts that no share of this batch, dealt to one worker or more, is larger than promised, and
 * that no more is promised than a batch by tokens can have. */
static void check_shares(const World *w, const Sentence *sentences, int count)
{
    for (int workers = 1; workers <= 3; workers++) {
        const BatchSize most = batches_share(&w->examples, w->b.size, w->b.tokens, workers);
        const int bound = 2 * w->b.tokens + (most.source_steps > most.target_steps
                                             ? most.source_steps : most.target_steps);
        assert_true(!w->b.tokens || (most.source_tokens <= bound && most.target_tokens <= bound));
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

/* A batch, whose inner order and size are right; returns its size. */
static int get(World *w, int at, Visit visit, Sentence *sentences)
{
    Err e;
    Sentence sorted[MOST];
    int seen[MOST] = { 0 };
    const int count = batches_get(&w->b, at, visit, sentences, &e);
    assert_in_range(count, 1, batches_most(&w->examples, w->b.size, w->b.tokens));
    memcpy(sorted, sentences, (size_t)count * sizeof *sorted);
    batch_sort(sorted, count);
    for (int i = 0; i < count; i++) {
        assert_int_equal(sorted[i].number, sentences[i].number);
        assert_in_range(sentences[i].number, 0, count - 1);
        assert_int_equal(seen[sentences[i].number]++, 0);
    }
    check_shares(w, sentences, count);
    return count;
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

static int longer_side(const Sentence *s)
{
    return s->source_length > s->target_length ? s->source_length : s->target_length;
}

/* The pairs of an epoch in its order, each once, and the tokens of its smallest and its largest
 * batch. */
typedef struct { int pair[MOST], count, smaller, smallest, largest; } Order;

static Order epoch_order(World *w, uint64_t seed, long epoch)
{
    Sentence sentences[MOST];
    Order o = { .smallest = INT_MAX };
    int seen[MOST] = { 0 };
    batches_epoch(&w->b, seed, epoch);
    for (int at = 0; at < w->b.count; at++) {
        const int count = get(w, at, (Visit){ 0 }, sentences);
        int tokens = 0;
        o.smaller += count < w->b.size;
        for (int i = 0; i < count; i++) {
            o.pair[o.count] = pair_number(w, &sentences[i]);
            assert_int_equal(seen[o.pair[o.count++]]++, 0);
            tokens += longer_side(&sentences[i]);
        }
        if (tokens < o.smallest) o.smallest = tokens;
        if (tokens > o.largest) o.largest = tokens;
    }
    return o;
}

UNIT_TEST(an_epoch_should_hold_every_pair_once)
{
    static const struct { int pairs, size; size_t memory; } cases[] = {
        { 1, 1, 1 << 20 }, { 1, LARGEST, 1 << 20 }, { 7, 3, 1 << 20 }, { 8, 4, 1 << 20 },
        { LARGEST, LARGEST, 1 << 20 },
        { MOST, 3, 1 << 20 },           /* 234 batches: more than one pool of 100 */
        { MOST, 3, TINY },              /* several shards */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int pairs = cases[i].pairs, size = cases[i].size;
        World *w = world_new(pairs, 9, cases[i].memory, size, 0);
        const int shards = store_shards(w->examples.store);
        if (shards == 1) assert_int_equal(w->b.count, (pairs + size - 1) / size);
        for (long epoch = 0; epoch < 3; epoch++) {
            const Order o = epoch_order(w, 7, epoch);
            assert_true(o.count == pairs && o.smaller <= shards);
        }
        world_free(w);
    }
}

/* ---- the order ---- */

static int places_in_common(const Order *a, const Order *b)
{
    int common = 0;
    for (int i = 0; i < MOST; i++)
        common += a->pair[i] == b->pair[i];
    return common;
}

/* Two random orders of 700 pairs agree in one place on average, and in more than 20 not once in
 * 10^18 times. */
UNIT_TEST(the_order_should_follow_from_seed_and_epoch_whatever_came_before)
{
    World *w = world_new(MOST, 9, TINY, 8, 0), *fresh = world_new(MOST, 9, TINY, 8, 0);
    const Order other = epoch_order(w, 7, 0), first = epoch_order(w, 7, 5);
    const Order seed = epoch_order(w, 9, 5), again = epoch_order(w, 7, 5);
    const Order anew = epoch_order(fresh, 7, 5);
    assert_memory_equal(again.pair, first.pair, sizeof first.pair);
    assert_memory_equal(anew.pair, first.pair, sizeof first.pair);
    assert_true(places_in_common(&first, &other) <= 20);
    assert_true(places_in_common(&first, &seed) <= 20);
    world_free(w);
    world_free(fresh);
}

/* Which of the first pairs of an epoch are among the first of the other: in two random orders of
 * the shards half of them, all where the order is one. */
UNIT_TEST(shards_should_come_in_another_order_in_another_epoch)
{
    World *w = world_new(MOST, 9, TINY, 8, 0);
    int is_first[MOST] = { 0 }, again = 0;
    assert_true(store_shards(w->examples.store) > 3);
    const Order one = epoch_order(w, 7, 0), two = epoch_order(w, 7, 1);
    for (int i = 0; i < MOST / 2; i++)
        is_first[one.pair[i]] = 1;
    for (int i = 0; i < MOST / 2; i++)
        again += is_first[two.pair[i]];
    assert_true(again < MOST / 2 - 8 * store_shards(w->examples.store));
    world_free(w);
}

/* Even where all pairs are of one length and fit one pool, so that sorting has nothing to do: few
 * meet one of those that they met. */
UNIT_TEST(pairs_of_equal_length_should_meet_others_in_another_epoch)
{
    enum { SIZE = 7 };
    World *w = world_new(MOST, 1, 1 << 20, SIZE, 0);
    const Order one = epoch_order(w, 7, 0), two = epoch_order(w, 7, 1);
    int batch[MOST], met = 0;
    for (int i = 0; i < MOST; i++)
        batch[one.pair[i]] = i / SIZE;
    for (int i = 0; i < MOST; i++)
        for (int k = i + 1; k < MOST && k / SIZE == i / SIZE; k++)
            met += batch[two.pair[i]] == batch[two.pair[k]];
    assert_true(met < 60);          /* of 2100 pairs of pairs; 18 by chance */
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
UNIT_TEST(every_pool_should_be_sorted_by_target_and_then_by_source)
{
    enum { SIZE = 3, KINDS = 5, POOLS = 3 };
    World *w = world_new(MOST, KINDS, 1 << 20, SIZE, 0);
    Sentence sentences[SIZE];
    int target = 0, source = 0;
    batches_epoch(&w->b, 7, 0);
    for (int at = 0; at < w->b.count; at++) {
        const int count = get(w, at, (Visit){ 0 }, sentences);
        target += sentences[0].target_length - sentences[count - 1].target_length;
        source += source_spread(sentences, count);
    }
    assert_true(target <= POOLS * (KINDS - 1));
    assert_true(source <= POOLS * (KINDS * (KINDS - 1) + (KINDS - 1) * (KINDS - 1)));
    world_free(w);
}

/* Batches asked for in another order, as after a resume, are the same. */
UNIT_TEST(batches_should_not_depend_on_those_before)
{
    World *w = world_new(MOST, 9, TINY, 8, 0);
    Sentence sentences[8];
    const Order whole = epoch_order(w, 7, 2);
    int end = MOST;
    assert_true(store_shards(w->examples.store) > 3);
    for (int at = w->b.count - 1; at >= 0; at--) {
        end -= get(w, at, (Visit){ 0 }, sentences);
        assert_int_equal(pair_number(w, &sentences[0]), whole.pair[end]);
    }
    assert_int_equal(end, 0);
    world_free(w);
}

/* ---- batches by tokens ---- */

/* A batch begins with the pair at which the one before should end: it has its share of the
 * tokens, more than `tokens` by less than one batch in all, give or take the longest pair. */
UNIT_TEST(batches_by_tokens_should_hold_every_pair_once_and_have_nearly_equal_sizes)
{
    enum { LONGEST = 20 };
    static const struct { int pairs, longest, tokens; size_t memory; int least, most; } cases[] = {
        { MOST, LONGEST, 50, 1 << 20, 50 - (LONGEST + 1), 50 + 5 + LONGEST + 1 },
        { MOST, LONGEST, LONGEST + 1, 1 << 20, 1, 3 * (LONGEST + 1) },  /* the fewest allowed */
        { MOST, 1, 2, 1 << 20, 2, 2 },                                  /* one pair each */
        { MOST, LONGEST, 60, TINY, 1, 3 * 60 },                         /* many shards */
        { 1, LONGEST, 1000000, 1 << 20, 1, 1000000 }, { 5, LONGEST, 1000000, 1 << 20, 1, 1000000 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        World *w = world_new(cases[i].pairs, cases[i].longest, cases[i].memory, 1, cases[i].tokens);
        const Order o = epoch_order(w, 7, 1);
        assert_int_equal(o.count, cases[i].pairs);
        assert_true(o.smallest >= cases[i].least && o.largest <= cases[i].most);
        world_free(w);
    }
}

/* ---- noise ---- */

enum { PAIRS = 60 };

/* The lengths of one word, which all pairs are, as an epoch cuts it; returns how many differ. */
static int cuts_in(World *w, long epoch, int *lengths)
{
    Err e;
    Sentence sentences[PAIRS];
    unsigned seen = 0;
    batches_epoch(&w->b, 7, epoch);
    assert_int_equal(batches_get(&w->b, 0, (Visit){ 0 }, sentences, &e), PAIRS);
    for (int i = 0; i < PAIRS; i++) {
        lengths[sentences[i].number] = sentences[i].source_length;
        seen |= 1u << sentences[i].source_length;
    }
    return __builtin_popcount(seen);
}

/* "abcdefgh" is one piece, which BPE-dropout cuts into some of its parts. */
UNIT_TEST(every_visit_of_a_pair_should_have_noise_of_its_own)
{
    const TextOptions text = { .tokens = TOKENS_BPE, .vocabulary = 40, .min_frequency = 1 };
    const ExampleOptions options = { .max_length = 100, .bpe_dropout = 0.5 };
    const char *line[PAIRS];
    int first[PAIRS], again[PAIRS], other[PAIRS];
    World *w = xcalloc(1, sizeof *w);
    for (int i = 0; i < PAIRS; i++)
        line[i] = "abcdefgh";
    w->source = w->target = learn_lines(&text, line, PAIRS);
    line_examples(&w->examples, line, line, PAIRS, w->source, w->target, &options, 1 << 20);
    begin(w, PAIRS, 0);
    assert_true(cuts_in(w, 0, first) > 3);
    cuts_in(w, 1, other);
    cuts_in(w, 0, again);
    assert_memory_equal(again, first, sizeof first);
    assert_memory_not_equal(other, first, sizeof first);
    world_free(w);
}

/* ---- both directions ---- */

/* One tokenizer. Every second source is short and has a long target, the others are long and have
 * short ones; so in both directions all sentences of a side can be long. */
UNIT_TEST(a_batch_of_both_directions_should_be_no_larger_than_promised)
{
    enum { COUNT = 4, SIZE = 4 };
    const TextOptions text = { .tokens = TOKENS_WORD, .min_frequency = 1 };
    const ExampleOptions options = { .max_length = 100, .both_directions = 1 };
    const char *line[2][COUNT];
    for (int i = 0; i < COUNT; i++) {
        line[i % 2][i] = "x";
        line[1 - i % 2][i] = i % 3 ? "x x x x x x x" : "x x x x x";
    }
    for (int tokens = 0; tokens <= 20; tokens += 20) {
        Sentence sentences[LARGEST];
        int all_long = 0;
        World *w = xcalloc(1, sizeof *w);
        w->source = w->target = learn_lines(&text, line[0], COUNT);
        line_examples(&w->examples, line[0], line[1], COUNT, w->source, w->target, &options,
                      1 << 20);
        begin(w, SIZE, tokens);
        for (long epoch = 0; epoch < 50; epoch++) {
            batches_epoch(&w->b, 7, epoch);
            for (int at = 0; at < w->b.count; at++) {
                const int count = get(w, at, (Visit){ .both_directions = 1 }, sentences);
                int longer = 0;
                for (int i = 0; i < count; i++)
                    longer += sentences[i].source_length > sentences[i].target_length;
                all_long += longer == count;
            }
        }
        assert_true(all_long > 0);
        world_free(w);
    }
}

int main(void) { return run_unit_tests(); }
