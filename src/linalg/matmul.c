/* matmul.c - the choice between our kernels and OpenBLAS. */
#include "linalg/matmul.h"

#include "linalg/kernels.h"
#include "linalg/openblas.h"

int gemm_is_fastest(void)
{
    return kernels_of_cpu()->is_fastest;
}

int gemm_multiplies(Precision precision)
{
    return precision != PRECISION_FLOAT || gemm_is_fastest();
}

void matmul(Precision precision, Result r, Operand a, Operand b, int m, int k, int n)
{
    if (gemm_multiplies(precision)) gemm(precision, r, a, b, m, k, n);
    else openblas_multiply(r, a, b, m, k, n);
}
