/* kernels.c - the table of kernels: one row for each instruction set that they are compiled for. */
#include "linalg/gemm_kernel.h"

#if defined __AVX512F__ && !defined REAL_DOUBLE
#define NAME       "own AVX-512"
#define IS_FASTEST 1
#else
#define NAME       "own"
#define IS_FASTEST 0
#endif

static const Kernels table[] = {
    { NAME, IS_FASTEST, { [PRECISION_FLOAT] = &kernel_float, [PRECISION_BF16] = &kernel_bf16,
                          [PRECISION_INT8] = &kernel_int8 } },
};

/* All are compiled for the instruction set of the whole program, which main checks first. */
const Kernels *kernels_of_cpu(void)
{
    return &table[0];
}
