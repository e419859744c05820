/* gemm_avx512.h - what the kernels share that are written for AVX-512 and words of 32 bits. */
#ifndef ATTN_LINALG_GEMM_AVX512_H
#define ATTN_LINALG_GEMM_AVX512_H

#include "linalg/gemm_simd.h"

#include <immintrin.h>

/* The first `count` of LANES lanes. */
static inline __mmask16 lanes(int count)
{
    return count >= LANES ? 0xffff : count <= 0 ? 0 : (__mmask16)((1u << count) - 1);
}

/* The transpose of 16 rows of 16 words: in each of four rounds two rows that differ in one bit of
 * their number exchange the columns that differ in it (Eklundh 1972). */
INLINE void transpose(__m512i *x)
{
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    UNROLL for (int bit = 1; bit < LANES; bit *= 2) {
        const __mmask16 has_bit = _mm512_test_epi32_mask(lane, _mm512_set1_epi32(bit));
        const __m512i upper = _mm512_mask_add_epi32(lane, has_bit, lane,
                                                    _mm512_set1_epi32(LANES - bit));
        const __m512i lower = _mm512_add_epi32(upper, _mm512_set1_epi32(bit));
        UNROLL for (int i = 0; i < LANES; i++) {
            if (i & bit) continue;
            const __m512i pair = x[i];
            x[i] = _mm512_permutex2var_epi32(pair, upper, x[i + bit]);
            x[i + bit] = _mm512_permutex2var_epi32(pair, lower, x[i + bit]);
        }
    }
}

#endif
