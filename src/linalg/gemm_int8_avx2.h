/* gemm_int8_avx2.h - what gemm_int8.c is made of, for vectors of 32 bytes: with AVX-VNNI by the
 * instruction that AVX-512 has too, else by one that multiplies integers of 16 bits and adds the
 * products in pairs. Its relative for 8 bits (vpmaddubsw) saturates such sums at 16 bits; to avoid
 * that takes as many instructions, and more registers than there are. */
#ifndef ATTN_LINALG_GEMM_INT8_AVX2_H
#define ATTN_LINALG_GEMM_INT8_AVX2_H

#include "linalg/gemm_simd.h"

#include <immintrin.h>

/* The integers nearest to x, as 16 bits. */
INLINE __m128i shorts_of(Vector x)
{
    const __m256i whole = _mm256_cvtps_epi32((__m256)x);
    return _mm_packs_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1));
}

INLINE __m128i bytes_of(Vector x)
{
    return _mm_packs_epi16(shorts_of(x), _mm_setzero_si128());
}

#ifdef __AVXVNNI__
#define OFFSET 128

/* As in gemm_int8_avx512.h. */
INLINE Vector multiply_add(Vector sum, real word, Vector columns)
{
    const Vector words = (Vector)_mm256_set1_ps(word);
    __asm__("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sum) : "x"(words), "x"(columns));
    return sum;
}

INLINE void store_a(real *words, int p, Vector x)
{
    _mm_storel_epi64((__m128i *)((char *)words + p),
                     _mm_xor_si128(bytes_of(x), _mm_set1_epi8((char)OFFSET)));
}
#else
#define OFFSET 0
#define STEPS 2

INLINE Vector columns_at(const real *panel)
{
    return (Vector)_mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)panel));
}

INLINE Vector multiply_add(Vector sum, real word, Vector columns)
{
    const __m256i products = _mm256_madd_epi16((__m256i)_mm256_set1_ps(word), (__m256i)columns);
    return (Vector)_mm256_add_epi32((__m256i)sum, products);
}

INLINE void store_a(real *words, int p, Vector x)
{
    _mm_storeu_si128((__m128i *)((char *)words + 2 * p), shorts_of(x));
}
#endif

INLINE void store_b(real *words, int p, Vector x)
{
    _mm_storel_epi64((__m128i *)((char *)words + p), bytes_of(x));
}

INLINE Ints larger(Ints a, Ints b)
{
    return (Ints)_mm256_max_epi32((__m256i)a, (__m256i)b);
}

/* In each round what is left is folded in half. */
INLINE int largest_lane(Ints x)
{
    const __m256i all = (__m256i)x;
    __m128i most = _mm_max_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    most = _mm_max_epi32(most, _mm_unpackhi_epi64(most, most));
    return _mm_cvtsi128_si32(_mm_max_epi32(most, _mm_shuffle_epi32(most, 1)));
}

#endif
