/* kernels.h - the table of kernels: a row for each instruction set that the program knows.
 *
 * gemm_float.c, gemm_bf16.c, gemm_int8.c and vector.c are compiled once for each instruction set in
 * which they differ; rows share what they have in common. The Makefile says which object is
 * compiled for which set, kernels.c which row has which kernels. All else is compiled for every CPU
 * of the architecture.
 *
 * The row is chosen before main, and stays: the last of the table that the CPU has, or the one that
 * the environment names in ATTN_CPU.
 */
#ifndef ATTN_LINALG_KERNELS_H
#define ATTN_LINALG_KERNELS_H

#include "base/error.h"
#include "linalg/gemm.h"
#include "linalg/vector.h"

/* What a file of kernels calls its table: NAME_avx2, where the Makefile says -DKERNELS=avx2. */
#define KERNELS_JOINED(name, set) name##_##set
#define KERNELS_NAMED(name, set)  KERNELS_JOINED(name, set)
#define OF_KERNELS(name)          KERNELS_NAMED(name, KERNELS)

/* UNROLL for (...) - leaves no loop, where the count is a constant. Only then do compilers make
 * vectors of a loop around it, and clang unrolls too late for that if it is given a count. */
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

/* ---- a kernel of gemm.c, which knows it by its sizes and functions alone ---- */

enum {
    MAX_VECTOR_BYTES = 64,                          /* of any instruction set */
    MAX_TILE_ROWS    = 32,
    MAX_TILE_COLUMNS = 2 * MAX_VECTOR_BYTES / sizeof(real),
    DEPTH            = 384,                         /* steps along k at a time: a strip of up to 14
                                                     * rows of A stays in the first cache */
    STRIP_WORDS      = MAX_TILE_ROWS * (DEPTH + 2), /* and what is before and behind them */
    BLOCK            = (384 << 10) / sizeof(real)   /* words of B at a time: they stay in the
                                                     * second cache */
};

/* The words of a few rows of A, `stride` reals apart: by row the rows, else the columns. Before
 * words that the kernel has written is a real of each row, behind them room for a vector. */
typedef struct {
    const real *words;
    ptrdiff_t   stride;
    int         by_row, rows;
} Strip;

/* The panels of B that it is multiplied by, `distance` apart. */
typedef struct {
    const real *first;
    size_t      distance;
} Panels;

/* C (rows,n) = start + strip · panels; k: words, n: whole panels. r by its address: a copy on the
 * stack would be read in other pieces than it is written, which waits for all that is stored
 * before. */
typedef void Tiles(const Result *r, const Strip *a, Panels b, int k, int n);

static inline Result result_at(Result r, ptrdiff_t i, ptrdiff_t j)
{
    r.c += i * r.row + j;
    if (r.start) r.start += i * r.start_row + j;
    return r;
}

/* The kernel of one precision on one instruction set. Strips and panels consist of words, each of
 * them `values` steps along k. Here k counts values; what the last word has beyond it is zero. */
typedef struct {
    int    values;                      /* 0: the instruction set has no such kernel */
    int    step;                        /* values along k that stay together where k is cut */
    int    depth;                       /* steps of a part of k, at most: up to DEPTH */
    int    multiple;                    /* each part of k has a multiple of so many words; the last
                                         * ones may be zero */
    int    rows, columns;               /* of a tile; a panel has as many columns */
    int    head;                        /* rows of a panel before its words */
    int    by_row;                      /* strips are by row, whatever A is */
    int    stride[2];                   /* reals of a strip between two words along k, where it is
                                         * by column; for each word of a row, where it is by row */
    int    strip_row;                   /* reals of a strip for each word along k */
    Tiles *tiles[MAX_TILE_ROWS + 1][2]; /* [rows][A's rows are contiguous] */
    /* panel (head + words, columns of a tile) from B (k,columns), zero beyond `columns` and k; at
     * most DEPTH words where there is a head */
    void (*pack)(real *panel, Operand b, int k, int columns);
    /* words of `rows` rows of A (rows,k), by column if A's columns are contiguous and strips are
     * not by row, else by row. NULL: A is read in place */
    void (*strip)(real *words, Operand a, int rows, int k);
    /* before and after the tiles of strips of so many rows: the CPU's registers get the sizes that
     * these tiles have, and are given up. NULL: they have one size */
    void (*begin)(int rows);
    void (*end)(void);
} Kernel;

/* ---- the vector functions (linalg/vector.h) ---- */

/* Of each vector_NAME: what it returns, NAME, its parameters, and their names. */
#define VECTOR_FUNCTIONS(F)                                                                        \
    F(void, tanh, (real *x, size_t n), (x, n))                                                     \
    F(void, tanh_backward, (real *dx, const real *y, size_t n), (dx, y, n))                        \
    F(void, relu, (real *x, size_t n), (x, n))                                                     \
    F(void, relu_backward, (real *dx, const real *y, size_t n), (dx, y, n))                        \
    F(void, gate, (real *x, real a, real b, size_t n), (x, a, b, n))                               \
    F(void, gate_backward, (real *dx, const real *x, real a, real b, size_t n), (dx, x, a, b, n))  \
    F(void, gelu, (real *x, size_t n), (x, n))                                                     \
    F(void, gelu_backward, (real *dx, const real *x, size_t n), (dx, x, n))                        \
    F(void, add, (real *y, const real *x, size_t n), (y, x, n))                                    \
    F(void, scale, (real *y, real a, size_t n), (y, a, n))                                         \
    F(void, affine, (real *y, real a, real b, size_t n), (y, a, b, n))                             \
    F(real, dot, (const real *x, const real *y, size_t n), (x, y, n))                              \
    F(void, axpy, (real *y, real a, const real *x, size_t n), (y, a, x, n))                        \
    F(void, scores, (real *a, const real *q, const real *const *row, int keys, VectorHeads by),    \
      (a, q, row, keys, by))                                                                       \
    F(void, mix, (real *z, const real *a, const real *const *row, int keys, VectorHeads by),       \
      (z, a, row, keys, by))                                                                       \
    F(void, approach, (real *y, real a, const real *x, size_t n), (y, a, x, n))                    \
    F(double, square_sum, (const real *x, size_t n), (x, n))                                       \
    F(double, absorb, (real *y, real *x, size_t n), (y, x, n))                                     \
    F(void, to_bf16, (uint16_t *y, const real *x, size_t n), (y, x, n))                            \
    F(void, from_bf16, (real *y, const uint16_t *x, size_t n), (y, x, n))                          \
    F(void, gru, (real *h, real *gates, real *un, const real *u, const real *previous, int H),     \
      (h, gates, un, u, previous, H))                                                              \
    F(void, gru_backward, (real *dgates, real *du, real *dprevious, const real *dh,                \
                           const real *gates, const real *un, const real *previous, int H),        \
      (dgates, du, dprevious, dh, gates, un, previous, H))                                         \
    F(void, lstm, (real *state, real *gates, real *tanh_m, const real *u, const real *previous,    \
                   int H),                                                                         \
      (state, gates, tanh_m, u, previous, H))                                                      \
    F(void, lstm_backward, (real *gates, real *dstate, const real *tanh_m, const real *previous,   \
                            int H),                                                                \
      (gates, dstate, tanh_m, previous, H))                                                        \
    F(void, ssru, (real *h, real *c, real *gates, const real *bias, const real *previous, int D),  \
      (h, c, gates, bias, previous, D))                                                            \
    F(void, ssru_backward, (real *gates, real *dc, const real *dh, const real *c,                  \
                            const real *previous, int D), (gates, dc, dh, c, previous, D))         \
    F(real, additive, (const real *q, const real *k, const real *v, int A), (q, k, v, A))          \
    F(void, additive_backward, (real *dq, real *dk, real *dv, real dscore, const real *q,          \
                                const real *k, const real *v, int A),                              \
      (dq, dk, dv, dscore, q, k, v, A))                                                            \
    F(real, normalize, (real *y, real *u, const real *x, const real *gain, const real *bias,       \
                        real epsilon, int n), (y, u, x, gain, bias, epsilon, n))                   \
    F(void, normalize_backward, (real *dx, real *dgain, real *dbias, const real *dy,               \
                                 const real *u, real rstd, const real *gain, int n),               \
      (dx, dgain, dbias, dy, u, rstd, gain, n))                                                    \
    F(real, softmax, (real *x, int n), (x, n))                                                     \
    F(void, softmax_backward, (real *dx, const real *y, int n), (dx, y, n))                        \
    F(real, sum, (const real *x, int n), (x, n))                                                   \
    F(real, absolute_sum, (const real *x, int n), (x, n))                                          \
    F(void, log, (real *x, size_t n), (x, n))                                                      \
    F(double, count_from, (const real *x, int n, real threshold), (x, n, threshold))               \
    F(double, sum_from, (const real *x, int n, real threshold), (x, n, threshold))                 \
    F(real, largest, (real *largest, const real *x, int n), (largest, x, n))                       \
    F(real, log_sum_exp, (real *largest, const real *x, int n), (largest, x, n))                   \
    F(void, r_drop, (real *p, real *q, const real *d, VectorRDrop by, int n), (p, q, d, by, n))    \
    F(void, adam, (real *w, real *m, real *v, const real *g, VectorAdam by, size_t n),             \
      (w, m, v, g, by, n))

#define VECTOR_MEMBER(type, name, parameters, arguments) type (*name) parameters;
typedef struct { VECTOR_FUNCTIONS(VECTOR_MEMBER) } VectorKernels;

/* ---- the table ---- */

/* A row: the kernels of one instruction set. */
typedef struct {
    const char          *name;              /* as the program prints it, and ATTN_CPU names it */
    unsigned             needs;             /* of the CPU: its CpuSets (base/system/cpu.h), added up */
    int                  is_fastest;        /* in float: faster than OpenBLAS's on the same CPU */
    const char          *openblas;          /* what OpenBLAS calls its kernels for such CPUs; NULL:
                                             * it knows best */
    const Kernel        *of[PRECISIONS];    /* by Precision */
    const VectorKernels *vector;
} Kernels;

/* kernels_of_cpu - the row that was chosen.
 * kernels_row - a row that this CPU has, from 0 on; NULL: there are no more. */
const Kernels *kernels_of_cpu(void);
const Kernels *kernels_row(int i);

/* kernels_choose - the row of that name; NULL, "" : the last that the CPU has. Returns -1 where it
 * has none of that name, and chooses the last.
 * kernels_take - a row that the table need not have.
 * Only tests call these, before they start threads. */
int  kernels_choose(const char *name);
void kernels_take(const Kernels *row);

/* kernels_check - whether ATTN_CPU names a row that the CPU has; else -1 and a message. */
int kernels_check(Err *e);

#endif
