/* gemm_int8_neon.h - what gemm_int8.c is made of, for ARM64: with the extension DotProd by an
 * instruction that multiplies the four integers of four words and adds each word's products to a
 * sum of 32 bits, else by products of 16 bits that are added in pairs, twice. With I8MM tiles are
 * those of gemm_int8_i8mm.h. */
#ifndef ATTN_LINALG_GEMM_INT8_NEON_H
#define ATTN_LINALG_GEMM_INT8_NEON_H

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
#include "linalg/gemm_int8_i8mm.h"
#else
INLINE void store_a(real *words, int p, Vector x)
{
    store_b(words, p, x);
}
#endif

#endif
