/* test_screen.c - the bounds of a screen against all results, where they are easy to get wrong,
 * before and after they are tightened. */
#include "each_row.h"
#include "linalg/screen.h"
#include "numbers.h"

#include <math.h>
#include <string.h>

static const struct { int rows, k, n; } shapes[] = {
    { 2, 3, 64 }, { 3, 5, 65 }, { 2, 1536, 130 }, { 1, 1, 1 }, { 15, 37, 200 }, { 43, 64, 1100 }, { 5, 256, 2100 },
};
enum { SHAPES = CASES(5) + 2, MOST = CASES(40) };

/* x (rows,k), w (n,k) inside longer rows, b (n), and all results as gemm has them. */
typedef struct {
    Heap       heap;
    Precision  precision;
    int        rows, k, n, ld, tight;
    real      *x, *w, *b, *result, *rough, *largest;
    ScreenRow *row;
    Screen    *screen;
} Case;

static Case case_of(Precision precision, int rows, int k, int n)
{
    Case c = { .precision = precision, .rows = rows, .k = k, .n = n, .ld = k + 3 };
    c.x = heap_random(&c.heap, (size_t)(rows * k));
    c.w = heap_random(&c.heap, (size_t)(n * c.ld));
    c.b = heap_random(&c.heap, (size_t)n);
    c.result = heap_zeros(&c.heap, (size_t)(rows * n));
    c.rough = heap_zeros(&c.heap, (size_t)(rows * n));
    c.row = heap_take(&c.heap, (size_t)rows, sizeof *c.row);
    return c;
}

static Linear weight_of(const Case *c)
{
    return (Linear){ c->w, c->ld, c->n, c->k, c->precision, NULL };
}

/* After x, w and b have their values. */
static void compute(Case *c)
{
    const Linear w = weight_of(c);
    gemm(c->precision, (Result){ c->result, c->n, c->b, 0 }, (Operand){ c->x, c->k, 1 },
         (Operand){ c->w, 1, c->ld }, c->rows, c->k, c->n);
    c->screen = screen_new_anywhere(&w, c->b);
    assert_non_null(c->screen);
    if (c->tight) screen_tighten(c->screen);
    c->largest = heap_zeros(&c->heap, (size_t)(c->rows * screen_blocks(c->screen)));
    screen_rows(c->screen, c->row, c->rough, c->largest, c->x, c->rows);
}

static void case_free(Case *c)
{
    screen_free(c->screen);
    heap_free(&c->heap);
}

static void assert_bounded(const Case *c)
{
    for (int i = 0; i < c->rows; i++) {
        double squares = 0;
        for (int j = 0; j < c->n; j++) {
            const real rough = c->rough[i * c->n + j], result = c->result[i * c->n + j];
            const double error = (double)result - (double)rough;
            assert_true(fabs(error) <= c->row[i].most);
            assert_true(rough <= c->largest[i * screen_blocks(c->screen) + j / VECTOR_BLOCK]);
            squares += error * error;
        }
        assert_true(sqrt(squares) <= c->row[i].along + sqrt(c->n) * c->row[i].base);
        assert_true(isfinite(c->row[i].along) == c->tight);
    }
}

/* The sum of a row, with every `step`-th result known. */
static ScreenSum sum_of(Case *c, int i, int step)
{
    int column[MOST], count = 0;
    real result[MOST];
    for (int j = 0; step && j < c->n && count < MOST; j += step) {
        column[count] = j;
        result[count++] = c->result[i * c->n + j];
    }
    return screen_log_sum(c->screen, &c->row[i], c->rough + i * c->n, result, column, count);
}

static void assert_sums(Case *c)
{
    real *largest = heap_zeros(&c->heap, (size_t)screen_blocks(c->screen));
    for (int i = 0; i < c->rows; i++)
        for (int step = 0; step < 60; step += 1 + step) {
            const ScreenSum sum = sum_of(c, i, step);
            const real exact = vector_log_sum_exp(largest, c->result + i * c->n, c->n);
            assert_true(fabs((double)exact - sum.value) <= sum.error);
            assert_true(isfinite(sum.error) || !(c->row[i].most < 1) || !step);
        }
}

static void assert_columns(Case *c)
{
    const int column[] = { c->n - 1, 0, c->n / 2, c->n - 1 };
    real *got = heap_zeros(&c->heap, (size_t)(c->rows * 4));
    real *room = heap_zeros(&c->heap, (size_t)(4 * (c->k + 1)));
    screen_columns(c->screen, got, c->x, c->rows, column, 4, room);
    for (int i = 0; i < c->rows; i++)
        for (int k = 0; k < 4; k++)
            assert_true(got[i * 4 + k] == c->result[i * c->n + column[k]]);
}

static void check_now(Case *c)
{
    compute(c);
    assert_bounded(c);
    assert_sums(c);
    assert_columns(c);
    screen_free(c->screen);
}

static void check(Case *c)
{
    for (c->tight = 0; c->tight < 2; c->tight++)
        check_now(c);
    heap_free(&c->heap);
}

static void scale(real *x, int count, double by)
{
    for (int i = 0; i < count; i++)
        x[i] *= (real)by;
}

/* In each precision that there are products in. */
static void for_each_precision(void (*each)(Precision precision))
{
    each(PRECISION_FLOAT);
    if (gemm_has(PRECISION_BF16)) each(PRECISION_BF16);
}

static void check_shapes(Precision precision)
{
    for (int i = 0; i < SHAPES; i++)
        for (double size = 1.0 / 64; size <= 4; size *= 4) {
            Case c = case_of(precision, shapes[i].rows, shapes[i].k, shapes[i].n);
            scale(c.w, c.n * c.ld, size);
            check(&c);
        }
}

static void results_and_sums_should_be_within_their_bounds(void **state)
{
    (void)state;
    for_each_precision(check_shapes);
}

/* Factors that lose nearly half a unit, all of them with the sign that adds up, but the first one,
 * which makes the unit: so the bounds are nearly reached. x is `of_x` of its units, the columns from
 * `first` on are `of_w` of theirs, 1 / parts, and the others 0. */
static void fill_worst(Case *c, double of_x, double of_w, double parts, int first)
{
    for (int i = 0; i < c->k; i++)
        c->x[i] = (real)((i ? of_x : 127) / 127);
    for (int j = 0; j < c->n * c->ld; j++)
        c->w[j] = (real)(j < first * c->ld ? 0 : (j % c->ld ? of_w : 127) / parts);
}

static void check_worst(Precision precision)
{
    const double lost[] = { 100.4995, 0.4995, 20.5005, -50.4995 };
    for (int a = 0; a < CASES(4); a++)
        for (int b = 0; b < CASES(4); b++)
            for (int parts = 1024; parts <= 4096; parts *= 4) {
                Case c = case_of(precision, 1, 700, 70);
                fill_worst(&c, lost[a], lost[b], parts, 0);
                check(&c);
            }
}

static void rounding_that_adds_up_should_be_bounded(void **state)
{
    (void)state;
    for_each_precision(check_worst);
}

/* Errors of factors that all have half a unit cannot be much less than their bound. */
static void bounds_should_be_tight(void **state)
{
    (void)state;
    Case c = case_of(PRECISION_FLOAT, 1, 700, 1);
    fill_worst(&c, 100.4995, 100.4995, 4096, 0);
    compute(&c);
    const double lost = fabs((double)c.result[0] - (double)c.rough[0]);
    if (gemm_has(PRECISION_INT8)) assert_true(lost > 0.9 * c.row[0].most);
    assert_true(c.row[0].most < 0.2);
    case_free(&c);
}

/* Columns of one kind, light or heavy, are off by nearly as much as they may be, and those of the
 * other kind are known: what these have must not be taken off from what the others may hide. */
static void check_kinds(int known, int unknown, double parts, double distance)
{
    Case c = case_of(PRECISION_FLOAT, 1, 700, known + unknown);
    int column[MOST];
    real result[MOST];
    fill_worst(&c, 100.4995, 100.4995, parts, known);
    const double greatest = 127 / parts + 699 * 100.4995 / 127 * 100.4995 / parts;
    for (int j = 0; j < c.n; j++)
        c.b[j] = (real)(j < known ? greatest + distance : 0);
    c.tight = 1;
    compute(&c);
    for (int j = 0; j < known; j++) {
        column[j] = j;
        result[j] = c.result[j];
    }
    const ScreenSum sum = screen_log_sum(c.screen, c.row, c.rough, result, column, known);
    const real exact = vector_log_sum_exp(c.largest, c.result, c.n);
    assert_true(fabs((double)exact - sum.value) <= sum.error);
    if (gemm_has(PRECISION_INT8)) assert_true(sum.error > 0.01 && isfinite(sum.error));
    case_free(&c);
}

static void known_columns_should_not_hide_others(void **state)
{
    (void)state;
    for (int parts = 1024; parts <= 4096; parts *= 2) {
        check_kinds(MOST, 1, parts, -5);
        check_kinds(1, 70, parts, 5);
    }
}

/* How far the sums of two rows are off at most, with the results of three columns known. */
static void errors_of_sums(double error[2], Precision precision, int tight)
{
    Case c = case_of(precision, 2, 128, 4000);
    c.tight = tight;
    scale(c.w, c.n * c.ld, 0.125);
    compute(&c);
    for (int i = 0; i < 2; i++)
        error[i] = sum_of(&c, i, 1500).error;
    case_free(&c);
}

/* With many columns of random errors the Gram matrices say that little adds up: of 4,000 columns
 * each has an error of its own, but all have no more directions than 128. */
static void check_tightened(Precision precision)
{
    double loose[2], tight[2];
    errors_of_sums(loose, precision, 0);
    errors_of_sums(tight, precision, 1);
    for (int i = 0; i < 2 && gemm_has(PRECISION_INT8); i++)
        assert_true(tight[i] < loose[i] / 3);
}

static void sums_should_be_bounded_tightly(void **state)
{
    (void)state;
    for_each_precision(check_tightened);
}

/* Two rows at a time: after 6 times as many as w has columns. */
static void a_screen_should_be_tightened_once_it_is_worth_it(void **state)
{
    (void)state;
    Case c = case_of(PRECISION_FLOAT, 2, 20, 130);
    compute(&c);
    for (int rows = 4; rows <= 120; rows += 2) {
        screen_rows(c.screen, c.row, c.rough, c.largest, c.x, c.rows);
        assert_true(isinf(c.row[1].along));
    }
    c.tight = 1;
    screen_rows(c.screen, c.row, c.rough, c.largest, c.x, c.rows);
    assert_bounded(&c);
    case_free(&c);
}

static void check_outliers(Precision precision)
{
    Case c = case_of(precision, 6, 96, 700);
    for (int j = 0; j < c.n; j++) {
        c.w[j * c.ld + j % c.k] = j % 3 ? 1000 : (real)1e-30;
        c.b[j] = j % 5 ? c.b[j] : (real)4e7;
    }
    for (int i = 1; i < c.rows; i++)
        c.x[i * c.k + i] = (real)(i % 2 ? 1e4 : 0);
    memset(c.x, 0, (size_t)c.k * sizeof *c.x);
    check(&c);
}

static void numbers_of_very_different_size_should_be_bounded(void **state)
{
    (void)state;
    for_each_precision(check_outliers);
}

static void rows_that_are_no_numbers_should_have_no_bounds(void **state)
{
    (void)state;
    const real wrong[] = { (real)NAN, (real)INFINITY, (real)-INFINITY, (real)1e20 };
    for (int i = 0; i < 4; i++) {
        Case c = case_of(PRECISION_FLOAT, 3, 20, 130);
        c.x[c.k + 7] = wrong[i];
        compute(&c);
        assert_true(isinf(c.row[1].most) && isinf(sum_of(&c, 1, 7).error));
        assert_true(c.row[0].most < 1 && c.row[2].most < 1);
        case_free(&c);
    }
}

static void weights_that_are_no_numbers_should_have_no_screen(void **state)
{
    (void)state;
    const real wrong[] = { (real)NAN, (real)-INFINITY, (real)1e20 };
    for (int i = 0; i < 6; i++) {
        Case c = case_of(PRECISION_FLOAT, 1, 20, 130);
        const Linear w = weight_of(&c);
        *(i < 3 ? &c.w[77] : &c.b[77]) = wrong[i % 3];
        assert_null(screen_new_anywhere(&w, c.b));
        case_free(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_and_sums_should_be_within_their_bounds),
        cmocka_unit_test(rounding_that_adds_up_should_be_bounded),
        cmocka_unit_test(bounds_should_be_tight),
        cmocka_unit_test(known_columns_should_not_hide_others),
        cmocka_unit_test(sums_should_be_bounded_tightly),
        cmocka_unit_test(a_screen_should_be_tightened_once_it_is_worth_it),
        cmocka_unit_test(numbers_of_very_different_size_should_be_bounded),
        cmocka_unit_test(rows_that_are_no_numbers_should_have_no_bounds),
        cmocka_unit_test(weights_that_are_no_numbers_should_have_no_screen),
    };
    return run_with_each_row(tests, sizeof tests / sizeof *tests);
}
