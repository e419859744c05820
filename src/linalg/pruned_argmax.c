/* pruned_argmax.c - the bounds, and the search below them. */
#include "linalg/pruned_argmax.h"

#include "base/min.h"
#include "base/mem.h"
#include "linalg/prepacked.h"

#include <math.h>
#include <stdlib.h>

enum { BLOCK = PRUNED_ARGMAX_BLOCK };

/* Results in 8 bits at a time, so that they stay in the second cache: three strips of rows
 * (linalg/gemm_simd.h). */
enum { ROWS = 42, COLUMNS = 1024 };

struct PrunedArgmax {
    Linear      w;
    const real *b;
    int         blocks;
    Precision   rough;              /* in which results are bounded */
    real       *packed;             /* w in that precision */
    double     *sum, *largest;      /* (blocks) the greatest sum |w_i| of a row, and |w_i| */
    double     *bias;               /* (blocks) the greatest |b| */
    Linear     *part;               /* (blocks) the rows of w, with copies once they are needed */
    Prepacked  *copy;               /* (blocks) */
    real       *copies;             /* their memory */
};

/* ---- the weight ---- */

static void measure_row(PrunedArgmax *p, int j)
{
    const int block = j / BLOCK, k = p->w.columns;
    const real *row = p->w.weights + (size_t)j * p->w.ld;
    p->sum[block] = fmax(p->sum[block], (double)vector_absolute_sum(row, k));
    p->largest[block] = fmax(p->largest[block], (double)vector_absolute_largest(row, k));
    p->bias[block] = fmax(p->bias[block], fabs((double)p->b[j]));
}

static void measure(PrunedArgmax *p)
{
    p->sum = xcalloc((size_t)p->blocks, sizeof *p->sum);
    p->largest = xcalloc((size_t)p->blocks, sizeof *p->largest);
    p->bias = xcalloc((size_t)p->blocks, sizeof *p->bias);
    for (int j = 0; j < p->w.rows; j++)
        measure_row(p, j);
}

static void pack_rough(PrunedArgmax *p)
{
    const int k = p->w.columns, n = p->w.rows;
    p->rough = gemm_has(PRECISION_INT8) ? PRECISION_INT8 : PRECISION_FLOAT;
    p->packed = xaligned_raw(gemm_packed_size(p->rough, k, n), sizeof *p->packed);
    gemm_pack(p->rough, p->packed, transposed(p->w.weights, p->w.ld), k, n,
              (Portion){ 0, 1 });
}

/* Cuts w into blocks, whose copies have room. */
static void cut(PrunedArgmax *p)
{
    Linear part = p->w;
    part.rows = BLOCK;
    const size_t size = prepacked_forward_size(&part);
    p->part = xcalloc((size_t)p->blocks, sizeof *p->part);
    p->copy = xcalloc((size_t)p->blocks, sizeof *p->copy);
    if (size) p->copies = xaligned_raw(size * (size_t)p->blocks, sizeof *p->copies);
    for (int i = 0; i < p->blocks; i++) {
        p->copy[i].forward = size ? p->copies + size * (size_t)i : NULL;
        atomic_init(&p->copy[i].state, PREPACKED_LATER);
        part.weights = p->w.weights + (size_t)i * BLOCK * p->w.ld;
        part.rows = min_int(BLOCK, p->w.rows - i * BLOCK);
        part.prepacked = &p->copy[i];
        p->part[i] = part;
    }
}

PrunedArgmax *pruned_argmax_new_anywhere(const Linear *w, const real *b)
{
    PrunedArgmax *p = xcalloc(1, sizeof *p);
    p->w = *w;
    p->b = b;
    p->blocks = (w->rows + BLOCK - 1) / BLOCK;
    measure(p);
    pack_rough(p);
    cut(p);
    return p;
}

PrunedArgmax *pruned_argmax_new(const Linear *w, const real *b)
{
    const int is_rough = w->precision == PRECISION_INT8;
    if (is_rough || !gemm_multiplies(w->precision) || !gemm_has(PRECISION_INT8)) return NULL;
    return pruned_argmax_new_anywhere(w, b);
}

void pruned_argmax_free(PrunedArgmax *p)
{
    if (!p) return;
    free(p->packed);
    free(p->sum);
    free(p->largest);
    free(p->bias);
    free(p->part);
    free(p->copy);
    free(p->copies);
    free(p);
}

int pruned_argmax_blocks(const PrunedArgmax *p)
{
    return p->blocks;
}

/* ---- the bounds ---- */

/* The error of a row's results in a block is at most
 * base + of_sum * sum + of_largest * largest + of_bias * bias. */
typedef struct { double base, of_sum, of_largest, of_bias; } Errors;

/* How far results in both precisions can be apart: the errors of linalg/precision.h, with
 * sum |x_i| |w_i| <= max |x| sum |w|, and of float (Higham 2002, section 3.1); what is rounded on
 * the way is far less than the same again. */
static Errors errors_of(const PrunedArgmax *p, const real *x)
{
    const int is_bf16 = p->w.precision == PRECISION_BF16, k = p->w.columns;
    const double u = ldexp(1, -24), tiny = 1e-20, rounding = ((is_bf16 ? 2 : 1) * k + 64) * u;
    const double sum = (double)vector_absolute_sum(x, k);
    const double largest = (double)vector_absolute_largest(x, k);
    const double half = p->rough == PRECISION_INT8 ? (0.5 + ldexp(1, -15)) / 127 : 0;
    const double bf16 = is_bf16 ? ldexp(1, -7) + ldexp(1, -16) : 0;
    return (Errors){ .base = tiny * (1 + sum), .of_sum = (half + bf16 + rounding) * largest + tiny,
                     .of_largest = half * (sum + half * k * largest) * (1 + rounding),
                     .of_bias = rounding };
}

/* The rough results of some rows in the columns from `first` on, and the greatest of each block. */
static void bound_blocks(const PrunedArgmax *p, real *bound, Operand x, int rows, int first)
{
    _Alignas(64) real result[ROWS * COLUMNS];
    const int k = p->w.columns, columns = min_int(COLUMNS, p->w.rows - first);
    const size_t before = (size_t)(first / BLOCK) * gemm_packed_size(p->rough, k, BLOCK);
    gemm_packed(p->rough, (Result){ result, COLUMNS, p->b + first, 0 }, x,
                p->packed + before, rows, k, columns);
    for (int i = 0; i < rows; i++)
        vector_largest(bound + (ptrdiff_t)i * p->blocks + first / BLOCK,
                       result + (ptrdiff_t)i * COLUMNS, columns);
}

/* A row that is no number has no bound. */
static void add_errors(const PrunedArgmax *p, real *bound, const real *x)
{
    const Errors e = errors_of(p, x);
    const int is_bounded = isfinite(e.base + e.of_sum + e.of_largest);
    for (int j = 0; j < p->blocks; j++) {
        const double error = e.base + e.of_sum * p->sum[j] + e.of_largest * p->largest[j]
                             + e.of_bias * p->bias[j];
        bound[j] = is_bounded ? (real)((double)bound[j] + error) : (real)INFINITY;
    }
}

void pruned_argmax_bounds(const PrunedArgmax *p, real *bound, const real *x, int ldx, int rows)
{
    const int parts = (rows + ROWS - 1) / ROWS;
    for (int first = 0; first < p->w.rows; first += COLUMNS)
        for (int i = 0; i < parts; i++) {
            const int top = rows * i / parts, some = rows * (i + 1) / parts - top;
            bound_blocks(p, bound + (ptrdiff_t)top * p->blocks,
                         matrix_of(x + (ptrdiff_t)top * ldx, ldx), some, first);
        }
    for (int i = 0; i < rows; i++)
        add_errors(p, bound + (ptrdiff_t)i * p->blocks, x + (ptrdiff_t)i * ldx);
}

/* ---- the results themselves ---- */

/* By our kernels on every CPU: OpenBLAS's results depend on how many there are. */
int pruned_argmax_block(const PrunedArgmax *p, real result[PRUNED_ARGMAX_BLOCK], const real *x,
                        int block)
{
    const Linear *w = &p->part[block];
    const Result r = { result, BLOCK, p->b + (size_t)block * BLOCK, 0 };
    const Operand row = matrix_of(x, w->columns), columns = transposed(w->weights, w->ld);
    const real *prepacked = prepacked_forward(w);
    if (prepacked) gemm_packed(w->precision, r, row, prepacked, 1, w->columns, w->rows);
    else gemm(w->precision, r, row, columns, 1, w->columns, w->rows);
    return w->rows;
}

/* ---- the greatest ---- */

typedef struct { int id; real result; } Best;

static int is_among(int id, const int *list, int count)
{
    for (int i = 0; i < count; i++)
        if (list[i] == id) return 1;
    return 0;
}

static int goes_before(const Best *best, real result, int id)
{
    return best->id < 0 || result > best->result || (result == best->result && id < best->id);
}

static void look_at(const PrunedArgmax *p, Best *best, const real *x, int block,
                    const int *forbidden, int count)
{
    real result[BLOCK];
    const int width = pruned_argmax_block(p, result, x, block);
    for (int j = 0; j < width; j++) {
        const int id = block * BLOCK + j;
        if (!isnan(result[j]) && goes_before(best, result[j], id)
            && !is_among(id, forbidden, count))
            *best = (Best){ id, result[j] };
    }
}

static int most_promising(const real *bound, int blocks)
{
    int at = 0;
    for (int i = 1; i < blocks; i++)
        if (bound[i] > bound[at]) at = i;
    return at;
}

int pruned_argmax_find(const PrunedArgmax *p, const real *bound, const real *x,
                       const int *forbidden, int count)
{
    Best best = { -1, 0 };
    const int first = most_promising(bound, p->blocks);
    look_at(p, &best, x, first, forbidden, count);
    for (int i = 0; i < p->blocks; i++)
        if (i != first && (best.id < 0 || bound[i] >= best.result))
            look_at(p, &best, x, i, forbidden, count);
    return isfinite(best.result) ? best.id : -1;
}
