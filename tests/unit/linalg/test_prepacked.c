/* test_prepacked.c - copies of weights: when they are made, when they are read, and that products
 * by them are the same.
 */
#include "base/system/pool.h"
#include "each_row.h"
#include "linalg/linear.h"
#include "numbers.h"

#include <string.h>

enum { M = 3, K = 37, N = 70, LD = K + 5, WORKERS = 8 };

/* x (M,K), dy (M,N), a weight (N,K) inside a larger matrix, and its copies. */
typedef struct {
    Heap      heap;
    real     *x, *dy, *bias;
    Linear    w;
    Prepacked copy;
} Case;

/* Room for a copy of that size; NULL where OpenBLAS multiplies. */
static real *room(Heap *heap, size_t size)
{
    return size ? heap_zeros(heap, size) : NULL;
}

/* The case is filled in where it stays: its weight points into it. */
static void case_init(Case *c, Precision precision, PrepackedState state)
{
    *c = (Case){ .x = NULL };
    c->x = heap_random(&c->heap, M * K);
    c->dy = heap_random(&c->heap, M * N);
    c->bias = heap_random(&c->heap, N);
    c->w = linear_of(heap_random(&c->heap, N * LD), LD, N, K, precision);
    c->copy.forward = room(&c->heap, prepacked_forward_size(&c->w));
    if (state == PREPACKED_READY)
        c->copy.backward = room(&c->heap, prepacked_backward_size(&c->w));
    atomic_init(&c->copy.state, state);
    c->w.prepacked = &c->copy;
}

/* y = x · w' + bias, then += x · w'; dx = dy · w */
typedef struct { real y[M * N], dx[M * K]; } Products;

static Products multiply(const Case *c, const Linear *w)
{
    Products p;
    linear_forward(OVERWRITE, p.y, N, c->x, K, w, c->bias, M);
    linear_forward(ACCUMULATE, p.y, N, c->x, K, w, NULL, M);
    linear_backward_input(OVERWRITE, p.dx, K, c->dy, N, w, M);
    return p;
}

static Products without_copies(const Case *c)
{
    Linear w = c->w;
    w.prepacked = NULL;
    return multiply(c, &w);
}

static void assert_same(const Products *a, const Products *b)
{
    assert_memory_equal(a->y, b->y, sizeof a->y);
    assert_memory_equal(a->dx, b->dx, sizeof a->dx);
}

static void products_by_copies_should_be_those_by_the_weight(void **state)
{
    const PrepackedState states[] = { PREPACKED_LATER, PREPACKED_READY };
    for (Precision precision = PRECISION_FLOAT; precision <= PRECISION_INT8; precision++)
        for (int i = 0; i < 2; i++) {
            const PrepackedState when = states[i];
            if (!precision_works(precision)) continue;
            Case c;
            case_init(&c, precision, when);
            if (when == PREPACKED_READY) prepacked_write(&c.w, (Portion){ 0, 1 });
            const Products expected = without_copies(&c), first = multiply(&c, &c.w);
            const Products second = multiply(&c, &c.w);
            assert_same(&first, &expected);
            assert_same(&second, &expected);
            heap_free(&c.heap);
        }
}

/* The weight is changed, against the law, to show which products read it and which its copy. */
static void a_copy_should_be_made_by_the_first_product_and_read_from_then_on(void **state)
{
    if (!gemm_is_fastest()) skip();
    Case c;
    case_init(&c, PRECISION_FLOAT, PREPACKED_LATER);
    assert_int_equal(atomic_load(&c.copy.state), PREPACKED_LATER);
    const Products before = multiply(&c, &c.w);
    assert_int_equal(atomic_load(&c.copy.state), PREPACKED_READY);
    memset(c.w.weights, 0, N * LD * sizeof(real));
    const Products after = multiply(&c, &c.w);
    assert_memory_equal(after.y, before.y, sizeof after.y);
    assert_memory_not_equal(after.dx, before.dx, sizeof after.dx);
    heap_free(&c.heap);
}

static void while_a_copy_is_made_the_weight_itself_should_be_read(void **state)
{
    if (!gemm_is_fastest()) skip();
    Case c;
    case_init(&c, PRECISION_FLOAT, PREPACKED_NOW);
    const Products expected = without_copies(&c), found = multiply(&c, &c.w);
    assert_same(&found, &expected);
    assert_int_equal(atomic_load(&c.copy.state), PREPACKED_NOW);
    heap_free(&c.heap);
}

typedef struct { const Case *c; Products found[WORKERS]; } Race;

static void ask(void *context, int worker)
{
    Race *race = context;
    race->found[worker] = multiply(race->c, &race->c->w);
}

static void threads_that_ask_at_a_time_should_have_the_same_results(void **state)
{
    if (!gemm_is_fastest()) skip();
    enum { ROUNDS = 50 };
    Pool *pool = pool_new(WORKERS);
    for (int round = 0; round < ROUNDS; round++) {
        Case c;
        case_init(&c, PRECISION_FLOAT, PREPACKED_LATER);
        const Products expected = without_copies(&c);
        Race race = { .c = &c };
        pool_run(pool, ask, &race);
        for (int i = 0; i < WORKERS; i++)
            assert_same(&race.found[i], &expected);
        assert_int_equal(atomic_load(&c.copy.state), PREPACKED_READY);
        heap_free(&c.heap);
    }
    pool_free(pool);
}

static void write_portion(void *context, int worker)
{
    const Case *c = context;
    prepacked_write(&c->w, (Portion){ worker, WORKERS });
}

static void workers_should_write_the_copies_together(void **state)
{
    if (!gemm_is_fastest()) skip();
    Case c;
    case_init(&c, PRECISION_FLOAT, PREPACKED_READY);
    Pool *pool = pool_new(WORKERS);
    pool_run(pool, write_portion, &c);
    pool_free(pool);
    const Products expected = without_copies(&c), found = multiply(&c, &c.w);
    assert_same(&found, &expected);
    heap_free(&c.heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_by_copies_should_be_those_by_the_weight),
        cmocka_unit_test(a_copy_should_be_made_by_the_first_product_and_read_from_then_on),
        cmocka_unit_test(while_a_copy_is_made_the_weight_itself_should_be_read),
        cmocka_unit_test(threads_that_ask_at_a_time_should_have_the_same_results),
        cmocka_unit_test(workers_should_write_the_copies_together),
    };
    return run_with_each_row(tests, sizeof tests / sizeof *tests);
}
