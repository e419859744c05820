/* gemm_int8_arm.h - what gemm_int8.c is made of, for ARM64: with the extension DotProd by an
 * instruction that multiplies the four integers of four words and adds each word's products to a
 * sum of 32 bits, else by products of 16 bits that are added in pairs, twice.
 *
 * The extension I8MM has one that multiplies two rows of two words, eight integers, by two columns
 * of two words, and adds the products of each row and column to a sum of 32 bits. So a vector of a
 * strip is two words of row i and two of row i + 1. A panel's columns come in groups of LANES; of
 * two words, row 0 of the panel has the group's first two columns, and row 1 the other two.
 */
#ifndef ATTN_LINALG_GEMM_INT8_ARM_H
#define ATTN_LINALG_GEMM_INT8_ARM_H

#include "linalg/gemm_simd.h"

#include <arm_neon.h>

#define OFFSET 0

/* vdotq_lane_s32 and vpadalq_s16; but GCC 12 keeps two copies of their sums. */
INLINE Vector multiply_add(Vector sum, real word, Vector columns)
{
#ifdef __ARM_FEATURE_DOTPROD
    __asm__("sdot %0.4s, %2.16b, %1.4b[0]" : "+w"(sum) : "w"(word), "w"(columns));
#else
    const int8x16_t a = (int8x16_t)vdupq_n_f32(word), b = (int8x16_t)columns;
    const int16x8_t first = vmull_s8(vget_low_s8(a), vget_low_s8(b));
    const int16x8_t second = vmull_high_s8(a, b);
    __asm__("sadalp %0.4s, %1.8h" : "+w"(sum) : "w"(vpaddq_s16(first, second)));
#endif
    return sum;
}

INLINE void store_b(real *words, int p, Vector x)
{
    const int16x4_t shorts = vmovn_s32(vcvtnq_s32_f32((float32x4_t)x));
    const int8x8_t bytes = vmovn_s16(vcombine_s16(shorts, shorts));
    vst1_lane_f32(words + p / LANES, vreinterpret_f32_s8(bytes), 0);
}

INLINE Ints larger(Ints a, Ints b)
{
    return (Ints)vmaxq_s32((int32x4_t)a, (int32x4_t)b);
}

INLINE int largest_lane(Ints x)
{
    return vmaxvq_s32((int32x4_t)x);
}

#ifdef __ARM_FEATURE_MATMUL_INT8
#define MULTIPLE 2
#define HAS_ROW_AT

_Static_assert(TILE_ROWS % 2 == 0 && LANES == 4, "rows and columns are pairs");

/* ---- strips and panels ---- */

INLINE real *row_at(real *strip, int i, int k)
{
    return strip + i / 2 * 2 * k + i % 2 * 2;
}

/* Between a row's pairs of words are those of the other row. */
INLINE void store_a(real *words, int p, Vector x)
{
    const int word = p / LANES;
    store_b(words + word / 2 * 4 + word % 2, 0, x);
}

#define HAS_LAY_OUT
static void lay_out(real *panel, const real (*columns)[DEPTH], int have, int words)
{
    const float32x2_t zero = vdup_n_f32(0);
    for (int p = 0; p < words; p += 2)
        for (int i = 0; i < LANES; i++)
            vst1_f32(panel + (p + i / 2) * TILE_COLUMNS + i % 2 * 2,
                     i < have ? vld1_f32(columns[i] + p) : zero);
}

/* ---- tiles ---- */

/* Two words of two rows; of one row, where it is the last. */
INLINE int8x16_t rows_at(const real *a, int has_two)
{
    return (int8x16_t)(has_two ? vld1q_f32(a) : vcombine_f32(vld1_f32(a), vdup_n_f32(0)));
}

INLINE int32x4_t multiplied(int32x4_t sum, int8x16_t rows, const real *columns)
{
    return vmmlaq_s32(sum, rows, (int8x16_t)vld1q_f32(columns));
}

/* Of two rows and four columns: the sums (2,2) of the first two columns and of the others. */
typedef struct { int32x4_t first, others; } Square;

INLINE Vector row_of(Square s, int is_second)
{
    const int64x2_t first = (int64x2_t)s.first, others = (int64x2_t)s.others;
    return (Vector)(is_second ? vzip2q_s64(first, others) : vzip1q_s64(first, others));
}

#define HAS_ADD_PRODUCTS
INLINE void add_products(const int rows, const int by_row, Vector (*sum)[2], const real *a,
                         ptrdiff_t stride, const real *panel, int k)
{
    Square square[(MOST_ROWS + 1) / 2][2] = { 0 };
    (void)by_row;
    for (int p = 0; p < k; p += 2, panel += 2 * TILE_COLUMNS)
        UNROLL for (int i = 0; i < rows; i += 2) {
            const int8x16_t pair = rows_at(a + i * stride + 2 * p, i + 1 < rows);
            UNROLL for (int v = 0; v < 2; v++) {
                Square *s = &square[i / 2][v];
                s->first = multiplied(s->first, pair, panel + v * LANES);
                s->others = multiplied(s->others, pair, panel + TILE_COLUMNS + v * LANES);
            }
        }
    UNROLL for (int i = 0; i < rows; i++)
        UNROLL for (int v = 0; v < 2; v++)
            sum[i][v] = (Vector)((Ints)sum[i][v] + (Ints)row_of(square[i / 2][v], i % 2));
}
#else
INLINE void store_a(real *words, int p, Vector x)
{
    store_b(words, p, x);
}
#endif

#endif
