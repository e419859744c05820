/* gemm_int8_sse2.h - what gemm_int8.c is made of, for every x86-64: as in gemm_int8_avx2.h without
 * AVX-VNNI, in vectors of 16 bytes. */
#ifndef ATTN_LINALG_GEMM_INT8_SSE2_H
#define ATTN_LINALG_GEMM_INT8_SSE2_H

#include "linalg/gemm_simd.h"

#include <emmintrin.h>

#define OFFSET 0
#define STEPS 2

INLINE Vector columns_at(const real *panel)
{
    const __m128i bytes = _mm_loadl_epi64((const __m128i *)panel);
    return (Vector)_mm_srai_epi16(_mm_unpacklo_epi8(bytes, bytes), 8);
}

INLINE Vector multiply_add(Vector sum, real word, Vector columns)
{
    const __m128i products = _mm_madd_epi16((__m128i)_mm_set1_ps(word), (__m128i)columns);
    return (Vector)_mm_add_epi32((__m128i)sum, products);
}

/* The integers nearest to x, as 16 bits. */
INLINE __m128i shorts_of(Vector x)
{
    return _mm_packs_epi32(_mm_cvtps_epi32((__m128)x), _mm_setzero_si128());
}

INLINE void store_a(real *words, int p, Vector x)
{
    _mm_storel_epi64((__m128i *)((char *)words + 2 * p), shorts_of(x));
}

INLINE void store_b(real *words, int p, Vector x)
{
    _mm_storeu_si32((char *)words + p, _mm_packs_epi16(shorts_of(x), _mm_setzero_si128()));
}

INLINE Ints larger(Ints a, Ints b)
{
    const Ints is_a = a > b;
    return (a & is_a) | (b & ~is_a);
}

INLINE int largest_lane(Ints x)
{
    int largest = x[0];
    for (int i = 1; i < LANES; i++)
        if (x[i] > largest) largest = x[i];
    return largest;
}

#endif
