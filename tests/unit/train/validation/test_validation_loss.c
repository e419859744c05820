/* test_validation_loss.c - the loss of many pairs is the sum over single sentences, whichever
 * worker computes it. */
#include "base/mem.h"
#include "random_pairs.h"
#include "train/data/batches.h"
#include "train/validation/validation_loss.h"

enum { WORDS = 14, PAIRS = 37, LONGEST = 6 };

/* A loss comes out of some ten layers and steps whose sums are up to 16 long (test_network.c). */
static const double operations = 160;

typedef struct {
    Heap            heap;
    Architecture    net;
    ParameterTable *table;
    Weights         w;
    Pairs           pairs;
} Case;

static Case case_new(void)
{
    const NetworkOptions options = { .embedding = 4, .hidden = 3, .layers = 1, .bidirectional = 1 };
    Case c = { .net = architecture_of(&options, WORDS, WORDS),
               .table = parameters_new(&options, WORDS, WORDS) };
    real *block = heap_zeros(&c.heap, c.table->size);
    parameters_init(c.table, block, 3);
    c.w = weights_at(c.table, block);
    c.pairs = random_pairs(&c.heap, 1, PAIRS, LONGEST, WORDS);
    return c;
}

static void case_free(Case *c)
{
    parameters_free(c->table);
    heap_free(&c->heap);
}

static ValidationLoss evaluate(const Case *c, int size, int workers)
{
    Pool *pool = pool_new(workers);
    const ValidationLoss found =
        validation_loss_run(&c->net, &c->w, &c->pairs, size, ID_BOS, pool, NULL, NULL);
    pool_free(pool);
    return found;
}

static double loss_of_one(const Case *c, int i, Arena *arena)
{
    const Sentence sentence = sentence_view(&c->pairs, i, 0);
    const BatchSize size = batch_size(&sentence, 1);
    Batch batch;
    arena_reserve(arena, batch_measure(size) + network_measure(&c->net, size, 0));
    batch_build(&batch, arena, &sentence, 1, ID_BOS);
    const Pass pass = pass_of_batch(&c->net, &c->w, &batch);
    return network_loss(&pass, 0, arena).plain;
}

static void the_loss_should_be_the_mean_over_the_tokens_of_single_sentences(void **state)
{
    (void)state;
    Case c = case_new();
    Arena arena = { 0 };
    double sum = 0;
    long tokens = 0, unknown = 0;
    for (int i = 0; i < PAIRS; i += 2)
        c.pairs.target[c.pairs.target_at[i]] = ID_UNK;
    for (int i = 0; i < PAIRS; i++) {
        const Sentence sentence = sentence_view(&c.pairs, i, 0);
        sum += loss_of_one(&c, i, &arena);
        tokens += sentence.target_length;
        for (int t = 0; t < sentence.target_length; t++) unknown += sentence.target[t] == ID_UNK;
    }
    const double expected = sum / (double)tokens;
    const int sizes[] = { 1, 4, PAIRS, 100 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const ValidationLoss found = evaluate(&c, sizes[i], 2);
        assert_int_equal(found.tokens, tokens);
        assert_int_equal(found.unknown, unknown);
        assert_near(&(real){ (real)found.loss }, &expected, 1, operations);
    }
    arena_free(&arena);
    case_free(&c);
}

static void the_number_of_workers_should_not_show(void **state)
{
    (void)state;
    Case c = case_new();
    const ValidationLoss alone = evaluate(&c, 4, 1);
    for (int workers = 2; workers <= 12; workers++)
        assert_true(evaluate(&c, 4, workers).loss == alone.loss);
    case_free(&c);
}

static void no_pairs_should_have_no_loss(void **state)
{
    (void)state;
    Case c = case_new();
    c.pairs.count = 0;
    const ValidationLoss found = evaluate(&c, 4, 2);
    assert_true(found.loss == 0);
    assert_int_equal(found.tokens, 0);
    case_free(&c);
}

static void no_batch_should_be_begun_after_a_request_to_stop(void **state)
{
    (void)state;
    Case c = case_new();
    const atomic_int stop = 1, go_on = 0;
    Pool *pool = pool_new(2);
    const ValidationLoss stopped =
        validation_loss_run(&c.net, &c.w, &c.pairs, 4, ID_BOS, pool, &stop, NULL);
    assert_true(stopped.loss == 0);
    const ValidationLoss whole =
        validation_loss_run(&c.net, &c.w, &c.pairs, 4, ID_BOS, pool, &go_on, NULL);
    assert_true(whole.loss == evaluate(&c, 4, 2).loss);
    pool_free(pool);
    case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_loss_should_be_the_mean_over_the_tokens_of_single_sentences),
        cmocka_unit_test(the_number_of_workers_should_not_show),
        cmocka_unit_test(no_pairs_should_have_no_loss),
        cmocka_unit_test(no_batch_should_be_begun_after_a_request_to_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
