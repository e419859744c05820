/* test_examples.c - from numbers of words to ids: the same words whatever the noise, and words
 * hidden on both sides. */
#include "train/examples.h"

#include "base/rng.h"
#include "learn_lines.h"
#include "line_examples.h"
#include "scratch.h"

enum { PAIRS = 5, VISITS = 2000 };

static const char *const sources[PAIRS] = {
    "Tom saw Mary in 1999.", "Tom and Tom are here.", "It is warm today.", "Mary saw Tom twice, "
                                                                           "Mary!",
    "Well, 1999 was warm.",
};
static const char *const targets[PAIRS] = {
    "Tom a vu Mary en 1999.", "Tom et Tom sont ici.", "Il fait chaud.", "Mary a vu Tom deux fois, "
                                                                        "Mary !",
    "Eh bien, 1999 est 1999.",
};

typedef struct {
    Tokenizer *source, *target;
    Examples   examples;
    Record     pair[PAIRS];
} World;

static void world_new(World *w, int tokens, const ExampleOptions *options)
{
    Err e;
    const TextOptions text = { .tokens = tokens, .vocabulary = 60, .min_frequency = 1 };
    w->source = learn_lines(&text, sources, PAIRS);
    w->target = learn_lines(&text, targets, PAIRS);
    line_examples(&w->examples, sources, targets, PAIRS, w->source, w->target, options, 1 << 20);
    const Shard *shard = store_load(w->examples.store, 0, &e);
    assert_int_equal(shard->count, w->examples.count);
    for (size_t i = 0; i < shard->count; i++)
        w->pair[i] = shard_record(shard, i);
}

static void world_free(World *w)
{
    examples_free(&w->examples);
    tokenizer_free(w->source);
    tokenizer_free(w->target);
}

/* Both sides of one visit as text, <unk> where it is unknown; the ids end in <eos>. */
static void visit(const World *w, int i, uint64_t key, Buf *source, Buf *target)
{
    Ids m = { 0 }, n = { 0 };
    examples_add(&w->examples, &w->pair[i], key, &m, &n);
    assert_int_equal(m.id[m.count - 1], ID_EOS);
    assert_int_equal(n.id[n.count - 1], ID_EOS);
    buf_clear(source);
    buf_clear(target);
    tokenizer_decode(w->source, m.id, m.count, NULL, source);
    tokenizer_decode(w->target, n.id, n.count, NULL, target);
    ids_free(&m);
    ids_free(&n);
}

static void without_noise_ids_should_be_those_of_the_lines(void **state)
{
    (void)state;
    World w;
    world_new(&w, TOKENS_BPE, &(ExampleOptions){ .max_length = 100 });
    for (int i = 0; i < PAIRS; i++) {
        Ids line = { 0 }, source = { 0 }, target = { 0 };
        int m, n;
        tokenizer_encode(w.source, sources[i], strlen(sources[i]), &line, NULL);
        examples_add(&w.examples, &w.pair[i], 7, &source, &target);
        examples_lengths(&w.examples, &w.pair[i], &m, &n);
        assert_int_equal(source.count, line.count + 1);
        assert_int_equal(source.count, m);
        assert_int_equal(target.count, n);
        assert_memory_equal(source.id, line.id, line.count * sizeof *line.id);
        ids_free(&line);
        ids_free(&source);
        ids_free(&target);
    }
    world_free(&w);
}

static void bpe_dropout_should_cut_words_otherwise_and_keep_the_text(void **state)
{
    (void)state;
    World w;
    Buf source = { 0 }, target = { 0 };
    int different = 0;
    world_new(&w, TOKENS_BPE, &(ExampleOptions){ .max_length = 100, .bpe_dropout = 0.3 });
    for (uint64_t key = 1; key <= 50; key++) {
        Ids one = { 0 }, other = { 0 }, targets_ids = { 0 };
        visit(&w, 0, key, &source, &target);
        assert_string_equal(source.text, sources[0]);
        assert_string_equal(target.text, targets[0]);
        examples_add(&w.examples, &w.pair[0], key, &one, &targets_ids);
        examples_add(&w.examples, &w.pair[0], key + 1, &other, &targets_ids);
        different += one.count != other.count
                     || memcmp(one.id, other.id, one.count * sizeof *one.id);
        ids_free(&one);
        ids_free(&other);
        ids_free(&targets_ids);
    }
    assert_true(different > 40);
    buf_free(&source);
    buf_free(&target);
    world_free(&w);
}

/* How often `word` is hidden in both sides of the pair; what is hidden must be hidden on both. */
static int times_hidden(const World *w, int i, const char *word)
{
    Buf source = { 0 }, target = { 0 };
    int hidden = 0;
    for (uint64_t key = 1; key <= VISITS; key++) {
        visit(w, i, key, &source, &target);
        assert_int_equal(strstr(source.text, "<unk>") != NULL,
                         strstr(target.text, "<unk>") != NULL);
        assert_int_equal(strstr(source.text, word) != NULL, strstr(target.text, word) != NULL);
        hidden += !strstr(source.text, word);
    }
    buf_free(&source);
    buf_free(&target);
    return hidden;
}

/* Each of three words in a pair is hidden with P, unless one before it was: P, P (1 - P), P (1 -
 * P)^2. The counts are binomial; six standard deviations are allowed. */
static void words_equal_on_both_sides_should_be_hidden_sometimes(void **state)
{
    (void)state;
    World w;
    const double p = 0.1, deviation = 6 * 13.5;     /* sqrt(2000 * 0.1 * 0.9) = 13.4 */
    world_new(&w, TOKENS_BPE, &(ExampleOptions){ .max_length = 100, .copy_words = p });
    assert_true(times_hidden(&w, 0, "Tom") > p * VISITS - deviation);
    assert_true(times_hidden(&w, 0, "Tom") < p * VISITS + deviation);
    assert_true(times_hidden(&w, 0, "1999") > p * 0.81 * VISITS - deviation);
    assert_true(times_hidden(&w, 0, "1999") < p * 0.81 * VISITS + deviation);
    assert_true(times_hidden(&w, 3, "Tom") > p * VISITS - deviation);
    world_free(&w);
}

/* A word that occurs twice is ambiguous, punctuation is no word, and different words are no
 * copy. */
static void other_words_should_never_be_hidden(void **state)
{
    (void)state;
    World w;
    world_new(&w, TOKENS_BPE, &(ExampleOptions){ .max_length = 100, .copy_words = 1 });
    assert_int_equal(times_hidden(&w, 1, "Tom"), 0);
    assert_int_equal(times_hidden(&w, 3, "Mary"), 0);
    assert_int_equal(times_hidden(&w, 4, "1999"), 0);
    assert_int_equal(times_hidden(&w, 0, "."), 0);
    assert_int_equal(times_hidden(&w, 2, "i"), 0);
    world_free(&w);
}

static void the_textbooks_words_should_never_be_hidden(void **state)
{
    (void)state;
    World w;
    world_new(&w, TOKENS_WORD, &(ExampleOptions){ .max_length = 100, .copy_words = 1 });
    assert_int_equal(times_hidden(&w, 0, "Tom"), 0);
    world_free(&w);
}

static void pairs_beyond_the_limit_should_be_dropped_or_cut(void **state)
{
    (void)state;
    enum { LIMIT = 6 };
    World w;
    world_new(&w, TOKENS_WORD, &(ExampleOptions){ .max_length = LIMIT });
    assert_int_equal(w.examples.count, 1);      /* of 7, 7, 6, 8 and 7 ids a longer side */
    assert_int_equal(w.examples.dropped, 4);
    world_free(&w);
    world_new(&w, TOKENS_WORD, &(ExampleOptions){ .max_length = LIMIT, .truncate = 1 });
    assert_int_equal(w.examples.count, PAIRS);
    Ids source = { 0 }, target = { 0 };
    examples_add(&w.examples, &w.pair[3], 1, &source, &target);
    examples_add(&w.examples, &w.pair[2], 1, &source, &target);
    assert_int_equal(source.count, 2 * LIMIT);
    assert_true(source.id[LIMIT - 1] != ID_EOS);
    assert_int_equal(source.id[2 * LIMIT - 1], ID_EOS);
    ids_free(&source);
    ids_free(&target);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_noise_ids_should_be_those_of_the_lines),
        cmocka_unit_test(bpe_dropout_should_cut_words_otherwise_and_keep_the_text),
        cmocka_unit_test(words_equal_on_both_sides_should_be_hidden_sometimes),
        cmocka_unit_test(other_words_should_never_be_hidden),
        cmocka_unit_test(the_textbooks_words_should_never_be_hidden),
        cmocka_unit_test(pairs_beyond_the_limit_should_be_dropped_or_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
