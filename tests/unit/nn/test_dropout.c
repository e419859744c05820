/* test_dropout.c - which values are dropped, by the random bits that are each value's own. */
#include "base/random/rng.h"
#include "nn/dropout.h"
#include "numbers.h"

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

UNIT_TEST(a_share_of_zero_should_change_nothing)
{
    Heap heap = { 0 };
    real *x = heap_random(&heap, 10);
    double *before = heap_widened(&heap, x, 10);
    dropout_apply(x, &(Dropout){ 0 }, 0, (const uint64_t[]){ 4, 5 }, 2, 5);
    assert_near(x, before, 10, 0);
    heap_free(&heap);
}

/* Four values share a number, place and token are its place in the stream: as slow as it is
 * plain. */
UNIT_TEST(each_value_should_have_sixteen_bits_of_its_own)
{
    enum { WIDTH = 1001, MOST = 65536 };
    static const struct { int place, shared, width; uint64_t token; double p; } rows[] = {
        { 5, 0, WIDTH, 3 << 20 | 9, 0.25 }, { 0, 0, MOST, 0, 0.5 }, { 63, 0, 2, 7, 0.75 },
        { 64, 0, WIDTH, 7, 0.25 }, { 255, 0, WIDTH, ((uint64_t)1 << 42) - 1, 0.5 },
        { 200, 20, 300, 6 << 20 | 0xfffff, 0.125 }, { 9, 0, 1, 100, 0.5 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Dropout d = { rows[i].p, rng_key(1, 2, RNG_DROPOUT), rows[i].shared };
        const uint64_t token = rows[i].token >> d.shared << d.shared;
        const uint64_t place = (uint64_t)rows[i].place;
        Heap heap = { 0 };
        const real *x = mask(&heap, d, rows[i].place, &rows[i].token, 1, rows[i].width);
        for (uint64_t j = 0; j < (uint64_t)rows[i].width; j++) {
            const uint64_t at = (place % 64 << 58) + (place / 64 << 56) + (token << 14) + j / 4;
            const unsigned bits = rng_bits(d.key, at) >> 16 * (j % 4) & 0xffff;
            assert_true(x[j] == (bits < 0x10000 * d.p ? 0 : (real)(1 / (1 - d.p))));
        }
        assert_true(dropout_factor(&d, rows[i].place, rows[i].token) == x[0]);
        heap_free(&heap);
    }
    assert_true(dropout_factor(&(Dropout){ 0 }, 3, 4) == 1);
}

UNIT_TEST(rows_should_get_the_masks_of_their_tokens)
{
    enum { ROWS = 9, WIDTH = 21 };
    uint64_t token[ROWS];
    for (int i = 0; i < ROWS; i++)
        token[i] = (uint64_t)(i * i);
    Heap heap = { 0 };
    const Dropout d = dropout_of(0.5);
    const real *together = mask(&heap, d, 7, token, ROWS, WIDTH);
    for (int i = 0; i < ROWS; i++) {
        const real *alone = mask(&heap, d, 7, &token[i], 1, WIDTH);
        assert_memory_equal(together + i * WIDTH, alone, WIDTH * sizeof *alone);
    }
    heap_free(&heap);
}

int main(void) { return run_unit_tests(); }
