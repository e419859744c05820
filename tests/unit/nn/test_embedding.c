/* test_embedding.c - rows of a table and where their gradients go, ids that occur several times
 * among them. */
#include "gradient.h"
#include "nn/embedding.h"
#include "reference.h"

#include <string.h>

enum { V = 7, E = 5, N = 7 };
static const int ids[N] = { 6, 0, 3, 3, 6, 3, 1 };

static void every_row_should_be_the_row_of_its_id(void **state)
{
    (void)state;
    Heap heap = { 0 };
    real *table = heap_random(&heap, V * E), *y = heap_random(&heap, N * E);
    embedding_forward(y, table, ids, N, E);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < E; j++)
            assert_true(y[i * E + j] == table[ids[i] * E + j]);
    heap_free(&heap);
}

typedef struct { const real *table, *dy; } Lookup;

static double objective(void *context)
{
    const Lookup *lookup = context;
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < E; j++)
            sum += (double)lookup->dy[i * E + j] * (double)lookup->table[ids[i] * E + j];
    return sum;
}

static void gradients_should_gather_where_their_rows_came_from(void **state)
{
    (void)state;
    Heap heap = { 0 };
    real *table = heap_random(&heap, V * E), *dy = heap_random(&heap, N * E);
    real *dtable = heap_zeros(&heap, V * E);
    Lookup lookup = { table, dy };
    embedding_backward(dtable, dy, ids, N, E);
    assert_gradient(dtable, table, V * E, objective, &lookup, N);
    heap_free(&heap);
}

static void both_should_match_pytorch_and_gradients_should_add_up(void **state)
{
    (void)state;
    Heap heap = { 0 };
    cJSON *reference = reference_open("embedding");
    assert_memory_equal(reference_ints(&heap, reference, "ids", N), ids, sizeof ids);
    real *table = reference_reals(&heap, reference, "weight", V * E), *y = heap_zeros(&heap, N * E);
    real *dy = reference_reals(&heap, reference, "dy", N * E), *dtable = heap_random(&heap, V * E);
    double *expected = heap_widened(&heap, dtable, V * E);
    const double *gradient = reference_doubles(&heap, reference, "dweight", V * E);
    for (int i = 0; i < V * E; i++)
        expected[i] += gradient[i];
    embedding_forward(y, table, ids, N, E);
    embedding_backward(dtable, dy, ids, N, E);
    assert_near(y, reference_doubles(&heap, reference, "y", N * E), N * E, 0);
    assert_near(dtable, expected, V * E, N);
    cJSON_Delete(reference);
    heap_free(&heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_should_be_the_row_of_its_id),
        cmocka_unit_test(gradients_should_gather_where_their_rows_came_from),
        cmocka_unit_test(both_should_match_pytorch_and_gradients_should_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
