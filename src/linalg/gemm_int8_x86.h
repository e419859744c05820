/* gemm_int8_x86.h - what gemm_int8.c is made of, for vectors of 64, 32 and 16 bytes.
 *
 * AVX-512 with VNNI, and AVX-VNNI, have an instruction that multiplies the four unsigned integers
 * of a word by four signed ones, and adds the products to a sum of 32 bits. That of AMX multiplies
 * signed ones by signed ones. Other CPUs multiply
 * integers of 16 bits and add the products in pairs. The instruction for 8 bits that they have
 * (vpmaddubsw) saturates such sums at 16 bits; to avoid that takes as many instructions, and more
 * registers than there are.
 */
#ifndef ATTN_LINALG_GEMM_INT8_X86_H
#define ATTN_LINALG_GEMM_INT8_X86_H

#include "linalg/gemm_simd.h"

#include <immintrin.h>

#ifdef __AMX_INT8__
#define MULTIPLY_TILES _tile_dpbssd
#include "linalg/gemm_amx.h"
#define OFFSET 0
#elif defined __AVX512F__ || defined __AVXVNNI__
#define OFFSET 128
#else
#define OFFSET 0
#define STEPS 2
#endif

#ifdef __AVX512F__
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

/* The integers nearest to x, as 8 bits. */
INLINE __m128i bytes_of(Vector x)
{
    return _mm512_cvtsepi32_epi8(_mm512_cvtps_epi32(x));
}

INLINE void store_bytes(char *to, __m128i bytes)
{
    _mm_storeu_si128((__m128i *)to, bytes);
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
            _mm512_storeu_si512(panel + panel_at(p + i, 0), x[i]);
    }
}

#elif defined __AVX2__
#ifdef __AVXVNNI__
/* As above. */
INLINE Vector multiply_add(Vector sum, real word, Vector columns)
{
    const Vector words = (Vector)_mm256_set1_ps(word);
    __asm__("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sum) : "x"(words), "x"(columns));
    return sum;
}
#else
INLINE Vector columns_at(const real *panel)
{
    return (Vector)_mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)panel));
}

INLINE Vector multiply_add(Vector sum, real word, Vector columns)
{
    const __m256i products = _mm256_madd_epi16((__m256i)_mm256_set1_ps(word), (__m256i)columns);
    return (Vector)_mm256_add_epi32((__m256i)sum, products);
}
#endif

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

INLINE __m128i shorts_of(Vector x)
{
    const __m256i whole = _mm256_cvtps_epi32((__m256)x);
    return _mm_packs_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1));
}

INLINE void store_shorts(char *to, __m128i shorts)
{
    _mm_storeu_si128((__m128i *)to, shorts);
}

INLINE void store_bytes(char *to, __m128i bytes)
{
    _mm_storel_epi64((__m128i *)to, bytes);
}

#else
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

INLINE __m128i shorts_of(Vector x)
{
    return _mm_packs_epi32(_mm_cvtps_epi32((__m128)x), _mm_setzero_si128());
}

INLINE void store_shorts(char *to, __m128i shorts)
{
    _mm_storel_epi64((__m128i *)to, shorts);
}

INLINE void store_bytes(char *to, __m128i bytes)
{
    _mm_storeu_si32(to, bytes);
}
#endif

#ifndef __AVX512F__
INLINE __m128i bytes_of(Vector x)
{
    return _mm_packs_epi16(shorts_of(x), _mm_setzero_si128());
}
#endif

INLINE void store_b(real *words, int p, Vector x)
{
    store_bytes((char *)words + p, bytes_of(x));
}

INLINE void store_a(real *words, int p, Vector x)
{
#ifdef __AMX_INT8__
    store_bytes((char *)(words + strip_at(p / 4, 0, 0)), bytes_of(x));
#elif OFFSET
    store_bytes((char *)words + p, _mm_xor_si128(bytes_of(x), _mm_set1_epi8((char)OFFSET)));
#else
    store_shorts((char *)words + 2 * p, shorts_of(x));
#endif
}

#endif
