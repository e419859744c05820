/* test_pruned_argmax.c - the greatest result against all results, where bounds are easy to get
 * wrong. */
#include "base/system/pool.h"
#include "each_row.h"
#include "linalg/gemm.h"
#include "linalg/pruned_argmax.h"
#include "naive.h"
#include "numbers.h"

#include <math.h>
#include <string.h>

static const struct { int rows, k, n; } shapes[] = {
    { 1, 1, 1 }, { 2, 3, 64 }, { 3, 5, 65 }, { 15, 37, 200 }, { 43, 64, 1100 }, { 5, 256, 1024 },
    { 2, 1601, 130 },
};
enum { SHAPES = sizeof shapes / sizeof *shapes, WORKERS = 4 };

/* x (rows,k), w (n,k) inside longer rows, b (n), and all results as gemm has them. */
typedef struct {
    Heap      heap;
    Precision precision;
    int       rows, k, n, ld;
    real     *x, *w, *b, *result, *bound;
    PrunedArgmax *argmax;
} Case;

static Case case_of(Precision precision, int rows, int k, int n)
{
    Case c = { .precision = precision, .rows = rows, .k = k, .n = n, .ld = k + 3 };
    c.x = heap_random(&c.heap, (size_t)(rows * c.ld));
    c.w = heap_random(&c.heap, (size_t)(n * c.ld));
    c.b = heap_random(&c.heap, (size_t)n);
    c.result = heap_zeros(&c.heap, (size_t)(rows * n));
    return c;
}

/* After x, w and b have their values. */
static void compute(Case *c)
{
    gemm(c->precision, (Result){ c->result, c->n, c->b, 0 }, (Operand){ c->x, c->ld, 1 },
         (Operand){ c->w, 1, c->ld }, c->rows, c->k, c->n);
    c->argmax = pruned_argmax_new_anywhere(&(Linear){ c->w, c->ld, c->n, c->k, c->precision, NULL },
                                     c->b);
    c->bound = heap_zeros(&c->heap, (size_t)(c->rows * pruned_argmax_blocks(c->argmax)));
    pruned_argmax_bounds(c->argmax, c->bound, c->x, c->ld, c->rows);
}

static void case_free(Case *c)
{
    pruned_argmax_free(c->argmax);
    heap_free(&c->heap);
}

static int is_among(int id, const int *list, int count)
{
    for (int i = 0; i < count; i++)
        if (list[i] == id) return 1;
    return 0;
}

static int greatest(const real *result, int n, const int *forbidden, int count)
{
    int best = -1;
    for (int j = 0; j < n; j++)
        if (!is_among(j, forbidden, count) && (best < 0 || result[j] > result[best])) best = j;
    return best;
}

static int best_of(const Case *c, int row, const int *forbidden, int count)
{
    return pruned_argmax_find(c->argmax, c->bound + row * pruned_argmax_blocks(c->argmax),
                              c->x + row * c->ld, forbidden, count);
}

static void assert_bounded(const Case *c)
{
    for (int i = 0; i < c->rows; i++)
        for (int j = 0; j < c->n; j++)
            assert_true(c->result[i * c->n + j]
                        <= c->bound[i * pruned_argmax_blocks(c->argmax) + j / PRUNED_ARGMAX_BLOCK]);
}

static void assert_best(const Case *c)
{
    for (int i = 0; i < c->rows; i++)
        assert_int_equal(best_of(c, i, NULL, 0), greatest(c->result + i * c->n, c->n, NULL, 0));
}

/* In each precision that there are products in. */
static void for_each_precision(void (*check)(Precision precision))
{
    check(PRECISION_FLOAT);
    if (gemm_has(PRECISION_BF16)) check(PRECISION_BF16);
}

static void check_shapes(Precision precision)
{
    for (int i = 0; i < SHAPES; i++) {
        Case c = case_of(precision, shapes[i].rows, shapes[i].k, shapes[i].n);
        compute(&c);
        assert_bounded(&c);
        assert_best(&c);
        case_free(&c);
    }
}

static void the_greatest_result_should_be_that_of_all(void **state)
{
    (void)state;
    for_each_precision(check_shapes);
}

/* Where there is anything below, each block but the best is: else nothing would be saved. */
static void check_tightness(Precision precision)
{
    Case c = case_of(precision, 8, 256, 1024);
    for (int i = 0; i < c.rows; i++)
        memcpy(c.w + i * 2 * PRUNED_ARGMAX_BLOCK * c.ld, c.x + i * c.ld, (size_t)c.k * sizeof *c.w);
    compute(&c);
    for (int i = 0; i < c.rows; i++)
        for (int j = 0; j < pruned_argmax_blocks(c.argmax); j++)
            assert_true(j == 2 * i || c.bound[i * pruned_argmax_blocks(c.argmax) + j]
                                          < c.result[i * c.n + i * 2 * PRUNED_ARGMAX_BLOCK]);
    case_free(&c);
}

static void most_blocks_should_be_seen_to_be_less(void **state)
{
    (void)state;
    for_each_precision(check_tightness);
}

/* Word 0 is a little better than the first of block 1, and what is lost of it in 8 bits is all but
 * what is allowed. After the first, its factors and those of x are all `value`, of which 0.4995
 * units are lost, `sign` that of w's. */
static void check_worst_rounding(Precision precision, double first, double value, double sign,
                                 int k)
{
    enum { N = 2 * PRUNED_ARGMAX_BLOCK };
    Case c = case_of(precision, 1, k, N);
    memset(c.w, 0, (size_t)(N * c.ld) * sizeof *c.w);
    memset(c.b, 0, N * sizeof *c.b);
    for (int i = 0; i < k; i++) {
        c.x[i] = (real)(i ? value : first);
        c.w[i] = (real)(i ? sign * value : first);
        /* block 1 seems better */
        c.w[(PRUNED_ARGMAX_BLOCK + 1) * c.ld + i] = (real)(i % 2 ? value : -value);
    }
    const double greatest = first * first + (k - 1) * sign * value * value;
    c.b[PRUNED_ARGMAX_BLOCK] = (real)(greatest - 1e-4 * greatest);
    compute(&c);
    if (precision == PRECISION_FLOAT) assert_int_equal(best_of(&c, 0, NULL, 0), 0);
    assert_bounded(&c);
    assert_best(&c);
    case_free(&c);
}

/* With units of 1 and of 1/1000; in the second case both sides are rounded away from 0, and what
 * the product of both errors adds is a third of the whole. In the third, what is lost in 8 bits and
 * what is won in bfloat16 come together: 1.004 is a little more than the middle between two
 * neighbours there. */
static void check_rounding(Precision precision)
{
    check_worst_rounding(precision, 127, 100.4995, 1, 1500);
    check_worst_rounding(precision, 0.127, 0.1004995, 1, 1500);
    check_worst_rounding(precision, 127, 0.5005, -1, 1500);
    check_worst_rounding(precision, 1.004 * 127 / 126.4995, 1.004, 1, 1500);
}

/* One word, of whose factors half a unit is lost in 8 bits, against it: what is left of the bound
 * is the rounding of sums in float. The larger half of the sums of 384 products are multiples of
 * 1/4; each product is 0.1245 beyond one, and each addition drops that. The first two factors make
 * the units, 104.8115 / 127. */
static void the_rounding_of_sums_should_be_bounded(void **state)
{
    (void)state;
    enum { K = 1536 };
    Case c = case_of(PRECISION_FLOAT, 1, K, 1);
    const real first = (real)104.8115, half = first / 127 * (real)0.50003, value = (real)104.39887;
    for (int i = 0; i < K; i++) {
        c.x[i] = i == 0 ? first : i == 1 ? half : value;
        c.w[i] = i == 0 ? -half : i == 1 ? -first : -value;
    }
    c.b[0] = 0;
    compute(&c);
    assert_bounded(&c);
    case_free(&c);
}

static void what_rounding_hides_should_be_found(void **state)
{
    (void)state;
    for_each_precision(check_rounding);
}

/* Equal rows give equal results; the next number up in one value is more than that. */
static void check_ties(Precision precision)
{
    Case c = case_of(precision, 4, 64, 300);
    for (int j = 0; j < c.n; j++)
        memcpy(c.w + j * c.ld, c.w, (size_t)c.k * sizeof *c.w);
    for (int j = 0; j < c.n; j++)
        c.b[j] = c.b[0];
    compute(&c);
    for (int i = 0; i < c.rows; i++) {
        const int forbidden[] = { 0, 1, 3, 70 };
        assert_int_equal(best_of(&c, i, NULL, 0), 0);
        assert_int_equal(best_of(&c, i, forbidden, 4), 2);
    }
    pruned_argmax_free(c.argmax);
    c.b[250] = (real)nextafterf((float)c.b[0], 100) + (real)1e-5;
    compute(&c);
    assert_best(&c);
    case_free(&c);
}

static void the_first_of_equal_results_should_be_the_best(void **state)
{
    (void)state;
    for_each_precision(check_ties);
}

/* A factor that is a thousand times the others leaves nothing of them in 8 bits. */
static void check_outliers(Precision precision)
{
    Case c = case_of(precision, 6, 96, 700);
    for (int j = 0; j < c.n; j++)
        c.w[j * c.ld + j % c.k] = j % 3 ? 1000 : (real)1e-30;
    for (int i = 1; i < c.rows; i++)
        c.x[i * c.ld + i] = (real)(i % 2 ? 1e4 : 0);
    compute(&c);
    assert_bounded(&c);
    assert_best(&c);
    case_free(&c);
}

/* One unit in the last place of 4e7 is 4: more than all that the factors are rounded. */
static void check_biases(Precision precision)
{
    Case c = case_of(precision, 200, 30, 500);
    for (int j = 0; j < c.n; j += PRUNED_ARGMAX_BLOCK)
        c.b[j] = (real)4e7;
    compute(&c);
    assert_bounded(&c);
    assert_best(&c);
    case_free(&c);
}

static void biases_that_are_rounded_should_be_bounded(void **state)
{
    (void)state;
    for_each_precision(check_biases);
}

static void factors_of_very_different_size_should_be_bounded(void **state)
{
    (void)state;
    for_each_precision(check_outliers);
}

static void what_is_forbidden_should_not_be_the_best(void **state)
{
    (void)state;
    Case c = case_of(PRECISION_FLOAT, 9, 40, 150);
    int forbidden[150], count = 0;
    for (int j = 0; j < c.n; j++)
        c.b[j] -= 100;
    compute(&c);
    for (int i = 0; i < c.rows; i++) {
        for (count = 0; count < c.n; count++) {
            const int best = best_of(&c, i, forbidden, count);
            assert_int_equal(best, greatest(c.result + i * c.n, c.n, forbidden, count));
            forbidden[count] = best;
        }
        assert_int_equal(best_of(&c, i, forbidden, count), -1);
    }
    case_free(&c);
}

static void rows_that_are_no_numbers_should_have_no_bound(void **state)
{
    (void)state;
    const real wrong[] = { (real)NAN, (real)INFINITY, (real)-INFINITY };
    for (int i = 0; i < 3; i++) {
        Case c = case_of(PRECISION_FLOAT, 3, 20, 130);
        c.x[c.ld + 7] = wrong[i];
        compute(&c);
        for (int j = 0; j < pruned_argmax_blocks(c.argmax); j++)
            assert_true(isinf(c.bound[pruned_argmax_blocks(c.argmax) + j]));
        assert_int_equal(best_of(&c, 0, NULL, 0), greatest(c.result, c.n, NULL, 0));
        assert_int_equal(best_of(&c, 2, NULL, 0), greatest(c.result + 2 * c.n, c.n, NULL, 0));
        best_of(&c, 1, NULL, 0);
        case_free(&c);
    }
}

typedef struct { Case *c; int wrong[WORKERS]; } Race;

static void look_everywhere(void *context, int worker)
{
    Race *race = context;
    const Case *c = race->c;
    real *all = c->bound;
    for (int i = 0; i < c->rows; i++) {
        real result[PRUNED_ARGMAX_BLOCK];
        for (int j = 0; j < pruned_argmax_blocks(c->argmax); j++) {
            const int width = pruned_argmax_block(c->argmax, result, c->x + i * c->ld, j);
            race->wrong[worker] += memcmp(result, c->result + i * c->n + j * PRUNED_ARGMAX_BLOCK,
                                          (size_t)width * sizeof *all);
        }
        race->wrong[worker] +=
            best_of(c, i, NULL, 0) != greatest(c->result + i * c->n, c->n, NULL, 0);
    }
}

static void threads_should_find_the_results_of_the_whole_product(void **state)
{
    (void)state;
    Case c = case_of(PRECISION_FLOAT, 5, 33, 999);
    compute(&c);
    Race race = { .c = &c };
    Pool *pool = pool_new(WORKERS);
    pool_run(pool, look_everywhere, &race);
    pool_free(pool);
    for (int i = 0; i < WORKERS; i++)
        assert_int_equal(race.wrong[i], 0);
    case_free(&c);
}

/* OpenBLAS may round a result otherwise when it computes fewer, and nothing cheaper bounds products
 * in 8 bits. */
static void only_products_of_these_kernels_should_be_pruned(void **state)
{
    (void)state;
    const int prunes[] = { [PRECISION_FLOAT] = gemm_is_fastest() && gemm_has(PRECISION_INT8),
                           [PRECISION_BF16] = gemm_has(PRECISION_INT8), [PRECISION_INT8] = 0 };
    real w[] = { 1, 2 };
    const real b[] = { 3, 4 };
    for (Precision precision = PRECISION_FLOAT; precision <= PRECISION_INT8; precision++) {
        PrunedArgmax *argmax = pruned_argmax_new(&(Linear){ w, 1, 2, 1, precision, NULL }, b);
        assert_int_equal(argmax != NULL, prunes[precision]);
        pruned_argmax_free(argmax);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_greatest_result_should_be_that_of_all),
        cmocka_unit_test(most_blocks_should_be_seen_to_be_less),
        cmocka_unit_test(what_rounding_hides_should_be_found),
        cmocka_unit_test(the_rounding_of_sums_should_be_bounded),
        cmocka_unit_test(the_first_of_equal_results_should_be_the_best),
        cmocka_unit_test(biases_that_are_rounded_should_be_bounded),
        cmocka_unit_test(factors_of_very_different_size_should_be_bounded),
        cmocka_unit_test(what_is_forbidden_should_not_be_the_best),
        cmocka_unit_test(rows_that_are_no_numbers_should_have_no_bound),
        cmocka_unit_test(threads_should_find_the_results_of_the_whole_product),
        cmocka_unit_test(only_products_of_these_kernels_should_be_pruned),
    };
    return run_with_each_row(tests, sizeof tests / sizeof *tests);
}
