/* gemm_kernel.h - what gemm.c asks of a kernel.
 *
 * gemm.c and all that is above it know a kernel by its Kernel alone: sizes and functions. A file
 * with kernels (gemm_float.c, gemm_bf16.c, gemm_int8.c) is compiled for some instruction sets
 * (linalg/kernels.h), whose vectors gemm_simd.h defines.
 */
#ifndef ATTN_LINALG_GEMM_KERNEL_H
#define ATTN_LINALG_GEMM_KERNEL_H

#include "linalg/gemm.h"

enum {
    MAX_VECTOR_BYTES = 64,                          /* of any instruction set */
    MAX_TILE_ROWS    = 32,
    MAX_TILE_COLUMNS = 2 * MAX_VECTOR_BYTES / sizeof(real),
    DEPTH            = 384,                         /* steps along k at a time: a strip of up to 14
                                                     * rows of A stays in the first cache */
    STRIP_WORDS      = MAX_TILE_ROWS * (DEPTH + 1), /* and a number for each row */
    BLOCK            = (384 << 10) / sizeof(real)   /* words of B at a time: they stay in the
                                                     * second cache */
};

/* Of `rows` rows. r by its address: a copy on the stack would be read in other pieces than it is
 * written, which waits for all that is stored before. */
typedef void Tile(int rows, const Result *r, const real *a, ptrdiff_t stride, const real *panel,
                  int k);

/* The kernel of one precision on one instruction set. Strips and panels consist of words, each of
 * them `values` steps along k. Here k counts values; what the last word has beyond it is zero. */
typedef struct {
    int   values;                       /* 0: the instruction set has no such kernel */
    int   step;                         /* values along k that stay together where k is cut */
    int   multiple;                     /* each part of k has a multiple of so many words; the last
                                         * ones may be zero */
    int   rows, columns;                /* of a tile; a panel has as many columns */
    int   head;                         /* rows of a panel before its words */
    int   by_row;                       /* strips are by row, whatever A is */
    int   stride[2];                    /* reals of a strip between two words along k, where it is
                                         * by column, and between two rows, where it is by row */
    Tile *tiles[MAX_TILE_ROWS + 1][2];  /* [rows][A's rows are contiguous] */
    /* panel (head + words, columns of a tile) from B (k,columns), zero beyond `columns` and k; at
     * most DEPTH words where there is a head */
    void (*pack)(real *panel, Operand b, int k, int columns);
    /* words of `rows` rows of A (rows,k), by column if A's columns are contiguous and strips are
     * not by row, else by row; room for STRIP_WORDS reals. NULL: A is read in place */
    void (*strip)(real *words, Operand a, int rows, int k);
    /* before and after the tiles of a strip: the CPU's registers get the sizes that these tiles
     * have, and are given up. NULL: they have one size */
    void (*begin)(int rows);
    void (*end)(void);
} Kernel;

#endif
