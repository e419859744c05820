/* test_dropout.c - which values are dropped: the right share, always the same ones, and others
 * elsewhere. */
#include "base/random/rng.h"
#include "nn/dropout.h"
#include "numbers.h"

#include <math.h>
#include <string.h>

static Dropout dropout_of(double p)
{
    return (Dropout){ p, rng_key(1, 2, RNG_DROPOUT), 0 };
}

/* Rows of ones become the mask times the scale. */
static real *mask(Heap *heap, Dropout dropout, int place, const uint64_t *token, int rows,
                  int width)
{
    const size_t n = (size_t)rows * (size_t)width;
    real *x = heap_zeros(heap, n);
    for (size_t i = 0; i < n; i++)
        x[i] = 1;
    dropout_apply(x, &dropout, place, token, rows, width);
    return x;
}

static void kept_values_should_be_scaled_and_the_share_of_dropped_ones_right(void **state)
{
    (void)state;
    enum { ROWS = 200, WIDTH = 500, N = ROWS * WIDTH };
    const double shares[] = { 0.1, 0.2, 0.5, 0.9 };
    uint64_t token[ROWS];
    for (int i = 0; i < ROWS; i++)
        token[i] = (uint64_t)i;
    for (size_t s = 0; s < sizeof shares / sizeof *shares; s++) {
        Heap heap = { 0 };
        const double p = shares[s], deviation = sqrt(N * p * (1 - p));
        const real *x = mask(&heap, dropout_of(p), 3, token, ROWS, WIDTH);
        int dropped = 0;
        for (int i = 0; i < N; i++) {
            if (x[i] == 0) dropped++;
            else assert_true(fabs((double)x[i] * (1 - p) - 1) <= 0x1p-16 / (1 - p));
        }
        assert_true(fabs(dropped - N * p) <= 4 * deviation);
        heap_free(&heap);
    }
}

static void every_column_should_be_dropped_equally_often(void **state)
{
    (void)state;
    enum { ROWS = 4000, WIDTH = 13 };
    Heap heap = { 0 };
    uint64_t *token = heap_take(&heap, ROWS, sizeof *token);
    int dropped[WIDTH] = { 0 };
    for (int i = 0; i < ROWS; i++)
        token[i] = (uint64_t)i << 20 | 3;       /* as the batches name them: sentence and step */
    const real *x = mask(&heap, dropout_of(0.25), 0, token, ROWS, WIDTH);
    for (int i = 0; i < ROWS * WIDTH; i++)
        dropped[i % WIDTH] += x[i] == 0;
    for (int j = 0; j < WIDTH; j++)
        /* 4 standard deviations of 27.4 */
        assert_in_range(dropped[j], ROWS / 4 - 110, ROWS / 4 + 110);
    heap_free(&heap);
}

static void a_share_of_zero_should_change_nothing(void **state)
{
    (void)state;
    Heap heap = { 0 };
    real *x = heap_random(&heap, 10);
    double *before = heap_widened(&heap, x, 10);
    dropout_apply(x, &(Dropout){ 0 }, 0, (const uint64_t[]){ 4, 5 }, 2, 5);
    assert_near(x, before, 10, 0);
    heap_free(&heap);
}

/* ---- the same mask, and others ---- */

enum { WIDE = 4096 };

/* How often two masks of one wide row agree, in standard deviations from what independent masks
 * do. */
static double agreement(Dropout a, int place_a, uint64_t token_a, Dropout b, int place_b,
                        uint64_t token_b)
{
    Heap heap = { 0 };
    const real *x = mask(&heap, a, place_a, &token_a, 1, WIDE);
    const real *y = mask(&heap, b, place_b, &token_b, 1, WIDE);
    const double expected = a.p * b.p + (1 - a.p) * (1 - b.p);
    int same = 0;
    for (int i = 0; i < WIDE; i++)
        same += (x[i] == 0) == (y[i] == 0);
    heap_free(&heap);
    return (same - WIDE * expected) / sqrt(WIDE * expected * (1 - expected));
}

static void another_key_place_or_token_should_give_an_independent_mask(void **state)
{
    (void)state;
    const Dropout d = dropout_of(0.3), other = { d.p, rng_key(1, 3, RNG_DROPOUT), 0 };
    const uint64_t tokens[] = { 0, 1, 2, 3, 5, 8, 1 << 20, 1 << 21, (uint64_t)1 << 41,
                                ((uint64_t)1 << 42) - 1 };
    const uint64_t base = 4;
    assert_true(agreement(d, 0, base, d, 0, base) > 20);
    assert_true(fabs(agreement(d, 0, base, other, 0, base)) < 4);
    for (int place = 1; place < DROPOUT_PLACES; place++)
        assert_true(fabs(agreement(d, 0, base, d, place, base)) < 4);
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++)
        assert_true(fabs(agreement(d, 0, base, d, 0, tokens[i])) < 4);
}

static void neighbouring_values_should_be_dropped_independently(void **state)
{
    (void)state;
    Heap heap = { 0 };
    const double p = 0.3, expected = p * p + (1 - p) * (1 - p);
    const double deviation = sqrt(WIDE * expected * (1 - expected));
    const real *x = mask(&heap, dropout_of(p), 5, &(uint64_t){ 77 }, 1, 2 * WIDE);
    for (int distance = 1; distance <= 64; distance++) {
        int same = 0;
        for (int i = 0; i < WIDE; i++)
            same += (x[i] == 0) == (x[i + distance] == 0);
        assert_true(fabs(same - WIDE * expected) < 4 * deviation);
    }
    heap_free(&heap);
}

static void the_widest_row_should_not_reach_into_another_token_or_place(void **state)
{
    (void)state;
    enum { WIDEST = 65536, SAMPLE = 256 };
    const Dropout d = dropout_of(0.5);
    const uint64_t token = 6, next_token = 7;
    Heap heap = { 0 };
    const real *row = mask(&heap, d, 1, &token, 1, WIDEST);
    const real *others[] = { mask(&heap, d, 1, &next_token, 1, SAMPLE),
                             mask(&heap, d, 2, &token, 1, SAMPLE) };
    for (int i = 0; i <= WIDEST - SAMPLE; i++)
        for (int k = 0; k < 2; k++)
            if (memcmp(row + i, others[k], SAMPLE * sizeof *row) == 0)
                fail_msg("the mask repeats at value %d", i);
    heap_free(&heap);
}

/* Four values share a number, place and token are its place in the stream: as slow as it is
 * plain. */
static void each_value_should_have_sixteen_bits_of_its_own(void **state)
{
    (void)state;
    enum { WIDTH = 1001, PLACE = 5 };
    const uint64_t token = ((uint64_t)3 << 20) + 9;
    const Dropout d = dropout_of(0.25);
    Heap heap = { 0 };
    const real *x = mask(&heap, d, PLACE, &token, 1, WIDTH);
    for (uint64_t j = 0; j < WIDTH; j++) {
        uint64_t number = rng_bits(d.key, ((uint64_t)PLACE << 58) + (token << 14) + j / 4);
        unsigned bits = number >> 16 * (j % 4) & 0xffff;
        assert_true((x[j] == 0) == (bits < 0x10000 * d.p));
    }
    heap_free(&heap);
}

static void the_gradient_should_get_the_mask_of_the_values(void **state)
{
    (void)state;
    enum { ROWS = 5, WIDTH = 7, N = ROWS * WIDTH };
    const uint64_t token[ROWS] = { 9, 1, 4, 1 << 20, 3 };
    const Dropout d = dropout_of(0.4);
    Heap heap = { 0 };
    real *x = heap_random(&heap, N), *dy = heap_random(&heap, N);
    const real *scales = mask(&heap, d, 2, token, ROWS, WIDTH);
    double *y = heap_doubles(&heap, N), *dx = heap_doubles(&heap, N);
    for (int i = 0; i < N; i++) {
        y[i] = (double)scales[i] * (double)x[i];
        dx[i] = (double)scales[i] * (double)dy[i];
    }
    dropout_apply(x, &d, 2, token, ROWS, WIDTH);
    dropout_apply(dy, &d, 2, token, ROWS, WIDTH);
    assert_near(x, y, N, 1);
    assert_near(dy, dx, N, 1);
    heap_free(&heap);
}

static void a_token_should_get_its_mask_in_whatever_call_it_comes(void **state)
{
    (void)state;
    enum { ROWS = 9, WIDTH = 21 };
    uint64_t token[ROWS], backwards[ROWS];
    for (int i = 0; i < ROWS; i++)
        token[i] = backwards[ROWS - 1 - i] = (uint64_t)(i * i);
    Heap heap = { 0 };
    const Dropout d = dropout_of(0.5);
    const real *together = mask(&heap, d, 7, token, ROWS, WIDTH);
    const real *reversed = mask(&heap, d, 7, backwards, ROWS, WIDTH);
    for (int i = 0; i < ROWS; i++) {
        const real *alone = mask(&heap, d, 7, &token[i], 1, WIDTH);
        assert_memory_equal(together + i * WIDTH, alone, WIDTH * sizeof *alone);
        assert_memory_equal(reversed + (ROWS - 1 - i) * WIDTH, alone, WIDTH * sizeof *alone);
    }
    heap_free(&heap);
}

static void tokens_that_differ_in_shared_bits_alone_should_have_one_mask(void **state)
{
    (void)state;
    enum { BITS = 20 };
    const Dropout d = { 0.3, rng_key(1, 2, RNG_DROPOUT), BITS };
    const uint64_t sentence = (uint64_t)5 << BITS, next = (uint64_t)6 << BITS;
    assert_true(agreement(d, 0, sentence, d, 0, sentence + 1) > 20);
    assert_true(agreement(d, 0, sentence, d, 0, next - 1) > 20);
    assert_true(fabs(agreement(d, 0, sentence, d, 0, next)) < 4);
    assert_true(fabs(agreement(d, 0, sentence, d, 1, sentence)) < 4);
}

static void a_factor_should_be_that_of_the_first_value(void **state)
{
    (void)state;
    Heap heap = { 0 };
    const Dropout d = dropout_of(0.5);
    for (uint64_t token = 0; token < 100; token++)
        assert_true(dropout_factor(&d, 3, token) == mask(&heap, d, 3, &token, 1, 1)[0]);
    assert_true(dropout_factor(&(Dropout){ 0 }, 3, 4) == 1);
    heap_free(&heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_values_should_be_scaled_and_the_share_of_dropped_ones_right),
        cmocka_unit_test(every_column_should_be_dropped_equally_often),
        cmocka_unit_test(a_share_of_zero_should_change_nothing),
        cmocka_unit_test(another_key_place_or_token_should_give_an_independent_mask),
        cmocka_unit_test(neighbouring_values_should_be_dropped_independently),
        cmocka_unit_test(the_widest_row_should_not_reach_into_another_token_or_place),
        cmocka_unit_test(each_value_should_have_sixteen_bits_of_its_own),
        cmocka_unit_test(the_gradient_should_get_the_mask_of_the_values),
        cmocka_unit_test(a_token_should_get_its_mask_in_whatever_call_it_comes),
        cmocka_unit_test(tokens_that_differ_in_shared_bits_alone_should_have_one_mask),
        cmocka_unit_test(a_factor_should_be_that_of_the_first_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
