/* gemm_simd.h - vectors and tiles of the instruction set that a file of kernels is compiled for. */
#ifndef ATTN_LINALG_GEMM_SIMD_H
#define ATTN_LINALG_GEMM_SIMD_H

#include "linalg/kernels.h"

#include <stdint.h>

/* A tile takes all vector registers but three or so: TILE_ROWS x 2 vectors of sums, two of B, one
 * word of A. ARM64's are left for products of 8 bits, and for words of A, of which instructions
 * read none from memory. AMX has registers of 16 rows, and kernels that may use it (MAY_USE_AMX) have two
 * of them share what is read of B. */
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

#endif
