/* test_sparsify.c - what passes, how much of it, and how often. */
#include "nn/loss.h"

#include "base/random/rng.h"
#include "scratch.h"

#include <math.h>
#include <stdlib.h>

enum { N = 1000, STARTS = 16384 };

/* Values as large as a softmax's gradients, of both signs: the higher the power, the more are
 * almost 0. */
static void draw(real *x, double power)
{
    const uint64_t key = rng_key(7, 1, RNG_INIT);
    for (uint64_t i = 0; i < N; i++) {
        const double sign = rng_uniform(key, 2 * i) < 0.5 ? -1 : 1;
        x[i] = (real)(sign * pow(rng_uniform(key, 2 * i + 1), power));
    }
}

/* What passes by the definition, one value after another. */
static int twin(int *column, double *value, const real *x, int n, double least, double start)
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
static void check_twin(double unit)
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
            assert_int_equal(count, twin(twin_column, twin_value, x, n, least, start));
            for (int i = 0; i < count; i++) {
                assert_int_equal(column[i], twin_column[i]);
                assert_true((double)value[i] == twin_value[i]);
            }
        }
}

/* Where something of every block passes, and where nothing of most blocks does. */
static void what_passes_should_be_what_the_twin_passes(void **state)
{
    (void)state;
    check_twin(1.0 / 64);
    check_twin(1.0 / 16384);
}

static void large_values_should_pass_and_small_ones_become_the_least(void **state)
{
    (void)state;
    const double least = 0.05;
    real x[N], value[N];
    int column[N], large = 0, passed = 0;
    draw(x, 16);
    const int count = sparsify(column, value, x, N, least, 0.4);
    for (int i = 0; i < N; i++) large += fabs((double)x[i]) >= least;
    assert_true(large > 20);
    for (int i = 0; i < count; i++) {
        const double from = (double)x[column[i]];
        assert_true(!i || column[i] > column[i - 1]);
        passed += fabs(from) >= least;
        if (fabs(from) >= least) assert_true((double)value[i] == from);
        else assert_true(value[i] == (real)copysign(least, from));
    }
    assert_int_equal(passed, large);
    assert_true(count > large);
}

/* A small value passes for the starts of an arc as long as its probability, out of a circle: of
 * evenly spaced starts that is the share up to less than one, and up to one more for each end that
 * the roundings of sums move. */
static void a_value_should_be_right_on_average(void **state)
{
    (void)state;
    const double least = 0.05, error = 3 * least / STARTS;
    real x[N], value[N];
    int column[N], far = 0;
    double mean[N] = { 0 };
    draw(x, 6);
    for (int s = 1; s <= STARTS; s++) {
        const int count = sparsify(column, value, x, N, least, (double)s / STARTS);
        for (int i = 0; i < count; i++) mean[column[i]] += (double)value[i];
    }
    for (int i = 0; i < N; i++) {
        assert_true(fabs(mean[i] / STARTS - (double)x[i]) <= error);
        far += fabs((double)x[i]) > 10 * error;
    }
    assert_true(far > N / 2);
}

static void nothing_should_pass_of_zeros_and_everything_of_the_least(void **state)
{
    (void)state;
    real x[N] = { 0 }, value[N];
    int column[N];
    assert_int_equal(sparsify(column, value, x, N, 0.5, 0.001), 0);
    for (int i = 0; i < N; i++) x[i] = (real)(i % 2 ? 0.5 : -0.5);
    assert_int_equal(sparsify(column, value, x, N, 0.5, 1), N);
    assert_memory_equal(value, x, sizeof x);
}

/* At any position; infinity and NaN are not smaller. */
static void one_large_value_should_be_found(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_passes_should_be_what_the_twin_passes),
        cmocka_unit_test(large_values_should_pass_and_small_ones_become_the_least),
        cmocka_unit_test(a_value_should_be_right_on_average),
        cmocka_unit_test(nothing_should_pass_of_zeros_and_everything_of_the_least),
        cmocka_unit_test(one_large_value_should_be_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
