/* test_weight_average.c - the moving average of the weights against its formula, and the way back
 * to it.
 */
#include "team.h"

#include <math.h>
#include <string.h>

/* By its formula in double, from the weights after each update; rows of resting words move too. */
static void check_average(double beta, int every, int workers)
{
    enum { STEPS = 90 };
    Hyperparameters hyper = usual_hyperparameters();
    hyper.average = beta;
    Team *t = team_new(workers, &hyper);
    const size_t size = t->table->size;
    double *expected = heap_widened(&t->heap, t->weights, size);
    for (long step = 1; step <= STEPS; step++) {
        update(t, (uint64_t)step, 2, step);
        if ((step - 1) % every == 0) {
            const double n = (double)((step - 1) / every);
            const double b = fmin(pow(beta, every), (1 + n) / (10 + n));
            for (size_t i = 0; i < size; i++)
                expected[i] = b * expected[i] + (1 - b) * (double)t->weights[i];
        }
        /* each sample rounds three times, and what it rounds is forgotten as the weights are */
        assert_near(updater_averaged(t->updater), expected, size, 3.0 * STEPS);
    }
    assert_memory_not_equal(updater_averaged(t->updater), t->weights, size * sizeof(real));
    team_free(t);
}

static void the_average_should_be_that_of_its_formula(void **state)
{
    (void)state;
    check_average(0.5, 1, 1);
    check_average(0.9, 1, 3);
    check_average(0.98, 5, 2);
    check_average(0.9999, 32, 1);
}

static void without_an_average_the_weights_should_stand_for_it(void **state)
{
    (void)state;
    const Hyperparameters hyper = usual_hyperparameters();
    Team *t = team_new(1, &hyper);
    assert_ptr_equal(updater_averaged(t->updater), t->weights);
    team_free(t);
}

/* The weights and the average both go back to the average that was kept, and its samples begin
 * anew. */
static void a_return_should_be_to_the_average(void **state)
{
    (void)state;
    Hyperparameters hyper = usual_hyperparameters();
    hyper.average = 0.9;
    Team *t = team_new(1, &hyper);
    const size_t size = t->table->size, bytes = size * sizeof(real);
    for (long step = 1; step <= 4; step++)
        update(t, (uint64_t)step, MOST, step);
    real *kept = memcpy(heap_zeros(&t->heap, size), updater_averaged(t->updater), bytes);
    updater_keep(t->updater, updater_averaged(t->updater));
    assert_memory_equal(updater_kept(t->updater), kept, bytes);
    update(t, 5, MOST, 5);
    updater_go_back(t->updater);
    updater_count_from(t->updater, 5);
    assert_memory_equal(t->weights, kept, bytes);
    assert_memory_equal(updater_averaged(t->updater), kept, bytes);
    update(t, 6, MOST, 6);
    double *expected = heap_doubles(&t->heap, size);
    for (size_t i = 0; i < size; i++)
        expected[i] = 0.1 * (double)kept[i] + 0.9 * (double)t->weights[i];
    assert_near(updater_averaged(t->updater), expected, size, 3);
    team_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_average_should_be_that_of_its_formula),
        cmocka_unit_test(without_an_average_the_weights_should_stand_for_it),
        cmocka_unit_test(a_return_should_be_to_the_average),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
