/* screen.c - results in 8 bits, and how far they are off. */
#include "linalg/screen.h"

#include "base/mem.h"
#include "base/min.h"
#include "linalg/gram.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ROWS: whose results are computed at a time. Fewer wait for the weights, which the second cache
 * hasn't room for; results of more leave it before they are summed up. MOST, ROOM: rows whose bounds
 * are computed at a time, and their values. COLUMNS: at a time when w is measured. */
enum { ROWS = 84, MOST = 84, COLUMNS = 1024, LARGEST = 127, DEEPEST = 1536, ROOM = 16 * DEEPEST };

/* Larger numbers are not bounded: so no sum of products can overflow. */
static const double huge = 1e15;

/* The unit in the last place of a float, and more than what is lost where squares underflow. */
static const double unit = 1. / (1 << 24), tiny = 1e-16;

struct Screen {
    Linear      w;
    const real *b;
    Precision   rough;              /* of the products that bound */
    real       *packed;             /* w in that precision */
    real       *identity;           /* (k,k) packed in that precision */
    double      greatest_weight, greatest_rounding, greatest_bias;
    Gram        weight, rounding;   /* of all w_j, and of all d_j; once they are TIGHT */
    atomic_int  rows, state;        /* rows that were screened before; LOOSE, ... */
};

enum { LOOSE, TIGHTENING, TIGHT };

/* ---- the weight ---- */

/* y (n) = x as the products read it that are bounded. */
static void read_as(Precision precision, real *y, const real *x, int n)
{
    uint16_t half[DEEPEST];
    if (precision != PRECISION_BF16) {
        memcpy(y, x, (size_t)n * sizeof *y);
        return;
    }
    vector_to_bf16(half, x, (size_t)n);
    vector_from_bf16(y, half, (size_t)n);
}

/* y = x - y */
static void subtract_from(real *restrict y, const real *restrict x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] - y[i];
}

/* The length of x, or a little more: a sum of floats in 16 lanes is off by a millionth and more for
 * each 256 of them. */
static double length_of(const real *x, int n)
{
    return sqrt((double)vector_dot(x, x, (size_t)n)) * (1 + 1e-5);
}

/* The length of what rounding to the multiples of a unit changes w_j by, and of what the products
 * that are bounded change it by. Of a value between two multiples 2^-15 of a unit may decide which
 * one a kernel takes (linalg/precision.h). */
static double rounding_of(const Screen *s, const real *x)
{
    const int k = s->w.columns;
    real read[DEEPEST];
    const real step = vector_absolute_largest(x, k) / LARGEST;
    if (s->rough != PRECISION_INT8) return 0;
    if (step < (real)1e-30) return length_of(x, k);
    read_as(s->w.precision, read, x, k);
    subtract_from(read, x, (size_t)k);
    return sqrt(vector_rounding(x, step, k)) + ldexp((double)step, -13) * sqrt(k)
         + length_of(read, k);
}

static void measure(Screen *s)
{
    const int n = s->w.rows, k = s->w.columns;
    real read[DEEPEST];
    for (int j = 0; j < n; j++) {
        const real *w = s->w.weights + (size_t)j * (size_t)s->w.ld;
        read_as(s->w.precision, read, w, k);
        s->greatest_weight = fmax(s->greatest_weight, length_of(read, k));
        s->greatest_rounding = fmax(s->greatest_rounding, rounding_of(s, w));
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

static real *identity_of(int k)
{
    real *x = xaligned((size_t)k * (size_t)k, sizeof *x);
    for (size_t i = 0; i < (size_t)k; i++)
        x[i * (size_t)k + i] = 1;
    return x;
}

static void pack(Screen *s)
{
    const int n = s->w.rows, k = s->w.columns;
    real *identity = identity_of(k);
    s->packed = xaligned_raw(gemm_packed_size(s->rough, k, n), sizeof *s->packed);
    s->identity = xaligned_raw(gemm_packed_size(s->rough, k, k), sizeof *s->identity);
    gemm_pack(s->rough, s->packed, transposed(s->w.weights, s->w.ld), k, n, (Portion){ 0, 1 });
    gemm_pack(s->rough, s->identity, matrix_of(identity, k), k, k, (Portion){ 0, 1 });
    free(identity);
}

Screen *screen_new_anywhere(const Linear *w, const real *b)
{
    if (!is_bounded(w, b)) return NULL;
    Screen *s = xcalloc(1, sizeof *s);
    s->w = *w;
    s->b = b;
    s->rough = gemm_has(PRECISION_INT8) ? PRECISION_INT8 : PRECISION_FLOAT;
    s->weight = gram_new(w->columns);
    s->rounding = gram_new(w->columns);
    atomic_init(&s->rows, 0);
    atomic_init(&s->state, LOOSE);
    pack(s);
    measure(s);
    return s;
}

Screen *screen_new(const Linear *w, const real *b)
{
    const int is_rough = w->precision == PRECISION_INT8;
    if (is_rough || !gemm_multiplies(w->precision) || !gemm_has(PRECISION_INT8)) return NULL;
    return screen_new_anywhere(w, b);
}

void screen_free(Screen *s)
{
    if (!s) return;
    free(s->packed);
    free(s->identity);
    gram_free(&s->weight);
    gram_free(&s->rounding);
    free(s);
}

int screen_blocks(const Screen *s)
{
    return (s->w.rows + VECTOR_BLOCK - 1) / VECTOR_BLOCK;
}

/* ---- tighter bounds ---- */

/* y (k,columns) = w' - y for w (columns,k), in squares that stay in the first cache. */
static void subtract_from_transposed(real *y, int ldy, const real *w, int columns, int k)
{
    enum { SIDE = 16 };
    for (int i = 0; i < k; i += SIDE)
        for (int j = 0; j < columns; j += SIDE)
            for (int row = i; row < min_int(i + SIDE, k); row++)
                for (int column = j; column < min_int(j + SIDE, columns); column++) {
                    real *at = y + (size_t)row * (size_t)ldy + (size_t)column;
                    *at = w[(size_t)column * (size_t)k + (size_t)row] - *at;
                }
}

/* Adds the columns from `first` on to both Gram matrices. read: (COLUMNS,k); lost: (k,COLUMNS). */
static void add_columns(Screen *s, const real *identity, real *read, real *lost, int first)
{
    const int k = s->w.columns, columns = min_int(COLUMNS, s->w.rows - first);
    const size_t block = (size_t)(first / VECTOR_BLOCK);
    const size_t before = block * gemm_packed_size(s->rough, k, VECTOR_BLOCK);
    for (int j = 0; j < columns; j++)
        read_as(s->w.precision, read + (size_t)j * (size_t)k,
                s->w.weights + (size_t)(first + j) * (size_t)s->w.ld, k);
    gram_add(&s->weight, transposed(read, k), columns);
    gemm_packed(s->rough, (Result){ lost, COLUMNS, NULL, 0 }, matrix_of(identity, k),
                s->packed + before, k, k, columns);
    subtract_from_transposed(lost, COLUMNS, read, columns, k);
    gram_add(&s->rounding, matrix_of(lost, COLUMNS), columns);
}

/* Of all columns. */
static void make_grams(Screen *s)
{
    const int k = s->w.columns;
    const size_t size = (size_t)k * COLUMNS;
    real *identity = identity_of(k), *read = xaligned(size, sizeof *read);
    real *lost = xaligned(size, sizeof *lost);
    for (int first = 0; first < s->w.rows; first += COLUMNS)
        add_columns(s, identity, read, lost, first);
    gram_end(&s->weight);
    gram_end(&s->rounding);
    free(identity);
    free(read);
    free(lost);
}

void screen_tighten(Screen *s)
{
    int state = LOOSE;
    if (!atomic_compare_exchange_strong(&s->state, &state, TIGHTENING)) return;
    make_grams(s);
    atomic_store_explicit(&s->state, TIGHT, memory_order_release);
}

static int is_tight(Screen *s)
{
    return atomic_load_explicit(&s->state, memory_order_acquire) == TIGHT;
}

/* The matrices cost as much as all results of 2 k rows: they are made once a few times as many are
 * screened, by one thread, while others go without. */
static void tighten_in_time(Screen *s, int rows)
{
    enum { TIMES = 6 };
    if (!is_tight(s) && atomic_fetch_add(&s->rows, rows) >= TIMES * s->w.columns) screen_tighten(s);
}

/* ---- rows ---- */

/* x (rows,k) in 8 bits, and by what that differs from x as the products read it. */
typedef struct { real rounded[ROOM], lost[ROOM]; } RoundedRows;

static void round_rows(const Screen *s, RoundedRows *r, const real *x, int rows)
{
    const int k = s->w.columns;
    gemm_packed(s->rough, (Result){ r->rounded, k, NULL, 0 }, matrix_of(x, k), s->identity, rows, k,
                k);
    for (int i = 0; i < rows; i++)
        read_as(s->w.precision, r->lost + i * k, x + i * k, k);
    for (int i = 0; i < rows * k; i++)
        r->lost[i] -= r->rounded[i];
}

/* The errors of linalg/precision.h, with lengths in place of sums, and of float (Higham 2002,
 * section 3.1). */
static void bound_row(const Screen *s, ScreenRow *row, const RoundedRows *r, const real *x, int i)
{
    const int k = s->w.columns;
    const double length = length_of(r->rounded + i * k, k), lost = length_of(r->lost + i * k, k);
    row->base = (2 * k + 80) * unit * (length + lost) * s->greatest_weight
              + 4 * unit * s->greatest_bias
              + tiny * (1 + length + lost + s->greatest_weight + s->greatest_rounding);
    row->most = lost * s->greatest_weight + length * s->greatest_rounding + row->base;
    row->along = INFINITY;
    if (!((double)vector_absolute_largest(x + i * k, k) < huge)) row->most = INFINITY;
}

/* The lengths of all results' errors together. */
static void add_lengths(const Screen *s, ScreenRow *row, const RoundedRows *r, int rows)
{
    real room[ROOM];
    double by_x[MOST], by_w[MOST];
    const int k = s->w.columns;
    gram_lengths(&s->weight, by_x, r->lost, rows, room);
    gram_lengths(&s->rounding, by_w, r->rounded, rows, room);
    for (int i = 0; i < rows; i++)
        row[i].along = by_x[i] + by_w[i]
                     + 8 * unit * sqrt(s->weight.trace) * length_of(r->rounded + i * k, k) + tiny;
}

static void bound_rows(const Screen *s, ScreenRow *row, const real *x, int rows, int tight)
{
    RoundedRows rounded;
    const int k = s->w.columns, most = min_int(MOST, ROOM / k);
    for (int at = 0; at < rows; at += most) {
        const int some = min_int(most, rows - at);
        const real *from = x + (size_t)at * (size_t)k;
        round_rows(s, &rounded, from, some);
        for (int i = 0; i < some; i++)
            bound_row(s, &row[at + i], &rounded, from, i);
        if (tight) add_lengths(s, row + at, &rounded, some);
    }
}

/* The results of at most ROWS rows. */
static void screen_strip(const Screen *s, ScreenRow *row, real *rough, real *largest, const real *x,
                         int rows)
{
    const int n = s->w.rows, k = s->w.columns, blocks = screen_blocks(s);
    gemm_packed(s->rough, (Result){ rough, n, s->b, 0 }, matrix_of(x, k), s->packed, rows, k, n);
    for (int i = 0; i < rows; i++) {
        real sum[4];
        row[i].greatest = (double)vector_exp_sums(largest + (size_t)i * (size_t)blocks, sum,
                                                  rough + (size_t)i * (size_t)n, n);
        row[i].sum = (double)sum[0];
        row[i].light = (double)sum[1];
        row[i].squares = (double)sum[2];
        row[i].light_squares = (double)sum[3];
        if (!isfinite(row[i].sum)) row[i].most = INFINITY;
    }
}

void screen_rows(Screen *s, ScreenRow *row, real *rough, real *largest, const real *x, int rows)
{
    const size_t n = (size_t)s->w.rows, k = (size_t)s->w.columns, blocks = (size_t)screen_blocks(s);
    const int parts = (rows + ROWS - 1) / ROWS;
    tighten_in_time(s, rows);
    bound_rows(s, row, x, rows, is_tight(s));
    for (int i = 0; i < parts; i++) {
        const int top = rows * i / parts, some = rows * (i + 1) / parts - top;
        screen_strip(s, row + top, rough + (size_t)top * n, largest + (size_t)top * blocks,
                     x + (size_t)top * k, some);
    }
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

/* What is left of the sums without the columns that are known. heavy: of those that are not light.
 * The sums are off by 2^-14: a column of which that may decide whether it is light stays. */
typedef struct { double all, squares, light, light_squares, heavy; } Rest;

static Rest rest_of(const ScreenRow *row, const real *rough, const int *column, int count)
{
    const double border = (double)VECTOR_LIGHT, uncertain = ldexp(border, -12);
    Rest r = { row->sum, row->squares, row->light, row->light_squares, row->sum - row->light };
    for (int i = 0; i < count; i++) {
        const double p = exp((double)rough[column[i]] - row->greatest);
        const int is_light = p < border - uncertain, is_heavy = p > border + uncertain;
        r.all -= p;
        r.squares -= p * p;
        r.light -= is_light * p;
        r.light_squares -= is_light * p * p;
        r.heavy -= is_heavy * p;
    }
    return (Rest){ fmax(r.all, 0), fmax(r.squares, 0), fmax(r.light, 0),
                   fmax(r.light_squares, 0), fmax(r.heavy, 0) };
}

/* How far a sum of exp is off at most. */
typedef struct { double below, above; } Range;

static Range nearer(Range a, Range b)
{
    return (Range){ fmin(a.below, b.below), fmin(a.above, b.above) };
}

/* With p_j = exp(rough_j) of the columns that are not known, and their errors e_j, at most E, the
 * sum of p_j (exp(e_j) - 1) is from sum of p_j (exp(-E) - 1) to sum of p_j (exp(E) - 1). It is also
 * the sum of p_j e_j, at most |p| |e|, and one of p_j (exp(e_j) - 1 - e_j), which is from 0 to
 * p_j S with S = exp(E) - 1 - E, and at most p_j S e_j²/E² <= p_j |e_j| S/E. This holds for
 * some of the columns, too. It is used for all and, since what is left of the squares is not known
 * well where one is large, for the light ones. */
static Range range_of(const ScreenRow *row, const Rest *rest, double rounding)
{
    const double less = -expm1(-row->most), more = expm1(row->most), second = more - row->most;
    const double all = sqrt(rest->squares + rounding * row->squares) * row->along;
    const double light = sqrt(rest->light_squares + rounding * row->light_squares) * row->along;
    const double lost = rounding * row->sum * (1 + more) + row->base * rest->all;
    const double share = second / row->most, by_base = share * row->base * rest->all;
    Range r = { rest->all * less, rest->all * more };
    r = nearer(r, (Range){ all, all + fmin(rest->all * second, all * share + by_base) });
    r = nearer(r, (Range){ light + rest->heavy * less,
                           light + fmin(rest->light * second, light * share + by_base)
                           + rest->heavy * more });
    return (Range){ r.below + lost, r.above + lost };
}

ScreenSum screen_log_sum(const Screen *s, const ScreenRow *row, const real *rough,
                         const real *result, const int *column, int count)
{
    const Rest rest = rest_of(row, rough, column, count);
    const double rounding = sum_rounding(s->w.rows, 0) + ldexp(1, -13);
    double all = rest.all;
    for (int i = 0; i < count; i++)
        all += exp((double)result[i] - row->greatest);
    const Range error = range_of(row, &rest, rounding);
    const double upper = log(all + error.above);
    const double lower = all > error.below ? log(all - error.below) : -INFINITY;
    const double value = row->greatest + (upper + lower) / 2;
    if (!(row->most < 1) || !isfinite(lower)) return (ScreenSum){ row->greatest, INFINITY };
    return (ScreenSum){ value, (upper - lower) / 2 + sum_rounding(s->w.rows, value) };
}
