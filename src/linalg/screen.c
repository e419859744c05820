/* screen.c - the bounds, and the search below them. */
#include "linalg/screen.h"

#include "base/lesser.h"
#include "base/mem.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Results in 8 bits at a time, so that they stay in the second cache: three strips of rows (linalg/gemm_kernel.h). */
enum { ROWS = 42, COLUMNS = 1024 };

struct Screen {
    Precision       precision, rough;
    const real     *w, *b;
    int             ldw, k, n, blocks;
    real           *panels;         /* of w in the rough precision */
    double         *sum, *largest;  /* (blocks) the greatest sum |w_i| of a row of the block, the greatest |w_i| */
    double         *bias;           /* (blocks) the greatest |b| */
    _Atomic(real *) exact[];        /* (blocks) panels in the precision of the results, once they are needed */
};

/* ---- the weight ---- */

static void add_row(Screen *s, int j)
{
    const int block = j / SCREEN_BLOCK;
    const real *row = s->w + (size_t)j * s->ldw;
    s->sum[block] = fmax(s->sum[block], (double)vector_absolute_sum(row, s->k));
    s->largest[block] = fmax(s->largest[block], (double)vector_absolute_largest(row, s->k));
    s->bias[block] = fmax(s->bias[block], fabs((double)s->b[j]));
}

Screen *screen_always(const Linear *w, const real *b)
{
    const int k = w->columns, n = w->rows, blocks = (n + SCREEN_BLOCK - 1) / SCREEN_BLOCK;
    const Precision rough = gemm_has(PRECISION_INT8) ? PRECISION_INT8 : PRECISION_FLOAT;
    Screen *s = xcalloc(1, sizeof *s + (size_t)blocks * sizeof *s->exact);
    s->precision = w->precision;
    s->rough = rough;
    s->w = w->weights;
    s->b = b;
    s->ldw = w->ld;
    s->k = k;
    s->n = n;
    s->blocks = blocks;
    s->panels = xaligned_raw(gemm_panels(rough, k, n), sizeof *s->panels);
    gemm_pack(rough, s->panels, transposed(w->weights, w->ld), k, n, (Portion){ 0, 1 });
    s->sum = xcalloc((size_t)blocks, sizeof *s->sum);
    s->largest = xcalloc((size_t)blocks, sizeof *s->largest);
    s->bias = xcalloc((size_t)blocks, sizeof *s->bias);
    for (int j = 0; j < n; j++)
        add_row(s, j);
    for (int i = 0; i < blocks; i++)
        atomic_init(&s->exact[i], NULL);
    return s;
}

Screen *screen_new(const Linear *w, const real *b)
{
    const int is_faster = gemm_is_fastest() && gemm_has(PRECISION_INT8) && w->precision != PRECISION_INT8;
    return is_faster ? screen_always(w, b) : NULL;
}

void screen_free(Screen *s)
{
    if (!s) return;
    for (int i = 0; i < s->blocks; i++)
        free(atomic_load(&s->exact[i]));
    free(s->panels);
    free(s->sum);
    free(s->largest);
    free(s->bias);
    free(s);
}

int screen_blocks(const Screen *s)
{
    return s->blocks;
}

/* ---- the bounds ---- */

/* The error of a row's results in a block is at most base + of_sum * sum + of_largest * largest + of_bias * bias. */
typedef struct { double base, of_sum, of_largest, of_bias; } Errors;

/* How far results in both precisions can be apart: the errors of linalg/precision.h, with sum |x_i| |w_i| <= max |x| sum |w|, and
 * of float (Higham 2002, section 3.1); what is rounded on the way is far less than the same again. */
static Errors errors_of(const Screen *s, const real *x)
{
    const int is_bf16 = s->precision == PRECISION_BF16;
    const double u = ldexp(1, -24), tiny = 1e-20, rounding = ((is_bf16 ? 2 : 1) * s->k + 64) * u;
    const double sum = (double)vector_absolute_sum(x, s->k), largest = (double)vector_absolute_largest(x, s->k);
    const double half = s->rough == PRECISION_INT8 ? (0.5 + ldexp(1, -15)) / 127 : 0;
    const double bf16 = is_bf16 ? ldexp(1, -7) + ldexp(1, -16) : 0;
    return (Errors){ .base = tiny * (1 + sum), .of_sum = (half + bf16 + rounding) * largest + tiny,
                     .of_largest = half * (sum + half * s->k * largest) * (1 + rounding), .of_bias = rounding };
}

/* Of a block of rows and columns, from results in the rough precision. */
static void bound(const Screen *s, real *ceiling, const real *x, int ldx, int rows, int first, int columns)
{
    _Alignas(64) real result[ROWS * COLUMNS];
    const size_t panels = (size_t)(first / SCREEN_BLOCK) * gemm_panels(s->rough, s->k, SCREEN_BLOCK);
    gemm_packed(s->rough, (Result){ result, COLUMNS, s->b + first, 0 }, (Operand){ x, ldx, 1 }, s->panels + panels, rows,
                s->k, columns);
    for (int i = 0; i < rows; i++)
        vector_largest(ceiling + (ptrdiff_t)i * s->blocks + first / SCREEN_BLOCK, result + (ptrdiff_t)i * COLUMNS, columns);
}

/* A row that is no number has no bound. */
static void add_errors(const Screen *s, real *ceiling, const real *x)
{
    const Errors e = errors_of(s, x);
    const int is_bounded = isfinite(e.base + e.of_sum + e.of_largest);
    for (int j = 0; j < s->blocks; j++) {
        const double error = e.base + e.of_sum * s->sum[j] + e.of_largest * s->largest[j] + e.of_bias * s->bias[j];
        ceiling[j] = is_bounded ? (real)((double)ceiling[j] + error) : (real)INFINITY;
    }
}

void screen_ceilings(const Screen *s, real *ceiling, const real *x, int ldx, int rows)
{
    const int parts = (rows + ROWS - 1) / ROWS;
    for (int first = 0; first < s->n; first += COLUMNS)
        for (int i = 0; i < parts; i++) {
            const int top = rows * i / parts, some = rows * (i + 1) / parts - top;
            bound(s, ceiling + (ptrdiff_t)top * s->blocks, x + (ptrdiff_t)top * ldx, ldx, some, first,
                  lesser(COLUMNS, s->n - first));
        }
    for (int i = 0; i < rows; i++)
        add_errors(s, ceiling + (ptrdiff_t)i * s->blocks, x + (ptrdiff_t)i * ldx);
}

/* ---- the results themselves ---- */

/* The block of w as gemm reads it; perhaps another thread makes it at this moment, too. */
static const real *exact_panels(Screen *s, int block, int width)
{
    real *made = NULL, *found = atomic_load_explicit(&s->exact[block], memory_order_acquire);
    if (found) return found;
    const Operand b = { s->w + (size_t)block * SCREEN_BLOCK * s->ldw, 1, s->ldw };
    made = xaligned_raw(gemm_panels(s->precision, s->k, width), sizeof *made);
    gemm_pack(s->precision, made, b, s->k, width, (Portion){ 0, 1 });
    if (atomic_compare_exchange_strong(&s->exact[block], &found, made)) return made;
    free(made);
    return found;
}

int screen_block(Screen *s, real result[SCREEN_BLOCK], const real *x, int block)
{
    const int width = lesser(SCREEN_BLOCK, s->n - block * SCREEN_BLOCK);
    const Result r = { result, SCREEN_BLOCK, s->b + (size_t)block * SCREEN_BLOCK, 0 };
    gemm_packed(s->precision, r, (Operand){ x, s->k, 1 }, exact_panels(s, block, width), 1, s->k, width);
    return width;
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

static void look_at(Screen *s, Best *best, const real *x, int block, const int *forbidden, int count)
{
    real result[SCREEN_BLOCK];
    const int width = screen_block(s, result, x, block);
    for (int j = 0; j < width; j++) {
        const int id = block * SCREEN_BLOCK + j;
        if (!isnan(result[j]) && goes_before(best, result[j], id) && !is_among(id, forbidden, count))
            *best = (Best){ id, result[j] };
    }
}

static int most_promising(const real *ceiling, int blocks)
{
    int at = 0;
    for (int i = 1; i < blocks; i++)
        if (ceiling[i] > ceiling[at]) at = i;
    return at;
}

int screen_best(Screen *s, const real *ceiling, const real *x, const int *forbidden, int count)
{
    Best best = { -1, 0 };
    const int first = most_promising(ceiling, s->blocks);
    look_at(s, &best, x, first, forbidden, count);
    for (int i = 0; i < s->blocks; i++)
        if (i != first && (best.id < 0 || ceiling[i] >= best.result)) look_at(s, &best, x, i, forbidden, count);
    return best.id;
}
