/* test_packed.c - copies of weights: who gets one, that there is one of each, and that products by them are the same.
 */
#include "base/pool.h"
#include "linalg/matrix.h"
#include "numbers.h"

#include <string.h>

enum { M = 3, K = 37, N = 70, MARGIN = 5, LD = K + MARGIN, SIZE = N * LD, WORKERS = 8 };

typedef struct {
    Heap           heap;
    real          *block, *x, *b;
    PackedWeights *packed;
} Case;

static Case case_new(Precision precision)
{
    Case c = { 0 };
    c.block = heap_random(&c.heap, SIZE);
    c.x = heap_random(&c.heap, M * K);
    c.b = heap_random(&c.heap, N);
    c.packed = packed_new(c.block, SIZE, precision);
    return c;
}

static void case_free(Case *c)
{
    packed_free(c->packed);
    heap_free(&c->heap);
}

/* Columns `at` .. at + k - 1 of the block as a weight. */
static Operand weight(const Case *c, int at)
{
    return (Operand){ c->block + at, 1, LD };
}

static const real *copy_of(const Case *c, Operand b, int k, int n)
{
    return packed_find(c->packed, b, k, n).panels;
}

static void a_weight_should_have_one_copy_however_often_it_is_asked_for(void **state)
{
    (void)state;
    if (!gemm_is_fastest()) skip();
    Case c = case_new(PRECISION_FLOAT);
    const real *whole = copy_of(&c, weight(&c, 0), K, N), *right = copy_of(&c, weight(&c, MARGIN), K, N);
    assert_non_null(whole);
    assert_non_null(right);
    assert_ptr_equal(copy_of(&c, weight(&c, 0), K, N), whole);
    assert_ptr_equal(copy_of(&c, weight(&c, MARGIN), K, N), right);
    case_free(&c);
}

static void each_block_of_a_matrix_should_have_a_copy_of_its_own(void **state)
{
    (void)state;
    if (!gemm_is_fastest()) skip();
    Case c = case_new(PRECISION_FLOAT);
    const Operand w = weight(&c, 0);
    const real *copy[] = { copy_of(&c, w, K, N), copy_of(&c, w, K - 1, N), copy_of(&c, w, K, N - 1),
                           copy_of(&c, (Operand){ w.x, 1, 2 * LD }, K, N / 2),
                           copy_of(&c, (Operand){ w.x, LD, 1 }, N, K), copy_of(&c, weight(&c, 1), K, N) };
    enum { COPIES = sizeof copy / sizeof *copy };
    for (int i = 0; i < COPIES; i++)
        for (int k = 0; k < i; k++)
            assert_ptr_not_equal(copy[i], copy[k]);
    case_free(&c);
}

static void what_is_no_weight_of_the_block_should_have_no_copy(void **state)
{
    (void)state;
    if (!gemm_is_fastest()) skip();
    Case c = case_new(PRECISION_FLOAT);
    assert_null(copy_of(&c, (Operand){ c.x, 1, K }, K, M));
    assert_null(copy_of(&c, (Operand){ c.block + SIZE, 1, K }, K, M));
    case_free(&c);
}

static void more_weights_than_there_is_room_for_should_go_without(void **state)
{
    (void)state;
    if (!gemm_is_fastest()) skip();
    Case c = case_new(PRECISION_FLOAT);
    const real *first = copy_of(&c, weight(&c, 0), 1, 1);
    int without = 0;
    for (int i = 1; i < SIZE; i++)
        without += !copy_of(&c, weight(&c, i), 1, 1);
    assert_true(without > 0 && without < SIZE - 60);
    assert_ptr_equal(copy_of(&c, weight(&c, 0), 1, 1), first);
    case_free(&c);
}

typedef struct { const Case *c; const real *seen[WORKERS]; } Race;

static void find_all(void *context, int worker)
{
    Race *race = context;
    for (int at = 0; at < MARGIN; at++)
        race->seen[worker] = copy_of(race->c, weight(race->c, at), K, N);
}

static void threads_that_ask_at_a_time_should_get_the_same_copy(void **state)
{
    (void)state;
    if (!gemm_is_fastest()) skip();
    Case c = case_new(PRECISION_FLOAT);
    Race race = { .c = &c };
    Pool *pool = pool_new(WORKERS);
    pool_run(pool, find_all, &race);
    pool_free(pool);
    for (int i = 0; i < WORKERS; i++)
        assert_ptr_equal(race.seen[i], race.seen[0]);
    case_free(&c);
}

static void small_weights_should_stay_in_float_where_the_others_get_8_bits(void **state)
{
    (void)state;
    if (!precision_works(PRECISION_INT8)) skip();
    const struct { int k, n; Precision precision; } sizes[] = {
        { PACKED_LEAST, PACKED_LEAST, PRECISION_INT8 },
        { PACKED_LEAST - 1, N, PRECISION_FLOAT }, { K, PACKED_LEAST - 1, PRECISION_FLOAT }, { 1, 1, PRECISION_FLOAT },
    };
    Case c = case_new(PRECISION_INT8);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        assert_int_equal(packed_find(c.packed, weight(&c, 0), sizes[i].k, sizes[i].n).precision, sizes[i].precision);
    case_free(&c);
}

/* y (M,N) = x · w' + b, then += x · w' */
static void multiply(const Case *c, real *y)
{
    matrix_affine(y, N, c->x, K, c->block, LD, c->b, M, K, N);
    matrix_forward(ACCUMULATE, y, N, c->x, K, c->block, LD, M, K, N);
}

static void products_by_copies_should_be_those_by_the_weights(void **state)
{
    (void)state;
    for (Precision precision = PRECISION_FLOAT; precision <= PRECISION_INT8; precision++) {
        if (!precision_works(precision)) continue;
        Case c = case_new(precision);
        real *expected = heap_zeros(&c.heap, M * N), *y = heap_zeros(&c.heap, M * N);
        matrix_round(precision);
        multiply(&c, expected);
        matrix_round(PRECISION_FLOAT);
        matrix_use(c.packed);
        multiply(&c, y);
        matrix_use(NULL);
        assert_memory_equal(y, expected, M * N * sizeof *y);
        case_free(&c);
    }
}

static void copies_should_be_read_only_while_they_are_in_use(void **state)
{
    (void)state;
    if (!gemm_is_fastest()) skip();
    Case c = case_new(PRECISION_FLOAT);
    real *before = heap_zeros(&c.heap, M * N), *y = heap_zeros(&c.heap, M * N);
    multiply(&c, before);
    matrix_use(c.packed);
    multiply(&c, y);
    memset(c.block, 0, SIZE * sizeof *c.block);     /* which who has copies must not do: it shows who reads them */
    multiply(&c, y);
    assert_memory_equal(y, before, M * N * sizeof *y);
    matrix_use(NULL);
    multiply(&c, y);
    assert_memory_equal(y, c.b, N * sizeof *y);
    case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_weight_should_have_one_copy_however_often_it_is_asked_for),
        cmocka_unit_test(each_block_of_a_matrix_should_have_a_copy_of_its_own),
        cmocka_unit_test(what_is_no_weight_of_the_block_should_have_no_copy),
        cmocka_unit_test(more_weights_than_there_is_room_for_should_go_without),
        cmocka_unit_test(threads_that_ask_at_a_time_should_get_the_same_copy),
        cmocka_unit_test(small_weights_should_stay_in_float_where_the_others_get_8_bits),
        cmocka_unit_test(products_by_copies_should_be_those_by_the_weights),
        cmocka_unit_test(copies_should_be_read_only_while_they_are_in_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
