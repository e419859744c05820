/* gemm_float.c - the kernel whose words are numbers. */
#ifdef __AVX512F__
#include <immintrin.h>
#endif
#include "nn/gemm_kernel.h"

#include <string.h>

static inline __attribute__((always_inline)) Vector multiply_add(Vector sum, real word, Vector panel)
{
    return sum + word * panel;
}

#include "nn/gemm_tile.h"

/* ---- panels ---- */

#if defined __AVX512F__ && !defined REAL_DOUBLE
/* to (16 rows, TILE_COLUMNS apart) = the transpose of from (16 rows, `row` apart). In each of four rounds two rows
 * that differ in one bit of their number exchange the columns that differ in it (Eklundh 1972). */
static void transpose_square(real *to, const real *from, ptrdiff_t row)
{
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512 x[LANES];
    for (int i = 0; i < LANES; i++) __builtin_prefetch(from + (LANES + i) * row);
    UNROLL for (int i = 0; i < LANES; i++) x[i] = _mm512_loadu_ps(from + i * row);
    UNROLL for (int bit = 1; bit < LANES; bit *= 2) {
        const __mmask16 has_bit = _mm512_test_epi32_mask(lane, _mm512_set1_epi32(bit));
        const __m512i upper = _mm512_mask_add_epi32(lane, has_bit, lane, _mm512_set1_epi32(LANES - bit));
        const __m512i lower = _mm512_add_epi32(upper, _mm512_set1_epi32(bit));
        UNROLL for (int i = 0; i < LANES; i++) {
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

static void pack(real *panel, Operand b, int k, int columns)
{
    if (b.column == 1) pack_straight(panel, b.x, b.row, k, columns);
    else pack_transposed(panel, b.x, b.column, k, columns);
}

const Kernel kernel_float = { .values = 1, .tiles = ALL_TILES, .pack = pack };
