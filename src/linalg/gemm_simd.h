/* gemm_simd.h - vectors and tiles of the instruction set that a file of kernels is compiled for. */
#ifndef ATTN_LINALG_GEMM_SIMD_H
#define ATTN_LINALG_GEMM_SIMD_H

#include "linalg/kernels.h"

#include <stdint.h>

/* A tile takes all vector registers but three or so: TILE_ROWS x 2 vectors of sums, two of B, one
 * word of A. ARM64's are left for products of 8 bits, and for words of A, of which instructions
 * read none from memory. AMX has registers of 16 rows, and kernels that may use it (MAY_USE_AMX)
 * have two of them share what is read of B. */
#if defined __AMX_TILE__ && defined MAY_USE_AMX
enum { VECTOR_BYTES = 64, TILE_ROWS = 32 };
#elif defined __AVX512F__
enum { VECTOR_BYTES = 64, TILE_ROWS = 14 };
#elif defined __AVX2__
enum { VECTOR_BYTES = 32, TILE_ROWS = 6 };
#elif defined __aarch64__
enum { VECTOR_BYTES = 16, TILE_ROWS = 8 };
#else
enum { VECTOR_BYTES = 16, TILE_ROWS = 4 };
#endif

/* Of a tile in vector registers (linalg/gemm_tile.h). */
enum { MOST_ROWS = 14 };

enum { LANES = VECTOR_BYTES / sizeof(real), TILE_COLUMNS = 2 * LANES };
_Static_assert((int)VECTOR_BYTES <= MAX_VECTOR_BYTES && (int)TILE_ROWS <= MAX_TILE_ROWS
               && (int)LANES <= MAX_TILE_ROWS + 2, "gemm.c has room for tiles and strips");
#define TILE_SIZES .rows = TILE_ROWS, .columns = TILE_COLUMNS

#define INLINE static inline __attribute__((always_inline))

typedef real Vector __attribute__((vector_size(VECTOR_BYTES)));
typedef int32_t Ints __attribute__((vector_size(VECTOR_BYTES)));
typedef real Loose  __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(real)), may_alias));

/* ---- where words are ---- */

/* panel_at - of a panel, LANES columns of word p.
 * strip_at - of a strip by row, the words of a row from p on; k: its words in all. */
#if !defined __AMX_TILE__ || !defined MAY_USE_AMX
static inline int panel_at(int p, int column)
{
    return p * TILE_COLUMNS + column;
}

static inline int strip_at(int p, int row, int k)
{
    return row * k + p;
}
#endif

/* ---- AVX-512, words of 32 bits ---- */

#if defined __AVX512F__ && !defined REAL_DOUBLE
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

#endif
