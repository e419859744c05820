/* gemm_amx.h - products of tiles by AMX: what gemm_tile.h leaves to kernels that define
 * HAS_ADD_PRODUCTS. An instruction multiplies 16 words of some rows by 16 words of 16 columns, and
 * adds each word's products to sums of 32 bits. The kernel includes it after
 *
 *   #define MULTIPLY_TILES                                          that instruction
 *   INLINE Vector with_products(Vector sum, Vector products);       sum + products
 *
 * and has its strips by row.
 */
#ifndef ATTN_LINALG_GEMM_AMX_H
#define ATTN_LINALG_GEMM_AMX_H

#include "linalg/gemm_avx512.h"

/* The registers: sums, and what is multiplied, of the strip and of the panel's two halves; their
 * last words have registers of their own, as they may be fewer. */
#define SUMS            0
#define OTHER_SUMS      1
#define STRIP           2
#define HALF            3
#define OTHER_HALF      4
#define LAST_STRIP      5
#define LAST_HALF       6
#define OTHER_LAST_HALF 7
enum { WORDS = 16, PANEL_BYTES = TILE_COLUMNS * sizeof(real) };

/* What the CPU is told about its registers, in its own format. */
typedef struct {
    uint8_t  palette, start, reserved[14];
    uint16_t bytes[16];     /* of a row */
    uint8_t  rows[16];
} Registers;

static void set(Registers *registers, int i, int rows, int words)
{
    registers->rows[i] = (uint8_t)rows;
    registers->bytes[i] = (uint16_t)(words * (int)sizeof(real));
}

/* Not _tile_loadconfig: GCC 12 believes that it reads a pointer's bytes only. */
static void begin(int rows, int k)
{
    Registers registers = { .palette = 1 };
    const int last = k % WORDS;
    set(&registers, SUMS, rows, WORDS);
    set(&registers, OTHER_SUMS, rows, WORDS);
    set(&registers, STRIP, rows, WORDS);
    set(&registers, HALF, WORDS, WORDS);
    set(&registers, OTHER_HALF, WORDS, WORDS);
    if (last) {
        set(&registers, LAST_STRIP, rows, last);
        set(&registers, LAST_HALF, last, WORDS);
        set(&registers, OTHER_LAST_HALF, last, WORDS);
    }
    __asm__ volatile ("ldtilecfg %0" : : "m"(registers));
}

static void end(void)
{
    _tile_release();
}

#define TILE_REGISTERS .begin = begin, .end = end,

/* products (rows,TILE_COLUMNS) = A · panel, in the order of k. a: rows `stride` bytes apart; k:
 * words. */
INLINE void multiply_tiles(real *products, const real *a, ptrdiff_t stride, const real *panel,
                           int k)
{
    int p = 0;
    _tile_zero(SUMS);
    _tile_zero(OTHER_SUMS);
    for (; p + WORDS <= k; p += WORDS, panel += WORDS * TILE_COLUMNS) {
        _tile_loadd(STRIP, a + p, stride);
        _tile_loadd(HALF, panel, PANEL_BYTES);
        _tile_loadd(OTHER_HALF, panel + LANES, PANEL_BYTES);
        MULTIPLY_TILES(SUMS, STRIP, HALF);
        MULTIPLY_TILES(OTHER_SUMS, STRIP, OTHER_HALF);
    }
    if (p < k) {
        _tile_loadd(LAST_STRIP, a + p, stride);
        _tile_loadd(LAST_HALF, panel, PANEL_BYTES);
        _tile_loadd(OTHER_LAST_HALF, panel + LANES, PANEL_BYTES);
        MULTIPLY_TILES(SUMS, LAST_STRIP, LAST_HALF);
        MULTIPLY_TILES(OTHER_SUMS, LAST_STRIP, OTHER_LAST_HALF);
    }
    _tile_stored(SUMS, products, PANEL_BYTES);
    _tile_stored(OTHER_SUMS, products + LANES, PANEL_BYTES);
}

#define HAS_ADD_PRODUCTS
INLINE void add_products(const int rows, const int by_row, Vector (*sum)[2], const real *a,
                         ptrdiff_t stride, const real *panel, int k)
{
    _Alignas(VECTOR_BYTES) real products[MAX_TILE_ROWS * TILE_COLUMNS];
    (void)by_row;
    multiply_tiles(products, a, stride * (ptrdiff_t)sizeof *a, panel, k);
    UNROLL for (int i = 0; i < rows; i++)
        UNROLL for (int v = 0; v < 2; v++)
            sum[i][v] = with_products(sum[i][v], *(const Loose *)(products + i * TILE_COLUMNS
                                                                  + v * LANES));
}

#endif
