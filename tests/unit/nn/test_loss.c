/* test_loss.c - cross-entropy with label smoothing against plain C, differences, and PyTorch; and
 * which values of a sparse gradient pass. */
#include "base/random/rng.h"
#include "gradient.h"
#include "naive.h"
#include "nn/loss.h"
#include "reference.h"

#include <math.h>
#include <string.h>

enum { N = 5, V = 13 };
static const int right[N] = { 0, 12, 4, 4, 7 };

typedef struct {
    Heap   heap;
    real  *logits, *work;           /* (N, V); work is what the layer turns into p or the
                                     * gradient */
    real  *ratio;                   /* (V) scratch */
    Criterion criterion;
} Case;

static Case case_of(double epsilon, double scale)
{
    Case c = { .criterion = { .smoothing = epsilon, .scale = scale } };
    c.logits = heap_random(&c.heap, N * V);
    c.work = heap_zeros(&c.heap, N * V);
    c.ratio = heap_zeros(&c.heap, V);
    for (int i = 0; i < N * V; i++)
        c.work[i] = c.logits[i] *= 4;
    return c;
}

static double twin(const Case *c, double epsilon)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += naive_cross_entropy(c->logits + i * V, right[i], V, epsilon);
    return sum;
}

static double objective(void *context)
{
    const Case *c = context;
    return c->criterion.scale * twin(c, c->criterion.smoothing);
}

static const double smoothings[] = { 0, 0.1, 1 };
enum { SMOOTHINGS = sizeof smoothings / sizeof *smoothings };
enum { OPERATIONS = V + 40 };        /* a sum over the row; exp and log, which count 16 each */

static void assert_losses(Loss loss, double smoothed, double plain)
{
    assert_near(&(real){ (real)loss.smoothed }, &smoothed, 1, OPERATIONS);
    assert_near(&(real){ (real)loss.plain }, &plain, 1, OPERATIONS);
}

UNIT_TEST(losses_should_match_their_formula_and_add_up)
{
    for (int i = 0; i < SMOOTHINGS; i++) {
        Case c = case_of(smoothings[i], 1);
        Loss loss = { .smoothed = 1, .plain = 2 };
        loss_forward(&loss, c.work, right, N, V, c.criterion.smoothing);
        assert_losses(loss, 1 + twin(&c, c.criterion.smoothing), 2 + twin(&c, 0));
        heap_free(&c.heap);
    }
}

UNIT_TEST(backward_should_be_the_gradient_of_the_smoothed_loss)
{
    for (int i = 0; i < SMOOTHINGS; i++) {
        Case c = case_of(smoothings[i], 0.3);
        Loss loss = { 0 };
        loss_forward_backward(&loss, NULL, c.work, NULL, right, N, V, &c.criterion);
        assert_losses(loss, twin(&c, c.criterion.smoothing), twin(&c, 0));
        assert_gradient(c.work, c.logits, N * V, objective, &c, OPERATIONS);
        heap_free(&c.heap);
    }
}

/* ---- R-Drop: rows 2k and 2k + 1 predict one word ---- */

enum { PAIRED = N / 2 * 2 };
static const int of_pairs[PAIRED] = { 0, 0, 4, 4 };

static double naive_divergence(const real *one, const real *other)
{
    double p[V], q[V], sum = 0;
    for (int j = 0; j < V; j++) {
        p[j] = (double)one[j];
        q[j] = (double)other[j];
    }
    naive_softmax(p, p, V);
    naive_softmax(q, q, V);
    for (int j = 0; j < V; j++) sum += p[j] * log(p[j] / q[j]);
    return sum;
}

static double twin_of_row(const Case *c, int row)
{
    const real *one = c->logits + row * V, *other = c->logits + (row ^ 1) * V;
    return naive_cross_entropy(one, of_pairs[row], V, c->criterion.smoothing)
           + c->criterion.r_drop / 4
                 * (naive_divergence(one, other) + naive_divergence(other, one));
}

static double twin_of_pairs(const Case *c)
{
    double sum = 0;
    for (int row = 0; row < PAIRED; row++)
        sum += twin_of_row(c, row);
    return sum;
}

static double objective_of_pairs(void *context)
{
    const Case *c = context;
    return c->criterion.scale * twin_of_pairs(c);
}

UNIT_TEST(r_drop_should_add_the_divergence_of_each_pair_and_its_gradient)
{
    static const double alphas[] = { 0.5, 1, 5 };
    for (int i = 0; i < SMOOTHINGS; i++) {
        Case c = case_of(smoothings[i], 0.3);
        c.criterion.r_drop = alphas[i];
        Loss loss = { 0 };
        real each[PAIRED];
        loss_forward_backward(&loss, each, c.work, c.ratio, of_pairs, PAIRED, V, &c.criterion);
        double plain = 0;
        for (int row = 0; row < PAIRED; row++)
            plain += naive_cross_entropy(c.logits + row * V, of_pairs[row], V, 0);
        assert_losses(loss, twin_of_pairs(&c), plain);
        for (int row = 0; row < PAIRED; row++)
            assert_near(&each[row], &(double){ twin_of_row(&c, row) }, 1, OPERATIONS);
        assert_gradient(c.work, c.logits, PAIRED * V, objective_of_pairs, &c, OPERATIONS);
        heap_free(&c.heap);
    }
}

UNIT_TEST(certainty_should_cost_nothing_and_error_what_it_is_away)
{
    real logits[] = { 2000, 0, 0, 2000, 0, 0 };
    const double gradient[] = { 0, 0, 0, 1, -1, 0 };
    Loss loss = { 0 };
    const Criterion plain = { .scale = 1 };
    loss_forward_backward(&loss, NULL, logits, NULL, (const int[]){ 0, 1 }, 2, 3, &plain);
    assert_true(fabs(loss.plain - 2000) <= 2000 * 1e-6);
    assert_near(logits, gradient, 6, 1);
}

UNIT_TEST(both_losses_and_gradients_should_match_pytorch)
{
    Heap heap = { 0 };
    cJSON *reference = reference_open("loss");
    const int rows = reference_int(reference, "N"), words = reference_int(reference, "V");
    const size_t size = (size_t)(rows * words);
    const double scale = reference_number(reference, "scale");
    const double plain = reference_number(reference, "plain");
    Criterion criterion = { .smoothing = reference_number(reference, "smoothing"),
                            .scale = scale };
    const int *y = reference_ints(&heap, reference, "y", (size_t)rows);

    Loss loss = { 0 };
    real *logits = reference_reals(&heap, reference, "logits", size);
    loss_forward_backward(&loss, NULL, logits, NULL, y, rows, words, &criterion);
    assert_losses(loss, reference_number(reference, "smoothed"), plain);
    assert_near(logits, reference_doubles(&heap, reference, "dsmoothed", size), size, OPERATIONS);

    loss = (Loss){ 0 };
    logits = reference_reals(&heap, reference, "logits", size);
    criterion.smoothing = 0;
    loss_forward_backward(&loss, NULL, logits, NULL, y, rows, words, &criterion);
    assert_losses(loss, plain, plain);
    assert_near(logits, reference_doubles(&heap, reference, "dplain", size), size, OPERATIONS);

    logits = reference_reals(&heap, reference, "logits", size);
    loss_forward(&loss, logits, y, rows, words, 0);
    assert_near(logits, reference_doubles(&heap, reference, "p", size), size, OPERATIONS);
    cJSON_Delete(reference);
    heap_free(&heap);
}

UNIT_TEST(r_drop_should_match_pytorch)
{
    Heap heap = { 0 };
    cJSON *reference = reference_open("r_drop");
    const int rows = reference_int(reference, "N"), words = reference_int(reference, "V");
    const size_t size = (size_t)(rows * words);
    const Criterion criterion = { .smoothing = reference_number(reference, "smoothing"),
                                  .r_drop = reference_number(reference, "alpha"),
                                  .scale = reference_number(reference, "scale") };
    const int *y = reference_ints(&heap, reference, "y", (size_t)rows);
    const double expected = reference_number(reference, "loss");
    real *logits = reference_reals(&heap, reference, "logits", size);
    real *ratio = heap_zeros(&heap, (size_t)words);
    Loss loss = { 0 };
    loss_forward_backward(&loss, NULL, logits, ratio, y, rows, words, &criterion);
    assert_near(&(real){ (real)loss.smoothed }, &expected, 1, OPERATIONS);
    assert_near(logits, reference_doubles(&heap, reference, "dlogits", size), size, OPERATIONS);
    cJSON_Delete(reference);
    heap_free(&heap);
}

/* ---- few values of a gradient ---- */

enum { LONG = 1000 };

/* What passes by the definition, one value after another. */
static int twin_of_sparse(int *column, double *value, const real *x, int n, double least, double start)
{
    int count = 0;
    double sum = (1 - start) * least;
    for (int j = 0; j < n; j++) {
        const double size = fabs((double)x[j]), before = floor(sum / least);
        if (size < least) sum += size;
        if (size < least && floor(sum / least) == before) continue;
        column[count] = j;
        value[count++] = size < least ? (x[j] < 0 ? -least : least) : (double)x[j];
    }
    return count;
}

/* Multiples of `unit` have exact sums, and the blocks of the code, of 64 values, end at any
 * place. */
static void check_sparse(double unit)
{
    const double least = 8.0 / 64;
    for (int n = 0; n <= 200; n++)
        for (double start = 1.0 / 64; start <= 1; start += 7.0 / 64) {
            real x[200], value[200];
            double twin_value[200] = { 0 };
            int column[200], twin_column[200] = { 0 };
            for (int i = 0; i < n; i++) {
                const uint64_t key = rng_key(1, (uint64_t)n, RNG_INIT);
                x[i] = (real)(unit * ((double)rng_below(key, (uint64_t)i, 23) - 11));
            }
            const int count = sparsify(column, value, x, n, least, start);
            assert_int_equal(count, twin_of_sparse(twin_column, twin_value, x, n, least, start));
            for (int i = 0; i < count; i++) {
                assert_int_equal(column[i], twin_column[i]);
                assert_true((double)value[i] == twin_value[i]);
            }
        }
}

/* Where something of every block passes, and where nothing of most blocks does. */
UNIT_TEST(what_passes_should_be_what_the_twin_passes)
{
    check_sparse(1.0 / 64);
    check_sparse(1.0 / 16384);
}

UNIT_TEST(nothing_should_pass_of_zeros_and_everything_of_the_least)
{
    real x[LONG] = { 0 }, value[LONG];
    int column[LONG];
    assert_int_equal(sparsify(column, value, x, LONG, 0.5, 0.001), 0);
    for (int i = 0; i < LONG; i++) x[i] = (real)(i % 2 ? 0.5 : -0.5);
    assert_int_equal(sparsify(column, value, x, LONG, 0.5, 1), LONG);
    assert_memory_equal(value, x, sizeof x);
}

/* At any position; infinity and NaN are not smaller. */
UNIT_TEST(one_large_value_should_be_found)
{
    const real large[] = { (real)0.5, (real)-0.75, (real)INFINITY, (real)NAN };
    for (int k = 0; k < 4; k++)
        for (int at = 0; at < 200; at++) {
            real x[200] = { 0 }, value[200];
            int column[200];
            x[at] = large[k];
            assert_int_equal(sparsify(column, value, x, 200, 0.5, 1), 1);
            assert_int_equal(column[0], at);
            assert_memory_equal(&value[0], &large[k], sizeof large[k]);
        }
}

int main(void) { return run_unit_tests(); }
