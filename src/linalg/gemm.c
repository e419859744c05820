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

static Operand operand_at(Operand o, ptrdiff_t i, ptrdiff_t j)
{
    o.x += i * o.row + j * o.column;
    return o;
}

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
    kernel->tiles[a->rows][a->by_row](&tile, a, (Panels){ panel, 0 }, k, ld);
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
    const int panels = n / kernel->columns, whole = panels * kernel->columns;
    if (whole) kernel->tiles[a->rows][a->by_row](&r, a, b, k, whole);
    if (whole < n)
        edge(kernel, result_at(r, 0, whole), a, b.first + (size_t)panels * b.distance, k, n - whole);
}

/* Where the words of A are: a place for each strip of a product, written with the first columns of
 * B, or one for all strips. */
typedef struct {
    real *words;
    int   has_all, is_written;
} Room;

static int strips_of(const Kernel *kernel, int m)
{
    return (m + kernel->rows - 1) / kernel->rows;
}

/* Strips are of equal size; where registers are configured, all but the last one fill them. */
static int strip_top(const Kernel *kernel, int m, int s)
{
    if (kernel->begin) return min_int(s * kernel->rows, m);
    return (int)((long)m * s / strips_of(kernel, m));
}

/* Reals of a strip of k values. */
static size_t strip_size(const Kernel *kernel, int k)
{
    return 2 * MAX_TILE_ROWS + (size_t)(kernel->strip_row * words(kernel, k));
}

/* Strip s of A (m,k). */
static Strip strip_of(const Kernel *kernel, Operand a, int m, int k, int s, Room room)
{
    const int by_row = kernel->by_row || a.column == 1;
    const int top = strip_top(kernel, m, s), rows = strip_top(kernel, m, s + 1) - top;
    const Operand part = operand_at(a, top, 0);
    if (!by_row && top + rows < m) prefetch(operand_at(part, rows, 0), kernel->rows, k);
    if (!kernel->strip) return (Strip){ part.x, by_row ? a.row : a.column, by_row, rows };
    real *written = room.words + (room.has_all ? s * strip_size(kernel, k) : 0) + MAX_TILE_ROWS;
    if (!room.is_written) kernel->strip(written, part, rows, k);
    return (Strip){ written, kernel->stride[by_row] * (by_row ? words(kernel, k) : 1), by_row, rows };
}

/* C (m,n) = start + A (m,k) · B. A strip of rows of A stays in the first cache while the panels
 * pass. */
static void block(const Kernel *kernel, Result r, Operand a, Panels b, int m, int k, int n,
                  Room room)
{
    int configured = 0;
    for (int s = 0; s < strips_of(kernel, m); s++) {
        const Strip strip = strip_of(kernel, a, m, k, s, room);
        if (kernel->begin && strip.rows != configured) kernel->begin(configured = strip.rows);
        strip_product(kernel, result_at(r, strip_top(kernel, m, s), 0), &strip, b, words(kernel, k),
                      n);
    }
    if (configured) kernel->end();
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
    const int depth = equal_parts(steps, kernel->depth) * kernel->step;
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
    _Alignas(MAX_VECTOR_BYTES) real panels[BLOCK], strip[STRIP_WORDS];
    const Kernel *kernel = kernel_of(precision);
    const Cut cut = cut_of(kernel, k, n);
    for (int j = 0; j < n; j += cut.n)
        for (int l = 0; l == 0 || l < k; l += cut.k) {
            const int depth = min_int(cut.k, k - l), width = min_int(cut.n, n - j);
            gemm_pack(precision, panels, operand_at(b, l, j), depth, width, (Portion){ 0, 1 });
            block(kernel, columns_from(r, l, j), operand_at(a, 0, l),
                  (Panels){ panels, panel_size(kernel, depth) }, m, depth, width,
                  (Room){ .words = strip });
        }
}

void gemm_packed(Precision precision, Result r, Operand a, const real *packed, int m, int k, int n)
{
    _Alignas(MAX_VECTOR_BYTES) real strips[BLOCK];
    const Kernel *kernel = kernel_of(precision);
    const size_t distance = panel_size(kernel, k);
    const Cut cut = cut_of(kernel, k, n);
    const int has_all = k <= cut.k && strips_of(kernel, m) * strip_size(kernel, k) <= BLOCK;
    for (int j = 0; j < n; j += cut.n)
        for (int l = 0; l == 0 || l < k; l += cut.k) {
            const real *first = packed + (size_t)(j / kernel->columns) * distance
                                + part_at(kernel, cut, l);
            block(kernel, columns_from(r, l, j), operand_at(a, 0, l), (Panels){ first, distance },
                  m, min_int(cut.k, k - l), min_int(cut.n, n - j),
                  (Room){ strips, has_all, has_all && j });
        }
}
