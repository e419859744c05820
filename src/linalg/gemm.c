/* gemm.c - cuts a product into blocks for the caches, and blocks into strips for a kernel. */
#include "linalg/gemm.h"

#include "base/real.h"
#include "linalg/kernels.h"

#include <string.h>

static const Kernel *kernel_of(Precision precision)
{
    return kernels_of_cpu()->of[precision];
}

/* Words that a part of k values takes. */
static int words(const Kernel *kernel, int k)
{
    const int each = kernel->values * kernel->multiple;
    return (k + each - 1) / each * kernel->multiple;
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

/* The words of a few rows of A, and the panels of B that it is multiplied by, `distance` apart. */
typedef struct {
    const real *words;
    ptrdiff_t   stride;
    int         by_row, rows;
} Strip;

typedef struct {
    const real *first;
    size_t      distance;
} Panels;

/* The last panel, where it reaches beyond C: in a tile of its own, of which the part that C has is
 * copied. Inlined, it would take that tile's stack from all products. */
__attribute__((noinline))
static void edge(const Kernel *kernel, Result r, const Strip *a, const real *panel, int k,
                 int columns)
{
    _Alignas(MAX_VECTOR_BYTES) real whole[MAX_TILE_ROWS * MAX_TILE_COLUMNS];
    const int ld = kernel->columns;
    const size_t width = (size_t)columns * sizeof *whole;
    memset(whole, 0, (size_t)(a->rows * ld) * sizeof *whole);
    for (int i = 0; r.start && i < a->rows; i++)
        memcpy(whole + i * ld, r.start + i * r.start_row, width);
    const Result tile = { whole, ld, whole, ld };
    kernel->tiles[a->rows][a->by_row](a->rows, &tile, a->words, a->stride, panel, k);
    for (int i = 0; i < a->rows; i++)
        memcpy(r.c + i * r.row, whole + i * ld, width);
}

/* Fetches the k short runs of the next `rows` rows of a transposed A, which no hardware
 * foresees. */
static void prefetch(Operand a, int rows, int k)
{
    enum { LINE = 64 / sizeof(real) };
    for (int p = 0; p < k; p++)
        for (int i = min_int(rows, LINE) / 2; i < rows; i += LINE)
            __builtin_prefetch(a.x + p * a.column + i);
}

/* C (rows,n) = start + strip · B, with k in words. */
static void strip_product(const Kernel *kernel, Result r, const Strip *a, Panels b, int k, int n)
{
    Tile *compute = kernel->tiles[a->rows][a->by_row];
    const int width = kernel->columns;
    if (kernel->begin) kernel->begin(a->rows);
    for (int j = 0; j < n; j += width, b.first += b.distance) {
        const Result at = result_at(r, 0, j);
        if (n - j < width) edge(kernel, at, a, b.first, k, n - j);
        else compute(a->rows, &at, a->words, a->stride, b.first, k);
    }
    if (kernel->end) kernel->end();
}

/* C (m,n) = start + A (m,k) · B. A strip of rows of A stays in the first cache while the panels
 * pass. */
static void block(const Kernel *kernel, Result r, Operand a, Panels b, int m, int k, int n)
{
    _Alignas(MAX_VECTOR_BYTES) real copy[STRIP_WORDS];
    const int by_row = kernel->by_row || a.column == 1;
    const int strips = (m + kernel->rows - 1) / kernel->rows;
    for (int s = 0; s < strips; s++) {
        const int top = (int)((long)m * s / strips), rows = (int)((long)m * (s + 1) / strips) - top;
        const Operand part = operand_at(a, top, 0);
        const Result at = result_at(r, top, 0);
        if (!by_row && s + 1 < strips) prefetch(operand_at(part, rows, 0), kernel->rows, k);
        Strip strip = { part.x, by_row ? a.row : a.column, by_row, rows };
        if (kernel->strip) {
            kernel->strip(copy, part, rows, k);
            strip.words = copy;
            strip.stride = kernel->stride[by_row];
        }
        strip_product(kernel, at, &strip, b, words(kernel, k), n);
    }
}

/* ---- how B is cut ---- */

/* Into equal parts, no larger than the caches want them; at least one word and one panel. */
typedef struct { int k, n; } Cut;

/* Panels that n columns of B take. */
static int panels_of(const Kernel *kernel, int n)
{
    return (n + kernel->columns - 1) / kernel->columns;
}

static int equal_parts(int size, int most)
{
    const int parts = (size + most - 1) / most;
    return parts ? (size + parts - 1) / parts : 1;
}

static Cut cut_of(const Kernel *kernel, int k, int n)
{
    const int steps = (k + kernel->step - 1) / kernel->step;
    const int depth = equal_parts(steps, DEPTH) * kernel->step;
    const int rows = kernel->head + words(kernel, depth);
    const int width = BLOCK / rows / kernel->columns * kernel->columns;
    const int panels = panels_of(kernel, equal_parts(n, width));
    return (Cut){ depth, panels * kernel->columns };
}

/* ---- panels ---- */

/* Reals of a part of k rows of B in a panel. */
static size_t part_size(const Kernel *kernel, int k)
{
    return (size_t)(kernel->head + words(kernel, k)) * (size_t)kernel->columns;
}

/* Where in a panel the part that begins with row l of B is. */
static size_t part_at(const Kernel *kernel, Cut cut, int l)
{
    return (size_t)(l / cut.k) * part_size(kernel, cut.k);
}

/* Reals of a panel of k rows of B. */
static size_t panel_size(const Kernel *kernel, int k)
{
    const Cut cut = cut_of(kernel, k, 0);
    const int last = k ? (k - 1) / cut.k * cut.k : 0;
    return part_at(kernel, cut, last) + part_size(kernel, k - last);
}

size_t gemm_packed_size(Precision precision, int k, int n)
{
    const Kernel *kernel = kernel_of(precision);
    return panel_size(kernel, k) * (size_t)panels_of(kernel, n);
}

static int part_start(int count, int worker, int workers)
{
    return (int)((long)count * worker / workers);
}

void gemm_pack(Precision precision, real *packed, Operand b, int k, int n, Portion portion)
{
    const Kernel *kernel = kernel_of(precision);
    const Cut cut = cut_of(kernel, k, n);
    const int count = panels_of(kernel, n);
    const int end = part_start(count, portion.worker + 1, portion.workers);
    for (int i = part_start(count, portion.worker, portion.workers); i < end; i++) {
        const int j = i * kernel->columns, columns = min_int(kernel->columns, n - j);
        real *panel = packed + (size_t)i * panel_size(kernel, k);
        for (int l = 0; l == 0 || l < k; l += cut.k)
            kernel->pack(panel + part_at(kernel, cut, l), operand_at(b, l, j),
                         min_int(cut.k, k - l), columns);
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
    _Alignas(MAX_VECTOR_BYTES) real panels[BLOCK];
    const Kernel *kernel = kernel_of(precision);
    const Cut cut = cut_of(kernel, k, n);
    for (int j = 0; j < n; j += cut.n)
        for (int l = 0; l == 0 || l < k; l += cut.k) {
            const int depth = min_int(cut.k, k - l), width = min_int(cut.n, n - j);
            gemm_pack(precision, panels, operand_at(b, l, j), depth, width, (Portion){ 0, 1 });
            block(kernel, columns_from(r, l, j), operand_at(a, 0, l),
                  (Panels){ panels, panel_size(kernel, depth) }, m, depth, width);
        }
}

void gemm_packed(Precision precision, Result r, Operand a, const real *packed, int m, int k, int n)
{
    const Kernel *kernel = kernel_of(precision);
    const size_t distance = panel_size(kernel, k);
    const Cut cut = cut_of(kernel, k, n);
    for (int j = 0; j < n; j += cut.n)
        for (int l = 0; l == 0 || l < k; l += cut.k) {
            const real *first = packed + (size_t)(j / kernel->columns) * distance
                                + part_at(kernel, cut, l);
            block(kernel, columns_from(r, l, j), operand_at(a, 0, l), (Panels){ first, distance },
                  m, min_int(cut.k, k - l), min_int(cut.n, n - j));
        }
}
