/* gemm_kernel.h - what gemm.c asks of a kernel, for one precision; and the sizes of its tiles. */
#ifndef ATTN_LINALG_GEMM_KERNEL_H
#define ATTN_LINALG_GEMM_KERNEL_H

#include "linalg/gemm.h"

/* A tile takes all vector registers but three or so: TILE_ROWS x 2 vectors of sums, two of B, one word of A. */
#if defined __AVX512F__
enum { VECTOR_BYTES = 64, TILE_ROWS = 14 };
#else
enum { VECTOR_BYTES = 16, TILE_ROWS = 4 };
#endif

enum {
    LANES        = VECTOR_BYTES / sizeof(real),
    TILE_COLUMNS = 2 * LANES,
    MOST_ROWS    = 14,                          /* of any tile above */
    DEPTH        = 384,                         /* words of k at a time: a strip of A stays in the first cache */
    BLOCK        = (384 << 10) / sizeof(real),  /* words of B at a time: they stay in the second */
    UNITS        = TILE_ROWS * DEPTH            /* where in a strip a kernel keeps a number of each row, if it wants */
};

typedef real Vector __attribute__((vector_size(VECTOR_BYTES)));
typedef real Loose  __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(real)), may_alias));

#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

typedef void Tile(Result r, const real *a, ptrdiff_t stride, const real *panel, int k);

/* Strips and panels consist of words, each of them `values` steps along k. Here k counts values; what the last word has
 * beyond it is zero. */
typedef struct {
    int   values;
    int   head;                         /* rows (TILE_COLUMNS) of a panel before its words */
    int   by_row;                       /* strips are by row, whatever A is */
    Tile *tiles[MOST_ROWS + 1][2];      /* [rows][A's rows are contiguous] */
    /* panel (head + words,TILE_COLUMNS) from B (k,columns), zero beyond `columns`; k as a tile has it, at most DEPTH
     * words where there is a head */
    void (*pack)(real *panel, Operand b, int k, int columns);
    /* words of `rows` rows of A (rows,k), TILE_ROWS rounded up to LANES apart if its columns are contiguous and not
     * by_row, else DEPTH apart. NULL: A is read where it stands */
    void (*strip)(real *words, Operand a, int rows, int k);
} Kernel;

extern const Kernel kernel_float;
extern const Kernel kernel_bf16;        /* values 0 where there is none */
extern const Kernel kernel_int8;        /* the same */

#endif
