/* test_projection_cache.c - remembered results against products of all rows. */
#include "base/system/pool.h"
#include "each_row.h"
#include "linalg/linear.h"
#include "numbers.h"

#include <string.h>

enum { NAMES = 3000, K = 7, N = 9, M = 400, WORKERS = 4, ROUNDS = 30 };

/* Rows x of all names, and their results. */
typedef struct {
    Heap     heap;
    real    *x, *b, *result;
    Linear   w;
    ProjectionCache *cache;
} Case;

static Case case_of(int has_bias)
{
    Case c = { 0 };
    c.x = heap_random(&c.heap, NAMES * K);
    c.w = linear_of(heap_random(&c.heap, N * K), K, N, K, PRECISION_FLOAT);
    c.b = has_bias ? heap_random(&c.heap, N) : NULL;
    c.result = heap_zeros(&c.heap, NAMES * N);
    linear_forward(OVERWRITE, c.result, N, c.x, K, &c.w, c.b, NAMES);
    c.cache = projection_cache_new(NAMES, N);
    return c;
}

static void case_free(Case *c)
{
    projection_cache_free(c->cache);
    heap_free(&c->heap);
}

/* Whether the rows of these names have their results. */
static int is_right(const Case *c, const int *name, int m)
{
    static const real nothing = -77;
    real x[M * K] = { 0 }, room[M * K], y[M * N];
    int missing[M], right = 1;
    for (int i = 0; i < m; i++)
        memcpy(x + i * K, c->x + name[i] * K, K * sizeof *x);
    for (int i = 0; i < m * N; i++)
        y[i] = nothing;
    projection_cache_forward(c->cache, y, x, name, &c->w, c->b, m,
                             (ProjectionScratch){ room, missing });
    for (int i = 0; i < m; i++)
        right &= !memcmp(y + i * N, c->result + name[i] * N, N * sizeof *y);
    return right;
}

/* The names of a call: some that came before, some new, some twice. */
static int some_names(int *name, int seed)
{
    unsigned state = 12345u + (unsigned)seed * 7919u;
    const int m = seed % M + (seed == 0 ? 0 : 1), span = 40 + seed * 97;
    for (int i = 0; i < m && i < M; i++) {
        state = state * 1664525u + 1013904223u;
        name[i] = (int)((state >> 8) % (unsigned)(span < NAMES ? span : NAMES));
    }
    return m < M ? m : M;
}

static void a_row_should_have_the_result_of_its_name_whatever_came_before(void **state)
{
    if (!gemm_is_fastest()) skip();
    for (int has_bias = 0; has_bias < 2; has_bias++) {
        Case c = case_of(has_bias);
        int name[M];
        for (int round = 0; round < ROUNDS; round++) {
            const int m = some_names(name, round * 13);
            assert_true(is_right(&c, name, m));
            assert_true(is_right(&c, name, m));
        }
        case_free(&c);
    }
}

static void names_beyond_those_that_are_kept_should_be_computed(void **state)
{
    if (!gemm_is_fastest()) skip();
    Case c = case_of(1);
    int name[M];
    for (int times = 0; times < 2; times++)
        for (int from = 0; from + 300 <= NAMES; from += 300) {
            for (int i = 0; i < 300; i++)
                name[i] = from + 299 - i;
            assert_true(is_right(&c, name, 300));
        }
    case_free(&c);
}

static void what_is_remembered_should_not_be_computed_again(void **state)
{
    if (!gemm_is_fastest()) skip();
    Case c = case_of(1);
    int name[M];
    for (int i = 0; i < M; i++)
        name[i] = 7 * i + 1;
    assert_true(is_right(&c, name, M));
    c.w.weights[0] += 1;
    assert_true(is_right(&c, name, M));
    case_free(&c);
}

typedef struct { Case *c; int wrong[WORKERS]; } Race;

static void ask(void *context, int worker)
{
    Race *race = context;
    int name[M];
    for (int round = 0; round < ROUNDS; round++)
        race->wrong[worker] += !is_right(race->c, name, some_names(name, round * 13 + worker));
}

static void threads_that_share_a_cache_should_have_the_same_results(void **state)
{
    if (!gemm_is_fastest()) skip();
    Case c = case_of(1);
    Race race = { .c = &c };
    Pool *pool = pool_new(WORKERS);
    pool_run(pool, ask, &race);
    pool_free(pool);
    for (int i = 0; i < WORKERS; i++)
        assert_int_equal(race.wrong[i], 0);
    case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_should_have_the_result_of_its_name_whatever_came_before),
        cmocka_unit_test(names_beyond_those_that_are_kept_should_be_computed),
        cmocka_unit_test(what_is_remembered_should_not_be_computed_again),
        cmocka_unit_test(threads_that_share_a_cache_should_have_the_same_results),
    };
    return run_with_each_row(tests, sizeof tests / sizeof *tests);
}
