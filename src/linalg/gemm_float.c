/* gemm_float.c - the kernel of PRECISION_FLOAT, whose words are single numbers. */
#include "base/real.h"
#include "linalg/gemm_simd.h"

#include <string.h>

INLINE Vector multiply_add(Vector sum, real word, Vector panel)
{
    return sum + word * panel;
}

#include "linalg/gemm_tile.h"

/* ---- panels ---- */

#if defined __AVX512F__ && !defined REAL_DOUBLE

/* to (16 rows, TILE_COLUMNS apart) = the transpose of from (`rows` of 16, `row` apart), and zero */
static void transpose_square(real *to, const real *from, ptrdiff_t row, int rows)
{
    __m512i x[LANES];
    for (int i = 0; i < rows; i++) __builtin_prefetch(from + (LANES + i) * row);
    UNROLL for (int i = 0; i < LANES; i++)
        x[i] = i < rows ? _mm512_loadu_si512(from + i * row) : _mm512_setzero_si512();
    transpose(x);
    UNROLL for (int i = 0; i < LANES; i++) _mm512_storeu_si512(to + i * TILE_COLUMNS, x[i]);
}
#else
static void transpose_square(real *to, const real *from, ptrdiff_t row, int rows)
{
    for (int i = 0; i < LANES; i++)
        for (int j = 0; j < LANES; j++) to[i * TILE_COLUMNS + j] = j < rows ? from[j * row + i] : 0;
}
#endif

/* panel (k,TILE_COLUMNS) = columns of B that are contiguous, `row` apart */
static void pack_transposed(real *panel, const real *b, ptrdiff_t row, int k, int columns)
{
    const int squares = k / LANES * LANES;
    for (int j = 0; j < TILE_COLUMNS; j += LANES)
        for (int p = 0; p < squares; p += LANES)
            transpose_square(panel + p * TILE_COLUMNS + j, j < columns ? b + j * row + p : b, row,
                             min_int(columns - j, LANES));
    for (int p = squares; p < k; p++)
        for (int j = 0; j < TILE_COLUMNS; j++)
            panel[p * TILE_COLUMNS + j] = j < columns ? b[j * row + p] : 0;
}

/* The same where the rows of B are contiguous. */
static void pack_straight(real *panel, const real *b, ptrdiff_t row, int k, int columns)
{
    if (columns == TILE_COLUMNS) {
        for (int p = 0; p < k; p++)
            memcpy(panel + p * TILE_COLUMNS, b + p * row, TILE_COLUMNS * sizeof *b);
        return;
    }
    for (int p = 0; p < k; p++)
        for (int j = 0; j < TILE_COLUMNS; j++)
            panel[p * TILE_COLUMNS + j] = j < columns ? b[p * row + j] : 0;
}

static void pack(real *panel, Operand b, int k, int columns)
{
    if (b.column == 1) pack_straight(panel, b.x, b.row, k, columns);
    else pack_transposed(panel, b.x, b.column, k, columns);
}

const Kernel OF_KERNELS(kernel_float) = {
    .values = 1, .step = 1, .depth = DEPTH, .multiple = 1, TILE_SIZES, .tiles = ALL_TILES,
    .pack = pack,
};
