/* gemm.c - cuts a product into blocks for the caches and strips for a kernel. */
#include "linalg/gemm.h"

#include "base/min.h"
#include "linalg/gemm_kernel.h"

#include <string.h>

int gemm_is_fastest(void)
{
#ifdef REAL_DOUBLE
    return 0;
#else
    return VECTOR_BYTES == 64;
#endif
}

static const Kernel *kernel_of(Precision precision)
{
    return precision == PRECISION_INT8 ? &kernel_int8 : precision == PRECISION_BF16 ? &kernel_bf16 : &kernel_float;
}

int gemm_has(Precision precision)
{
    return kernel_of(precision)->values > 0;
}

/* Words that hold k values. */
static int words(const Kernel *kernel, int k)
{
    return (k + kernel->values - 1) / kernel->values;
}

/* ---- a block ---- */

static Result result_at(Result r, ptrdiff_t i, ptrdiff_t j)
{
    r.c += i * r.row + j;
    if (r.start) r.start += i * r.start_row + j;
    return r;
}

static Operand operand_at(Operand o, ptrdiff_t i, ptrdiff_t j)
{
    o.x += i * o.row + j * o.column;
    return o;
}

/* The last panel, where it reaches beyond C: in a tile of its own, of which the part that C has is copied. */
static void edge(Tile *compute, Result r, const real *a, ptrdiff_t stride, const real *panel, int rows, int k,
                 int columns)
{
    real whole[MOST_ROWS * TILE_COLUMNS] = { 0 };
    const size_t width = (size_t)columns * sizeof *whole;
    for (int i = 0; r.start && i < rows; i++)
        memcpy(whole + i * TILE_COLUMNS, r.start + i * r.start_row, width);
    compute((Result){ whole, TILE_COLUMNS, whole, TILE_COLUMNS }, a, stride, panel, k);
    for (int i = 0; i < rows; i++)
        memcpy(r.c + i * r.row, whole + i * TILE_COLUMNS, width);
}

/* Asks for the k short runs of the next rows of a transposed A: no hardware guesses them. */
static void prefetch(Operand a, int k)
{
    for (int p = 0; p < k; p++)
        __builtin_prefetch(a.x + p * a.column + TILE_ROWS / 2);
}

/* C (rows,n) = start + strip · B, with the strip in words. */
static void strip_product(const Kernel *kernel, Result r, const real *strip, int by_row, ptrdiff_t stride,
                          const real *panels, size_t distance, int rows, int k, int n)
{
    Tile *compute = kernel->tiles[rows][by_row];
    for (int j = 0; j < n; j += TILE_COLUMNS, panels += distance) {
        const Result at = result_at(r, 0, j);
        if (n - j < TILE_COLUMNS) edge(compute, at, strip, stride, panels, rows, k, n - j);
        else compute(at, strip, stride, panels, k);
    }
}

/* C (m,n) = start + A (m,k) · B, whose panels are `distance` apart. A strip of rows of A stays in the first cache
 * while the panels pass. */
static void block(const Kernel *kernel, Result r, Operand a, const real *panels, size_t distance, int m, int k, int n)
{
    _Alignas(VECTOR_BYTES) real copy[(TILE_ROWS + 2) * DEPTH];
    const int by_row = kernel->by_row || a.column == 1, strips = (m + TILE_ROWS - 1) / TILE_ROWS;
    for (int s = 0; s < strips; s++) {
        const int top = (int)((long)m * s / strips), rows = (int)((long)m * (s + 1) / strips) - top;
        const Operand strip = operand_at(a, top, 0);
        const Result at = result_at(r, top, 0);
        if (!by_row && s + 1 < strips) prefetch(operand_at(strip, rows, 0), k);
        if (!kernel->strip) {
            strip_product(kernel, at, strip.x, by_row, by_row ? a.row : a.column, panels, distance, rows, k, n);
            continue;
        }
        kernel->strip(copy, strip, rows, k);
        strip_product(kernel, at, copy, by_row, by_row ? DEPTH : LANES, panels, distance, rows, words(kernel, k), n);
    }
}

/* ---- how B is cut ---- */

/* Into equal parts, no larger than the caches want them; at least one word and one panel. */
typedef struct { int k, n; } Cut;

static int rounded(int n)
{
    return (n + TILE_COLUMNS - 1) / TILE_COLUMNS * TILE_COLUMNS;
}

static int equal_parts(int size, int most)
{
    const int parts = (size + most - 1) / most;
    return parts ? (size + parts - 1) / parts : 1;
}

static Cut cut_of(const Kernel *kernel, int k, int n)
{
    const int depth = equal_parts(words(kernel, k), DEPTH);
    const int width = BLOCK / (kernel->head + depth) / TILE_COLUMNS * TILE_COLUMNS;
    return (Cut){ depth * kernel->values, rounded(equal_parts(n, width)) };
}

/* ---- panels ---- */

/* Where the part that begins with row l of B stands in a panel: each part has a head of its own. */
static size_t part_at(const Kernel *kernel, Cut cut, int l)
{
    return (size_t)(l / cut.k * kernel->head + words(kernel, l)) * TILE_COLUMNS;
}

/* Of k rows of B. */
static size_t panel_size(const Kernel *kernel, int k)
{
    const Cut cut = cut_of(kernel, k, 0);
    const int parts = k ? (k + cut.k - 1) / cut.k : 1;
    return (size_t)(parts * kernel->head + words(kernel, k)) * TILE_COLUMNS;
}

size_t gemm_packed_size(Precision precision, int k, int n)
{
    return panel_size(kernel_of(precision), k) * (size_t)(rounded(n) / TILE_COLUMNS);
}

static int part_start(int count, int worker, int workers)
{
    return (int)((long)count * worker / workers);
}

void gemm_pack(Precision precision, real *panels, Operand b, int k, int n, Portion portion)
{
    const Kernel *kernel = kernel_of(precision);
    const Cut cut = cut_of(kernel, k, n);
    const int count = rounded(n) / TILE_COLUMNS, end = part_start(count, portion.worker + 1, portion.workers);
    for (int i = part_start(count, portion.worker, portion.workers); i < end; i++) {
        const int j = i * TILE_COLUMNS, columns = min_int(TILE_COLUMNS, n - j);
        real *panel = panels + (size_t)i * panel_size(kernel, k);
        for (int l = 0; l == 0 || l < k; l += cut.k)
            kernel->pack(panel + part_at(kernel, cut, l), operand_at(b, l, j), min_int(cut.k, k - l), columns);
    }
}

/* ---- the product ---- */

/* The columns from j; `start` is added to the first part, and the others to what it has left. */
static Result columns_from(Result r, int l, int j)
{
    if (l) r = (Result){ r.c, r.row, r.c, r.row };
    return result_at(r, 0, j);
}

void gemm(Precision precision, Result r, Operand a, Operand b, int m, int k, int n)
{
    _Alignas(VECTOR_BYTES) real panels[BLOCK];
    const Kernel *kernel = kernel_of(precision);
    const Cut cut = cut_of(kernel, k, n);
    for (int j = 0; j < n; j += cut.n)
        for (int l = 0; l == 0 || l < k; l += cut.k) {
            const int depth = min_int(cut.k, k - l), width = min_int(cut.n, n - j);
            gemm_pack(precision, panels, operand_at(b, l, j), depth, width, (Portion){ 0, 1 });
            block(kernel, columns_from(r, l, j), operand_at(a, 0, l), panels, panel_size(kernel, depth), m, depth,
                  width);
        }
}

void gemm_packed(Precision precision, Result r, Operand a, const real *panels, int m, int k, int n)
{
    const Kernel *kernel = kernel_of(precision);
    const size_t distance = panel_size(kernel, k);
    const Cut cut = cut_of(kernel, k, n);
    for (int j = 0; j < n; j += cut.n)
        for (int l = 0; l == 0 || l < k; l += cut.k)
            block(kernel, columns_from(r, l, j), operand_at(a, 0, l),
                  panels + (size_t)(j / TILE_COLUMNS) * distance + part_at(kernel, cut, l), distance, m,
                  min_int(cut.k, k - l), min_int(cut.n, n - j));
}
