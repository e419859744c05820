/* openblas.h - all that the program asks of OpenBLAS, which multiplies where our own kernels are
 * not faster (gemm_is_fastest). The library is not linked: the first of these that needs it loads
 * it, with the kernels that suit this CPU, so that it starts nothing in a program that does
 * without. At its start it reads its environment, and makes a thread a core unless told otherwise.
 * ATTN_CORETYPE overrules the choice: a name that OPENBLAS_CORETYPE knows, or "auto" for what the
 * library or the user's environment says. Measured on AMD Zen 5, which OpenBLAS 0.3.21 takes for a
 * Haswell: 128 GFLOP/s a core without, 240 with SkylakeX.
 */
#ifndef ATTN_LINALG_OPENBLAS_H
#define ATTN_LINALG_OPENBLAS_H

#include "linalg/gemm.h"

/* openblas_multiply - the product of gemm (linalg/gemm.h), in PRECISION_FLOAT. */
void openblas_multiply(Result r, Operand a, Operand b, int m, int k, int n);

/* openblas_reserve - where OpenBLAS multiplies, takes now the memory that it needs when so many
 * threads multiply at a time; ends the program with a message where that is refused (ulimit -v,
 * ulimit -d). Without it OpenBLAS (0.3.21, blas_memory_alloc) would ask again for ever in its first
 * product. */
void openblas_reserve(int threads);

/* openblas_library, openblas_kernels - what computes the products of OpenBLAS: "OpenBLAS 0.3.21
 * NO_LAPACKE DYNAMIC_ARCH ... MAX_THREADS=64" and "Haswell"; NULL and "none" where it has none to
 * compute. */
const char *openblas_library(void);
const char *openblas_kernels(void);

#endif
