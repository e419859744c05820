/* gemm_int8_avx512.h - what gemm_int8.c is made of, for AVX-512 with VNNI: an instruction that
 * multiplies the four unsigned integers of 16 words by four signed ones, and adds each word's
 * products to a sum of 32 bits. */
#ifndef ATTN_LINALG_GEMM_INT8_AVX512_H
#define ATTN_LINALG_GEMM_INT8_AVX512_H

#include "linalg/gemm_avx512.h"

#define OFFSET 128

/* _mm512_dpbusd_epi32; but GCC 12 keeps two copies of its sums, for which there are too few
 * registers. */
INLINE Vector multiply_add(Vector sum, real word, Vector columns)
{
    const Vector words = (Vector)_mm512_set1_ps(word);
    __asm__("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(words), "v"(columns));
    return sum;
}

#define HAS_LOAD
INLINE Vector load(const real *x, int count)
{
    return _mm512_maskz_loadu_ps(lanes(count), x);
}

INLINE Ints larger(Ints a, Ints b)
{
    return (Ints)_mm512_max_epi32((__m512i)a, (__m512i)b);
}

INLINE int largest_lane(Ints x)
{
    return _mm512_reduce_max_epi32((__m512i)x);
}

INLINE __m128i bytes_of(Vector x)
{
    return _mm512_cvtsepi32_epi8(_mm512_cvtps_epi32(x));
}

INLINE void store_a(real *words, int p, Vector x)
{
    _mm_storeu_si128((__m128i *)((char *)words + p),
                     _mm_xor_si128(bytes_of(x), _mm_set1_epi8((char)OFFSET)));
}

INLINE void store_b(real *words, int p, Vector x)
{
    _mm_storeu_si128((__m128i *)((char *)words + p), bytes_of(x));
}

#define HAS_LAY_OUT
static void lay_out(real *panel, const real (*columns)[DEPTH], int have, int words)
{
    for (int p = 0; p < words; p += LANES) {
        __m512i x[LANES];
        for (int i = 0; i < LANES; i++)
            x[i] = _mm512_maskz_loadu_epi32(i < have ? lanes(words - p) : 0, columns[i] + p);
        transpose(x);
        for (int i = 0; i < LANES && p + i < words; i++)
            _mm512_storeu_si512(panel + (p + i) * TILE_COLUMNS, x[i]);
    }
}

#endif
