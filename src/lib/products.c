/* products.c - in the library our own kernels compute all products, in the place of
 * linalg/matmul.c: they are right everywhere, and where OpenBLAS is faster, on CPUs without AVX2, it
 * needs what a library may not do. It reads the environment when it is loaded, which the program sets
 * before (linalg/openblas.c); it starts a thread a core; and to have one thread instead
 * (openblas_set_num_threads) is a setting of the process, which may use OpenBLAS itself. */
#include "linalg/matmul.h"

int gemm_is_fastest(void)
{
    return 1;
}

int gemm_multiplies(Precision precision)
{
    (void)precision;
    return 1;
}

void matmul(Precision precision, Result r, Operand a, Operand b, int m, int k, int n)
{
    gemm(precision, r, a, b, m, k, n);
}
