/* test_batch.c - packing against a naive twin that loops over steps and sentences and lists the
 * tokens; and slices of many sentences, each of which one worker gets.
 */
#include "model/batch.h"
#include "random_pairs.h"

#include <string.h>

enum { MOST = 12, LONGEST = 7, WORDS = 30, SEEDS = 40 };

/* ---- sentences ---- */

static int random_sentences(Heap *heap, uint64_t seed, Sentence *sentences)
{
    const int count = 1 + (int)rng_below(rng_key(seed, 2, RNG_INIT), 0, MOST);
    const Pairs pairs = random_pairs(heap, seed, count, LONGEST, WORDS);
    for (int i = 0; i < count; i++) {
        const size_t s = pairs.source_at[i], t = pairs.target_at[i];
        sentences[i] = (Sentence){ .source = pairs.source + s, .target = pairs.target + t, .number = i,
                                   .source_length = (int)(pairs.source_at[i + 1] - s),
                                   .target_length = (int)(pairs.target_at[i + 1] - t) };
    }
    return count;
}

typedef void (*Check)(Heap *heap, Sentence *sentences, int count);

static void for_many_batches(Check check)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        Heap heap = { 0 };
        Sentence sentences[MOST];
        check(&heap, sentences, random_sentences(&heap, seed, sentences));
        heap_free(&heap);
    }
}

static Batch build(Arena *arena, const Sentence *sentences, int count)
{
    Batch batch;
    arena_reserve(arena, batch_measure(batch_size(sentences, count)));
    batch_build(&batch, arena, sentences, count, ID_BOS);
    return batch;
}

/* ---- the order ---- */

/* Whether x must come before y. */
static int stands_before(const Sentence *x, const Sentence *y)
{
    if (x->target_length != y->target_length) return x->target_length > y->target_length;
    if (x->source_length != y->source_length) return x->source_length > y->source_length;
    return x->number < y->number;
}

static void check_order(Heap *heap, Sentence *sentences, int count)
{
    int seen[MOST] = { 0 };
    batch_sort(sentences, count);
    for (int i = 0; i < count; i++) {
        if (i) assert_true(stands_before(&sentences[i - 1], &sentences[i]));
        seen[sentences[i].number]++;
    }
    for (int i = 0; i < count; i++)
        assert_int_equal(seen[i], 1);
}

UNIT_TEST(sentences_should_be_sorted_by_target_then_source_then_number)
{
    for_many_batches(check_order);
}

/* ---- packing ---- */

/* The sources' own order: each time the longest one left, the first among equals. */
static void order_sources(int *order, const Sentence *sentences, int count)
{
    int taken[MOST] = { 0 };
    for (int r = 0; r < count; r++) {
        int longest = -1;
        for (int i = 0; i < count; i++) {
            if (taken[i]) continue;
            if (longest < 0 || sentences[i].source_length > sentences[longest].source_length)
                longest = i;
        }
        taken[longest] = 1;
        order[r] = longest;
    }
}

static void assert_packed(const PackedSequence *got, const PackedSequence *expected)
{
    assert_int_equal(got->steps, expected->steps);
    assert_int_equal(got->total, expected->total);
    assert_memory_equal(got->rows, expected->rows, (size_t)expected->steps * sizeof(int));
    assert_memory_equal(got->start, expected->start, (size_t)(expected->steps + 1) * sizeof(int));
}

static void check_source(Heap *heap, const SourceBatch *source, const Sentence *sentences,
                         int count)
{
    int order[MOST], lengths[MOST] = { 0 }, row = 0, first = 0;
    order_sources(order, sentences, count);
    for (int r = 0; r < count; r++)
        lengths[r] = sentences[order[r]].source_length;
    const PackedSequence packed = packed_of(heap, lengths, count);
    assert_packed(&source->packed, &packed);

    for (int i = 0; i < count; i++) {
        assert_int_equal(source->first[i], first);
        assert_int_equal(source->length[i], sentences[i].source_length);
        first += sentences[i].source_length;
    }
    for (int t = 0; t < packed.steps; t++)
        for (int r = 0; r < count && lengths[r] > t; r++, row++) {
            assert_int_equal(source->ids[row], sentences[order[r]].source[t]);
            assert_int_equal(source->memory_row[row], source->first[order[r]] + t);
            if (t == lengths[r] - 1) assert_int_equal(source->last[order[r]], row);
        }
    assert_int_equal(row, packed.total);
}

static void check_target(Heap *heap, const TargetBatch *target, const Sentence *sentences,
                         int count)
{
    int lengths[MOST] = { 0 }, row = 0;
    for (int i = 0; i < count; i++)
        lengths[i] = sentences[i].target_length;
    const PackedSequence packed = packed_of(heap, lengths, count);
    assert_packed(&target->packed, &packed);
    for (int t = 0; t < packed.steps; t++)
        for (int i = 0; i < count && lengths[i] > t; i++, row++) {
            assert_int_equal(target->input[row], t ? sentences[i].target[t - 1] : ID_BOS);
            assert_int_equal(target->output[row], sentences[i].target[t]);
        }
    assert_int_equal(row, packed.total);
}

static void check_packing(Heap *heap, Sentence *sentences, int count)
{
    Arena arena = { 0 };
    batch_sort(sentences, count);
    const Batch batch = build(&arena, sentences, count);
    check_source(heap, &batch.source, sentences, count);
    check_target(heap, &batch.target, sentences, count);
    arena_free(&arena);
}

UNIT_TEST(every_word_should_stand_where_the_naive_twin_puts_it)
{
    for_many_batches(check_packing);
}

/* As if the sources were so short, but for their memory. */
static void check_without_ends(Heap *heap, Sentence *sentences, int count)
{
    Arena arena = { 0 };
    batch_sort(sentences, count);
    for (int i = 0; i < count; i++)
        sentences[i].without_end = 1;
    const Batch batch = build(&arena, sentences, count);
    for (int i = 0; i < count; i++)
        sentences[i].source_length -= sentences[i].source_length > 1;
    check_source(heap, &batch.source, sentences, count);
    check_target(heap, &batch.target, sentences, count);
    arena_free(&arena);
}

UNIT_TEST(the_end_of_sources_may_be_left_out)
{
    for_many_batches(check_without_ends);
}

static void check_sources_alone(Heap *heap, Sentence *sentences, int count)
{
    Arena arena = { 0 };
    SourceBatch source;
    arena_reserve(&arena, batch_measure(batch_size(sentences, count)));
    batch_build_source(&source, &arena, sentences, count);
    check_source(heap, &source, sentences, count);
    arena_free(&arena);
}

UNIT_TEST(sources_alone_should_be_packed_in_any_order_of_the_sentences)
{
    for_many_batches(check_sources_alone);
}

/* ---- the names of tokens, which choose the dropout masks ---- */

static void assert_all_different(const uint64_t *token, int count)
{
    for (int i = 0; i < count; i++) {
        assert_true(token[i] < UINT64_C(1) << 42);
        for (int j = 0; j < i; j++)
            assert_true(token[i] != token[j]);
    }
}

/* The packed row of word t of sentence i on its side. */
static int source_row(const SourceBatch *source, int i, int t)
{
    int row = 0;
    while (source->memory_row[row] != source->first[i] + t)
        row++;
    return row;
}

static void check_tokens(Heap *heap, Sentence *sentences, int count)
{
    Arena arena = { 0 }, other = { 0 };
    batch_sort(sentences, count);
    const Batch batch = build(&arena, sentences, count);
    assert_all_different(batch.source.token, batch.size.source_tokens);
    assert_all_different(batch.target.token, batch.size.target_tokens);
    for (int i = 0; i < count; i++) {
        const Batch alone = build(&other, &sentences[i], 1);
        for (int t = 0; t < sentences[i].source_length; t++)
            assert_true(alone.source.token[t]
                        == batch.source.token[source_row(&batch.source, i, t)]);
        for (int t = 0; t < sentences[i].target_length; t++)
            assert_true(alone.target.token[t]
                        == batch.target.token[batch.target.packed.start[t] + i]);
    }
    arena_free(&arena);
    arena_free(&other);
}

UNIT_TEST(a_sentence_should_name_its_tokens_the_same_in_any_slice_of_the_batch)
{
    for_many_batches(check_tokens);
}

/* ---- sizes ---- */

/* One long source, followed by shorter ones. */
static void fill_lengths(Sentence *sentences, int longest, int other)
{
    for (int i = 0; i < MOST; i++)
        sentences[i] = (Sentence){ .source_length = i ? other : longest, .target_length = other };
}

static int first_slice(const Sentence *sentences, int count, int most)
{
    BatchSlices s;
    batch_slices_init(&s, sentences, count, most);
    const int taken = s.slice[0].count;
    batch_slices_free(&s);
    return taken;
}

UNIT_TEST(a_batch_should_take_fewer_sentences_where_they_are_long)
{
    static const struct { int longest, other, count, most, taken; } rows[] = {
        { 5, 5, MOST, 4, 4 }, { 5, 5, 3, 4, 3 }, { 100000, 5, MOST, 4, 1 },
        { 100, 100, MOST, 5, 2 },   /* of 500 tokens: twice 200 */
        { 150, 50, MOST, 4, 3 },    /* of 400 tokens: 200 and twice 100 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Sentence sentences[MOST];
        fill_lengths(sentences, rows[i].longest, rows[i].other);
        assert_int_equal(first_slice(sentences, rows[i].count, rows[i].most), rows[i].taken);
    }
}

/* ---- slices ---- */

enum { SENTENCES = 23, MOST_OF_SLICE = 4 };

static void make_sentences(Sentence *sentences)
{
    static const int ids[SENTENCES] = { 0 };
    for (int i = 0; i < SENTENCES; i++)
        sentences[i] = (Sentence){ ids, ids, SENTENCES - i, SENTENCES - i, i, 0 };
}

typedef struct {
    atomic_int times[SENTENCES];
    atomic_int stop;
    int        stop_at;         /* slice that asks to stop; -1: none */
    int        workers;
} Log;

static void count(void *context, int worker, int slice)
{
    Log *log = context;
    const int is_worker = worker >= 0 && worker < log->workers;
    atomic_fetch_add(&log->times[slice], is_worker ? 1 : 2);
    if (slice == log->stop_at) atomic_store(&log->stop, 1);
}

/* Slices done; each at most once. */
static int run(int workers, int stop_at)
{
    Log log = { .stop_at = stop_at, .workers = workers };
    Sentence sentences[SENTENCES];
    BatchSlices s;
    int done = 0;
    Pool *pool = pool_new(workers);
    make_sentences(sentences);
    batch_slices_init(&s, sentences, SENTENCES, MOST_OF_SLICE);
    batch_slices_run(&s, pool, stop_at < 0 ? NULL : &log.stop, count, &log);
    for (int i = 0; i < s.count; i++) {
        assert_in_range(log.times[i], 0, 1);
        done += log.times[i];
    }
    for (int i = 0, next = 0; i < s.count; next += s.slice[i++].count) {
        assert_int_equal(s.slice[i].first, next);
        assert_in_range(s.slice[i].count, 1, MOST_OF_SLICE);
        if (i == s.count - 1) assert_int_equal(next + s.slice[i].count, SENTENCES);
    }
    if (stop_at < 0) assert_int_equal(done, s.count);
    batch_slices_free(&s);
    pool_free(pool);
    return done;
}

UNIT_TEST(slices_should_cover_all_sentences_and_each_be_done_once)
{
    for (int workers = 1; workers <= 9; workers++)
        run(workers, -1);
}

UNIT_TEST(no_slice_should_be_begun_after_a_request_to_stop)
{
    assert_int_equal(run(1, 0), 1);
    assert_int_equal(run(1, 2), 3);
}

int main(void) { return run_unit_tests(); }
