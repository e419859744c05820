/* screen.c - results in 8 bits, and how far they are off. */
#include "linalg/screen.h"

#include "base/mem.h"
#include "base/min.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Results in 8 bits at a time, so that they stay in the second cache: three strips of rows
 * (linalg/gemm_simd.h). */
enum { ROWS = 42, COLUMNS = 1024, LARGEST = 127, DEEPEST = 1536 };

/* Larger numbers are not bounded: so no sum of products can overflow. */
static const double huge = 1e15;

struct Screen {
    Linear      w;
    const real *b;
    Precision   rough;              /* of the products that bound */
    real       *packed;             /* w in that precision */
    real       *weight, *rounding;  /* (n) |w_j|, and |d_j| of what rounding changes it by */
    double      greatest_weight, greatest_rounding, greatest_bias;
};

/* ---- the weight ---- */

/* The norm of what rounding to the multiples of a unit changes x by. Of a value between two
 * multiples 2^-15 of a unit may decide which one a kernel takes (linalg/precision.h). */
static double rounding_of(const Screen *s, const real *x)
{
    const int k = s->w.columns;
    const real unit = vector_absolute_largest(x, k) / LARGEST;
    if (s->rough != PRECISION_INT8) return 0;
    if (unit < (real)1e-30) return sqrt(vector_square_sum(x, (size_t)k));
    return sqrt(vector_rounding(x, unit, k)) + ldexp((double)unit, -13) * sqrt(k);
}

/* Numbers are rounded up to `real`. */
static void measure(Screen *s)
{
    const int n = s->w.rows, k = s->w.columns;
    for (int j = 0; j < n; j++) {
        const real *w = s->w.weights + (size_t)j * s->w.ld;
        s->weight[j] = (real)(sqrt(vector_square_sum(w, (size_t)k)) * (1 + 1e-6));
        s->rounding[j] = (real)(rounding_of(s, w) * (1 + 1e-6));
        s->greatest_weight = fmax(s->greatest_weight, (double)s->weight[j]);
        s->greatest_rounding = fmax(s->greatest_rounding, (double)s->rounding[j]);
        s->greatest_bias = fmax(s->greatest_bias, fabs((double)s->b[j]));
    }
}

static int is_bounded(const Linear *w, const real *b)
{
    for (int j = 0; j < w->rows; j++) {
        const real *row = w->weights + (size_t)j * w->ld;
        if (!((double)vector_absolute_largest(row, w->columns) < huge)
            || !(fabs((double)b[j]) < huge))
            return 0;
    }
    return w->columns <= DEEPEST;
}

Screen *screen_new_anywhere(const Linear *w, const real *b)
{
    if (!is_bounded(w, b)) return NULL;
    Screen *s = xcalloc(1, sizeof *s);
    s->w = *w;
    s->b = b;
    s->rough = gemm_has(PRECISION_INT8) ? PRECISION_INT8 : PRECISION_FLOAT;
    s->packed = xaligned_raw(gemm_packed_size(s->rough, w->columns, w->rows), sizeof *s->packed);
    gemm_pack(s->rough, s->packed, transposed(w->weights, w->ld), w->columns, w->rows,
              (Portion){ 0, 1 });
    s->weight = xaligned((size_t)w->rows, sizeof *s->weight);
    s->rounding = xaligned((size_t)w->rows, sizeof *s->rounding);
    measure(s);
    return s;
}

Screen *screen_new(const Linear *w, const real *b)
{
    const int is_rough = w->precision == PRECISION_INT8;
    if (is_rough || !gemm_is_fastest() || !gemm_has(PRECISION_INT8)) return NULL;
    return screen_new_anywhere(w, b);
}

void screen_free(Screen *s)
{
    if (!s) return;
    free(s->packed);
    free(s->weight);
    free(s->rounding);
    free(s);
}

int screen_blocks(const Screen *s)
{
    return (s->w.rows + VECTOR_BLOCK - 1) / VECTOR_BLOCK;
}

/* ---- rows ---- */

/* The errors of linalg/precision.h, with norms in place of sums, and of float (Higham 2002, section
 * 3.1). */
static void bound_row(const Screen *s, ScreenRow *row, const real *x)
{
    const int is_bf16 = s->w.precision == PRECISION_BF16, k = s->w.columns;
    const double u = ldexp(1, -24), rounding = (2 * k + 64) * u;
    const double norm = sqrt(vector_square_sum(x, (size_t)k)), lost = rounding_of(s, x);
    const double bf16 = is_bf16 ? ldexp(1, -7) + ldexp(1, -16) : 0;
    const int has_bounds = (double)vector_absolute_largest(x, k) < huge;
    row->of_weight = lost + (bf16 + rounding) * (norm + lost);
    row->of_rounding = (norm + lost) * (1 + rounding);
    row->base = 4 * u * s->greatest_bias + 1e-20 * (1 + norm);
    row->most = row->of_weight * s->greatest_weight + row->of_rounding * s->greatest_rounding
                + row->base;
    row->greatest = -INFINITY;
    row->sum = row->by_weight = row->by_rounding = 0;
    if (!has_bounds) row->most = INFINITY;
}

/* Adds the sums of some columns, which are relative to their own greatest result. */
static void add_sums(ScreenRow *row, double greatest, const real sum[3])
{
    const double most = fmax(row->greatest, greatest);
    const double before = exp(row->greatest - most), here = exp(greatest - most);
    row->sum = row->sum * before + (double)sum[0] * here;
    row->by_weight = row->by_weight * before + (double)sum[1] * here;
    row->by_rounding = row->by_rounding * before + (double)sum[2] * here;
    row->greatest = most;
    if (!isfinite(row->sum)) row->most = INFINITY;
}

/* Some rows in the columns from `first` on. */
static void screen_part(const Screen *s, ScreenRow *row, real *rough, real *largest, const real *x,
                        int rows, int first)
{
    const int n = s->w.rows, k = s->w.columns, columns = min_int(COLUMNS, n - first);
    const int blocks = screen_blocks(s), block = first / VECTOR_BLOCK;
    const size_t before = (size_t)block * gemm_packed_size(s->rough, k, VECTOR_BLOCK);
    gemm_packed(s->rough, (Result){ rough + first, n, s->b + first, 0 }, matrix_of(x, k),
                s->packed + before, rows, k, columns);
    for (int i = 0; i < rows; i++) {
        real sum[3];
        const real greatest =
            vector_exp_sums(largest + (size_t)i * (size_t)blocks + block, sum,
                            rough + (size_t)i * (size_t)n + first, s->weight + first,
                            s->rounding + first, columns);
        add_sums(&row[i], (double)greatest, sum);
    }
}

void screen_rows(const Screen *s, ScreenRow *row, real *rough, real *largest, const real *x,
                 int rows)
{
    const size_t n = (size_t)s->w.rows, k = (size_t)s->w.columns, blocks = (size_t)screen_blocks(s);
    const int parts = (rows + ROWS - 1) / ROWS;
    for (int i = 0; i < rows; i++)
        bound_row(s, &row[i], x + (size_t)i * k);
    for (int first = 0; first < s->w.rows; first += COLUMNS)
        for (int i = 0; i < parts; i++) {
            const int top = rows * i / parts, some = rows * (i + 1) / parts - top;
            screen_part(s, row + top, rough + (size_t)top * n, largest + (size_t)top * blocks,
                        x + (size_t)top * k, some, first);
        }
}

double screen_error(const Screen *s, const ScreenRow *row, int j)
{
    return row->of_weight * (double)s->weight[j] + row->of_rounding * (double)s->rounding[j]
         + row->base;
}

/* ---- the results themselves ---- */

void screen_columns(const Screen *s, real *result, const real *x, int rows, const int *column,
                    int count, real *room)
{
    const size_t k = (size_t)s->w.columns;
    real *bias = room + (size_t)count * k;
    for (int j = 0; j < count; j++) {
        memcpy(room + (size_t)j * k, s->w.weights + (size_t)column[j] * (size_t)s->w.ld,
               k * sizeof *room);
        bias[j] = s->b[column[j]];
    }
    gemm(s->w.precision, (Result){ result, count, bias, 0 }, matrix_of(x, s->w.columns),
         transposed(room, s->w.columns), rows, s->w.columns, count);
}

/* How far the float sums of n numbers and their logarithm are off at most, in both searches. */
static double sum_rounding(int n, double value)
{
    return ldexp(n / 16 + 64, -22) + ldexp(fabs(value), -22);
}

/* With e_j = exp(rough_j) of the columns that are not computed and their errors E_j, the sum of all
 * lies between
 *   sum of exp(result) + sum of e_j - sum of e_j E_j    and
 *   sum of exp(result) + sum of e_j + sum of e_j E_j (exp(E) - 1) / E,  E the greatest E_j. */
ScreenSum screen_log_sum(const Screen *s, const ScreenRow *row, const real *rough,
                         const real *result, const int *column, int count)
{
    double exact = 0, rest = row->sum, by_weight = row->by_weight, by_rounding = row->by_rounding;
    for (int i = 0; i < count; i++) {
        const int j = column[i];
        const double e = exp((double)rough[j] - row->greatest);
        exact += exp((double)result[i] - row->greatest);
        rest -= e;
        by_weight -= e * (double)s->weight[j];
        by_rounding -= e * (double)s->rounding[j];
    }
    /* what cancels is at most the rounding of the sums that are subtracted from */
    const double rounding = sum_rounding(s->w.rows, 0), all = exact + fmax(rest, 0);
    const double error = row->of_weight * fmax(by_weight + rounding * row->by_weight, 0)
                       + row->of_rounding * fmax(by_rounding + rounding * row->by_rounding, 0)
                       + row->base * fmax(rest, 0) + rounding * row->sum;
    const double upper = log(all + error * expm1(row->most) / row->most);
    const double lower = all > error ? log(all - error) : -INFINITY;
    const double value = row->greatest + (upper + lower) / 2;
    if (!(row->most < 1) || !isfinite(lower)) return (ScreenSum){ row->greatest, INFINITY };
    return (ScreenSum){ value, (upper - lower) / 2 + sum_rounding(s->w.rows, value) };
}
