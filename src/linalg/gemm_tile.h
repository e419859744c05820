/* gemm_tile.h - one tile of C in registers: included by each kernel (gemm_float.c, gemm_bf16.c,
 * gemm_int8.c), which defines before
 *
 *   INLINE Vector multiply_add(Vector sum, real word, Vector panel);    sum + word * panel, by lane
 *
 * A word is what A and each column of B have for one place along k: a number, or several short
 * ones. Where the instruction takes a part of a word at a time, the kernel defines
 *
 *   #define STEPS                                                       how many parts a word has
 *   INLINE Vector columns_at(const real *panel);                        LANES columns of a step
 *
 * and one of A is a real of the strip. Where it takes several rows at a time, the kernel defines
 * HAS_ADD_PRODUCTS and that function. Where sums aren't zero at first or aren't the result, the
 * panel begins with rows that say more, and the kernel defines
 *
 *   #define TILE_HEAD                                                   how many rows
 *   INLINE Vector first_sum(const real *head);                          of columns from head[0] on
 *   INLINE Vector result(Vector sum, const real *head, const real *strip, int row);
 */
#ifndef ATTN_LINALG_GEMM_TILE_H
#define ATTN_LINALG_GEMM_TILE_H

#include "linalg/gemm_simd.h"

#ifndef STEPS
#define STEPS 1

INLINE Vector columns_at(const real *panel)
{
    return *(const Loose *)panel;
}
#endif

_Static_assert((int)TILE_ROWS <= (int)MOST_ROWS, "there is a tile of so many rows");

#ifndef TILE_HEAD
#define TILE_HEAD 0

static inline Vector first_sum(const real *head)
{
    (void)head;
    return (Vector){ 0 };
}

static inline Vector result(Vector sum, const real *head, const real *strip, int row)
{
    (void)head, (void)strip, (void)row;
    return sum;
}
#endif

/* The sums (rows,TILE_COLUMNS) += A (rows,k) · panel (k,TILE_COLUMNS), k in words. by_row: A's rows
 * are contiguous and `stride` apart, else its columns. Three rows share a pointer, since x86 adds a
 * register 0, 1 or 2 times: fourteen pointers would leave no registers. */
#ifndef HAS_ADD_PRODUCTS
INLINE void add_products(const int rows, const int by_row, Vector (*sum)[2], const real *a,
                         ptrdiff_t stride, const real *panel, int k)
{
    const real *third[(MOST_ROWS + 2) / 3];
    UNROLL for (int i = 0; i < rows; i += 3)
        third[i / 3] = a + (by_row ? i * stride : i);
    for (int p = 0; p < k * STEPS; p++, panel += TILE_COLUMNS / STEPS) {
        const Vector b0 = columns_at(panel), b1 = columns_at(panel + LANES / STEPS);
        const ptrdiff_t at = by_row ? p : p * stride;
        UNROLL for (int i = 0; i < rows; i++) {
            const real word = third[i / 3][(by_row ? i % 3 * stride : i % 3) + at];
            sum[i][0] = multiply_add(sum[i][0], word, b0);
            sum[i][1] = multiply_add(sum[i][1], word, b1);
        }
    }
}
#endif

/* C (rows,TILE_COLUMNS) = start + A · panel. `rows` and `by_row` are constants where this is
 * inlined, so the sums are registers. C is fetched while the sums are computed. */
INLINE void tile(const int rows, const int by_row, Result r, const real *a, ptrdiff_t stride,
                 const real *panel, int k)
{
    const real *head = panel;
    Vector sum[MOST_ROWS][2];
    UNROLL for (int i = 0; i < rows; i++)
        UNROLL for (int v = 0; v < 2; v++) {
            sum[i][v] = first_sum(head + v * LANES);
            __builtin_prefetch(r.c + i * r.row + v * LANES, 1);
        }
    add_products(rows, by_row, sum, a, stride, head + TILE_HEAD * TILE_COLUMNS, k);
    UNROLL for (int i = 0; i < rows; i++)
        UNROLL for (int v = 0; v < 2; v++) sum[i][v] = result(sum[i][v], head + v * LANES, a, i);
    if (r.start) {
        UNROLL for (int i = 0; i < rows; i++)
            UNROLL for (int v = 0; v < 2; v++)
                sum[i][v] += *(const Loose *)(r.start + i * r.start_row + v * LANES);
    }
    UNROLL for (int i = 0; i < rows; i++)
        UNROLL for (int v = 0; v < 2; v++) *(Loose *)(r.c + i * r.row + v * LANES) = sum[i][v];
}

INLINE void tiles(const int rows, const int by_row, const Result *r, const Strip *a, Panels b,
                  int k, int n)
{
    for (int j = 0; j < n; j += TILE_COLUMNS, b.first += b.distance)
        tile(rows, by_row, result_at(*r, 0, j), a->words, a->stride, b.first, k);
}

#define TILE(rows) \
    static void by_row_##rows(const Result *r, const Strip *a, Panels b, int k, int n) \
    { \
        tiles(rows, 1, r, a, b, k, n); \
    } \
    static void by_column_##rows(const Result *r, const Strip *a, Panels b, int k, int n) \
    { \
        tiles(rows, 0, r, a, b, k, n); \
    }
TILE(1) TILE(2) TILE(3) TILE(4) TILE(5) TILE(6) TILE(7)
TILE(8) TILE(9) TILE(10) TILE(11) TILE(12) TILE(13) TILE(14)

#define BOTH(rows) { by_column_##rows, by_row_##rows }
#define ALL_TILES \
    { { NULL, NULL }, BOTH(1), BOTH(2), BOTH(3), BOTH(4), BOTH(5), BOTH(6), BOTH(7), \
      BOTH(8), BOTH(9), BOTH(10), BOTH(11), BOTH(12), BOTH(13), BOTH(14) }

#define TILE_REGISTERS

#endif
