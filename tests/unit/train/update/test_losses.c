/* test_losses.c - the first hundred updates of one training: in float they have the losses of the
 * build in double, whose gradients are proven by differences (test_network.c).
 *
 * tests/data/reference/losses.json are the losses of the build in double with one worker. Where the
 * hyperparameters, the dropout or the first weights change on purpose, they are written anew by
 *
 *     build/double/tests/test_losses tests/data/reference/losses.json
 */
#include "base/mem.h"
#include "random_pairs.h"
#include "reference.h"
#include "train/validation.h"
#include "train/update/updater.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 100, BATCHES = 8, PAIRS = 12, LONGEST = 6, WORDS = 30 };

static Hyperparameters hyper(void)
{
    Hyperparameters r = hyperparameters_defaults();
    r.dropout = r.dropout_embedding = 0.1;
    r.dropout_rise = 0;
    r.label_smoothing = 0.1;
    r.clip = 1;
    r.sparse_gradient = 0;      /* what passes is a matter of the last bit, which differs between
                                 * float and double */
    r.normalize = NORMALIZE_TOKENS;
    r.seed = 5;
    return r;
}

/* Update number `step`, of a batch that comes again every BATCHES steps; the loss of a token. */
static double update(Updater *updater, Heap *heap, long step)
{
    Sentence sentences[PAIRS];
    const Pairs pairs = random_pairs(heap, (uint64_t)(step % BATCHES), PAIRS, LONGEST, WORDS);
    for (int i = 0; i < PAIRS; i++)
        sentences[i] = sentence_view(&pairs, i, i);
    batch_sort(sentences, PAIRS);
    updater_begin(updater, step, 0);
    updater_add(updater, sentences, PAIRS);
    const Update u = updater_step(updater, 0.01);
    return u.loss.plain / (double)u.tokens;
}

static void train(double *losses, int workers)
{
    const NetworkOptions options = { .embedding = 8, .hidden = 8, .layers = 1, .bidirectional = 1 };
    const Hyperparameters r = hyper();
    const Architecture net = architecture_of(&options, WORDS, WORDS);
    Heap heap = { 0 };
    ParameterTable *table = parameters_new(&options, WORDS, WORDS);
    real *weights = heap_zeros(&heap, table->size);
    parameters_init(table, weights, 3);
    Pool *pool = pool_new(workers);
    Updater *updater = updater_new(&net, table, weights, &r, pool,
                                   (BatchSize){ .sentences = PAIRS }, SIZE_MAX, ID_BOS, NULL);
    for (int i = 0; i < STEPS; i++)
        losses[i] = update(updater, &heap, i + 1);
    updater_free(updater);
    pool_free(pool);
    parameters_free(table);
    heap_free(&heap);
}

/* In a hundred updates float's roundings of 6e-8 grew to 1.1e-6 where this was measured (AVX-512);
 * 1e-4 allows other kernels. In double it allows sums in another order. */
static void check(int workers)
{
    const double bound = REAL_IS_DOUBLE ? 1e-8 : 1e-4;
    double losses[STEPS];
    Heap heap = { 0 };
    cJSON *reference = reference_open("losses");
    const double *expected = reference_doubles(&heap, reference, "losses", STEPS);
    train(losses, workers);
    for (int i = 0; i < STEPS; i++)
        if (!(fabs(losses[i] - expected[i]) <= bound * expected[i]))
            fail_msg("step %d, %d workers: %.12g instead of %.12g", i + 1, workers, losses[i],
                     expected[i]);
    assert_true(losses[STEPS - 1] < 0.75 * losses[0]);
    cJSON_Delete(reference);
    heap_free(&heap);
}

static void losses_should_be_those_of_the_build_in_double(void **state)
{
    check(1);
    check(2);
    check(3);
}

static int write_reference(const char *path)
{
    double losses[STEPS];
    train(losses, 1);
    FILE *file = fopen(path, "w");
    if (!file) return 1;
    fputs("{\n\"losses\": [", file);
    for (int i = 0; i < STEPS; i++)
        fprintf(file, "%s%.17g", i ? ", " : "", losses[i]);
    fputs("]\n}\n", file);
    return fclose(file) != 0;
}

int main(int argc, char **argv)
{
    if (argc > 1) return write_reference(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(losses_should_be_those_of_the_build_in_double),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
