/* gemm.c - tiles of C in registers, panels of B in the caches. */
#include "nn/gemm.h"

#include <string.h>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

/* A tile takes all vector registers but three or so: TILE_ROWS x 2 vectors of sums, two of B, one value of A. */
#if defined __AVX512F__
enum { VECTOR_BYTES = 64, TILE_ROWS = 14 };
#elif defined __AVX2__ && defined __FMA__
enum { VECTOR_BYTES = 32, TILE_ROWS = 6 };
#else
enum { VECTOR_BYTES = 16, TILE_ROWS = 4 };
#endif

enum {
    LANES        = VECTOR_BYTES / sizeof(real),
    TILE_COLUMNS = 2 * LANES,
    MOST_ROWS    = 14,                      /* of any tile above */
    DEPTH        = 384,                     /* rows of B at a time: a strip of A for them fits into the first cache */
    BLOCK        = (384 << 10) / sizeof(real)   /* values of B at a time: they stay in the second cache */
};

typedef real Vector __attribute__((vector_size(VECTOR_BYTES)));
typedef real Loose  __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(real)), may_alias));

int gemm_is_fastest(void)
{
#ifdef REAL_DOUBLE
    return 0;
#else
    return VECTOR_BYTES > 16;
#endif
}

/* ---- one tile ---- */

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define UNROLL        _Pragma("GCC unroll 14")

/* C (rows,TILE_COLUMNS) = start + A (rows,k) · panel (k,TILE_COLUMNS). `rows` and `by_row` are constants where this
 * is inlined, so the sums are registers. by_row: A's rows are contiguous and `stride` apart, else its columns.
 * Three rows share a pointer, since x86 adds a register 0, 1 or 2 times: fourteen pointers would leave no registers. */
ALWAYS_INLINE void tile(const int rows, const int by_row, Result r, const real *a, ptrdiff_t stride, const real *panel,
                        int k)
{
    Vector sum[MOST_ROWS][2];
    const real *third[(MOST_ROWS + 2) / 3];
    UNROLL for (int i = 0; i < rows; i++)
        for (int v = 0; v < 2; v++) {
            sum[i][v] = (Vector){ 0 };
            __builtin_prefetch(r.c + i * r.row + v * LANES, 1);
        }
    UNROLL for (int i = 0; i < rows; i += 3)
        third[i / 3] = a + (by_row ? i * stride : i);

    for (int p = 0; p < k; p++, panel += TILE_COLUMNS) {
        const Vector b0 = *(const Loose *)panel, b1 = *(const Loose *)(panel + LANES);
        const ptrdiff_t at = by_row ? p : p * stride;
        UNROLL for (int i = 0; i < rows; i++) {
            const real x = third[i / 3][(by_row ? i % 3 * stride : i % 3) + at];
            sum[i][0] += x * b0;
            sum[i][1] += x * b1;
        }
    }
    if (r.start) {
        UNROLL for (int i = 0; i < rows; i++)
            for (int v = 0; v < 2; v++) sum[i][v] += *(const Loose *)(r.start + i * r.start_row + v * LANES);
    }
    UNROLL for (int i = 0; i < rows; i++)
        for (int v = 0; v < 2; v++) *(Loose *)(r.c + i * r.row + v * LANES) = sum[i][v];
}

typedef void Tile(Result r, const real *a, ptrdiff_t stride, const real *panel, int k);

#define TILE(rows) \
    static void by_row_##rows(Result r, const real *a, ptrdiff_t stride, const real *panel, int k) \
    { \
        tile(rows, 1, r, a, stride, panel, k); \
    } \
    static void by_column_##rows(Result r, const real *a, ptrdiff_t stride, const real *panel, int k) \
    { \
        tile(rows, 0, r, a, stride, panel, k); \
    }
TILE(1) TILE(2) TILE(3) TILE(4) TILE(5) TILE(6) TILE(7)
TILE(8) TILE(9) TILE(10) TILE(11) TILE(12) TILE(13) TILE(14)

#define BOTH(rows) [rows] = { by_column_##rows, by_row_##rows }
static Tile *const tiles[MOST_ROWS + 1][2] = {
    BOTH(1), BOTH(2), BOTH(3), BOTH(4), BOTH(5), BOTH(6), BOTH(7),
    BOTH(8), BOTH(9), BOTH(10), BOTH(11), BOTH(12), BOTH(13), BOTH(14),
};

/* ---- a block ---- */

static Result result_at(Result r, ptrdiff_t i, ptrdiff_t j)
{
    r.c += i * r.row + j;
    if (r.start) r.start += i * r.start_row + j;
    return r;
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
static void prefetch(const real *a, ptrdiff_t stride, int k)
{
    for (int p = 0; p < k; p++)
        __builtin_prefetch(a + p * stride + TILE_ROWS / 2);
}

/* C (m,n) = start + A (m,k) · B, whose panels are `distance` apart. A strip of rows of A stays in the first cache
 * while the panels pass. */
static void block(Result r, Operand a, const real *panels, size_t distance, int m, int k, int n)
{
    const int by_row = a.column == 1, strips = (m + TILE_ROWS - 1) / TILE_ROWS;
    const ptrdiff_t stride = by_row ? a.row : a.column;
    for (int s = 0; s < strips; s++) {
        const int top = (int)((long)m * s / strips), rows = (int)((long)m * (s + 1) / strips) - top;
        const real *strip = a.x + top * a.row;
        Tile *compute = tiles[rows][by_row];
        if (!by_row && s + 1 < strips) prefetch(strip + rows, stride, k);
        for (int j = 0; j < n; j += TILE_COLUMNS) {
            const real *panel = panels + (size_t)(j / TILE_COLUMNS) * distance;
            const Result at = result_at(r, top, j);
            if (n - j < TILE_COLUMNS) edge(compute, at, strip, stride, panel, rows, k, n - j);
            else compute(at, strip, stride, panel, k);
        }
    }
}

/* ---- panels ---- */

static int rounded(int n)
{
    return (n + TILE_COLUMNS - 1) / TILE_COLUMNS * TILE_COLUMNS;
}

#if defined __AVX512F__ && !defined REAL_DOUBLE
/* to (16 rows, TILE_COLUMNS apart) = the transpose of from (16 rows, `row` apart). In each of four rounds two rows
 * that differ in one bit of their number exchange the columns that differ in it (Eklundh 1972). */
static void transpose_square(real *to, const real *from, ptrdiff_t row)
{
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512 x[LANES];
    for (int i = 0; i < LANES; i++) __builtin_prefetch(from + (LANES + i) * row);
    UNROLL for (int i = 0; i < LANES; i++) x[i] = _mm512_loadu_ps(from + i * row);
    _Pragma("GCC unroll 4") for (int bit = 1; bit < LANES; bit *= 2) {
        const __mmask16 has_bit = _mm512_test_epi32_mask(lane, _mm512_set1_epi32(bit));
        const __m512i upper = _mm512_mask_add_epi32(lane, has_bit, lane, _mm512_set1_epi32(LANES - bit));
        const __m512i lower = _mm512_add_epi32(upper, _mm512_set1_epi32(bit));
        _Pragma("GCC unroll 16") for (int i = 0; i < LANES; i++) {
            if (i & bit) continue;
            const __m512 pair = x[i];
            x[i] = _mm512_permutex2var_ps(pair, upper, x[i + bit]);
            x[i + bit] = _mm512_permutex2var_ps(pair, lower, x[i + bit]);
        }
    }
    UNROLL for (int i = 0; i < LANES; i++) _mm512_storeu_ps(to + i * TILE_COLUMNS, x[i]);
}
#else
static void transpose_square(real *to, const real *from, ptrdiff_t row)
{
    for (int i = 0; i < LANES; i++)
        for (int j = 0; j < LANES; j++) to[i * TILE_COLUMNS + j] = from[j * row + i];
}
#endif

/* panel (k,TILE_COLUMNS) = columns of B that are contiguous, `row` apart */
static void pack_transposed(real *panel, const real *b, ptrdiff_t row, int k, int columns)
{
    const int squares = k / LANES * LANES, whole = columns / LANES * LANES;
    for (int j = 0; j < whole; j += LANES)
        for (int p = 0; p < squares; p += LANES)
            transpose_square(panel + p * TILE_COLUMNS + j, b + j * row + p, row);
    for (int j = 0; j < TILE_COLUMNS; j++)
        for (int p = j < whole ? squares : 0; p < k; p++)
            panel[p * TILE_COLUMNS + j] = j < columns ? b[j * row + p] : 0;
}

/* The same where the rows of B are contiguous. */
static void pack_straight(real *panel, const real *b, ptrdiff_t row, int k, int columns)
{
    if (columns == TILE_COLUMNS) {
        for (int p = 0; p < k; p++) memcpy(panel + p * TILE_COLUMNS, b + p * row, TILE_COLUMNS * sizeof *b);
        return;
    }
    for (int p = 0; p < k; p++)
        for (int j = 0; j < TILE_COLUMNS; j++) panel[p * TILE_COLUMNS + j] = j < columns ? b[p * row + j] : 0;
}

size_t gemm_panels(int k, int n)
{
    return (size_t)k * (size_t)rounded(n);
}

void gemm_pack(real *panels, Operand b, int k, int n)
{
    for (int j = 0; j < n; j += TILE_COLUMNS, panels += (size_t)k * TILE_COLUMNS) {
        const int columns = n - j < TILE_COLUMNS ? n - j : TILE_COLUMNS;
        if (b.column == 1) pack_straight(panels, b.x + j, b.row, k, columns);
        else pack_transposed(panels, b.x + j * b.column, b.column, k, columns);
    }
}

/* ---- the product ---- */

/* How B is cut: into equal parts, no larger than the caches want them; at least one row and one panel. */
typedef struct { int k, n; } Part;

static int equal_parts(int size, int most)
{
    const int parts = (size + most - 1) / most;
    return parts ? (size + parts - 1) / parts : 1;
}

static Part part_of(int k, int n)
{
    const int depth = equal_parts(k, DEPTH);
    return (Part){ depth, rounded(equal_parts(n, BLOCK / depth / TILE_COLUMNS * TILE_COLUMNS)) };
}

static int shorter(int a, int b)
{
    return a < b ? a : b;
}

static Operand operand_at(Operand o, ptrdiff_t i, ptrdiff_t j)
{
    o.x += i * o.row + j * o.column;
    return o;
}

/* The columns from j; the sums begin with `start`, or go on where the rows of B above l have left them. */
static Result columns_from(Result r, int l, int j)
{
    if (l) r = (Result){ r.c, r.row, r.c, r.row };
    return result_at(r, 0, j);
}

void gemm(Result r, Operand a, Operand b, int m, int k, int n)
{
    _Alignas(VECTOR_BYTES) real panels[BLOCK];
    const Part part = part_of(k, n);
    for (int j = 0; j < n; j += part.n)
        for (int l = 0; l == 0 || l < k; l += part.k) {
            const int depth = shorter(part.k, k - l), width = shorter(part.n, n - j);
            gemm_pack(panels, operand_at(b, l, j), depth, width);
            block(columns_from(r, l, j), operand_at(a, 0, l), panels, (size_t)depth * TILE_COLUMNS, m, depth, width);
        }
}

void gemm_packed(Result r, Operand a, const real *panels, int m, int k, int n)
{
    const size_t distance = (size_t)k * TILE_COLUMNS;
    const Part part = part_of(k, n);
    for (int j = 0; j < n; j += part.n)
        for (int l = 0; l == 0 || l < k; l += part.k)
            block(columns_from(r, l, j), operand_at(a, 0, l),
                  panels + (size_t)(j / TILE_COLUMNS) * distance + (size_t)l * TILE_COLUMNS, distance, m,
                  shorter(part.k, k - l), shorter(part.n, n - j));
}
